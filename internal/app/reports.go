package app

import (
	"context"
	"log/slog"

	"github.com/tidemark-metrics/tidemark/internal/reports"
)

// runReports sends pictures of spaces while this server holds their lease.
func (rm *rooms) runReports(ctx context.Context, log *slog.Logger) error {
	return reports.New(reports.Options{Base: rm.base, Turns: rm.turns, Logger: log, Node: rm.node, Deliver: rm.watch.dispatcher.Wake}).Run(ctx)
}
