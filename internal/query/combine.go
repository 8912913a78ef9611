package query

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// combine makes one series of a set.
type combine struct {
	in node
	do func(ev *evaluation, in []*Series) *Series // nil if there is none
}

func (n *combine) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	return n.in.prepare(ctx, ev, sc)
}

func (n *combine) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	in, err := n.in.eval(ctx, ev, sc)
	if err != nil || len(in) == 0 {
		return nil, err
	}
	if err := ev.work.Yield(ctx); err != nil {
		return nil, err
	}
	out := n.do(ev, in)
	if out == nil {
		return nil, nil
	}
	return []*Series{out}, nil
}

// makeFold makes sum, mean, min, max and multiply. Around a series() they are
// part of its reading.
func makeFold(f *fold) maker {
	return func(c *compiler, a *args) (node, error) {
		if l, ok := c.folded(a.set, f, a.call.String()); ok {
			return l, nil
		}
		return &combine{a.set, func(_ *evaluation, in []*Series) *Series {
			acc := newAccumulator(f)
			for _, s := range in {
				acc.add(s, s.Times, s.Values)
			}
			return acc.finish()
		}}, nil
	}
}

// makePair makes subtract and divide: they need two series, and a value of
// each.
func makePair(f func(a, b float64) float64) maker {
	return func(_ *compiler, a *args) (node, error) {
		return &combine{a.set, func(_ *evaluation, in []*Series) *Series {
			if len(in) != 2 {
				return nil
			}
			return pair(in[0], in[1], f)
		}}, nil
	}
}

func pair(x, y *Series, f func(a, b float64) float64) *Series {
	out := &Series{}
	out.inherit([]*Series{x, y})
	size := min(len(x.Times), len(y.Times))
	out.Times, out.Values = make([]int64, 0, size), make([]float64, 0, size)
	i, j := 0, 0
	for i < len(x.Times) && j < len(y.Times) {
		switch {
		case x.Times[i] < y.Times[j]:
			i++
		case x.Times[i] > y.Times[j]:
			j++
		default:
			if v := f(x.Values[i], y.Values[j]); isFinite(v) {
				out.Times, out.Values = append(out.Times, x.Times[i]), append(out.Values, v)
			}
			i, j = i+1, j+1
		}
	}
	return out
}

// makeColumn makes functions that need all values of one time at once.
func makeColumn(build func(settings) func(values []float64) float64) maker {
	return func(_ *compiler, a *args) (node, error) {
		f := build(a.settings)
		return &combine{a.set, func(_ *evaluation, in []*Series) *Series {
			out := &Series{}
			out.inherit(in)
			values := make([]float64, 0, len(in))
			eachTime(in, func(t int64, column []cell) {
				values = values[:0]
				for _, c := range column {
					values = append(values, c.value)
				}
				if v := f(values); isFinite(v) {
					out.Times, out.Values = append(out.Times, t), append(out.Values, v)
				}
			})
			return out
		}}, nil
	}
}

// cell is one point of a set of series, and where it is from.
type cell struct {
	value     float64
	series, i int32
}

// eachTime calls visit for each time that a series has a point at, in order,
// with the points at it, in the order of the series. The column is valid
// during the call, and may be changed.
func eachTime(in []*Series, visit func(t int64, column []cell)) {
	if len(in) == 0 {
		return
	}
	if !slices.ContainsFunc(in, func(s *Series) bool { return !slices.Equal(s.Times, in[0].Times) }) {
		column := make([]cell, len(in))
		for i, t := range in[0].Times {
			for j, s := range in {
				column[j] = cell{s.Values[i], int32(j), int32(i)}
			}
			visit(t, column)
		}
		return
	}
	type timed struct {
		cell
		time int64
	}
	size := 0
	for _, s := range in {
		size += len(s.Times)
	}
	all := make([]timed, 0, size)
	for j, s := range in {
		for i, t := range s.Times {
			all = append(all, timed{cell{s.Values[i], int32(j), int32(i)}, t})
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.time, b.time) })
	column := make([]cell, 0, len(in))
	for i, p := range all {
		column = append(column, p.cell)
		if i+1 == len(all) || all[i+1].time != p.time {
			visit(p.time, column)
			column = column[:0]
		}
	}
}

// makePercentile makes percentile: of the values of all series at a time, or,
// around a series() of distributions, of the values that these are of.
func makePercentile(c *compiler, a *args) (node, error) {
	merged := *a
	merged.set = c.merging(a.set, a.settings.number("p")/100, a.call.String())
	return makeColumn(percentile)(c, &merged)
}

// percentile interpolates between the two values nearest to the place of p.
func percentile(s settings) func([]float64) float64 {
	p := s.number("p") / 100
	return func(values []float64) float64 {
		slices.Sort(values)
		at := p * float64(len(values)-1)
		low := int(at)
		if low+1 == len(values) {
			return values[low]
		}
		part := at - float64(low)
		return values[low]*(1-part) + values[low+1]*part
	}
}

// stddev is the standard deviation of all there is, not of a sample.
func stddev(settings) func([]float64) float64 {
	return func(values []float64) float64 {
		var mean, m2 float64
		for i, v := range values { // Welford: no large sums that cancel out
			delta := v - mean
			mean += delta / float64(i+1)
			m2 += delta * (v - mean)
		}
		return math.Sqrt(m2 / float64(len(values)))
	}
}

// rank replaces each value by its place among those of the same time.
type rank struct {
	in        node
	ascending bool
}

func makeRank(_ *compiler, a *args) (node, error) {
	return &rank{a.set, a.settings.word("order") == "asc"}, nil
}

func (n *rank) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	return n.in.prepare(ctx, ev, sc)
}

func (n *rank) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	in, err := n.in.eval(ctx, ev, sc)
	if err != nil {
		return nil, err
	}
	if err := ev.work.Yield(ctx); err != nil {
		return nil, err
	}
	for i, s := range in {
		if in[i], err = ev.own(s); err != nil {
			return nil, err
		}
	}
	eachTime(in, func(_ int64, column []cell) {
		slices.SortFunc(column, func(a, b cell) int { return cmp.Compare(a.value, b.value) })
		if !n.ascending {
			slices.Reverse(column)
		}
		for i, c := range column {
			place := float64(i + 1)
			if i > 0 && column[i-1].value == c.value { // equals share the better place
				place = in[column[i-1].series].Values[column[i-1].i]
			}
			in[c.series].Values[c.i] = place
		}
	})
	return in, nil
}
