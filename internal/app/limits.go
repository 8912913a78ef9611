package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/tidemark-metrics/tidemark"
)

// followLimits makes limits of organizations known within a second of their
// being set, by whichever process.
func (rm *rooms) followLimits(ctx context.Context, log *slog.Logger) error {
	err := rm.store.ListenLimits(ctx, func() {
		orgs, err := rm.store.OrgLimits(ctx)
		if err != nil {
			log.Warn("read the limits of organizations", slog.Any("err", err)) // those known stay
			return
		}
		rm.limits.SetOrgs(orgs)
	})
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// writeLimits writes the limits of the server, and how often each was hit, as
// Prometheus text. It names no organization.
func writeLimits(w io.Writer, limits *tidemark.Limits) {
	series := func(name, kind, help string, value func(tidemark.LimitName) int64) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
		for _, l := range tidemark.LimitTable {
			fmt.Fprintf(w, "%s{limit=%q,scope=%q} %d\n", name, l.Name, l.Scope, value(l.Name))
		}
	}
	series("tidemark_limit", "gauge", "The limit of the server, 0 for none.", limits.Server)
	series("tidemark_limit_refused_total", "counter", "What was refused because of the limit.", limits.Refused)
	series("tidemark_limit_own", "gauge", "Organizations with a value of their own.", func(n tidemark.LimitName) int64 { return int64(limits.Owners(n)) })
}
