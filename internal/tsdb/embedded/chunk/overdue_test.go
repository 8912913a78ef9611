package chunk

import (
	"errors"
	"math"
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
			"sums": &Sums{steps: steps{Step: step}}, "summaries": &Summaries{steps: steps{Step: step}},
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
