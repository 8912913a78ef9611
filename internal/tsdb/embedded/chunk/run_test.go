package chunk

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// record is one record as it arrives.
type record struct {
	t      uint32
	sum    tsdb.Summary
	fold   bool
	sketch []byte
}

// sketched returns the summary of values and the sketch of them.
func sketched(values ...float64) (s tsdb.Summary, encoded []byte) {
	var k sketch.Sketch
	for _, v := range values {
		k.Add(v, 1)
		one := tsdb.Single(v)
		s.Merge(&one)
	}
	return s, k.AppendBinary(nil)
}

// take appends a record as memory does.
func (r *Run) take(rec record) {
	op := uint8(0)
	if rec.fold {
		op = OpFold
	}
	if !IsPlain(&rec.sum) || rec.sketch != nil {
		op |= OpSummary
	}
	if op != 0 && !r.Has {
		r.Widen()
	}
	r.T, r.V, r.Op = append(r.T, rec.t), append(r.V, rec.sum.Sum), append(r.Op, op)
	if r.Has {
		r.Sum = append(r.Sum, rec.sum)
		r.SetSketch(len(r.T)-1, rec.sketch)
	}
}

func runOf(list []record) *Run {
	r := new(Run)
	for _, rec := range list {
		r.take(rec)
	}
	return r
}

// kindOfStream is what the records of one stream are like. All or none have a
// sketch: of two single values that became one record without a sketch nothing
// more is known, so what is known depends on the order in which they merge.
type kindOfStream struct{ folds, wide, sketches bool }

func drawKind(t *rapid.T) kindOfStream {
	k := kindOfStream{folds: rapid.Bool().Draw(t, "folds"), wide: rapid.Bool().Draw(t, "wide")}
	k.sketches = k.wide && rapid.Bool().Draw(t, "sketches")
	return k
}

// arrivals draws records in order of arrival, with times from a few on.
func (k kindOfStream) arrivals(t *rapid.T, most int, times uint32) []record {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) record {
		r := record{t: 1000 + 10*rapid.Uint32Range(0, times).Draw(t, "t")}
		r.sum = tsdb.Single(float64(rapid.IntRange(-50, 50).Draw(t, "v")))
		if k.wide {
			r.sum, r.sketch = sketched(r.sum.Sum, float64(rapid.IntRange(0, 9).Draw(t, "w")))
		}
		if !k.sketches {
			r.sketch = nil
		}
		r.fold = k.folds && rapid.Bool().Draw(t, "fold")
		return r
	}), 0, most).Draw(t, "records")
}

// resolved is what the records of each second make together, one by one.
type resolved map[uint32]record

func (m resolved) apply(list []record) {
	for _, rec := range list {
		old, ok := m[rec.t]
		if ok && rec.fold {
			rec.sketch = FoldSketches(old.sketch, &old.sum, rec.sketch, &rec.sum)
			old.sum.Merge(&rec.sum)
			rec.sum, rec.fold = old.sum, old.fold
		}
		m[rec.t] = rec
	}
}

func (m resolved) compare(t *rapid.T, r *Run) {
	t.Helper()
	if len(r.T) != len(m) || !slices.IsSorted(r.T) {
		t.Fatalf("times %v of %d records", r.T, len(m))
	}
	for i, at := range r.T {
		want := m[at]
		sameSummary(t, "run", int64(at), r.At(i), want.sum)
		if r.V[i] != want.sum.Sum || r.Op[i]&OpFold != 0 != want.fold || !bytes.Equal(r.Sketch(i), want.sketch) {
			t.Fatalf("at %d: value %v, operation %d, sketch %x; want %+v", at, r.V[i], r.Op[i], r.Sketch(i), want)
		}
	}
}

// TestResolveKeepsOneRecordASecond: later records replace earlier ones of
// their second, or are merged into them, whatever order they come in.
func TestResolveKeepsOneRecordASecond(t *testing.T) {
	t.Parallel()
	var tmp Run
	rapid.Check(t, func(t *rapid.T) {
		list := drawKind(t).arrivals(t, 60, 20)
		want := make(resolved)
		want.apply(list)
		r := runOf(list)
		r.Resolve(&tmp)
		want.compare(t, r)
	})
}

// TestOverlayIsResolvingBoth: what came in two batches is what it would be had
// it come in one.
func TestOverlayIsResolvingBoth(t *testing.T) {
	t.Parallel()
	var tmp Run
	rapid.Check(t, func(t *rapid.T) {
		kind := drawKind(t)
		old, late := kind.arrivals(t, 40, 30), kind.arrivals(t, 40, 60)
		want := make(resolved)
		want.apply(old)
		want.apply(late)
		r, newer := runOf(old), runOf(late)
		r.Resolve(&tmp)
		newer.Resolve(&tmp)
		r.Overlay(newer, &tmp)
		want.compare(t, r)
	})
}

// TestKeepDropsWhatIsOutside compares with dropping records one by one.
func TestKeepDropsWhatIsOutside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := drawKind(t).arrivals(t, 40, 30)
		lo := rapid.Int64Range(900, 1400).Draw(t, "lo")
		hi := rapid.Int64Range(900, 1400).Draw(t, "hi")
		want := make(resolved)
		want.apply(list)
		for at := range want {
			if int64(at) < lo || int64(at) >= hi {
				delete(want, at)
			}
		}
		r := runOf(list)
		r.Resolve(new(Run))
		r.Keep(lo, hi)
		want.compare(t, r)
	})
}

// TestPlainRecordsAfterWideOnes: a run that had summaries gives every record
// one, also those of a run that has none.
func TestPlainRecordsAfterWideOnes(t *testing.T) {
	t.Parallel()
	wide, plain := new(Run), new(Run)
	sum, encoded := sketched(1, 2, 3)
	wide.take(record{t: 10, sum: sum, sketch: encoded})
	plain.take(record{t: 20, sum: tsdb.Single(7)})
	plain.take(record{t: 30, sum: tsdb.Single(8)})
	wide.Overlay(plain, new(Run))
	if len(wide.Sum) != 3 || wide.At(1) != tsdb.Single(7) || wide.At(2) != tsdb.Single(8) {
		t.Errorf("summaries %+v", wide.Sum)
	}
	if wide.Sketch(0) == nil || wide.Sketch(1) != nil || wide.Sketch(2) != nil {
		t.Error("sketches moved to other records")
	}
	wide.Reset()
	wide.take(record{t: 40, sum: tsdb.Single(9)})
	if wide.Has || wide.Sketch(0) != nil {
		t.Error("a run that was reset remembers summaries or sketches")
	}
}

func TestFindAtTheEdgesOfTime(t *testing.T) {
	t.Parallel()
	const last = math.MaxUint32
	r := &Run{T: []uint32{0, 5, last}}
	for _, c := range []struct {
		t           uint32
		find, after int
	}{{0, 0, 1}, {1, 1, 1}, {5, 1, 2}, {6, 2, 2}, {last - 1, 2, 2}, {last, 2, 3}} {
		if got := r.Find(c.t); got != c.find {
			t.Errorf("the first record at or after %d is %d, want %d", c.t, got, c.find)
		}
		if got := r.After(c.t); got != c.after {
			t.Errorf("the first record after %d is %d, want %d", c.t, got, c.after)
		}
	}
}
