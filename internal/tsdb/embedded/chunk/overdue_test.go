package chunk

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const overdueSpan = 86400

// drawOverdue draws overdue records of one chunk, some with a sketch.
func drawOverdue(t *rapid.T, start uint32) []Overdue {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Overdue {
		o := Overdue{T: start + rapid.Uint32Range(0, overdueSpan-1).Draw(t, "t")}
		o.Sum, o.Sketch = sketched(rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 4).Draw(t, "values")...)
		if rapid.Bool().Draw(t, "without") {
			o.Sketch = nil
		}
		return o
	}), 1, 20).Draw(t, "records")
}

// TestOverdueRoundTrip: records come back in the order they were appended in,
// and of a chunk that was cut short only whole records do, with an error.
func TestOverdueRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Uint32Range(0, math.MaxUint32-overdueSpan).Draw(t, "start")
		want := drawOverdue(t, start)
		var b []byte
		ends := map[int]int{0: 0} // length to records
		for i := range want {
			b = AppendOverdue(b, &want[i], start, overdueSpan)
			ends[len(b)] = i + 1
		}
		got, err := ReadOverdue(b, start, overdueSpan, nil)
		if err != nil || !cmp.Equal(got, want) {
			t.Fatalf("%v: %s", err, cmp.Diff(want, got))
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		n, whole := ends[cut]
		got, err = ReadOverdue(b[:cut], start, overdueSpan, nil)
		if whole && (err != nil || len(got) != n) || !whole && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %d records, %v", cut, len(b), len(got), err)
		}
		for i := range got {
			if !cmp.Equal(got[i], want[i]) {
				t.Fatalf("record %d of a chunk cut short: %s", i, cmp.Diff(want[i], got[i]))
			}
		}
	})
}

// TestOverdueKeepsEveryBit: a summary that is not packed keeps what no column
// would.
func TestOverdueKeepsEveryBit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := func() float64 { return drawFloat().Draw(t, "f") }
		want := tsdb.Summary{Count: f(), Sum: f(), Min: f(), Max: f(), Last: f(), M2: f()}
		b := AppendSummary(nil, &want)
		if len(b) != SummaryLen {
			t.Fatalf("%d bytes", len(b))
		}
		var got tsdb.Summary
		ReadSummary(b, &got)
		if !sameBits(got.Count, want.Count) || !sameBits(got.Sum, want.Sum) || !sameBits(got.Min, want.Min) ||
			!sameBits(got.Max, want.Max) || !sameBits(got.Last, want.Last) || !sameBits(got.M2, want.M2) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestOverdueOutsideItsSpan(t *testing.T) {
	t.Parallel()
	r := Overdue{T: 500, Sum: tsdb.Single(1)}
	b := AppendOverdue(nil, &r, 0, 1000)
	if _, err := ReadOverdue(b, 0, 250, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a record 500 s after the start of a chunk of 250 s: %v", err)
	}
	if got, err := ReadOverdue(b, 70, 1000, nil); err != nil || got[0].T != 570 {
		t.Errorf("in a chunk from 70 on: %+v, %v", got, err)
	}
}

// TestJoinedOverdueRecords: records that were joined as they came make the same
// summaries of every window as each by itself.
func TestJoinedOverdueRecords(t *testing.T) {
	t.Parallel()
	const window = 60
	rapid.Check(t, func(t *rapid.T) {
		list := drawOverdue(t, 0)
		if rapid.Bool().Draw(t, "in order") {
			slices.SortStableFunc(list, func(a, b Overdue) int { return int(a.T) - int(b.T) })
		}
		var joined []Overdue
		for _, o := range list {
			o.T %= 1000 // few windows
			if n := len(joined); n == 0 || !joined[n-1].Join(&o, window) {
				joined = append(joined, o)
			}
		}
		for i := range list {
			list[i].T %= 1000
		}
		for _, step := range []uint32{window, 10 * window} {
			want, got := Rollup{Window: step}, Rollup{Window: step}
			want.Absorb(list)
			got.Absorb(joined)
			if !slices.Equal(got.T, want.T) {
				t.Fatalf("windows %v, want %v", got.T, want.T)
			}
			for i := range got.T {
				a, b := got.r[i], want.r[i]
				if math.Abs(a.Sum-b.Sum) > 1e-9*1e6 || math.Abs(a.M2-b.M2) > 1e-9*b.M2 { // the order of additions shows
					t.Fatalf("window %d: %+v, want %+v", got.T[i], a, b)
				}
				a.Sum, a.M2 = b.Sum, b.M2
				sameSummary(t, "joined", int64(got.T[i]), a, b)
			}
		}
	})
}

func TestJoin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		first, next Overdue
		want        bool
	}{
		{"one minute", Overdue{T: 60}, Overdue{T: 119}, true},
		{"back within it", Overdue{T: 119}, Overdue{T: 60}, true},
		{"the next minute", Overdue{T: 119}, Overdue{T: 120}, false},
		{"over a sketch", Overdue{T: 60, Sketch: []byte{1}}, Overdue{T: 61}, false},
		{"under a sketch", Overdue{T: 60}, Overdue{T: 61, Sketch: []byte{1}}, false},
	} {
		c.first.Sum, c.next.Sum = tsdb.Single(1), tsdb.Single(2)
		if got := c.first.Join(&c.next, 60); got != c.want || got != (c.first.Sum.Count == 2) {
			t.Errorf("%s: %v, and then %+v", c.name, got, c.first.Sum)
		}
	}
}

// TestAbsorbAddsOverdueRecords: the sinks make the same of overdue records
// over chunks as of all of them one by one.
func TestAbsorbAddsOverdueRecords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l, m := drawLayers(t)
		step := rapid.SampledFrom([]int64{60, 300}).Draw(t, "step")
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Overdue {
			return Overdue{T: rapid.Uint32Range(500, 2000).Draw(t, "t"), Sum: tsdb.Single(float64(rapid.IntRange(0, 99).Draw(t, "v")))}
		}), 0, 10).Draw(t, "overdue")
		want := m.windows(0, 1<<32, step)
		for _, o := range list {
			at := int64(o.T) / step * step
			w := want[at]
			w.Merge(&o.Sum)
			want[at] = w
		}
		for name, points := range map[string]Points{
			"sums": &Sums{steps: steps{Step: step}}, "lasts": &Lasts{steps: steps{Step: step}}, "summaries": &Summaries{steps: steps{Step: step}},
			"distributions": &Distributions{steps: steps{Step: step}},
		} {
			points.Reset()
			points.Bounds(0, 1<<32)
			l.feed(t, points)
			points.Absorb(list)
			comparePoints(t, name, points, want)
		}
		u := Rollup{Window: uint32(step)}
		u.Bounds(0, 1<<32)
		for l.feed(t, &u); !u.Done(); l.feed(t, &u) {
		}
		u.Absorb(list)
		sameTimes(t, u.T, want)
		for i, at := range u.T {
			sameSummary(t, "rollup", int64(at), u.r[i], want[int64(at)])
		}
	})
}
