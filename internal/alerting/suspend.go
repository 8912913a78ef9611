package alerting

import (
	"context"
	"slices"
	"sort"

	"github.com/tidemark-metrics/tidemark"
)

// suspendedAhead is how far ahead times in which an alert is not evaluated are
// known. They are found anew whenever alerts are loaded, which is much more
// often.
const suspendedAhead = 2 * 24 * 3600

// suspend finds out when maintenance keeps w from being evaluated, for as far
// back as its memory reaches.
func (w *watch) suspend(now int64) {
	w.suspended = tidemark.Suspended(w.Windows, now-tidemark.SuspendedBack, now+suspendedAhead)
	for _, c := range w.conditions {
		c.rule.suspend(w.suspended, c.step)
	}
}

// windowsOf returns the maintenance windows that have to do with an alert and
// are not over at a time.
func (r *Reader) windowsOf(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, since int64) ([]*tidemark.Maintenance, error) {
	if r.Windows == nil {
		return nil, nil
	}
	windows, err := r.Windows.WindowsIn(ctx, org, since)
	return slices.DeleteFunc(windows, func(m *tidemark.Maintenance) bool { return !m.Covers.Concerns(a) }), err
}

// suspended returns when in [start, end) maintenance keeps an alert from being
// evaluated.
func (r *Reader) suspended(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end int64) (intervals, error) {
	windows, err := r.windowsOf(ctx, org, a, start)
	return tidemark.Suspended(windows, start, end), err
}

func (r *rule) suspend(when intervals, span int64) { r.suspended, r.span = when, span }

// leavesOut reports whether a reading of time t does not count, because the
// alert is not evaluated then or in a part of what it is about. That a stream
// was heard of always counts.
func (r *rule) leavesOut(t int64) bool {
	return len(r.suspended) > 0 && r.kind != tidemark.Absent && r.suspended.meets(t, t+max(r.span, 1))
}

// endAfter returns the first of v that ends after t, or len(v).
func (v intervals) endAfter(t int64) int {
	return sort.Search(len(v), func(i int) bool { return v[i][1] > t })
}

// has reports whether t is in one of v.
func (v intervals) has(t int64) bool {
	i := v.endAfter(t)
	return i < len(v) && v[i][0] <= t
}

// meets reports whether one of v has a part in [start, end).
func (v intervals) meets(start, end int64) bool {
	i := v.endAfter(start)
	return i < len(v) && v[i][0] < end
}

// without returns what of one stretch is in none of v.
func (v intervals) without(of tidemark.Interval) intervals {
	var out intervals
	for _, i := range v[v.endAfter(of[0]):] {
		if i[0] >= of[1] {
			break
		}
		if of[0] < i[0] {
			out = append(out, tidemark.Interval{of[0], i[0]})
		}
		of[0] = min(i[1], of[1])
	}
	if of[0] < of[1] {
		out = append(out, of)
	}
	return out
}

// between reports whether one of v begins after a and ends by b.
func (v intervals) between(a, b int64) bool {
	i := v.endAfter(a)
	return i < len(v) && v[i][1] <= b
}

// hold returns v with nothing changing while one of held lasts: what would
// begin or end within it does so at its end.
func (v intervals) hold(held intervals) intervals {
	out := make(intervals, 0, len(v))
	for _, i := range v {
		for k := range i {
			if n := held.endAfter(i[k]); n < len(held) && held[n][0] <= i[k] {
				i[k] = held[n][1]
			}
		}
		if i[0] < i[1] {
			out = append(out, i)
		}
	}
	return union([]intervals{out})
}

// silentAt returns when a stream that was heard of at seen has been silent for
// the duration of r: silence counts anew from the end of a time in which the
// alert was not evaluated.
func (r *rule) silentAt(seen int64) int64 {
	for _, i := range r.suspended[r.suspended.endAfter(seen):] {
		if i[0] >= seen+r.duration {
			break
		}
		seen = i[1]
	}
	return seen + r.duration
}

// heardAfter is how long after the time of a reading the stream counts as heard
// of: steps are evaluated when they are over.
func (r *rule) heardAfter() int64 {
	if r.span > 1 {
		return r.span
	}
	return 0
}

// resume begins anew after a time in which the alert was not evaluated. What
// violated before does so until a reading says otherwise; of what did not,
// nothing counts towards a duration, and a derivative needs another reading.
func (s *signal) resume() {
	s.hasRead, s.hasBase = false, false
	if !s.violating {
		s.run, s.recent = 0, nil
	}
}
