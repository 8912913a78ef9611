package app

import (
	"path/filepath"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestShareLimits: what other servers let an organization do is no longer this
// server's to give, until they are gone.
func TestShareLimits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, err := store.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "control.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rm := &rooms{store: st, node: "a", limits: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitRate: 1000, tidemark.LimitQueries: 10})}
	check := func(rate, queries int64) {
		t.Helper()
		if err := rm.shareLimits(ctx); err != nil {
			t.Fatal(err)
		}
		if got := rm.limits.Share(1, tidemark.LimitRate); got != rate {
			t.Errorf("%d measurements a second, want %d", got, rate)
		}
		if got := rm.limits.Share(1, tidemark.LimitQueries); got != queries {
			t.Errorf("%d queries, want %d", got, queries)
		}
	}
	for _, id := range []string{"a", "b"} {
		if err := st.Join(ctx, &store.Node{ID: id, Engine: "clickhouse"}); err != nil {
			t.Fatal(err)
		}
	}
	check(1000, 5)
	if err := st.Beat(ctx, "b", tidemark.MachineLoad{}, tidemark.LimitRates{1: {tidemark.LimitRate: 300}}); err != nil {
		t.Fatal(err)
	}
	check(700, 5)
	if err := st.Leave(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	check(1000, 10)
}
