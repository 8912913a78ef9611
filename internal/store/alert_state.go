package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// AlertStatus is where an alert stands.
type AlertStatus struct {
	Alert       int64
	Firing      bool
	TriggeredAt int64 // the last time, 0 if never
	ClearedAt   int64 // the last time, 0 if never
}

var statusColumns = columns[AlertStatus]{
	noun:  "alert",
	names: `a.id, COALESCE(st.firing, FALSE), COALESCE(st.triggered_at, 0), COALESCE(st.cleared_at, 0)`,
	dest: func(v *AlertStatus) []any {
		return []any{&v.Alert, &v.Firing, &v.TriggeredAt, &v.ClearedAt}
	},
}

const fromStatus = `FROM alerts a LEFT JOIN alert_states st ON st.alert_id = a.id `

// AlertStatus returns where one alert of org stands.
func (s *Store) AlertStatus(ctx context.Context, org tidemark.OrgID, id int64) (*AlertStatus, error) {
	return one(ctx, s, s.db, statusColumns, fromStatus+`WHERE a.org_id = ? AND a.id = ?`, org, id)
}

// AlertStatuses returns those of org's alerts that fire, and those that were
// cleared since a time, by id.
func (s *Store) AlertStatuses(ctx context.Context, org tidemark.OrgID, clearedSince int64) ([]*AlertStatus, error) {
	return many(ctx, s, s.db, statusColumns, fromStatus+`
		WHERE a.org_id = ? AND (st.firing = TRUE OR st.cleared_at >= ?) ORDER BY a.id`, org, max(clearedSince, 1))
}

// lockAlert keeps others from changing an alert of org, or what hangs on it,
// until the transaction ends.
func (s *Store) lockAlert(ctx context.Context, tx conn, org tidemark.OrgID, id int64) error {
	_, err := value[int64](ctx, s, tx, "alert", `SELECT id FROM alerts WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
	return err
}
