package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

type snoozeRow struct {
	tidemark.Snooze
	alert int64
}

var snoozeColumns = columns[snoozeRow]{
	noun:  "snooze",
	names: `alert_id, id, starts_at, ends_at, set_by, note`,
	dest: func(v *snoozeRow) []any {
		return []any{&v.alert, &v.ID, &v.StartsAt, &v.EndsAt, &v.By, &v.Note}
	},
}

// Snoozes returns the snoozes of one alert of org that are not over, by time.
func (s *Store) Snoozes(ctx context.Context, org tidemark.OrgID, alert int64) ([]tidemark.Snooze, error) {
	found := []tidemark.Snooze{}
	for v, err := range each(ctx, s, s.db, snoozeColumns, `FROM alert_snoozes
		WHERE org_id = ? AND alert_id = ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY starts_at, id`, org, alert, s.now()) {
		if err != nil {
			return nil, err
		}
		found = append(found, v.Snooze)
	}
	return found, nil
}

// SnoozesOf returns the snoozes of org's alerts that are not over, by alert.
func (s *Store) SnoozesOf(ctx context.Context, org tidemark.OrgID) (map[int64][]tidemark.Snooze, error) {
	found := make(map[int64][]tidemark.Snooze)
	for v, err := range each(ctx, s, s.db, snoozeColumns, `FROM alert_snoozes
		WHERE org_id = ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY starts_at, id`, org, s.now()) {
		if err != nil {
			return nil, err
		}
		found[v.alert] = append(found[v.alert], v.Snooze)
	}
	return found, nil
}

// SnoozeAlert adds v to the snoozes of one alert of org and sets its ID. One
// that is on already is replaced by one that starts now.
func (s *Store) SnoozeAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, alert int64, v *tidemark.Snooze) error {
	if err := v.Validate(); err != nil {
		return err
	}
	now := s.now()
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, alert); err != nil {
			return err
		}
		if v.StartsAt <= now {
			_, err := s.exec(ctx, tx, `DELETE FROM alert_snoozes WHERE org_id = ? AND alert_id = ? AND starts_at <= ?`, org, alert, now)
			if err != nil {
				return err
			}
		}
		n, err := value[int](ctx, s, tx, "alert", `
			SELECT COUNT(*) FROM alert_snoozes WHERE alert_id = ? AND (ends_at IS NULL OR ends_at > ?)`, alert, now)
		if err != nil {
			return err
		}
		if n >= tidemark.MaxSnoozes {
			return tidemark.Errorf(tidemark.TooLarge, "an alert has at most %d snoozes", tidemark.MaxSnoozes)
		}
		err = insert(ctx, s, tx, &v.ID, `
			INSERT INTO alert_snoozes (org_id, alert_id, starts_at, ends_at, set_by, note) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
			org, alert, v.StartsAt, v.EndsAt, v.By, v.Note)
		if err != nil {
			return err
		}
		if err := s.noteAlert(ctx, tx, operation{org, by, "alert.snooze"}, alert, fields{"starts_at": v.StartsAt, "ends_at": v.EndsAt, "note": v.Note}); err != nil {
			return err
		}
		return s.bumpAlerts(ctx, tx, org)
	})
}

// ResumeAlert removes all snoozes of one alert of org.
func (s *Store) ResumeAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, alert int64) error {
	return s.resume(ctx, operation{org, by, "alert.resume"}, alert, func(tx conn) (int64, error) {
		return s.exec(ctx, tx, `DELETE FROM alert_snoozes WHERE org_id = ? AND alert_id = ?`, org, alert)
	})
}

// UndoSnoozes removes those of ids that are snoozes of one alert of org. Others
// that it has stay.
func (s *Store) UndoSnoozes(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, alert int64, ids []int64) error {
	return s.resume(ctx, operation{org, by, "alert.resume"}, alert, func(tx conn) (removed int64, err error) {
		has, err := many(ctx, s, tx, snoozeColumns, `FROM alert_snoozes WHERE org_id = ? AND alert_id = ?`, org, alert)
		for _, v := range has {
			if err != nil || !slices.Contains(ids, v.ID) {
				continue
			}
			_, err = s.exec(ctx, tx, `DELETE FROM alert_snoozes WHERE org_id = ? AND id = ?`, org, v.ID)
			removed++
		}
		return removed, err
	})
}

// resume has remove take snoozes from an alert, and notes it if it took any.
func (s *Store) resume(ctx context.Context, w operation, alert int64, remove func(conn) (int64, error)) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, w.org, alert); err != nil {
			return err
		}
		n, err := remove(tx)
		if err != nil || n == 0 {
			return err
		}
		if err := s.noteAlert(ctx, tx, w, alert, nil); err != nil {
			return err
		}
		return s.bumpAlerts(ctx, tx, w.org)
	})
}

// noteAlert notes that w was done to an alert, which is there.
func (s *Store) noteAlert(ctx context.Context, tx conn, w operation, id int64, detail map[string]any) error {
	name, err := value[string](ctx, s, tx, "alert", `SELECT name FROM alerts WHERE org_id = ? AND id = ?`, w.org, id)
	if err != nil {
		return err
	}
	return s.note(ctx, tx, w, named("alert", id, name), detail)
}
