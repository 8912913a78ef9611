package app

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// NodeStatus is a server on a database that several may share.
type NodeStatus struct {
	store.Node
	Alive bool
	Does  []string // what it does for all of them
}

// Nodes returns the servers on cfg's database.
func Nodes(ctx context.Context, cfg *config.Config) ([]NodeStatus, error) {
	if cfg.Database == "" {
		return nil, tidemark.Errorf(tidemark.Unsupported, "the control store is SQLite in %s: the server that runs there is the only one. Several need PostgreSQL and engine: clickhouse", cfg.Data)
	}
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		return nil, err
	}
	defer st.Close()
	nodes, err := st.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	leases, err := st.Leases(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]NodeStatus, len(nodes))
	for i, n := range nodes {
		all[i] = NodeStatus{Node: *n, Alive: n.Age <= int64(store.NodeTimeout.Seconds())}
		for _, l := range leases {
			if l.Holder == n.ID {
				all[i].Does = append(all[i].Does, l.Name)
			}
		}
	}
	return all, nil
}
