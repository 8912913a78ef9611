package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// OrgCheck is a check and whose it is.
type OrgCheck struct {
	Org tidemark.OrgID
	tidemark.Check
}

var checkColumns = columns[OrgCheck]{
	noun: "check",
	names: `id, org_id, name, kind, target, every, grace, timeout, expect, days, active, alert_id, created_at,
		ran_at, started_at, up, duration, said`,
	dest: func(v *OrgCheck) []any {
		return []any{&v.ID, &v.Org, &v.Name, &v.Kind, &v.Target, &v.Every, &v.Grace, &v.Timeout, &v.Expect, &v.Days, &v.Active, &v.Alert, &v.CreatedAt,
			&v.RanAt, &v.StartedAt, &v.Up, &v.Duration, &v.Said}
	},
	object: func(v *OrgCheck) string { return named("check", v.ID, v.Name) },
	shown: func(v *OrgCheck) fields {
		return fields{"name": v.Name, "kind": v.Kind, "target": v.Target, "every": v.Every, "grace": v.Grace, "timeout": v.Timeout,
			"expect": v.Expect, "days": v.Days, "active": v.Active, "alert": v.Alert}
	},
}

// Checks returns the checks of org, by name.
func (s *Store) Checks(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Check, error) {
	found, err := many(ctx, s, s.db, checkColumns, `FROM checks WHERE org_id = ? ORDER BY name, id`, org)
	list := make([]*tidemark.Check, len(found))
	for i := range found {
		list[i] = &found[i].Check
	}
	return list, err
}

// ActiveChecks returns the active checks of all organizations.
func (s *Store) ActiveChecks(ctx context.Context) ([]*OrgCheck, error) {
	return many(ctx, s, s.db, checkColumns, `FROM checks WHERE active ORDER BY id`)
}

// Check returns one check of org.
func (s *Store) Check(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Check, error) {
	v, err := one(ctx, s, s.db, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	return &v.Check, nil
}

// CheckByHash returns the heartbeat, of any organization, whose address has
// the secret with the given hash.
func (s *Store) CheckByHash(ctx context.Context, hash string) (*OrgCheck, error) {
	return one(ctx, s, s.db, checkColumns, `FROM checks WHERE hash = ? AND hash <> ''`, hash)
}

// CreateCheck adds v to org with its alert, or neither, and sets their IDs.
// hash is that of the secret in the address of a heartbeat, and "" for others.
func (s *Store) CreateCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Check, a *tidemark.Alert, hash string) error {
	if err := v.Validate(); err != nil {
		return err
	}
	if err := prepareAlert(a); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitChecks); err != nil {
			return err
		}
		if err := s.ensureCheckMetric(ctx, tx, org); err != nil {
			return err
		}
		if err := s.insertAlert(ctx, tx, org, by, a); err != nil {
			return err
		}
		v.Alert = a.ID
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO checks (org_id, name, kind, target, every, grace, timeout, expect, days, active, alert_id, created_at, hash, ran_at, started_at, up, duration, said)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 0, '')
			RETURNING id`,
			org, v.Name, v.Kind, v.Target, v.Every, v.Grace, v.Timeout, v.Expect, v.Days, v.Active, v.Alert, v.CreatedAt, hash, false)
		if err != nil {
			return taken(err, "name")
		}
		return created(ctx, s, tx, operation{org, by, "check.create"}, checkColumns, &OrgCheck{org, *v})
	})
}

// ensureCheckMetric makes the metric that the alerts of checks look at.
func (s *Store) ensureCheckMetric(ctx context.Context, tx conn, org tidemark.OrgID) error {
	m := &tidemark.Metric{Name: tidemark.MetricCheckUp, Type: tidemark.Gauge, Attributes: map[string]any{"summarize_function": "min"}, CreatedAt: s.now()}
	m.UpdatedAt = m.CreatedAt
	added, err := s.insertMetrics(ctx, tx, org, []*tidemark.Metric{m})
	if err != nil || added == 0 {
		return err
	}
	return s.bump(ctx, tx, metricsTopic)
}

// UpdateCheck changes a check of org. Its name and kind stay: its streams and
// its alert go by them.
func (s *Store) UpdateCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Check)) (*tidemark.Check, error) {
	v, err := editNoted(ctx, s, operation{org, by, "check.update"}, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`, []any{org, id},
		func(v *OrgCheck) {
			name, kind := v.Name, v.Kind
			change(&v.Check)
			v.Name, v.Kind = name, kind
		},
		func(tx conn, v *OrgCheck) error {
			return s.affect(ctx, tx, "check", `
				UPDATE checks SET target = ?, every = ?, grace = ?, timeout = ?, expect = ?, days = ?, active = ?, alert_id = ?
				WHERE org_id = ? AND id = ?`,
				v.Target, v.Every, v.Grace, v.Timeout, v.Expect, v.Days, v.Active, v.Alert, org, id)
		})
	if err != nil {
		return nil, err
	}
	return &v.Check, nil
}

// SaveCheckState notes how a check of org is.
func (s *Store) SaveCheckState(ctx context.Context, org tidemark.OrgID, id int64, v tidemark.CheckState) error {
	return s.affect(ctx, s.writer, "check", `
		UPDATE checks SET ran_at = ?, started_at = ?, up = ?, duration = ?, said = ? WHERE org_id = ? AND id = ?`,
		v.RanAt, v.StartedAt, v.Up, v.Duration, v.Said, org, id)
}

// DeleteCheck removes a check of org.
func (s *Store) DeleteCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "check.delete"}, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`, org, id)
	})
}
