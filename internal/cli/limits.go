package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

type orgLimits struct {
	Org string   `arg:"" help:"Organization, by name or id."`
	Set []string `arg:"" optional:"" help:"What to set, such as streams=2000000: a number, 0 for no limit, or default." placeholder:"NAME=VALUE"`
}

// Run shows or sets limits.
func (c *orgLimits) Run(r *run) error {
	values, err := readLimits(c.Set)
	if err != nil {
		return err
	}
	return r.operate(orgFlag{Org: c.Org}, func(ctx context.Context, api *client.Client) error {
		if len(values) > 0 {
			if err := api.SetOrgLimits(ctx, values); err != nil {
				return err
			}
		}
		limits, err := api.OrgLimits(ctx)
		if err != nil {
			return err
		}
		t := table{header: []string{"LIMIT", "USE", "VALUE", "SERVER", "OF"}}
		for _, l := range limits {
			t.add(string(l.Name), useOf(l), valueOf(l), strconv.FormatInt(l.Default, 10), l.Unit)
		}
		return t.print(r.Out)
	})
}

// readLimits reads NAME=VALUE.
func readLimits(list []string) (map[tidemark.LimitName]*int64, error) {
	values := make(map[tidemark.LimitName]*int64, len(list))
	for _, one := range list {
		name, text, ok := strings.Cut(one, "=")
		if _, known := tidemark.LimitCalled(tidemark.LimitName(name)); !ok || !known {
			return nil, fmt.Errorf("%q: must be NAME=VALUE with the name of a limit; tidemark org limits ORGANIZATION lists them", one)
		}
		if text == "default" {
			values[tidemark.LimitName(name)] = nil
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s: %q is neither a number nor default", name, text)
		}
		values[tidemark.LimitName(name)] = &n
	}
	return values, nil
}

func useOf(l tidemark.LimitUse) string {
	if l.Use == nil {
		return "-"
	}
	return strconv.FormatInt(*l.Use, 10)
}

// valueOf marks what differs from the server's.
func valueOf(l tidemark.LimitUse) string {
	text := strconv.FormatInt(l.Limit, 10)
	if l.Limit == 0 {
		text = "any"
	}
	if l.Own {
		text += " *"
	}
	return text
}
