package query

import (
	"context"
	"math"
	"slices"
)

// each makes a series of every series of a set.
type each struct {
	in node
	do func(ev *evaluation, s *Series) (*Series, error)
}

func (n *each) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	return n.in.prepare(ctx, ev, sc)
}

func (n *each) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	out, err := n.in.eval(ctx, ev, sc)
	if err != nil {
		return nil, err
	}
	for i, s := range out {
		if err := ev.work.Yield(ctx); err != nil {
			return nil, err
		}
		if s, err = ev.own(s); err != nil {
			return nil, err
		}
		if out[i], err = n.do(ev, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// makeEach makes a function that maps every series; it may write to it.
func makeEach(build func(settings) func(ev *evaluation, s *Series) (*Series, error)) maker {
	return func(_ *compiler, a *args) (node, error) {
		return &each{a.set, build(a.settings)}, nil
	}
}

// makeValues makes a function that maps every value.
func makeValues(build func(settings) func(v float64) float64) maker {
	return makeEach(func(s settings) func(*evaluation, *Series) (*Series, error) {
		f := build(s)
		return func(_ *evaluation, s *Series) (*Series, error) {
			for i, v := range s.Values {
				s.Values[i] = f(v)
			}
			return s, nil
		}
	})
}

// plain makes a function without options of f.
func plain(f func(float64) float64) maker {
	return makeValues(func(settings) func(float64) float64 { return f })
}

func scale(s settings) func(float64) float64 {
	factor := s.number("factor")
	return func(v float64) float64 { return v * factor }
}

func add(s settings) func(float64) float64 {
	value := s.number("value")
	return func(v float64) float64 { return v + value }
}

// rate makes of what happened in a period what happened in a duration.
func rate(s settings) func(*evaluation, *Series) (*Series, error) {
	duration := s.number("duration")
	return func(_ *evaluation, s *Series) (*Series, error) {
		for i, v := range s.Values {
			s.Values[i] = v / float64(s.Period) * duration
		}
		return s, nil
	}
}

// derive takes the difference to the point before. There is none before the
// first.
func derive(s settings) func(*evaluation, *Series) (*Series, error) {
	resets := s.word("detect_reset") == "true"
	return func(_ *evaluation, s *Series) (*Series, error) {
		if len(s.Values) == 0 {
			return s, nil
		}
		before := s.Values[0]
		for i, v := range s.Values[1:] {
			delta := v - before
			if resets && delta < 0 {
				delta = v // a counter that started again at 0
			}
			s.Values[i], before = delta, v
		}
		s.Times, s.Values = s.Times[1:], s.Values[:len(s.Values)-1]
		return s, nil
	}
}

func integrate(settings) func(*evaluation, *Series) (*Series, error) {
	return func(_ *evaluation, s *Series) (*Series, error) {
		var sum float64
		for i, v := range s.Values {
			sum += v
			s.Values[i] = sum
		}
		return s, nil
	}
}

// maxWindow is the longest window there can be.
const maxWindow = 64

// window makes one point of each and those before it; the first points, which
// have too few before them, are dropped.
func window(s settings) func(*evaluation, *Series) (*Series, error) {
	size := int(s.integer("size"))
	f := windowFunctions[s.word("function")]
	if f == nil {
		f = meanOf
	}
	return func(_ *evaluation, s *Series) (*Series, error) {
		n := len(s.Values) - (size - 1)
		if n <= 0 {
			s.Times, s.Values = nil, nil
			return s, nil
		}
		for i := range n { // each window starts at the point it replaces
			s.Values[i] = f(s.Values[i : i+size])
		}
		s.Times, s.Values = s.Times[size-1:], s.Values[:n]
		return s, nil
	}
}

var windowFunctions = map[string]func([]float64) float64{
	"mean": meanOf, "sum": sumOf, "min": slices.Min[[]float64], "max": slices.Max[[]float64], "median": medianOf,
}

func sumOf(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum
}

func meanOf(values []float64) float64 { return sumOf(values) / float64(len(values)) }

func medianOf(values []float64) float64 {
	var sorted [maxWindow]float64
	s := sorted[:copy(sorted[:], values)]
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// fill puts a point into each step that has none: a number everywhere, the
// last value from the first point on.
func fill(s settings) func(*evaluation, *Series) (*Series, error) {
	if s.word("value") == "last" {
		return lastFill(s)
	}
	value := s.number("value")
	return func(ev *evaluation, s *Series) (*Series, error) { return fillSteps(ev, s, value) }
}

func zeroFill(settings) func(*evaluation, *Series) (*Series, error) {
	return func(ev *evaluation, s *Series) (*Series, error) { return fillSteps(ev, s, 0) }
}

func lastFill(settings) func(*evaluation, *Series) (*Series, error) {
	return func(ev *evaluation, s *Series) (*Series, error) { return fillSteps(ev, s, math.NaN()) }
}

// fillSteps fills the steps of s that have no point with value, or with the
// value before them if it is NaN.
func fillSteps(ev *evaluation, s *Series, value float64) (*Series, error) {
	w := ev.window
	first := floorTo(w.Start, s.Period)
	steps := int((w.End-first-1)/s.Period) + 1
	if err := ev.hold(steps, 0); err != nil {
		return nil, err
	}
	size := max(steps, len(s.Times))
	out := *s
	out.Times, out.Values = make([]int64, 0, size), make([]float64, 0, size)
	last, i := math.NaN(), 0
	for t := first; t < w.End; t += s.Period {
		from := i
		for i < len(s.Times) && s.Times[i] < t+s.Period {
			out.Times, out.Values = append(out.Times, s.Times[i]), append(out.Values, s.Values[i])
			last = s.Values[i]
			i++
		}
		v := value
		if math.IsNaN(v) {
			v = last
		}
		if i == from && !math.IsNaN(v) {
			out.Times, out.Values = append(out.Times, t), append(out.Values, v)
		}
	}
	return &out, nil
}
