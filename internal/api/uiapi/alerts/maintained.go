package alerts

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// maintained is the maintenance of an organization in [start, end).
type maintained struct {
	windows    []*tidemark.Maintenance
	start, end int64
}

// maintainedSince returns the maintenance of org from a time until now.
func (s *API) maintainedSince(ctx context.Context, org tidemark.OrgID, start, now int64) (*maintained, error) {
	windows, err := s.Store.WindowsIn(ctx, org, start)
	return &maintained{windows, start, now}, err
}

// addTo says when maintenance covered an alert, since it was made, and when it
// kept it from being evaluated. Windows for streams with some tags do not
// count: what they covered depends on what violated.
func (m *maintained) addTo(v *alertSummary, a *tidemark.Alert) {
	var about []*tidemark.Maintenance
	for _, w := range m.windows {
		if w.Covers.Concerns(a) {
			about = append(about, w)
		}
	}
	start := max(m.start, a.CreatedAt)
	v.Maintained = within(tidemark.Maintained(about, start, m.end), start, m.end)
	v.Suspended = within(tidemark.Suspended(about, start, m.end), start, m.end)
}

// within returns what of all is in [start, end).
func within(all []tidemark.Interval, start, end int64) []tidemark.Interval {
	in := []tidemark.Interval{}
	for _, i := range all {
		if i = (tidemark.Interval{max(i[0], start), min(i[1], end)}); i[0] < i[1] {
			in = append(in, i)
		}
	}
	return in
}
