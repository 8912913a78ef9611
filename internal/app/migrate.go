package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// sayMigration logs what a new version changes in the control store, and how
// to go back: with many rows it takes a while, during which nothing answers.
func sayMigration(ctx context.Context, cfg *config.Config, log *slog.Logger) func(store.Migration) {
	return func(m store.Migration) {
		if m.Step == 1 {
			log.Info("the control store is of an earlier version and is migrated; it may be killed, and begins again. "+
				"That version cannot open it afterwards: to go back, restore a backup from before (docs/upgrading.md)",
				slog.Int("migrations", m.Of), slog.String("last_backup", lastBackup(ctx, cfg)))
		}
		log.Info("migrating the control store", slog.String("migration", m.Name), slog.Int("step", m.Step), slog.Int("of", m.Of))
	}
}

// lastBackup names the latest backup that the server made by itself.
func lastBackup(ctx context.Context, cfg *config.Config) string {
	if cfg.Backup.To == "" {
		return "none by backup.to"
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	to, err := openDestination(cfg)
	if err != nil {
		return "unknown: " + err.Error()
	}
	names, err := to.names(ctx)
	switch {
	case err != nil:
		return "unknown: " + err.Error()
	case len(names) == 0:
		return "none in " + cfg.Backup.To
	}
	return names[len(names)-1] + " in " + cfg.Backup.To
}
