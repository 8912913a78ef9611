package chunk

import (
	"encoding/binary"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// rollUp makes records of a tier of a run, encoded and fed as often as asked.
func rollUp(t rapid.TB, r *Run, window uint32) *Rollup {
	t.Helper()
	u := &Rollup{Window: window}
	u.Bounds(0, 1<<32)
	for range 2 {
		for _, p := range piecesOf(t, r, 3600, 0, 1) {
			if err := u.Chunk(&p); err != nil {
				t.Fatal(err)
			}
		}
		if u.Done() {
			return u
		}
	}
	t.Fatal("asks for everything a third time")
	return nil
}

// TestRollupCountsSingleValues: a window in which any record has a sketch has
// one of all that is known in it: of sketches, and of single values.
func TestRollupCountsSingleValues(t *testing.T) {
	t.Parallel()
	pair, encoded := sketched(10, 20)
	r := runOf([]record{
		{t: 0, sum: tsdb.Single(1)}, {t: 10, sum: pair, sketch: encoded}, {t: 20, sum: tsdb.Single(2.5)},
		{t: 60, sum: tsdb.Single(3)}, {t: 70, sum: pair},
		{t: 120, sum: pair, sketch: encoded}, {t: 130, sum: pair},
	})
	u := rollUp(t, r, 60)
	want := []float64{4, 0, 2} // values that are known
	if len(u.T) != len(want) {
		t.Fatalf("windows %v", u.T)
	}
	for i, n := range want {
		if n == 0 {
			if u.sketches.at(i) != nil {
				t.Errorf("window %d has a sketch", i)
			}
			continue
		}
		k, err := sketch.Decode(u.sketches.at(i))
		if err != nil || k.Count() != n {
			t.Fatalf("window %d: %v values are known, want %v (%v)", i, k.Count(), n, err)
		}
	}
	if got := u.r[0]; got.Count != 4 || got.Sum != 33.5 || got.Min != 1 || got.Max != 20 || got.Last != 2.5 {
		t.Errorf("first window %+v", got)
	}
}

// TestTierChunkRoundTrip: what AppendTo writes of some windows reads back as
// these windows, at their distance from the start.
func TestTierChunkRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := runOf(drawKind(t).arrivals(t, 60, 200))
		r.Resolve(new(Run))
		if len(r.T) == 0 {
			return
		}
		u := rollUp(t, r, rapid.SampledFrom([]uint32{10, 60, 600}).Draw(t, "window"))
		i := rapid.IntRange(0, len(u.T)-1).Draw(t, "i")
		j := rapid.IntRange(i+1, len(u.T)).Draw(t, "j")
		start := u.T[0] - 30
		b := u.AppendTo(nil, start, i, j)
		d, k := binary.Uvarint(b)
		var c Decoded
		var s Scratch
		if err := c.Read(Pad(b[k:]), start+uint32(d), &s, true); err != nil {
			t.Fatal(err)
		}
		if len(c.T) != j-i {
			t.Fatalf("%d windows, want %d", len(c.T), j-i)
		}
		for n, at := range c.T {
			if at != u.T[i+n] || c.at(n) != u.r[i+n] || string(c.sketches.at(n)) != string(u.sketches.at(i+n)) {
				t.Fatalf("window %d at %d: %+v, want %+v at %d", n, at, c.at(n), u.r[i+n], u.T[i+n])
			}
		}
	})
}

// TestWindowsOfOneValueAreValues: they take the space of the values, not of
// summaries.
func TestWindowsOfOneValueAreValues(t *testing.T) {
	t.Parallel()
	u := rollUp(t, regular(0, 60, 50), 60)
	b := u.AppendTo(nil, 0, 0, len(u.T))
	h, err := HeaderOf(b[1:])
	if err != nil || h.flags&flagSummary != 0 || h.N != 50 {
		t.Errorf("header %+v, %v", h, err)
	}
	u = rollUp(t, regular(0, 30, 50), 60)
	if h, err = HeaderOf(u.AppendTo(nil, 0, 0, len(u.T))[1:]); err != nil || h.flags&flagSummary == 0 || h.N != 25 {
		t.Errorf("header of windows with two values %+v, %v", h, err)
	}
}

// TestRollupOfDecimalsIsExact: ten times 0.1 is 1, and not a little less.
func TestRollupOfDecimalsIsExact(t *testing.T) {
	t.Parallel()
	r := new(Run)
	for i := range 40 {
		r.take(record{t: uint32(i * 6), sum: tsdb.Single(0.1)})
	}
	for name, over := range map[string]*Run{"in one chunk": nil, "with records over it": runOf([]record{{t: 3, sum: tsdb.Single(0.1)}})} {
		u := &Rollup{Window: 60}
		u.Bounds(0, 1<<32)
		p := piecesOf(t, r, 3600, 0, 1)[0]
		err := u.Chunk(&p)
		if over != nil {
			u.Reset()
			err = new(Weaver).Feed(&p, over, nil, 0, 1, u)
		}
		u.Flush()
		if err != nil || len(u.T) != 4 || u.r[3].Sum != 1 || u.r[3].M2 != 0 {
			t.Errorf("%s: %+v, %v", name, u.r, err)
		}
	}
}

// TestPercentilesOfSteps: a step of which no distribution is known has no
// percentile, and the extremes are exact.
func TestPercentilesOfSteps(t *testing.T) {
	t.Parallel()
	many := make([]float64, 100)
	for i := range many {
		many[i] = float64(i + 1)
	}
	sum, encoded := sketched(many...)
	pair, _ := sketched(1, 2)
	r := runOf([]record{{t: 60, sum: sum, sketch: encoded}, {t: 120, sum: pair}, {t: 180, sum: tsdb.Single(7)}})
	for q, want := range map[float64][2]float64{0: {1, 7}, 0.5: {50, 7}, 1: {100, 7}} {
		p := &Distributions{steps: steps{Step: 60}, Quantile: q}
		p.Reset()
		p.Bounds(0, 1<<32)
		for _, piece := range piecesOf(t, r, 3600, 0, 1) {
			if err := p.Chunk(&piece); err != nil {
				t.Fatal(err)
			}
		}
		at, v := p.Series(tsdb.Percentile)
		if len(at) != 2 || at[0] != 60 || at[1] != 180 {
			t.Fatalf("percentiles at %v", at)
		}
		for i := range v {
			if math.Abs(v[i]-want[i]) > want[i]/50 {
				t.Errorf("percentile %v at %d: %v, want %v", q, at[i], v[i], want[i])
			}
		}
	}
}

// TestDerivativeOfSteps: the first step has none.
func TestDerivativeOfSteps(t *testing.T) {
	t.Parallel()
	for _, p := range []Points{&Lasts{steps: steps{Step: 60}}, &Summaries{steps: steps{Step: 60}}} {
		p.Reset()
		p.Bounds(0, 1<<32)
		if at, v := p.Series(tsdb.Derivative); len(at) != 0 || len(v) != 0 {
			t.Errorf("%T of nothing: %v at %v", p, v, at)
		}
		p.run(runOf([]record{{t: 60, sum: tsdb.Single(5)}, {t: 120, sum: tsdb.Single(9)}, {t: 240, sum: tsdb.Single(2)}}), 0, 3)
		if at, v := p.Series(tsdb.Derivative); len(at) != 2 || at[0] != 120 || v[0] != 4 || v[1] != -7 {
			t.Errorf("%T: %v at %v", p, v, at)
		}
	}
}

// TestNeeds: what a function needs.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for _, f := range []tsdb.Function{tsdb.Mean, tsdb.Sum, tsdb.Count} {
		if NeedsAll(f) || NeedsLast(f) {
			t.Errorf("function %v needs more than sum and count", f)
		}
	}
	for _, f := range []tsdb.Function{tsdb.Last, tsdb.Derivative} {
		if NeedsAll(f) || !NeedsLast(f) {
			t.Errorf("function %v needs more than the last value", f)
		}
	}
	if !NeedsAll(tsdb.Max) || !NeedsAll(tsdb.StdDev) || !NeedsAll(tsdb.All) {
		t.Error("a maximum, a deviation or all of a summary need only sums")
	}
}

// TestBufferKeepsChunks: chunks of one buffer are sound until it is reset,
// however it grows.
func TestBufferKeepsChunks(t *testing.T) {
	t.Parallel()
	var buf Buffer
	all, total := forms(), 0
	kept := make(map[string]Encoded)
	for name, v := range all {
		kept[name] = buf.Add(v)
		total += len(v)
	}
	if buf.Len() != total {
		t.Errorf("length %d, want %d", buf.Len(), total)
	}
	var s Scratch
	var c Decoded
	for name, e := range kept {
		if err := c.Read(e, 1_700_000_000, &s, true); err != nil || string(e.Bytes()) != string(all[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if buf.Reset(); buf.Len() != 0 {
		t.Errorf("length %d after a reset", buf.Len())
	}
}
