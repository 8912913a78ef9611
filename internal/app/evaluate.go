package app

import (
	"context"
	"log/slog"

	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// arriving is an engine that several servers write to.
type arriving interface {
	Arrivals(ctx context.Context, from int64) (*clickhouse.Arrivals, error)
}

// runEvaluator evaluates alerts until ctx is done: all the time where the
// measurements are this server's alone, else while it holds the lease.
func (rm *rooms) runEvaluator(ctx context.Context, log *slog.Logger) error {
	engine, shared := rm.engine.(arriving)
	if !shared {
		return rm.watch.evaluator.Load().Run(ctx)
	}
	return alerting.NewLeader(alerting.LeaderOptions{
		Store: rm.store, Node: rm.node, Logger: log, Evaluator: &rm.watch.evaluator, Elsewhere: &rm.watch.elsewhere,
		Arrivals: func(ctx context.Context, from int64) (alerting.Arrivals, error) { return engine.Arrivals(ctx, from) },
		New:      func(st alerting.Store) *alerting.Evaluators { return rm.newEvaluator(st, log) },
	}).Run(ctx)
}
