package tsdb

import (
	"math"

	"github.com/tidemark-metrics/tidemark"
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
	case q.Function > All:
		return tidemark.Errorf(tidemark.Invalid, "there is no function %d", q.Function)
	case q.GroupFunction > GroupMax:
		return tidemark.Errorf(tidemark.Invalid, "there is no group function %d", q.GroupFunction)
	case q.Group && q.Function == All:
		return tidemark.Errorf(tidemark.Invalid, "all functions at once cannot be grouped")
	case !q.Group && len(q.GroupBy) > 0:
		return tidemark.Errorf(tidemark.Invalid, "tags to group by without grouping")
	}
	return q.Filter.Validate()
}

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
