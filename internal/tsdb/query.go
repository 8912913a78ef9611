package tsdb

import (
	"fmt"
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// MaxTime is the latest second that an engine can keep; the earliest is 0.
const MaxTime = math.MaxUint32

// maxDepth bounds the nesting of a filter.
const maxDepth = 64

// Validate reports, as an Invalid error, why r cannot be stored, or nil.
func (r *Record) Validate() error {
	if r.Time < 0 || r.Time > MaxTime {
		return tidemark.Errorf(tidemark.Invalid, "time %d is out of range", r.Time)
	}
	if !(r.Summary.Count >= 1) { // not < 1: a NaN is refused too
		return tidemark.Errorf(tidemark.Invalid, "count %v is not 1 or more", r.Summary.Count)
	}
	return nil
}

// ValidateSketches reports, as an Invalid error, why a sketch of b cannot be
// stored, or nil.
func (b *Batch) ValidateSketches() error {
	var s sketch.Sketch
	for i := range b.spans {
		n := b.spans[i].record
		s.Reset()
		if err := s.MergeEncoded(b.Sketch(n)); err != nil {
			return &tidemark.Error{Kind: tidemark.Invalid, Msg: fmt.Sprintf("record %d: %v", n, err), Err: err}
		}
		if sum := &b.Records[n].Summary; !sum.Counts(&s) && !(b.Merged && s.Count() < sum.Count) {
			return tidemark.Errorf(tidemark.Invalid, "record %d: its sketch has %v values, its count is %v", n, s.Count(), sum.Count)
		}
	}
	return nil
}

// Counts reports whether k has as many values as s.
func (s *Summary) Counts(k *sketch.Sketch) bool {
	return math.Abs(k.Count()-s.Count) <= s.Count*countError
}

// countError is how far the count of a sketch may be off: it rounds counts
// that are fractions to multiples of this, each time that some are added.
const countError = 1.0 / 65536

// Validate reports, as an Invalid error, why m makes no sense, or nil.
func (m *Mode) Validate() error {
	if m.Fold && (m.Period < 1 || m.Period > MaxTime) {
		return tidemark.Errorf(tidemark.Invalid, "period %d cannot be folded by", m.Period)
	}
	return nil
}

// Validate reports, as an Invalid error, why q makes no sense, or nil. A
// window that ends before it starts does: it is empty.
func (q *Query) Validate() error {
	switch {
	case q.Step < 1:
		return tidemark.Errorf(tidemark.Invalid, "step %d is not 1 or more", q.Step)
	case q.Function > Distributions:
		return tidemark.Errorf(tidemark.Invalid, "there is no function %d", q.Function)
	case q.GroupFunction > GroupMerge:
		return tidemark.Errorf(tidemark.Invalid, "there is no group function %d", q.GroupFunction)
	case q.Function == Percentile && !(q.Quantile >= 0 && q.Quantile <= 1):
		return tidemark.Errorf(tidemark.Invalid, "quantile %v is not between 0 and 1", q.Quantile)
	case q.Function != Percentile && q.Quantile != 0:
		return tidemark.Errorf(tidemark.Invalid, "a quantile is of percentiles only")
	case q.Merges() && q.Function == Derivative:
		return tidemark.Errorf(tidemark.Invalid, "derivatives cannot be merged")
	case q.Group && !q.Merges() && (q.Function == All || q.Function == Distributions):
		return tidemark.Errorf(tidemark.Invalid, "all functions at once cannot be grouped unless by merging")
	case !q.Group && len(q.GroupBy) > 0:
		return tidemark.Errorf(tidemark.Invalid, "tags to group by without grouping")
	}
	return q.Filter.Validate()
}

// Merges reports whether q makes its groups by merging.
func (q *Query) Merges() bool { return q.Group && q.GroupFunction == GroupMerge }

// NeedsSketches reports whether q asks how values are distributed.
func (q *Query) NeedsSketches() bool { return q.Function == Percentile || q.Function == Distributions }

// Validate reports, as an Invalid error, why f is no filter, or nil.
func (f *Filter) Validate() error { return f.validate(maxDepth) }

func (f *Filter) validate(depth int) error {
	if depth == 0 {
		return tidemark.Errorf(tidemark.Invalid, "filter is nested too deeply")
	}
	if f.Op > Is || f.Op == Not && len(f.Args) != 1 {
		return tidemark.Errorf(tidemark.Invalid, "filter is malformed")
	}
	for i := range f.Args {
		if err := f.Args[i].validate(depth - 1); err != nil {
			return err
		}
	}
	return nil
}
