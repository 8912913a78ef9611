package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

type objectiveRow struct {
	tidemark.Objective
	org tidemark.OrgID
}

var objectiveColumns = columns[objectiveRow]{
	noun: "objective",
	names: `org_id, id, name, description, good_metric, total_metric, target, days,
		below, tags, group_by, labels, without_maintenance, created_at, updated_at, created_by`,
	dest: func(v *objectiveRow) []any {
		return []any{
			&v.org, &v.ID, &v.Name, &v.Description, &v.Good, &v.Total, &v.Target, &v.Days,
			&v.Below, asJSON(&v.Tags), &v.GroupBy, asJSON(&v.Labels), &v.WithoutMaintenance, &v.CreatedAt, &v.UpdatedAt, &v.CreatedBy,
		}
	},
	object: func(v *objectiveRow) string { return named("objective", v.ID, v.Name) },
	shown:  func(v *objectiveRow) fields { return fieldsOf(&v.Objective) },
}

// Objectives returns a page of org's objectives.
func (s *Store) Objectives(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Objective, tidemark.Counts, error) {
	rows, n, err := page(ctx, s, objectiveColumns, listing{
		from: `FROM objectives WHERE org_id = ?`, args: []any{org}, key: "name_key",
		orders: []order{{"name", "name_key"}, {"id", "id"}},
	}, p)
	all := make([]*tidemark.Objective, len(rows))
	for i, r := range rows {
		all[i] = &r.Objective
	}
	return all, n, err
}

// Objective returns one objective of org.
func (s *Store) Objective(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Objective, error) {
	v, err := one(ctx, s, s.db, objectiveColumns, `FROM objectives WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	return &v.Objective, nil
}

// CreateObjective adds v to org and sets its ID and times.
func (s *Store) CreateObjective(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Objective) error {
	v.Normalize()
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	v.UpdatedAt, v.CreatedBy = v.CreatedAt, by.String()
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitObjectives); err != nil {
			return err
		}
		if err := s.checkObjective(ctx, tx, org, v, &tidemark.Objective{}); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO objectives (org_id, name, name_key, description, good_metric, total_metric, target, days,
				below, tags, group_by, labels, without_maintenance, created_at, updated_at, created_by)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			RETURNING id`,
			org, v.Name, key(v.Name), v.Description, v.Good, v.Total, v.Target, v.Days,
			v.Below, asJSON(&v.Tags), v.GroupBy, asJSON(&v.Labels), v.WithoutMaintenance, v.CreatedAt, v.UpdatedAt, v.CreatedBy)
		if err != nil {
			return taken(err, "name")
		}
		return created(ctx, s, tx, operation{org, by, "objective.create"}, objectiveColumns, &objectiveRow{Objective: *v, org: org})
	})
}

// checkObjective checks that the metrics exist that v names and old did not.
func (s *Store) checkObjective(ctx context.Context, tx conn, org tidemark.OrgID, v, old *tidemark.Objective) error {
	for _, m := range []struct{ field, name, before string }{{"good_metric", v.Good, old.Good}, {"total_metric", v.Total, old.Total}} {
		if m.name == "" || tidemark.MetricKey(m.name) == tidemark.MetricKey(m.before) {
			continue
		}
		if err := s.checkMetrics(ctx, tx, org, m.field, []string{m.name}); err != nil {
			return err
		}
	}
	if v.Below == nil {
		return nil
	}
	return s.checkDistributions(ctx, tx, org, "total_metric", []string{v.Total})
}

// checkDistributions checks that none of the metrics that field names is a
// composite: these have no distribution.
func (s *Store) checkDistributions(ctx context.Context, tx conn, org tidemark.OrgID, field string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	which := matchAny("name_key", names)
	found, err := values[string](ctx, s, tx, `SELECT name FROM metrics WHERE org_id = ? AND type = 'composite' AND `+which.where, which.argsAfter(org)...)
	if err != nil {
		return err
	}
	var p tidemark.Problems
	for _, name := range found {
		p.Check(false, field, "%s is a composite, which has no distribution", name)
	}
	return p.Err()
}

// UpdateObjective applies change to one objective of org and returns the
// result.
func (s *Store) UpdateObjective(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Objective)) (*tidemark.Objective, error) {
	var v *objectiveRow
	err := s.write(ctx, func(tx conn) (err error) {
		v, err = one(ctx, s, tx, objectiveColumns, `FROM objectives WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
		if err != nil {
			return err
		}
		old, was := v.Objective, objectiveColumns.fieldsOf(v)
		change(&v.Objective)
		v.Normalize()
		v.ID, v.CreatedAt, v.CreatedBy, v.UpdatedAt = id, old.CreatedAt, old.CreatedBy, s.after(old.UpdatedAt)
		if err := v.Validate(); err != nil {
			return err
		}
		if err := s.checkObjective(ctx, tx, org, &v.Objective, &old); err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `
			UPDATE objectives SET name = ?, name_key = ?, description = ?, good_metric = ?, total_metric = ?, target = ?, days = ?,
				below = ?, tags = ?, group_by = ?, labels = ?, without_maintenance = ?, updated_at = ?
			WHERE org_id = ? AND id = ?`,
			v.Name, key(v.Name), v.Description, v.Good, v.Total, v.Target, v.Days,
			v.Below, asJSON(&v.Tags), v.GroupBy, asJSON(&v.Labels), v.WithoutMaintenance, v.UpdatedAt, org, id)
		if err != nil {
			return taken(err, "name")
		}
		return s.noteChange(ctx, tx, operation{org, by, "objective.update"}, objectiveColumns.object(v), was, objectiveColumns.fieldsOf(v))
	})
	if err != nil {
		return nil, err
	}
	return &v.Objective, nil
}

// DeleteObjective removes one objective of org. Alerts on its burn rate stay.
func (s *Store) DeleteObjective(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "objective.delete"}, objectiveColumns, `FROM objectives WHERE org_id = ? AND id = ?`, org, id)
	})
}
