package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// OrgReport is a report and whose it is.
type OrgReport struct {
	Org tidemark.OrgID
	tidemark.Report
}

var reportColumns = columns[OrgReport]{
	noun:  "report",
	names: `id, org_id, space_id, name, schedule, shows, tags, services, paused, created_at, created_by, due_at, asked_at, sent_at, problem`,
	dest: func(v *OrgReport) []any {
		return []any{
			&v.ID, &v.Org, &v.Space, &v.Name, asJSON(&v.Schedule), &v.Range, asJSON(&v.Tags), asJSON(&v.Services), &v.Paused, &v.CreatedAt, &v.CreatedBy,
			&v.DueAt, &v.AskedAt, &v.SentAt, &v.Problem,
		}
	},
	object: func(v *OrgReport) string { return named("report", v.ID, v.Name) },
	shown: func(v *OrgReport) fields {
		return fields{"name": v.Name, "space": v.Space, "schedule": v.Schedule, "range": v.Range, "tags": v.Tags, "services": v.Services, "paused": v.Paused}
	},
}

const fromReport = `FROM reports WHERE org_id = ? AND id = ?`

// Reports returns the reports of a space of org, in the order in which they
// were made.
func (s *Store) Reports(ctx context.Context, org tidemark.OrgID, space int64) ([]*tidemark.Report, error) {
	if err := s.hasSpace(ctx, s.db, org, space); err != nil {
		return nil, err
	}
	found, err := many(ctx, s, s.db, reportColumns, `FROM reports WHERE org_id = ? AND space_id = ? ORDER BY id`, org, space)
	if err != nil {
		return nil, err
	}
	list := make([]*tidemark.Report, len(found))
	for i := range found {
		list[i] = &found[i].Report
	}
	return list, nil
}

// Report returns one report of org.
func (s *Store) Report(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Report, error) {
	v, err := one(ctx, s, s.db, reportColumns, fromReport, org, id)
	if err != nil {
		return nil, err
	}
	return &v.Report, nil
}

// CreateReport adds v to org, sets its ID, time and owner, and plans when it is
// first sent after now.
func (s *Store) CreateReport(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Report, now int64) error {
	v.Normalize()
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt, v.CreatedBy, v.ReportState = s.now(), by.String(), tidemark.ReportState{}
	v.Plan(now)
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitReports); err != nil {
			return err
		}
		if err := s.hasSpace(ctx, tx, org, v.Space); err != nil {
			return err
		}
		if err := s.checkShowing(ctx, tx, org, v.Services); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO reports (org_id, space_id, name, schedule, shows, tags, services, paused, created_at, created_by, due_at, asked_at, sent_at, problem)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '')
			RETURNING id`,
			org, v.Space, v.Name, asJSON(&v.Schedule), v.Range, asJSON(&v.Tags), asJSON(&v.Services), v.Paused, v.CreatedAt, v.CreatedBy, v.DueAt)
		if err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "report.create"}, reportColumns, &OrgReport{org, *v})
	})
}

// checkShowing refuses services that org does not have, and those that cannot
// show a picture.
func (s *Store) checkShowing(ctx context.Context, tx conn, org tidemark.OrgID, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if err := s.checkServices(ctx, tx, org, "services", ids); err != nil {
		return err
	}
	types, err := values[string](ctx, s, tx, `SELECT type `+ofOrg+` AND id IN `+placeholders(len(ids))+` ORDER BY id`, anys(org, ids)...)
	if err != nil {
		return err
	}
	var p tidemark.Problems
	for _, kind := range types {
		t, known := tidemark.LookupServiceType(kind)
		p.Check(known && t.Pictures, "services", "cannot be of type %s, which shows no pictures", kind)
	}
	return p.Err()
}

// UpdateReport changes a report of org, and plans anew when it is sent after
// now. Services that it had before may have been deleted since.
func (s *Store) UpdateReport(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Report), now int64) (*tidemark.Report, error) {
	var had []int64
	v, err := editNoted(ctx, s, operation{org, by, "report.update"}, reportColumns, fromReport, []any{org, id},
		func(v *OrgReport) {
			old := v.Report
			had = slices.Clone(v.Services)
			change(&v.Report)
			v.ID, v.Space, v.CreatedAt, v.CreatedBy, v.ReportState = old.ID, old.Space, old.CreatedAt, old.CreatedBy, old.ReportState
			v.Normalize()
			if v.Schedule != old.Schedule || v.Paused != old.Paused {
				v.Plan(now)
			}
		},
		func(tx conn, v *OrgReport) error {
			added := slices.DeleteFunc(slices.Clone(v.Services), func(id int64) bool { return slices.Contains(had, id) })
			if err := s.checkShowing(ctx, tx, org, added); err != nil {
				return err
			}
			return s.affect(ctx, tx, "report", `
				UPDATE reports SET name = ?, schedule = ?, shows = ?, tags = ?, services = ?, paused = ?, due_at = ? WHERE org_id = ? AND id = ?`,
				v.Name, asJSON(&v.Schedule), v.Range, asJSON(&v.Tags), asJSON(&v.Services), v.Paused, v.DueAt, org, id)
		})
	if err != nil {
		return nil, err
	}
	return &v.Report, nil
}

// DeleteReport removes a report of org, and its picture.
func (s *Store) DeleteReport(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "report.delete"}, reportColumns, fromReport, org, id)
	})
}

// SendReportNow has a report of org be sent at once, beside its schedule.
func (s *Store) SendReportNow(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, now int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, reportColumns, fromReport+s.dialect.forUpdate, org, id)
		if err != nil {
			return err
		}
		if v.AskedAt != 0 {
			return tidemark.Errorf(tidemark.Conflict, "this report is about to be sent")
		}
		if _, err := s.exec(ctx, tx, `UPDATE reports SET asked_at = ? WHERE org_id = ? AND id = ?`, now, org, id); err != nil {
			return err
		}
		return s.note(ctx, tx, operation{org, by, "report.send"}, reportColumns.object(v), map[string]any{"space": v.Space})
	})
}
