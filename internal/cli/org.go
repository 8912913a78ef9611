package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"golang.org/x/term"
)

type orgCmd struct {
	Create orgCreate `cmd:"" help:"Create an organization."`
	List   orgList   `cmd:"" help:"List organizations."`
	Limits orgLimits `cmd:"" help:"Show the limits of an organization with what it uses of them, or set some."`
	Export orgExport `cmd:"" help:"Export everything that an organization has to a directory."`
	Import orgImport `cmd:"" help:"Import what tidemark org export wrote into another organization or server."`
	Delete orgDelete `cmd:"" help:"Delete an organization with its measurements and everything else it has."`
}

type orgCreate struct {
	Name string `arg:"" help:"Its name."`
}

// Run creates an organization.
func (c *orgCreate) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		o, err := api.CreateOrg(ctx, c.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "Created organization %d, %s. Give it a token: tidemark token create NAME --org %d\n", o.ID, o.Name, o.ID)
		return nil
	})
}

type orgList struct{ listFlags }

// Run lists organizations.
func (c *orgList) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		orgs, err := api.Orgs(ctx)
		if err != nil {
			return err
		}
		t := table{header: []string{"ID", "NAME", "CREATED"}}
		for _, o := range orgs {
			t.add(strconv.FormatInt(int64(o.ID), 10), o.Name, clock(o.CreatedAt))
		}
		return r.list(c.listFlags, orgs, &t)
	})
}

func clock(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

type userCmd struct {
	Create userCreate `cmd:"" help:"Add a person; the password is asked for, or read from standard input."`
	Passwd userPasswd `cmd:"" help:"Change a person's password."`
	List   userList   `cmd:"" help:"List people and the organizations they are members of."`
	Delete userDelete `cmd:"" help:"Delete a person: memberships, sessions and links end at once."`

	Operator          userOperator          `cmd:"" help:"Make a person an operator, who sees what organizations use of their limits and sets those in the browser."`
	ResetSecondFactor userResetSecondFactor `cmd:"" help:"Remove a person's passkeys, authenticator app and recovery codes, and end their sessions."`
}

type userCreate struct {
	orgFlag
	Email string `arg:"" help:"E-mail address to sign in with."`
	Name  string `help:"The person's name."`
	Role  string `help:"admin, member or viewer." default:"member" enum:"admin,member,viewer"`
}

// Run adds a person.
func (c *userCreate) Run(r *run) error {
	password, err := r.password()
	if err != nil {
		return err
	}
	return r.operate(c.orgFlag, func(ctx context.Context, api *client.Client) error {
		u, err := api.CreateUser(ctx, client.NewUser{Email: c.Email, Name: c.Name, Password: password, Role: tidemark.Role(c.Role)})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "Created user %d, %s.\n", u.ID, u.Email)
		return nil
	})
}

type userPasswd struct {
	Email string `arg:"" help:"Whose password."`
}

// Run changes a password.
func (c *userPasswd) Run(r *run) error {
	password, err := r.password()
	if err != nil {
		return err
	}
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		if err := api.SetPassword(ctx, c.Email, password); err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "The password of %s is changed.\n", c.Email)
		return nil
	})
}

// password asks for a password without showing it, or reads it from standard
// input where that is no terminal.
func (r *run) password() (string, error) {
	if f, ok := r.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		shown, err := term.GetState(int(f.Fd()))
		if err != nil {
			return "", err
		}
		fmt.Fprint(r.Err, "Password: ")
		typed, err := until(r.ctx, func() ([]byte, error) { return term.ReadPassword(int(f.Fd())) })
		_ = term.Restore(int(f.Fd()), shown) // it still waits where it was interrupted, and shows nothing
		fmt.Fprintln(r.Err)
		return string(typed), err
	}
	line, err := bufio.NewReader(input{r.ctx, r.In}).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
