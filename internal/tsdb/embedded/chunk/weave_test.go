package chunk

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// layers is what a stream has: chunks that do not overlap, later or earlier
// ones over them, and memory, which came last.
type layers struct {
	base []Piece
	over Upper
}

// drawLayers draws records that came in several generations and says what they
// are together.
func drawLayers(t *rapid.T) (*layers, resolved) {
	kind, want := drawKind(t), make(resolved)
	var all []Piece
	for gen := range rapid.Uint32Range(1, 4).Draw(t, "generations") {
		list := kind.arrivals(t, 50, 60)
		want.apply(list)
		r := runOf(list)
		r.Resolve(new(Run))
		all = append(all, piecesOf(t, r, 300, 0, gen+1)...)
	}
	l := new(layers)
	var late []Piece
	slices.SortStableFunc(all, func(a, b Piece) int { return int(int64(a.Start) - int64(b.Start)) })
	end := uint32(0)
	for _, p := range all {
		if p.Start <= end || rapid.IntRange(0, 4).Draw(t, "late") == 0 {
			late = append(late, p)
			continue
		}
		end = p.Start + p.Header.Span
		l.base = append(l.base, p)
	}
	slices.SortStableFunc(late, func(a, b Piece) int { return int(int64(a.Gen) - int64(b.Gen)) })
	l.over.Reset()
	for i := range late {
		if err := l.over.AddChunk(&late[i]); err != nil {
			t.Fatal(err)
		}
	}
	memory := kind.arrivals(t, 30, 60)
	want.apply(memory)
	r := runOf(memory)
	r.Resolve(new(Run))
	l.over.AddRun(r, 0, len(r.T))
	l.over.Sort()
	return l, want
}

// feed gives s everything in order of time, as a reader does.
func (l *layers) feed(t *rapid.T, s Sink) {
	var w Weaver
	over, i := &l.over.Run, 0
	for n := range l.base {
		p := &l.base[n]
		k := over.Find(p.Start)
		w.Flush(over, i, k, s)
		i, k = k, over.After(p.Start+p.Header.Span)
		var err error
		if i == k {
			err = s.Chunk(p)
		} else {
			err = w.Feed(p, over, l.over.Rank, i, k, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		i = k
	}
	w.Flush(over, i, len(over.T), s)
}

// windows adds the records of m up by step.
func (m resolved) windows(lo, hi, step int64) map[int64]tsdb.Summary {
	o := oneByOne{step: step, lo: lo, hi: hi, window: make(map[int64]tsdb.Summary)}
	times := make([]uint32, 0, len(m))
	for at := range m {
		times = append(times, at)
	}
	slices.Sort(times)
	for _, at := range times {
		o.add(int64(at), m[at].sum)
	}
	return o.window
}

// TestChunksOverChunks: whatever generation a record came in, and whether it
// lies in a chunk, over one or in memory, all sinks make the same of it.
func TestChunksOverChunks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l, m := drawLayers(t)
		step := rapid.SampledFrom([]int64{1, 10, 30, 60, 1000}).Draw(t, "step")
		lo := rapid.Int64Range(900, 1700).Draw(t, "lo")
		hi := rapid.Int64Range(lo, 1800).Draw(t, "hi")
		want := m.windows(lo, hi, step)
		for name, points := range map[string]Points{
			"sums": &Sums{steps: steps{Step: step}}, "lasts": &Lasts{steps: steps{Step: step}}, "summaries": &Summaries{steps: steps{Step: step}},
			"distributions": &Distributions{steps: steps{Step: step}},
		} {
			points.Reset()
			points.Bounds(lo, hi)
			l.feed(t, points)
			comparePoints(t, name, points, want)
		}
		u := Rollup{Window: uint32(step)}
		u.Bounds(lo, hi)
		for l.feed(t, &u); !u.Done(); l.feed(t, &u) {
		}
		sameTimes(t, u.T, want)
		for i, at := range u.T {
			sameSummary(t, "rollup", int64(at), u.r[i], want[int64(at)])
		}
	})
}

func comparePoints(t *rapid.T, name string, points Points, want map[int64]tsdb.Summary) {
	t.Helper()
	var times []int64
	var sums []tsdb.Summary
	switch p := points.(type) {
	case *Summaries:
		times, sums = p.All()
	case *Lasts:
		at, last := p.Series(tsdb.Last)
		sameTimes(t, at, want)
		for i := range at {
			if w := want[at[i]]; w.Last != last[i] {
				t.Fatalf("%s at %d: %v, want %+v", name, at[i], last[i], w)
			}
		}
		return
	case *Distributions:
		var known []*sketch.Sketch
		times, sums, known = p.All()
		if len(known) != len(times) {
			t.Fatalf("%d sketches of %d steps", len(known), len(times))
		}
	default:
		at, sum := p.Series(tsdb.Sum)
		_, count := p.Series(tsdb.Count)
		sameTimes(t, at, want)
		for i := range at {
			if w := want[at[i]]; w.Count != count[i] || w.Sum != sum[i] {
				t.Fatalf("%s at %d: %v of %v, want %+v", name, at[i], sum[i], count[i], w)
			}
		}
		return
	}
	sameTimes(t, times, want)
	for i, at := range times {
		sameSummary(t, name, at, sums[i], want[at])
	}
}

// TestFlushOfNothing: a sink that is given no records makes no points.
func TestFlushOfNothing(t *testing.T) {
	t.Parallel()
	var w Weaver
	p := Sums{steps: steps{Step: 60}}
	p.Reset()
	p.Bounds(0, 1<<32)
	w.Flush(regular(0, 1, 5), 3, 3, &p)
	if at, _ := p.Series(tsdb.Mean); len(at) != 0 {
		t.Errorf("points at %v", at)
	}
}
