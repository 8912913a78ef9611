package tsdb

import (
	"math"

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

// Percentile returns the value at q, 0 to 1, of what is known; NaN where
// nothing is.
func (d *Distribution) Percentile(q float64) float64 {
	if d.Sketch == nil {
		return math.NaN()
	}
	return d.Sketch.QuantileWithin(q, d.Summary.Min, d.Summary.Max)
}
