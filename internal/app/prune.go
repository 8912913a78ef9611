package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

const (
	pruneEvery = time.Hour
	keepJobs   = 30 * 24 * time.Hour
)

// prune deletes, regularly, what nobody will ask for again: expired sessions
// and one-time keys, old entries of the audit log, old snapshots, and the history of alerts once the
// measurements it is about are gone. People's own annotations are theirs.
func (rm *rooms) prune(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	ticker := time.NewTicker(pruneEvery)
	defer ticker.Stop()
	for {
		now := time.Now()
		err := errors.Join(
			rm.store.DeleteExpired(ctx, now.Unix()),
			rm.store.PruneAudit(ctx, now.Add(-cfg.Audit.Keep).Unix()),
			rm.store.PruneNodes(ctx),
			rm.store.PruneJobs(ctx, now.Add(-keepJobs).Unix()),
			rm.store.PruneEvents(ctx, tidemark.AlertStream, now.Add(-cfg.Storage.HourRetention).Unix()),
		)
		if err != nil && ctx.Err() == nil {
			log.Warn("delete old records", slog.Any("err", err)) // tried again later
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
