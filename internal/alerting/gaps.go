package alerting

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// gapStep is how finely gaps are looked for, in seconds: a day is drawn
	// two hundred pixels wide.
	gapStep = 15 * minute
	// maxGapStreams is how many streams of a condition are read to find out.
	maxGapStreams = 500
)

// Gaps returns when in [start, end) an alert had nothing to evaluate: one of its
// conditions with a threshold had no measurement of any stream. For one that
// watches for absence, silence is what it evaluates. What is rare has no gaps for
// being rare: silence must last longer than it usually does.
//
// One stream that is always there settles a condition, so most cost the
// reading of one. Where too many would have to be read it is an error.
func (r *Reader) Gaps(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end int64) ([]tidemark.Interval, error) {
	var all []intervals
	for i := range a.Conditions {
		c := &a.Conditions[i]
		if c.Type == tidemark.Absent {
			continue
		}
		found, err := r.gapsOf(ctx, org, c, start, end)
		if err != nil {
			return nil, fmt.Errorf("gaps of %s: %w", c.MetricName, err)
		}
		all = append(all, found)
	}
	return union(all), nil
}

func (r *Reader) gapsOf(ctx context.Context, org tidemark.OrgID, c *tidemark.Condition, start, end int64) (intervals, error) {
	s, err := r.sourceOf(ctx, org, nil, c)
	if err != nil {
		return nil, err
	}
	// Streams, not groups of them: the first one may do.
	for _, tag := range s.groups {
		s.filter = tsdb.AllOf(s.filter, tsdb.TagPresent(tag))
	}
	s.groups, s.step = nil, max(s.step, gapStep)
	s.against, s.good, s.merged = nil, nil, false // the measurements themselves
	h := newCoverage(start, end, s.step)
	count := rule{function: "count"}
	streams := 0
	for series, err := range r.readings(ctx, org, &s, &count, h.start, end, s.step) {
		if err != nil {
			return nil, err
		}
		if h.note(series.Times); h.missing == 0 {
			return nil, nil
		}
		if streams++; streams == maxGapStreams {
			return nil, errTooMany
		}
	}
	return h.gaps().clip(start, end), nil
}

// coverage is in which steps of a stretch anything was measured.
type coverage struct {
	start, end, step int64
	steps            []bool
	missing          int // of the whole ones: the last may have just begun
}

func newCoverage(start, end, step int64) *coverage {
	start -= start % step
	n := (end - start + step - 1) / step
	return &coverage{start: start, end: end, step: step, steps: make([]bool, n), missing: int((end - start) / step)}
}

func (h *coverage) note(times []int64) {
	for _, t := range times {
		i := (t - h.start) / h.step
		if t < h.start || t >= h.end || h.steps[i] {
			continue
		}
		h.steps[i] = true
		if h.start+(i+1)*h.step <= h.end {
			h.missing--
		}
	}
}

// gaps returns the silences that last at least as long as it usually is from
// one measurement to the next, and a step.
func (h *coverage) gaps() intervals {
	usual := h.usual()
	var found intervals
	quiet := func(from, to int) { // steps
		if end := min(h.start+int64(to)*h.step, h.end); end-h.start-int64(from)*h.step >= int64(usual)*h.step {
			found = append(found, tidemark.Interval{h.start + int64(from)*h.step, end})
		}
	}
	next := 0
	for i, any := range h.steps {
		if any {
			quiet(next, i)
			next = i + 1
		}
	}
	quiet(next, len(h.steps))
	return found
}

// usual is how many steps it is from one that has measurements to the next:
// the median; 1 where there are no two of them.
func (h *coverage) usual() int {
	var apart []int
	last := -1
	for i, any := range h.steps {
		if !any {
			continue
		}
		if last >= 0 {
			apart = append(apart, i-last)
		}
		last = i
	}
	if len(apart) == 0 {
		return 1
	}
	slices.Sort(apart)
	return apart[len(apart)/2]
}
