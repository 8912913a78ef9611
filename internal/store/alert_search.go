package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// FoundAlert is an alert as a search finds it.
type FoundAlert struct {
	ID                      int64
	Name                    string
	Active, Firing, Snoozed bool
	TriggeredAt             int64 // the last time, 0 if never
}

var foundAlertColumns = columns[FoundAlert]{
	noun:  "alert",
	names: `f.id, f.name, f.active, f.firing, f.snoozed, f.triggered_at`,
	dest: func(v *FoundAlert) []any {
		return []any{&v.ID, &v.Name, &v.Active, &v.Firing, &v.Snoozed, &v.TriggeredAt}
	},
}

// SearchAlerts returns the first n alerts of org with part in their names:
// those that fire come first, the latest before the others, the rest by name.
func (s *Store) SearchAlerts(ctx context.Context, org tidemark.OrgID, part string, n int) ([]*FoundAlert, error) {
	now, which := s.now(), match("a.name_key", part, false)
	args := append([]any{now, now}, append(which.argsAfter(org), n)...)
	return many(ctx, s, s.db, foundAlertColumns, `FROM (
			SELECT a.id, a.name, a.name_key, a.active, COALESCE(st.firing, FALSE) AS firing, COALESCE(st.triggered_at, 0) AS triggered_at,
				EXISTS (SELECT 1 FROM alert_snoozes z WHERE z.alert_id = a.id AND z.starts_at <= ? AND (z.ends_at IS NULL OR z.ends_at > ?)) AS snoozed
			`+fromStatus+`WHERE a.org_id = ? AND `+which.where+`
		) f
		ORDER BY CASE WHEN f.firing AND f.active AND NOT f.snoozed THEN f.triggered_at ELSE 0 END DESC, f.name_key, f.id LIMIT ?`, args...)
}
