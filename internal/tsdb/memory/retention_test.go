package memory_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestRetention follows two records as the tiers that hold them expire, and
// one that comes when only summaries are left.
func TestRetention(t *testing.T) {
	t.Parallel()
	now := int64(100_000)
	e := memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 1000}, {Window: 60, Retention: 10_000}, {Window: 3600, Retention: 50_000}},
		Now:   func() int64 { return now },
	})
	var b tsdb.Batch
	write := func(time int64, value float64) {
		b.Reset()
		b.Add("cpu", nil, time, value)
		if err := e.Write(t.Context(), 1, &b); err != nil {
			t.Fatal(err)
		}
	}
	check := func(start, end, step int64, want string) {
		t.Helper()
		got := ""
		for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "cpu", Start: start, End: end, Step: step, Function: tsdb.Sum}) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Times {
				got += fmt.Sprintf("%d=%v ", s.Times[i], s.Values[i])
			}
		}
		if got != want {
			t.Errorf("at %d, [%d, %d) by %d: got %q, want %q", now, start, end, step, got, want)
		}
	}
	write(99_600, 1) // 1660 minutes
	write(99_700, 2)
	check(0, 200_000, 1, "99600=1 99700=2 ")
	check(0, 200_000, 60, "99600=1 99660=2 ")

	now = 100_650 // the first is too old for raw
	check(0, 200_000, 1, "99700=2 ")
	check(0, 200_000, 60, "99600=1 99660=2 ")
	check(0, 200_000, 90, "99630=2 ") // no tier divides 90
	check(99_590, 200_000, 60, "99600=1 99660=2 ")
	check(99_601, 200_000, 60, "99660=2 ") // within a summary

	write(99_600, 10) // cannot replace what is summarized
	check(0, 200_000, 60, "99600=11 99660=2 ")
	check(0, 200_000, 3600, "97200=13 ")
	check(0, 200_000, 1, "99700=2 ")

	now = 115_000 // only hours are left
	check(0, 200_000, 1, "")
	check(0, 200_000, 60, "")
	check(0, 200_000, 3600, "97200=13 ")
	check(0, 200_000, 7200, "93600=13 ")
	check(97_200, 100_800, 3600, "97200=13 ")
	check(97_260, 100_800, 3600, "")

	now = 97_200 + 50_001
	check(0, 200_000, 3600, "")
	for s, err := range e.Streams(t.Context(), 1, "*", tsdb.Filter{}) {
		if err != nil || s.LastSeen != 0 {
			t.Errorf("got %+v, %v, want a stream that was never seen", s, err)
		}
	}
	if tiers := e.Tiers(); len(tiers) != 3 || tiers[2].Window != 3600 {
		t.Errorf("Tiers gives %+v", tiers)
	}
}
