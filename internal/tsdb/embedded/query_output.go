package embedded

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// output turns batches, taken in order, into series.
type output struct {
	p      *plan
	yield  func(*tsdb.Series) bool
	series tsdb.Series

	// The group that is being collected.
	open   bool
	target target
	acc    accumulator
	merged groupMerger
}

// take yields what b holds. It reports whether more is wanted.
func (o *output) take(b *batch) bool {
	from := 0
	for i, end := range b.end {
		t := &o.p.targets[b.target[i]]
		if !o.p.q.Group {
			if !o.emit(t, b, from, end) {
				return false
			}
			from = end
			continue
		}
		if o.open && !t.sameGroup(&o.target) && !o.flush() {
			return false
		}
		if !o.open {
			o.open, o.target = true, *t
			o.acc.reset(o.p.q.GroupFunction)
			o.merged.reset()
		}
		if o.p.q.Merges() {
			o.merged.add(b.times[from:end], b.sums[from:end], b.sketchesOf(from, end))
		} else {
			o.acc.add(b.times[from:end], b.values[from:end], b.counts[from:end])
		}
		from = end
	}
	return true
}

func (o *output) emit(t *target, b *batch, from, end int) bool {
	s := &o.series
	s.Metric, s.Tags = t.m.Name, o.p.tags(t, s.Tags[:0])
	s.Times = b.times[from:end:end]
	switch o.p.q.Function {
	case tsdb.All:
		s.Summaries = b.sums[from:end:end]
	case tsdb.Distributions:
		s.Summaries, s.Sketches = b.sums[from:end:end], b.sketchesOf(from, end)
	default:
		s.Values = b.values[from:end:end]
	}
	return o.yield(s)
}

// flush yields the group that is open.
func (o *output) flush() bool {
	s := &o.series
	s.Metric, s.Tags = o.target.m.Name, o.p.tags(&o.target, s.Tags[:0])
	if o.open = false; o.p.q.Merges() {
		o.merged.fill(s, o.p.q)
		if len(s.Times) == 0 {
			return true // of nothing is the distribution known
		}
	} else {
		s.Times, s.Values = o.acc.t, o.acc.result()
	}
	return o.yield(s)
}

// finish yields the last group.
func (o *output) finish(more bool) error {
	if more && o.open {
		o.flush()
	}
	return nil
}

// accumulator makes one series of those of a group.
type accumulator struct {
	f    tsdb.GroupFunction
	t    []int64
	v, n []float64

	t2     []int64 // scratch
	v2, n2 []float64
}

func (a *accumulator) reset(f tsdb.GroupFunction) {
	a.f, a.t, a.v, a.n = f, a.t[:0], a.v[:0], a.n[:0]
}

// add adds one more series, or with n what a group of them gave: how many
// there are at each time. Streams of a group have the same times as a rule.
func (a *accumulator) add(t []int64, v, n []float64) {
	if !slices.Equal(a.t, t) {
		a.addSome(t, v, n)
		return
	}
	if a.f == tsdb.GroupMean || a.f == tsdb.GroupSum {
		sum := a.v[:len(v)] // each has a value already
		for i, x := range v {
			sum[i] += x
		}
	} else {
		for i, x := range v {
			a.v[i] = a.combine(i, x)
		}
	}
	if n != nil {
		for i, x := range n {
			a.n[i] += x
		}
		return
	}
	for i := range a.n {
		a.n[i]++
	}
}

// addSome is add for a series that has other times.
func (a *accumulator) addSome(t []int64, v, n []float64) {
	if !a.has(t) {
		a.widen(t)
	}
	i := 0
	for k, at := range t {
		for a.t[i] != at {
			i++
		}
		a.v[i] = a.combine(i, v[k])
		if n == nil {
			a.n[i]++
		} else {
			a.n[i] += n[k]
		}
	}
}

func (a *accumulator) combine(i int, v float64) float64 {
	if a.n[i] == 0 {
		return v
	}
	switch a.f {
	case tsdb.GroupMin:
		return math.Min(a.v[i], v)
	case tsdb.GroupMax:
		return math.Max(a.v[i], v)
	}
	return a.v[i] + v
}

// has reports whether every time in t is in a.
func (a *accumulator) has(t []int64) bool {
	i := 0
	for _, at := range t {
		for i < len(a.t) && a.t[i] < at {
			i++
		}
		if i == len(a.t) || a.t[i] != at {
			return false
		}
	}
	return true
}

// widen makes room for the times in t.
func (a *accumulator) widen(t []int64) {
	t2, v2, n2 := a.t2[:0], a.v2[:0], a.n2[:0]
	i, k := 0, 0
	for i < len(a.t) || k < len(t) {
		switch {
		case k == len(t) || i < len(a.t) && a.t[i] <= t[k]:
			if k < len(t) && a.t[i] == t[k] {
				k++
			}
			t2, v2, n2 = append(t2, a.t[i]), append(v2, a.v[i]), append(n2, a.n[i])
			i++
		default:
			t2, v2, n2 = append(t2, t[k]), append(v2, 0), append(n2, 0)
			k++
		}
	}
	a.t, a.t2, a.v, a.v2, a.n, a.n2 = t2, a.t, v2, a.v, n2, a.n
}

func (a *accumulator) result() []float64 {
	if a.f == tsdb.GroupMean {
		for i := range a.v {
			a.v[i] /= a.n[i]
		}
	}
	return a.v
}
