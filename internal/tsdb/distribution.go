package tsdb

import (
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Distribution is a summary, and how the values are distributed as far as
// that is known.
type Distribution struct {
	Summary Summary
	// Sketch is nil where nothing is known. It has fewer values than Summary
	// where a summary of several without a sketch was merged.
	Sketch *sketch.Sketch
}

// Merge adds the observations of o, which came after those of d. Where either
// has a sketch, the result has one of all that is known: a summary of several
// without a sketch does not take away what is known of the rest. Where
// neither has, none is made: it would make every folded record many times as
// large. The sketch of o stays as it is.
func (d *Distribution) Merge(o *Distribution) {
	if d.Sketch != nil || o.Sketch != nil {
		both := new(sketch.Sketch)
		d.AddTo(both)
		o.AddTo(both)
		d.Sketch = both
	}
	d.Summary.Merge(&o.Summary)
}

// AddTo counts in s what is known of d: its sketch, or its single value.
func (d *Distribution) AddTo(s *sketch.Sketch) {
	switch {
	case d.Sketch != nil:
		s.Merge(d.Sketch)
	case d.Summary.IsSingle():
		s.Add(d.Summary.Sum, 1)
	}
}

// CountUpTo returns how many of the values that are known are v or less, within
// the error of the sketch: exact where all are, or none is. All is how many are
// known.
func (d *Distribution) CountUpTo(v float64) (n, all float64) {
	if d.Sketch == nil {
		return 0, 0
	}
	all = d.Sketch.Count()
	switch {
	case v >= d.Summary.Max:
		return all, all
	case v < d.Summary.Min:
		return 0, all
	}
	return d.Sketch.CountUpTo(v), all
}

// Percentile returns the value at q, 0 to 1, of what is known; NaN where
// nothing is.
func (d *Distribution) Percentile(q float64) float64 {
	if d.Sketch == nil {
		return math.NaN()
	}
	return d.Sketch.QuantileWithin(q, d.Summary.Min, d.Summary.Max)
}

// CountUpTo makes, of an answer with distributions, series of how many values
// there are, and of how many of them are limit or less.
func (s *Series) CountUpTo(limit float64) (all, upTo *Series) {
	tags := append(tidemark.Tags{}, s.Tags...)
	all, upTo = &Series{Metric: s.Metric, Tags: tags}, &Series{Metric: s.Metric, Tags: tags}
	for i, at := range s.Times {
		d := Distribution{Summary: s.Summaries[i], Sketch: s.SketchAt(i)}
		n, of := d.CountUpTo(limit)
		all.Times, all.Values = append(all.Times, at), append(all.Values, of)
		upTo.Times, upTo.Values = append(upTo.Times, at), append(upTo.Values, n)
	}
	return all, upTo
}

// LeaveOut takes away the points whose steps have a moment in one of
// intervals, which are in order. A nil series has none.
func (s *Series) LeaveOut(intervals []tidemark.Interval, step int64) {
	if s == nil || len(intervals) == 0 {
		return
	}
	n := 0
	for i, at := range s.Times {
		if !tidemark.IsLeftOut(intervals, at, at+step) {
			s.Times[n], s.Values[n] = at, s.Values[i]
			n++
		}
	}
	s.Times, s.Values = s.Times[:n], s.Values[:n]
}

// Complete sets what a distribution does not say of its values, beside count,
// sum, min and max. Which of them came last is not known, so that their mean
// has to do; how far they deviate from it follows from the sketch.
func (s *Summary) Complete(of *sketch.Sketch) {
	mean := s.Sum / s.Count
	s.Last = min(max(mean, s.Min), s.Max)
	for b := range of.Buckets() {
		off := min(max(b.Lower/2+b.Upper/2, s.Min), s.Max) - mean
		s.M2 += b.Count * off * off
	}
}
