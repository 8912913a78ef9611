package store_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		load := tidemark.MachineLoad{Measurements: 1.5, Memory: 1 << 40, DiskFree: 3, DiskSize: 4, Zone: "a", BehindPast: []float64{0.5, 2}}
		granted := tidemark.LimitRates{org: {tidemark.LimitRate: 12.5}}
		if got := must(a.GrantedElsewhere(ctx, "two"))(t); len(got) != 1 || len(got[0]) != 0 {
			t.Errorf("granted by a server that has said nothing yet: %v", got)
		}
		ok(t, a.Beat(ctx, "one", load, granted))
		if d := cmp.Diff([]tidemark.LimitRates{granted}, must(b.GrantedElsewhere(ctx, "two"))(t)); d != "" {
			t.Error(d)
		}
		if err := a.Beat(ctx, "three", load, nil); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("a server that never joined is there: %v", err)
		}
		ok(t, a.PruneNodes(ctx))
		nodes := must(b.Nodes(ctx))(t)
		if len(nodes) != 2 || nodes[0].ID != "one" || nodes[1].Engine != "clickhouse" || nodes[0].StartedAt == 0 || nodes[0].Age < 0 {
			t.Errorf("servers %+v", nodes)
		}
		if d := cmp.Diff(load, nodes[0].Load); d != "" {
			t.Error(d)
		}
	})
}
