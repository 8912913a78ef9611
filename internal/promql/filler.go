package promql

import (
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/value"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// filler makes samples of points. Where the times of evaluation are known it
// leaves out what none of them sees, and makes one sample of several where the
// function that reads them cannot tell.
type filler struct {
	dst    *samples
	all    bool // every point is a sample: whoever reads them looks for what it needs
	marks  bool
	whole  bool // the point is a summary of the whole window
	span   int64
	first  int64 // time of evaluation
	seen   int64 // the one that was found last
	step   int64 // of those; 0 if they are not known
	until  int64 // when the latest sample ends
	reduce reduction
	carry  float64 // what rounding took from the latest sample, if it is a sum
}

func (s *selection) filler(dst *samples) *filler {
	w := &s.window
	return &filler{
		dst: dst, all: s.folded && !s.whole && s.reduce.merge == nil, marks: w.marks, whole: s.whole, span: w.span, step: w.step, first: w.first(s.q.lookBack), seen: w.first(s.q.lookBack),
		until: math.MaxInt64, reduce: s.reduce,
	}
}

// add appends the points of one segment, each of which lasts so long.
func (f *filler) add(points *tsdb.Series, lasts int64) {
	if f.all {
		f.addAll(points, lasts)
		return
	}
	for i, sec := range points.Times {
		t, v := 1000*sec, points.Values[i]
		switch {
		case f.whole:
			t = f.first
		case f.step == 0 || f.span == 0:
		case f.step <= f.span && t > f.first: // windows leave nothing out
		case f.seenAt(t)-f.span >= t:
			continue // in no window
		}
		f.put(t, v)
		f.until = t + lasts
	}
}

// addAll is add without leaving anything out, which costs more than it saves
// whoever goes through the samples once.
func (f *filler) addAll(points *tsdb.Series, lasts int64) {
	t, v, until := slices.Grow(f.dst.t, len(points.Times)), slices.Grow(f.dst.v, len(points.Times)), f.until
	for i, sec := range points.Times {
		at := 1000 * sec
		if f.marks && at > until {
			t, v = append(t, until), append(v, ended)
		}
		t, v = append(t, at), append(v, points.Values[i])
		until = at + lasts
	}
	f.dst.t, f.dst.v, f.until = t, v, until
}

// put appends a sample, in the place of or together with the latest one where
// that makes no difference.
func (f *filler) put(t int64, v float64) {
	if f.marks && t > f.until {
		f.mark()
	}
	n := len(f.dst.t) - 1
	switch {
	case n < 0 || f.step == 0:
	case f.span == 0 && f.seenAt(f.dst.t[n]) >= t:
		f.dst.t[n], f.dst.v[n] = t, v // replaces the one before
		return
	case f.reduce.merge != nil && f.cell(f.dst.t[n]) == f.cell(t):
		f.dst.t[n] = t
		f.dst.v[n], f.carry = f.reduce.merge(f.dst.v[n], f.carry, v)
		return
	}
	f.settle()
	f.dst.add(t, v)
}

// settle gives the latest sample what rounding took from it.
func (f *filler) settle() {
	if n := len(f.dst.t) - 1; n >= 0 && f.carry != 0 && !math.IsInf(f.dst.v[n], 0) {
		f.dst.v[n] += f.carry
	}
	f.carry = 0
}

// seenAt returns the first time of evaluation that is not before t. It is that
// of the sample before more often than not, or the next.
func (f *filler) seenAt(t int64) int64 {
	switch {
	case t <= f.first:
		return f.first
	case t > f.seen && t <= f.seen+f.step:
		f.seen += f.step
	case t > f.seen || t <= f.seen-f.step:
		f.seen = f.first + (t-f.first+f.step-1)/f.step*f.step
	}
	return f.seen
}

// cell returns the number of the cell that t is in. Windows are open on the
// left, and so are cells.
func (f *filler) cell(t int64) int64 {
	d := t - f.first
	if d <= 0 {
		return d / f.reduce.cell
	}
	return (d + f.reduce.cell - 1) / f.reduce.cell
}

// ended is the value of a sample that says that the one before has ended.
var ended = math.Float64frombits(value.StaleNaN)

// mark says that the latest sample has ended.
func (f *filler) mark() { f.dst.add(f.until, ended) }

// finish ends the samples. The last one is marked also beyond the window:
// timestamp() with @ and offset is evaluated after what was asked for.
func (f *filler) finish() {
	f.settle()
	if f.marks && len(f.dst.t) > 0 {
		f.mark()
	}
}
