package promql

import (
	"math"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"
)

// fold is an aggregation that is done while series are read: of a selector, of
// what it has above or below a number, or of the rate of it. Prometheus' engine
// gets one series for each group, with a sample at each time of evaluation, and
// aggregates that as if it were one stream. So nothing is held but the groups.
type fold struct {
	op       parser.ItemType
	grouping []string
	without  bool

	call string // rate, increase, or "" for the samples themselves
	span int64  // of its range, in milliseconds
	keep func(float64) bool
}

// folded are the aggregations that a fold can do, with the one that the engine
// is left with: that of a single series must be the series itself.
var folded = map[parser.ItemType]parser.ItemType{
	parser.SUM: parser.SUM, parser.COUNT: parser.SUM, parser.MIN: parser.MIN, parser.MAX: parser.MAX,
}

// foldBelow makes a fold of an aggregation where it can, and leaves the selector
// alone below it.
func (q *queryable) foldBelow(a *parser.AggregateExpr, path []parser.Node) {
	left, can := folded[a.Op]
	if !can || q.e.plain || slices.Contains(a.Grouping, model.MetricNameLabel) || inSubquery(path) {
		return
	}
	f := &fold{op: a.Op, grouping: a.Grouping, without: a.Without}
	n := f.selector(a.Expr)
	if n == nil || n.Timestamp != nil || n.StartOrEnd != 0 || n.Anchored || n.Smoothed {
		return
	}
	q.folds[n] = f
	a.Op, a.Expr = left, n
}

// selector returns the selector of an expression that f can do, and sets how; or
// nil.
func (f *fold) selector(e parser.Expr) *parser.VectorSelector {
	switch n := unwrap(e).(type) {
	case *parser.VectorSelector:
		return n
	case *parser.BinaryExpr:
		of, isSelector := unwrap(n.LHS).(*parser.VectorSelector)
		than, isNumber := unwrap(n.RHS).(*parser.NumberLiteral)
		if !isSelector || !isNumber || n.ReturnBool {
			return nil
		}
		if f.keep = comparison(n.Op, than.Val); f.keep == nil {
			return nil
		}
		return of
	case *parser.Call:
		return f.ofCall(n)
	}
	return nil
}

// ofCall returns the selector of a rate. It must be of one metric: series of
// several may be the same without their names, which is an error.
func (f *fold) ofCall(c *parser.Call) *parser.VectorSelector {
	if c.Func.Name != "rate" && c.Func.Name != "increase" {
		return nil
	}
	m, ok := unwrap(c.Args[0]).(*parser.MatrixSelector)
	if !ok {
		return nil
	}
	n, ok := m.VectorSelector.(*parser.VectorSelector)
	if !ok || !slices.ContainsFunc(n.LabelMatchers, func(m *labels.Matcher) bool { return isName(m) && m.Type == labels.MatchEqual }) {
		return nil
	}
	f.call, f.span = c.Func.Name, m.Range.Milliseconds()
	return n
}

func unwrap(e parser.Expr) parser.Expr {
	for {
		switch n := e.(type) {
		case *parser.ParenExpr:
			e = n.Expr
		case *parser.StepInvariantExpr:
			e = n.Expr
		default:
			return e
		}
	}
}

func comparison(op parser.ItemType, than float64) func(float64) bool {
	switch op {
	case parser.GTR:
		return func(v float64) bool { return v > than }
	case parser.LSS:
		return func(v float64) bool { return v < than }
	case parser.GTE:
		return func(v float64) bool { return v >= than }
	case parser.LTE:
		return func(v float64) bool { return v <= than }
	}
	return nil
}

// window returns what f needs of time, where the selector alone needs w.
func (f *fold) window(w window, lookBack int64) window {
	if f.span == 0 {
		return w
	}
	return window{start: w.first(lookBack) - f.span + 1, end: w.end, span: f.span, step: w.step}
}

// groups are the series of a fold: a storage.SeriesSet.
type groups struct {
	fold *fold
	from *selection
	list []*group
	at   int
	done bool
}

// group is one of them, with what was aggregated for each time of evaluation.
type group struct {
	labels        labels.Labels
	values, carry []float64
	counts        []uint32
	samples       samples
}

// Next goes to the next group. The first time it reads everything.
func (g *groups) Next() bool {
	if !g.done {
		g.done, g.at = true, -1
		g.from.err = g.read()
	}
	g.at++
	return g.from.err == nil && g.at < len(g.list)
}

// At returns the group.
func (g *groups) At() storage.Series { return g.list[g.at] }

// Err returns why there are no more groups.
func (g *groups) Err() error { return g.from.err }

// Warnings returns nothing: there are none.
func (g *groups) Warnings() annotations.Annotations { return nil }

// Labels returns the labels of the group.
func (g *group) Labels() labels.Labels { return g.labels }

// Iterator returns what was aggregated.
func (g *group) Iterator(chunkenc.Iterator) chunkenc.Iterator {
	s := g.samples
	return &s
}

// read aggregates one stream after the other.
func (g *groups) read() error {
	times := g.from.times()
	byLabels := make(map[string]*group)
	var s samples
	var key []byte
	for g.from.Next() {
		x := g.from.series[g.from.at]
		ls := x.labels.MatchLabels(!g.fold.without, g.fold.grouping...)
		key = ls.Bytes(key[:0])
		in := byLabels[string(key)]
		if in == nil {
			if err := g.from.q.hold(times.n); err != nil {
				return err
			}
			in = &group{labels: ls, values: make([]float64, times.n), carry: make([]float64, times.n), counts: make([]uint32, times.n)}
			byLabels[string(key)] = in
			g.list = append(g.list, in)
		}
		s.reset()
		if err := g.from.load(x, &s); err != nil {
			return err
		}
		if g.fold.span > 0 {
			g.rates(&s, times, in)
		} else {
			g.latest(&s, times, in)
		}
	}
	for _, in := range g.list {
		in.finish(g.fold.op, times)
	}
	return g.from.err
}

// evaluations are n times of evaluation.
type evaluations struct {
	first, step int64
	n           int
}

func (s *selection) times() evaluations {
	first := s.window.first(s.q.lookBack)
	return evaluations{first, s.window.step, int((s.window.end-first)/s.window.step) + 1}
}

// latest adds, at each time, the latest sample of a series that lasts until then.
func (g *groups) latest(s *samples, at evaluations, in *group) {
	lasts := g.from.q.lookBack
	if lasts == 0 {
		lasts = reach.Milliseconds()
	}
	k := -1
	for i, t := 0, at.first; i < at.n; i, t = i+1, t+at.step {
		for k+1 < len(s.t) && s.t[k+1] <= t {
			k++
		}
		if k < 0 || s.t[k] <= t-lasts {
			continue
		}
		if v := s.v[k]; !value.IsStaleNaN(v) && (g.fold.keep == nil || g.fold.keep(v)) {
			in.add(g.fold.op, i, v)
		}
	}
}

// rates adds, at each time, how fast a counter grew within the range before it.
func (g *groups) rates(s *samples, at evaluations, in *group) {
	span := g.fold.span
	over := float64(span) / 1000
	if g.fold.call == "increase" {
		over = 1
	}
	reset := !slices.IsSorted(s.v)
	lo, hi := 0, 0
	for i, t := 0, at.first; i < at.n; i, t = i+1, t+at.step {
		for hi < len(s.t) && s.t[hi] <= t {
			hi++
		}
		for lo < hi && s.t[lo] <= t-span {
			lo++
		}
		if hi-lo > 1 {
			in.add(g.fold.op, i, increase(s.t[lo:hi], s.v[lo:hi], t-span, t, reset)/over)
		}
	}
}

// increase is how much a counter grew between two times, by the samples in
// between, as Prometheus has it: what lies between the first and the last of
// them, and as much more as their distance from the ends makes likely.
func increase(times []int64, values []float64, start, end int64, reset bool) float64 {
	last := len(values) - 1
	grown := values[last] - values[0]
	if reset {
		for i, v := range values[1:] {
			if v < values[i] {
				grown += values[i]
			}
		}
	}
	sampled := float64(times[last]-times[0]) / 1000
	apart := sampled / float64(last)
	before, after := float64(times[0]-start)/1000, float64(end-times[last])/1000
	if before >= 1.1*apart {
		before = apart / 2
	}
	if grown > 0 && values[0] >= 0 {
		if zero := sampled * (values[0] / grown); zero < before {
			before = zero // it was not below zero
		}
	}
	if after >= 1.1*apart {
		after = apart / 2
	}
	return grown * ((sampled + before + after) / sampled)
}

// add aggregates one more value.
func (g *group) add(op parser.ItemType, i int, v float64) {
	g.counts[i]++
	if g.counts[i] == 1 {
		g.values[i] = v
		return
	}
	switch op {
	case parser.SUM:
		g.values[i], g.carry[i] = addExactly(g.values[i], g.carry[i], v)
	case parser.MIN:
		if v < g.values[i] || math.IsNaN(g.values[i]) { // what is not a number counts where there is nothing else
			g.values[i] = v
		}
	case parser.MAX:
		if v > g.values[i] || math.IsNaN(g.values[i]) {
			g.values[i] = v
		}
	}
}

// finish makes samples of what was aggregated. Where there is nothing after
// there was something, that is marked.
func (g *group) finish(op parser.ItemType, at evaluations) {
	there := false
	for i, n := range g.counts {
		t := at.first + int64(i)*at.step
		switch {
		case n == 0 && there:
			g.samples.add(t, ended)
		case n == 0:
		case op == parser.COUNT:
			g.samples.add(t, float64(n))
		default:
			g.samples.add(t, g.values[i]+g.carry[i])
		}
		there = n > 0
	}
	g.values, g.carry, g.counts = nil, nil, nil
}
