package embedded

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// jumpingClock is an engine whose clock can be set.
type jumpingClock struct {
	t          *testing.T
	e          *Engine
	o          Options
	even, jump time.Duration
	at         int64
}

func (j *jumpingClock) open() {
	j.t.Helper()
	var err error
	if j.e, err = Open(j.t.Context(), j.o); err != nil {
		j.t.Fatal(err)
	}
}

func (j *jumpingClock) upkeep() {
	j.t.Helper()
	for _, do := range []func() error{func() error { return j.e.Seal(j.t.Context()) }, func() error { return j.e.Maintain(j.t.Context()) }} {
		if err := do(); err != nil {
			j.t.Fatal(err)
		}
	}
}

func (j *jumpingClock) write(v float64) {
	j.t.Helper()
	var b tsdb.Batch
	b.Add("cpu", tidemark.Tags{{Name: "host", Value: "a"}}, j.at, v)
	if err := j.e.Write(j.t.Context(), 1, &b); err != nil {
		j.t.Fatal(err)
	}
}

func (j *jumpingClock) holds(what string, want float64) {
	j.t.Helper()
	var values []float64
	q := &tsdb.Query{Metric: "cpu", Start: j.at - 60, End: j.at + 60, Step: 1, Function: tsdb.Sum}
	for s, err := range j.e.Select(j.t.Context(), 1, q) {
		if err != nil {
			j.t.Fatal(err)
		}
		values = append(values, s.Values...)
	}
	if !slices.Equal(values, []float64{want}) {
		j.t.Errorf("%s: %v, want %v", what, values, want)
	}
}

// TestClockJumpsAhead has the clock be a year ahead for ten minutes in which
// all upkeep is done: while the engine runs, and when it starts. Raw
// measurements are kept, and what is written afterwards replaces what was
// there, as ever.
func TestClockJumpsAhead(t *testing.T) {
	t.Parallel()
	const year = 365 * 24 * time.Hour
	start := time.Unix(1_790_000_000, 0)
	j := &jumpingClock{t: t, at: start.Unix() - 3*24*3600}
	j.o = Options{
		Dir: t.TempDir(), RawRetention: 8 * 24 * time.Hour,
		Now: func() time.Time { return start.Add(j.even + j.jump) }, Elapsed: func() time.Duration { return j.even },
	}
	j.open()
	defer func() { j.e.Close() }()
	j.write(1)
	j.upkeep()
	for _, restart := range []bool{false, true} {
		j.jump = year
		if restart {
			if err := j.e.Close(); err != nil {
				t.Fatal(err)
			}
			j.open()
		}
		j.upkeep()
		j.even += 10 * time.Minute
		j.upkeep()
		j.holds("while it is ahead", 1)
		j.jump = 0
		j.upkeep()
		j.holds("after the jump", 1)
		j.write(7)
		j.upkeep()
		j.holds("what is written afterwards", 7)
		j.write(1)
		if frozen := j.e.state.Load().frozen; int64(frozen) > j.at {
			t.Errorf("frozen up to %d, which is after %d", frozen, j.at)
		}
	}
	// A clock that stays where it is, is right.
	j.jump = year
	j.upkeep()
	j.even += 61 * time.Minute
	j.upkeep()
	if frozen := j.e.state.Load().frozen; int64(frozen) <= j.at {
		t.Errorf("frozen up to %d a year later", frozen)
	}
}
