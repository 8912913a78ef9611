package query

import (
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// own returns s, or a copy of it if others see it too, whose values may be
// written to. Times are never written to: functions that change them make new
// ones.
func (ev *evaluation) own(s *Series) (*Series, error) {
	if !s.shared {
		return s, nil
	}
	if err := ev.hold(len(s.Values), 0); err != nil {
		return nil, err
	}
	c := *s
	c.Values = slices.Clone(s.Values)
	c.shared = false
	return &c, nil
}

// inherit sets what a combined series has of those it is made of: the longest
// period, and metric, leaf and shift where all agree.
func (s *Series) inherit(in []*Series) {
	s.combined = true
	for i, o := range in {
		s.inheritOne(o, i == 0)
	}
}

func (s *Series) inheritOne(o *Series, first bool) {
	s.Period, s.step = max(s.Period, o.Period), max(s.step, o.step)
	if first {
		s.Metric, s.Leaf, s.Shift = o.Metric, o.Leaf, o.Shift
		return
	}
	if s.Metric != o.Metric {
		s.Metric = nil
	}
	if s.Leaf != o.Leaf {
		s.Leaf = nil
	}
	if s.Shift != o.Shift {
		s.Shift = 0
	}
}

// stamp puts the tags of a group on the combined series of in.
func stamp(in []*Series, names, values []string) {
	for i, s := range in {
		if !s.combined {
			continue
		}
		c := *s
		c.Tags = slices.Clone(s.Tags)
		for j, name := range names {
			if _, ok := c.Tags.Get(name); !ok {
				c.Tags = append(c.Tags, tidemark.Tag{Name: name, Value: values[j]})
			}
		}
		slices.SortFunc(c.Tags, func(a, b tidemark.Tag) int { return strings.Compare(a.Name, b.Name) })
		in[i] = &c
	}
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// finish drops points that are no numbers, and series without points, and
// makes every series the caller's own.
func (ev *evaluation) finish(in []*Series) ([]*Series, error) {
	for i, s := range in {
		var err error
		if in[i], err = ev.own(s); err != nil {
			return nil, err
		}
	}
	return withPoints(in), nil
}

func withPoints(in []*Series) []*Series {
	out := in[:0]
	for _, s := range in {
		if s = finite(s); len(s.Values) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// finite drops the points of s that are no numbers: the outcome of numbers
// too large.
func finite(s *Series) *Series {
	if !slices.ContainsFunc(s.Values, func(v float64) bool { return !isFinite(v) }) {
		return s
	}
	times := make([]int64, 0, len(s.Times))
	values := s.Values[:0]
	for i, v := range s.Values {
		if isFinite(v) {
			times, values = append(times, s.Times[i]), append(values, v)
		}
	}
	s.Times, s.Values = times, values
	return s
}

// floorTo returns the largest multiple of step that is not above t.
func floorTo(t, step int64) int64 {
	r := t % step
	if r < 0 {
		r += step
	}
	return t - r
}
