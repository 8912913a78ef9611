package store

import (
	"context"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// nodesTopic makes those who register queue.
const nodesTopic = "nodes"

// NodeTimeout is how long a server that says nothing counts as running.
const NodeTimeout = 15 * time.Second

// Node is a server that uses the database.
type Node struct {
	ID        string // stays the same when it is started again
	Address   string
	Version   string
	Engine    string // where its measurements are
	StartedAt int64
	SeenAt    int64
	Age       int64 // seconds since it was seen, by the database's clock
	Load      tidemark.MachineLoad
}

// EmbeddedEngine is the engine that only one server can use.
const EmbeddedEngine = "embedded"

func (s *Store) nodeColumns() columns[Node] {
	return columns[Node]{
		noun:  "server",
		names: `id, address, version, engine, started_at, seen_at, ` + s.dialect.clock + ` - seen_at, load`,
		dest: func(v *Node) []any {
			return []any{&v.ID, &v.Address, &v.Version, &v.Engine, &v.StartedAt, &v.SeenAt, &v.Age, asJSON(&v.Load)}
		},
	}
}

// Join adds a server to those that use the database. One that keeps
// measurements to itself must be the only one: others would not have them.
func (s *Store) Join(ctx context.Context, n *Node) error {
	if s.node == "" { // it joins again with the same
		s.node = n.ID
	}
	return s.write(ctx, func(tx conn) error {
		if err := s.bump(ctx, tx, nodesTopic); err != nil {
			return err
		}
		others, err := many(ctx, s, tx, s.nodeColumns(), `FROM nodes WHERE id <> ? AND seen_at >= `+s.dialect.clock+` - ?`, n.ID, seconds(NodeTimeout))
		if err != nil {
			return err
		}
		for _, other := range others {
			if n.Engine == EmbeddedEngine || other.Engine == EmbeddedEngine {
				return alone(other)
			}
		}
		_, err = s.exec(ctx, tx, `
			INSERT INTO nodes (id, address, version, engine, started_at, seen_at) VALUES (?, ?, ?, ?, `+s.dialect.clock+`, `+s.dialect.clock+`)
			ON CONFLICT (id) DO UPDATE SET address = excluded.address, version = excluded.version, engine = excluded.engine,
				started_at = excluded.started_at, seen_at = excluded.seen_at`, n.ID, n.Address, n.Version, n.Engine)
		return err
	})
}

// alone says why a server cannot join another.
func alone(other *Node) error {
	return tidemark.Errorf(tidemark.Conflict, "the server %s at %s is running on this database with engine: %s. "+
		"Servers that share a database must all have engine: clickhouse, so that each has all measurements: "+
		"stop that server, give this one a database of its own, or set engine and clickhouse.urls on both", other.ID, other.Address, other.Engine)
}

// Beat says that a server is still there, what it has to do, and what it let
// organizations do.
func (s *Store) Beat(ctx context.Context, id string, load tidemark.MachineLoad, granted tidemark.LimitRates) error {
	return s.affect(ctx, s.writer, "server", `UPDATE nodes SET seen_at = `+s.dialect.clock+`, load = ?, granted = ? WHERE id = ?`, asJSON(&load), asJSON(&granted), id)
}

// GrantedElsewhere returns what each of the other servers that are there let
// organizations do.
func (s *Store) GrantedElsewhere(ctx context.Context, id string) ([]tidemark.LimitRates, error) {
	c := columns[tidemark.LimitRates]{noun: "server", names: `granted`, dest: func(v *tidemark.LimitRates) []any { return []any{asJSON(v)} }}
	found, err := many(ctx, s, s.db, c, `FROM nodes WHERE id <> ? AND seen_at >= `+s.dialect.clock+` - ? ORDER BY id`, id, seconds(NodeTimeout))
	all := make([]tidemark.LimitRates, len(found))
	for i, one := range found {
		all[i] = *one
	}
	return all, err
}

// Leave takes a server away.
func (s *Store) Leave(ctx context.Context, id string) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM nodes WHERE id = ?`, id)
	return err
}

// Nodes returns the servers that have not left, whether they still say
// something or not.
func (s *Store) Nodes(ctx context.Context) ([]*Node, error) {
	return many(ctx, s, s.db, s.nodeColumns(), `FROM nodes ORDER BY id`)
}

// PruneNodes forgets servers that have said nothing for a day.
func (s *Store) PruneNodes(ctx context.Context) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM nodes WHERE seen_at < `+s.dialect.clock+` - ?`, seconds(24*time.Hour))
	return err
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }
