package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestJoin has servers come and go, of which some cannot be together.
func TestJoin(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx, a, b := t.Context(), stores[0], stores[1]
		join := func(s *store.Store, id, engine string, want bool) {
			t.Helper()
			err := s.Join(ctx, &store.Node{ID: id, Address: "http://" + id, Version: "1", Engine: engine})
			if want {
				ok(t, err)
			} else if tidemark.KindOf(err) != tidemark.Conflict || !strings.Contains(err.Error(), "engine: clickhouse") {
				t.Errorf("%s with %s could join: %v", id, engine, err)
			}
		}
		join(a, "one", store.EmbeddedEngine, true)
		join(a, "one", store.EmbeddedEngine, true) // started again after a crash
		join(b, "two", store.EmbeddedEngine, false)
		join(b, "two", "clickhouse", false)
		ok(t, a.Leave(ctx, "one"))
		join(b, "two", "clickhouse", true)
		join(a, "one", store.EmbeddedEngine, false)
		join(a, "one", "clickhouse", true)
		load := tidemark.MachineLoad{Measurements: 1.5, Memory: 1 << 40, DiskFree: 3, DiskSize: 4}
		ok(t, a.Beat(ctx, "one", load))
		if err := a.Beat(ctx, "three", load); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("a server that never joined is there: %v", err)
		}
		ok(t, a.PruneNodes(ctx))
		nodes := must(b.Nodes(ctx))(t)
		if len(nodes) != 2 || nodes[0].ID != "one" || nodes[1].Engine != "clickhouse" || nodes[0].StartedAt == 0 || nodes[0].Age < 0 || nodes[0].Load != load {
			t.Errorf("servers %+v", nodes)
		}
	})
}
