package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/client"
)

type userList struct{ listFlags }

// Run lists people.
func (c *userList) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		people, err := api.Users(ctx)
		if err != nil {
			return err
		}
		t := table{header: []string{"ID", "EMAIL", "NAME", "CREATED", "MEMBER OF", "OPERATOR"}}
		for _, p := range people {
			var in []string
			for _, m := range p.Orgs {
				in = append(in, fmt.Sprintf("%d (%s)", m.Org, m.Role))
			}
			t.add(strconv.FormatInt(p.ID, 10), p.Email, p.Name, clock(p.CreatedAt), strings.Join(in, ", "), yes(p.Operator))
		}
		return r.list(c.listFlags, people, &t)
	})
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

type userOperator struct {
	Email  string `arg:"" help:"Whom."`
	Revoke bool   `help:"They are none any longer."`
}

// Run makes a person an operator, or no operator any longer.
func (c *userOperator) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		if err := api.SetOperator(ctx, c.Email, !c.Revoke); err != nil {
			return fmt.Errorf("operator %s: %w", c.Email, err)
		}
		now := "an operator"
		if c.Revoke {
			now = "no operator any longer"
		}
		fmt.Fprintf(r.Out, "%s is %s.\n", c.Email, now)
		return nil
	})
}

type userDelete struct {
	Email string `arg:"" help:"Whom."`
}

// Run deletes a person.
func (c *userDelete) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		if err := api.DeleteUser(ctx, c.Email); err != nil {
			return fmt.Errorf("delete %s: %w", c.Email, err)
		}
		fmt.Fprintf(r.Out, "%s is deleted.\n", c.Email)
		return nil
	})
}

type userResetSecondFactor struct {
	Email string `arg:"" help:"Whose."`
}

// Run resets a person's second factor.
func (c *userResetSecondFactor) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		if err := api.ResetSecondFactor(ctx, c.Email); err != nil {
			return fmt.Errorf("reset the second factor of %s: %w", c.Email, err)
		}
		fmt.Fprintf(r.Out, "%s has no second factor any more, and is signed out everywhere.\n", c.Email)
		return nil
	})
}

type orgDelete struct {
	Org     string `arg:"" help:"Its name or id."`
	Confirm string `help:"Its name once more: nothing brings it back but a backup." required:"" placeholder:"NAME"`
}

// Run deletes an organization.
func (c *orgDelete) Run(r *run) error {
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		o, err := findOrg(ctx, api, c.Org)
		if err != nil {
			return err
		}
		if c.Confirm != o.Name && c.Confirm != orgID(o.ID) {
			return fmt.Errorf("--confirm %q is not the name of organization %d", c.Confirm, o.ID)
		}
		if err := api.DeleteOrg(ctx, o.ID); err != nil {
			return err
		}
		fmt.Fprintf(r.Out, "Organization %d is deleted with everything it had.\n", o.ID)
		return nil
	})
}
