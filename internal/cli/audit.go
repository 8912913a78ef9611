package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

type auditCmd struct {
	Org    string        `help:"Of one organization, by name or id; of all and of the server itself if not given." placeholder:"NAME"`
	Server bool          `help:"What is about the server itself alone: backups, organizations, sign-ins of unknown accounts."`
	Who    string        `help:"Part of who did it, or of where they came from." placeholder:"TEXT"`
	Did    string        `help:"What they did, such as token.create or alert.*." placeholder:"ACTION"`
	What   string        `help:"Part of what they did it to." placeholder:"TEXT"`
	Since  time.Duration `help:"How far back, such as 24h." placeholder:"TIME"`
	Length int           `help:"How many entries at most." default:"100"`
	Lines  bool          `help:"Print a line of JSON for each entry."`
	listFlags
}

// Run shows the audit log.
func (c *auditCmd) Run(r *run) error {
	if c.Org != "" && c.Server {
		return errors.New("--org and --server exclude each other")
	}
	return r.operate(orgFlag{}, func(ctx context.Context, api *client.Client) error {
		orgs, err := api.Orgs(ctx)
		if err != nil {
			return err
		}
		names := make(map[tidemark.OrgID]string, len(orgs))
		for _, o := range orgs {
			names[o.ID] = o.Name
		}
		params, err := c.params(ctx, api)
		if err != nil {
			return err
		}
		entries, err := readAudit(ctx, api, params, c.Length)
		if err != nil {
			return err
		}
		return c.print(r, entries, names)
	})
}

func (c *auditCmd) params(ctx context.Context, api *client.Client) (url.Values, error) {
	v := url.Values{}
	for name, text := range map[string]string{"actor": c.Who, "action": c.Did, "thing": c.What} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if c.Since > 0 {
		v.Set("since", strconv.FormatInt(time.Now().Add(-c.Since).Unix(), 10))
	}
	if c.Server {
		v.Set("org", "0")
	}
	if c.Org != "" {
		o, err := findOrg(ctx, api, c.Org)
		if err != nil {
			return nil, err
		}
		v.Set("org", orgID(o.ID))
	}
	return v, nil
}

// readAudit reads the newest entries, a page at a time.
func readAudit(ctx context.Context, api *client.Client, params url.Values, most int) ([]tidemark.OrgAuditEntry, error) {
	entries := []tidemark.OrgAuditEntry{}
	for len(entries) < most {
		length := min(most-len(entries), tidemark.MaxPageLength)
		params.Set("length", strconv.Itoa(length))
		page, err := api.ServerAudit(ctx, params)
		if err != nil {
			return nil, err
		}
		entries = append(entries, page...)
		if len(page) < length {
			break
		}
		params.Set("before", strconv.FormatInt(page[len(page)-1].ID, 10))
	}
	return entries, nil
}

func (c *auditCmd) print(r *run, entries []tidemark.OrgAuditEntry, names map[tidemark.OrgID]string) error {
	if c.Lines {
		out := json.NewEncoder(r.Out)
		for i := range entries {
			if err := out.Encode(&entries[i]); err != nil {
				return err
			}
		}
		return nil
	}
	t := table{header: []string{"WHEN", "ORGANIZATION", "WHO", "FROM", "DID", "WHAT", "DETAIL"}}
	for _, e := range entries {
		detail, _ := json.Marshal(e.Detail)
		t.add(clock(e.At), orgName(names, e.Organization), e.Actor, e.Address, e.Action, e.Object, string(detail))
	}
	return r.list(c.listFlags, entries, &t)
}

// orgName is how people know an organization; one that is gone has its number.
func orgName(names map[tidemark.OrgID]string, id tidemark.OrgID) string {
	switch name, known := names[id]; {
	case id == 0:
		return "-"
	case known:
		return name
	}
	return orgID(id)
}
