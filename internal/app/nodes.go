package app

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// Nodes returns the servers on cfg's database.
func Nodes(ctx context.Context, cfg *config.Config) (*tidemark.Machines, error) {
	if cfg.Database == "" {
		return nil, tidemark.Errorf(tidemark.Unsupported, "the control store is SQLite in %s: the server that runs there is the only one. Several need PostgreSQL and engine: clickhouse", cfg.Data)
	}
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		return nil, err
	}
	defer st.Close()
	return machinesOn(ctx, st)
}
