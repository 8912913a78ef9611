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

// SaveAlertStatus records where one alert of org stands.
func (s *Store) SaveAlertStatus(ctx context.Context, org tidemark.OrgID, v AlertStatus) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, v.Alert); err != nil {
			return err
		}
		return s.saveAlertStatus(ctx, tx, org, v)
	})
}

func (s *Store) saveAlertStatus(ctx context.Context, tx conn, org tidemark.OrgID, v AlertStatus) error {
	_, err := s.exec(ctx, tx, `
		INSERT INTO alert_states (alert_id, org_id, firing, triggered_at, cleared_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (alert_id) DO UPDATE SET
			firing = excluded.firing, triggered_at = excluded.triggered_at, cleared_at = excluded.cleared_at`,
		v.Alert, org, v.Firing, v.TriggeredAt, v.ClearedAt)
	return err
}

// lockAlert keeps others from changing an alert of org, or what hangs on it,
// until the transaction ends.
func (s *Store) lockAlert(ctx context.Context, tx conn, org tidemark.OrgID, id int64) error {
	_, err := value[int64](ctx, s, tx, "alert", `SELECT id FROM alerts WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
	return err
}

// ClearAlert ends the firing of one alert of org. One that does not fire stays
// as it is.
func (s *Store) ClearAlert(ctx context.Context, org tidemark.OrgID, id, now int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, id); err != nil {
			return err
		}
		v, err := one(ctx, s, tx, statusColumns, fromStatus+`WHERE a.org_id = ? AND a.id = ?`, org, id)
		if err != nil || !v.Firing {
			return err
		}
		v.Firing, v.ClearedAt = false, now
		return s.saveAlertStatus(ctx, tx, org, *v)
	})
}
