package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

type tokenCmd struct {
	List       tokenList       `cmd:"" help:"List tokens."`
	Create     tokenCreate     `cmd:"" help:"Create a token and print it, once."`
	Import     tokenImport     `cmd:"" help:"Take over a token that agents already use; its value is read from standard input."`
	Deactivate tokenDeactivate `cmd:"" help:"Set a token Inactive: requests with it are refused from now on."`
	Activate   tokenActivate   `cmd:"" help:"Set a token active again."`
	Rotate     tokenRotate     `cmd:"" help:"Give a token a new value and print it, once."`
	Delete     tokenDelete     `cmd:"" help:"Delete a token for good."`
}

type tokenList struct {
	orgFlag
	listFlags
}

// Run lists tokens.
func (c *tokenList) Run(r *run) error {
	return r.operate(c.orgFlag, func(ctx context.Context, api *client.Client) error {
		tokens, err := api.Tokens().List(ctx)
		if err != nil {
			return err
		}
		t := table{header: []string{"ID", "NAME", "ROLE", "STATUS", "TOKEN", "LAST USED", "EXPIRES"}}
		for _, k := range tokens {
			status := "Active"
			if !k.Active {
				status = "Inactive"
			}
			t.add(strconv.FormatInt(k.ID, 10), k.Name, k.Role.Title(), status, k.Token, k.LastUsedAt, k.ExpiresAt)
		}
		return r.list(c.listFlags, tokens, &t)
	})
}

// newToken is what creating and importing have in common.
type newToken struct {
	orgFlag
	Name    string        `arg:"" help:"What the token is for."`
	Role    string        `help:"admin (Full Access), recorder (Record Only) or viewer (View Only)." default:"recorder" enum:"admin,recorder,viewer"`
	Expires time.Duration `help:"How long it works, such as 720h; for ever if not given." placeholder:"TIME"`
}

// Validate refuses a token that would end before it begins: without an end it
// would work for ever.
func (n *newToken) Validate() error {
	if n.Expires < 0 {
		return fmt.Errorf("--expires: %s is not a time from now on", n.Expires)
	}
	return nil
}

func (n *newToken) body() map[string]any {
	body := map[string]any{"name": n.Name, "role": n.Role}
	if n.Expires > 0 {
		body["expires_at"] = time.Now().Add(n.Expires).Unix()
	}
	return body
}

type tokenCreate struct {
	newToken
	listFlags
}

// Run creates a token.
func (c *tokenCreate) Run(r *run) error {
	return r.operate(c.orgFlag, func(ctx context.Context, api *client.Client) error {
		t, err := api.Tokens().Create(ctx, c.body())
		if err != nil {
			return err
		}
		if c.JSON {
			return r.printJSON(t)
		}
		fmt.Fprintf(r.Err, "Created token %d, %s. It cannot be shown again.\n", t.ID, t.Role.Title())
		fmt.Fprintln(r.Out, t.Token)
		return nil
	})
}

type tokenImport struct{ newToken }

// Run imports a token.
func (c *tokenImport) Run(r *run) error {
	line, err := bufio.NewReader(input{r.ctx, r.In}).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if line = strings.TrimSpace(line); line == "" {
		return errors.New("give the token's value on standard input")
	}
	return r.operate(c.orgFlag, func(ctx context.Context, api *client.Client) error {
		body := c.body()
		body["import_token"] = line
		t, err := api.Tokens().Create(ctx, body)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "Imported token %d, %s. Only its hash is kept.\n", t.ID, t.Role.Title())
		return nil
	})
}

// oneToken names the token a command is about.
type oneToken struct {
	orgFlag
	Token string `arg:"" help:"The token's id or name."`
}

// with calls do with the token's id.
func (c *oneToken) with(r *run, do func(ctx context.Context, api *client.Client, t client.APIToken) error) error {
	return r.operate(c.orgFlag, func(ctx context.Context, api *client.Client) error {
		tokens, err := api.Tokens().List(ctx)
		if err != nil {
			return err
		}
		var found []client.APIToken
		for _, t := range tokens {
			if strconv.FormatInt(t.ID, 10) == c.Token {
				return do(ctx, api, t)
			}
			if t.Name == c.Token {
				found = append(found, t)
			}
		}
		switch len(found) {
		case 0:
			return fmt.Errorf("there is no token %q", c.Token)
		case 1:
			return do(ctx, api, found[0])
		}
		return fmt.Errorf("there are %d tokens called %q: give the id", len(found), c.Token)
	})
}

func (c *oneToken) setActive(r *run, active bool) error {
	return c.with(r, func(ctx context.Context, api *client.Client, t client.APIToken) error {
		if err := api.Tokens().Update(ctx, t.ID, map[string]any{"active": active}); err != nil {
			return err
		}
		state := "active"
		if !active {
			state = "Inactive: requests with it are refused from now on"
		}
		fmt.Fprintf(r.Out, "Token %d (%s) is %s.\n", t.ID, t.Name, state)
		return nil
	})
}

type tokenDeactivate struct{ oneToken }

// Run sets a token Inactive.
func (c *tokenDeactivate) Run(r *run) error { return c.setActive(r, false) }

type tokenActivate struct{ oneToken }

// Run sets a token active.
func (c *tokenActivate) Run(r *run) error { return c.setActive(r, true) }

type tokenRotate struct {
	oneToken
	Overlap time.Duration `help:"How long the old value goes on working; 0s for not at all." default:"24h"`
}

// Run rotates a token.
func (c *tokenRotate) Run(r *run) error {
	return c.with(r, func(ctx context.Context, api *client.Client, t client.APIToken) error {
		rotated, err := api.RotateToken(ctx, t.ID, tidemark.Seconds(c.Overlap.Seconds()))
		if err != nil {
			return err
		}
		if rotated.OldTokenUntil != "" {
			fmt.Fprintf(r.Err, "The old value works until %s.\n", rotated.OldTokenUntil)
		} else {
			fmt.Fprintln(r.Err, "The old value no longer works.")
		}
		fmt.Fprintln(r.Out, rotated.Token)
		return nil
	})
}

type tokenDelete struct{ oneToken }

// Run deletes a token.
func (c *tokenDelete) Run(r *run) error {
	return c.with(r, func(ctx context.Context, api *client.Client, t client.APIToken) error {
		if err := api.Tokens().Delete(ctx, t.ID); err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "Token %d (%s) is deleted.\n", t.ID, t.Name)
		return nil
	})
}
