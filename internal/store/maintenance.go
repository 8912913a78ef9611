package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

type maintenanceRow struct {
	tidemark.Maintenance
	org tidemark.OrgID
}

var maintenanceColumns = columns[maintenanceRow]{
	noun:  "maintenance window",
	names: `org_id, id, name, note, starts_at, ends_at, repeats, covers, suspends, created_at, updated_at, created_by`,
	dest: func(v *maintenanceRow) []any {
		return []any{
			&v.org, &v.ID, &v.Name, &v.Note, &v.StartsAt, &v.EndsAt, asJSON(&v.Repeat), asJSON(&v.Covers), &v.Suspends, &v.CreatedAt, &v.UpdatedAt, &v.CreatedBy,
		}
	},
	object: func(v *maintenanceRow) string { return named("maintenance", v.ID, v.Name) },
	shown:  func(v *maintenanceRow) fields { return fieldsOf(&v.Maintenance) },
}

// MaintenanceWindows returns a page of org's maintenance windows, also those
// that are over.
func (s *Store) MaintenanceWindows(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Maintenance, tidemark.Counts, error) {
	rows, n, err := page(ctx, s, maintenanceColumns, listing{
		from: `FROM maintenance WHERE org_id = ?`, args: []any{org}, key: "name_key",
		orders: []order{{"starts_at", "starts_at"}, {"name", "name_key"}, {"id", "id"}},
	}, p)
	return windowsOf(rows), n, err
}

func windowsOf(rows []*maintenanceRow) []*tidemark.Maintenance {
	all := make([]*tidemark.Maintenance, len(rows))
	for i, r := range rows {
		all[i] = &r.Maintenance
	}
	return all
}

// Maintenance returns one maintenance window of org.
func (s *Store) Maintenance(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Maintenance, error) {
	v, err := one(ctx, s, s.db, maintenanceColumns, `FROM maintenance WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	return &v.Maintenance, nil
}

// WindowsIn returns org's maintenance windows that are not over at a time.
func (s *Store) WindowsIn(ctx context.Context, org tidemark.OrgID, since int64) ([]*tidemark.Maintenance, error) {
	rows, err := many(ctx, s, s.db, maintenanceColumns, `FROM maintenance
		WHERE org_id = ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY starts_at, id`, org, since)
	return windowsOf(rows), err
}

// CreateMaintenance adds v to org and sets its ID and times.
func (s *Store) CreateMaintenance(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Maintenance) error {
	return s.write(ctx, func(tx conn) error {
		return s.insertMaintenance(ctx, tx, operation{org, by, "maintenance.create"}, v, nil)
	})
}

// insertMaintenance adds v. Alerts that it names and that are gone may be among
// those that were named before.
func (s *Store) insertMaintenance(ctx context.Context, tx conn, want operation, v *tidemark.Maintenance, before []int64) error {
	v.Normalize()
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	v.UpdatedAt, v.CreatedBy = v.CreatedAt, want.by.String()
	if err := s.room(ctx, tx, want.org, tidemark.LimitMaintenance); err != nil {
		return err
	}
	if err := s.checkCovered(ctx, tx, want.org, v, before); err != nil {
		return err
	}
	err := insert(ctx, s, tx, &v.ID, `
		INSERT INTO maintenance (org_id, name, name_key, note, starts_at, ends_at, repeats, covers, suspends, created_at, updated_at, created_by)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		want.org, v.Name, key(v.Name), v.Note, v.StartsAt, v.EndsAt, asJSON(&v.Repeat), asJSON(&v.Covers), v.Suspends, v.CreatedAt, v.UpdatedAt, v.CreatedBy)
	if err != nil {
		return err
	}
	if err := created(ctx, s, tx, want, maintenanceColumns, &maintenanceRow{Maintenance: *v, org: want.org}); err != nil {
		return err
	}
	return s.bumpAlerts(ctx, tx, want.org)
}

// UpdateMaintenance applies change to one maintenance window of org and
// returns the result.
func (s *Store) UpdateMaintenance(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Maintenance)) (*tidemark.Maintenance, error) {
	var v *maintenanceRow
	err := s.write(ctx, func(tx conn) (err error) {
		v, err = s.lockMaintenance(ctx, tx, org, id)
		if err != nil {
			return err
		}
		return s.changeMaintenance(ctx, tx, operation{org, by, "maintenance.update"}, v, change)
	})
	if err != nil {
		return nil, err
	}
	return &v.Maintenance, nil
}

func (s *Store) lockMaintenance(ctx context.Context, tx conn, org tidemark.OrgID, id int64) (*maintenanceRow, error) {
	return one(ctx, s, tx, maintenanceColumns, `FROM maintenance WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
}

func (s *Store) changeMaintenance(ctx context.Context, tx conn, want operation, v *maintenanceRow, change func(*tidemark.Maintenance)) error {
	old, was := v.Maintenance, maintenanceColumns.fieldsOf(v)
	change(&v.Maintenance)
	v.ID, v.CreatedAt, v.CreatedBy, v.UpdatedAt = old.ID, old.CreatedAt, old.CreatedBy, s.after(old.UpdatedAt)
	v.Normalize()
	if err := v.Validate(); err != nil {
		return err
	}
	if err := s.checkCovered(ctx, tx, want.org, &v.Maintenance, old.Covers.Alerts); err != nil {
		return err
	}
	_, err := s.exec(ctx, tx, `
		UPDATE maintenance SET name = ?, name_key = ?, note = ?, starts_at = ?, ends_at = ?, repeats = ?, covers = ?, suspends = ?, updated_at = ?
		WHERE org_id = ? AND id = ?`,
		v.Name, key(v.Name), v.Note, v.StartsAt, v.EndsAt, asJSON(&v.Repeat), asJSON(&v.Covers), v.Suspends, v.UpdatedAt, want.org, v.ID)
	if err != nil {
		return err
	}
	if err := s.noteChange(ctx, tx, want, maintenanceColumns.object(v), was, maintenanceColumns.fieldsOf(v)); err != nil {
		return err
	}
	return s.bumpAlerts(ctx, tx, want.org)
}

// SplitMaintenance takes a time, or that one and all after it, from a window of
// org that repeats, and adds v in its place: both or neither.
func (s *Store) SplitMaintenance(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, at tidemark.Split, v *tidemark.Maintenance) error {
	return s.write(ctx, func(tx conn) error {
		old, err := s.lockMaintenance(ctx, tx, org, id)
		if err != nil {
			return err
		}
		before := old.Covers.Alerts
		if err := s.leaveOut(ctx, tx, by, old, at); err != nil {
			return err
		}
		return s.insertMaintenance(ctx, tx, operation{org, by, "maintenance.create"}, v, before)
	})
}

// leaveOut takes a time, or that and all after it, from a window. One of which
// nothing is left goes.
func (s *Store) leaveOut(ctx context.Context, tx conn, by tidemark.Actor, m *maintenanceRow, at tidemark.Split) error {
	if m.Repeat == nil || !m.StartsOn(at.Start) {
		return tidemark.InvalidField("start", "is not when a window that repeats begins")
	}
	if at.Later && len(m.Between(m.StartsAt, at.Start)) == 0 {
		return remove(ctx, s, tx, operation{m.org, by, "maintenance.delete"}, maintenanceColumns, `FROM maintenance WHERE org_id = ? AND id = ?`, m.org, m.ID)
	}
	return s.changeMaintenance(ctx, tx, operation{m.org, by, "maintenance.update"}, m, func(m *tidemark.Maintenance) { m.LeaveOut(at) })
}

// DeleteMaintenance removes one maintenance window of org.
func (s *Store) DeleteMaintenance(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		err := remove(ctx, s, tx, operation{org, by, "maintenance.delete"}, maintenanceColumns, `FROM maintenance WHERE org_id = ? AND id = ?`, org, id)
		if err != nil {
			return err
		}
		return s.bumpAlerts(ctx, tx, org)
	})
}

// checkCovered checks that the alerts that a window names exist. Those that
// are gone and were there before may stay.
func (s *Store) checkCovered(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Maintenance, before []int64) error {
	if len(v.Covers.Alerts) == 0 {
		return nil
	}
	known := make(map[int64]bool)
	for _, id := range before {
		known[id] = true
	}
	found, err := values[int64](ctx, s, tx, `SELECT id FROM alerts WHERE org_id = ?`, org)
	if err != nil {
		return err
	}
	for _, id := range found {
		known[id] = true
	}
	var p tidemark.Problems
	for _, id := range v.Covers.Alerts {
		p.Check(known[id], "covers.alerts", "%d does not exist", id)
	}
	return p.Err()
}

// fillWindows sets the maintenance windows that have to do with alerts and are
// not over, or suspend and were not long ago: those of the organizations that a condition on org_id names.
func (s *Store) fillWindows(ctx context.Context, all []*tidemark.WatchedAlert, whose string, args ...any) error {
	byOrg := make(map[tidemark.OrgID][]*tidemark.Maintenance)
	// What came in a window that suspends is left out long after its end, too.
	stmt := `FROM maintenance WHERE (ends_at IS NULL OR ends_at > ? OR suspends AND ends_at > ?) AND ` + whose + ` ORDER BY starts_at, id`
	now := s.now()
	for v, err := range each(ctx, s, s.db, maintenanceColumns, stmt, append([]any{now, now - tidemark.SuspendedBack}, args...)...) {
		if err != nil {
			return err
		}
		byOrg[v.org] = append(byOrg[v.org], &v.Maintenance)
	}
	for _, w := range all {
		for _, m := range byOrg[w.Org] {
			if m.Covers.Concerns(w.Alert) {
				w.Windows = append(w.Windows, m)
			}
		}
	}
	return nil
}
