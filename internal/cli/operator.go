package cli

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

// orgFlag says which organization a command is about.
type orgFlag struct {
	Org string `help:"Organization, by name or id; not needed where there is only one." placeholder:"NAME"`
}

// operate calls do with a client of the operator's door, and says on standard
// error whether a running server or the data itself is behind it.
func (r *run) operate(org orgFlag, do func(context.Context, *client.Client) error) error {
	return r.throughDoor(func(transport http.RoundTripper) error {
		return r.inOrg(org, do, client.HTTP(&http.Client{Transport: transport, Timeout: time.Minute}))
	})
}

// inOrg calls do with a client of one organization.
func (r *run) inOrg(org orgFlag, do func(context.Context, *client.Client) error, options ...client.Option) error {
	c := client.New("http://tidemark", options...)
	if org.Org == "" {
		return do(r.ctx, c)
	}
	o, err := findOrg(r.ctx, c, org.Org)
	if err != nil {
		return err
	}
	return do(r.ctx, client.New("http://tidemark", append(options, client.Header(client.OrgHeader, orgID(o.ID)))...))
}

// throughDoor opens the operator's door, says on standard error what is behind
// it, and calls do.
func (r *run) throughDoor(do func(http.RoundTripper) error) error { return r.through(app.OpenDoor, do) }

func (r *run) through(open func(context.Context, *config.Config) (*app.Door, error), do func(http.RoundTripper) error) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	door, err := open(r.ctx, cfg)
	if err != nil {
		return err
	}
	defer door.Close()
	fmt.Fprintln(r.Err, door.Says)
	return do(door.Transport)
}

// findOrg returns the organization of an id or a name. What is the id of one
// and the name of another is taken for the id.
func findOrg(ctx context.Context, c *client.Client, nameOrID string) (*tidemark.Org, error) {
	orgs, err := c.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	var found *tidemark.Org
	for i := range orgs {
		if orgID(orgs[i].ID) == nameOrID {
			return &orgs[i], nil
		}
		if orgs[i].Name == nameOrID {
			found = &orgs[i]
		}
	}
	if found == nil {
		return nil, fmt.Errorf("there is no organization %q", nameOrID)
	}
	return found, nil
}

func orgID(id tidemark.OrgID) string { return strconv.FormatInt(int64(id), 10) }
