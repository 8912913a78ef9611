package app

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/clock"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

const (
	pruneEvery = time.Hour
	keepJobs   = 30 * 24 * time.Hour
	// keepDeleted is how long what was deleted can be restored.
	keepDeleted = 30 * 24 * time.Hour
)

// prune deletes, regularly, what is of no use any more: expired sessions
// and one-time keys, old entries of the audit log, what was deleted long ago,
// old snapshots, and the history of alerts once the measurements it is about
// are gone. People's own annotations are theirs. Tokens that nobody uses are
// deactivated.
func (rm *rooms) prune(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	ticker := time.NewTicker(pruneEvery)
	defer ticker.Stop()
	steady := rm.pruneClock(ctx)
	for {
		if err := rm.pruneAt(ctx, cfg, steady.Now()); err != nil && ctx.Err() == nil {
			log.Warn("delete old records", slog.Any("err", err)) // tried again later
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// prunedSetting holds when pruneAt was last called, in seconds since 1970.
const prunedSetting = "pruned_at"

// pruneClock returns a clock that goes on from the last time: one that is ahead
// by mistake must not make the audit log look old.
func (rm *rooms) pruneClock(ctx context.Context) *clock.Steady {
	steady := clock.New()
	if text, err := rm.store.Setting(ctx, prunedSetting); err == nil {
		last, _ := strconv.ParseInt(string(text), 10, 64) // 0 is not known
		steady.Start(time.Unix(last, 0))
	}
	return steady
}

// pruneAt deletes what is old at a time.
func (rm *rooms) pruneAt(ctx context.Context, cfg *config.Config, now time.Time) error {
	return errors.Join(
		rm.store.DeleteExpired(ctx, now.Unix()),
		rm.store.DeactivateIdle(ctx, now.Unix()),
		rm.store.PruneAudit(ctx, now.Add(-cfg.Audit.Keep).Unix()),
		rm.store.PruneVersions(ctx, now.Add(-keepDeleted).Unix()),
		rm.store.PruneNodes(ctx),
		rm.store.PruneJobs(ctx, now.Add(-keepJobs).Unix()),
		rm.store.PruneEvents(ctx, tidemark.AlertStream, now.Add(-cfg.Storage.HourRetention).Unix()),
		rm.store.SetSetting(ctx, prunedSetting, strconv.AppendInt(nil, now.Unix(), 10)),
	)
}
