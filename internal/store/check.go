package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// OrgCheck is a check and whose it is.
type OrgCheck struct {
	Org tidemark.OrgID
	tidemark.Check
}

var checkColumns = columns[OrgCheck]{
	noun: "check",
	names: `id, org_id, name, kind, target, every, grace, timeout, expect, days, active, places, alert_id, silence_alert_id, created_at, slow,
		ran_at, started_at, up, duration, said`,
	dest: func(v *OrgCheck) []any {
		return []any{&v.ID, &v.Org, &v.Name, &v.Kind, &v.Target, &v.Every, &v.Grace, &v.Timeout, &v.Expect, &v.Days, &v.Active, asJSON(&v.Places), &v.Alert, &v.Silence, &v.CreatedAt, &v.Slow,
			&v.RanAt, &v.StartedAt, &v.Up, &v.Duration, &v.Said}
	},
	object: func(v *OrgCheck) string { return named("check", v.ID, v.Name) },
	shown: func(v *OrgCheck) fields {
		return fields{"name": v.Name, "kind": v.Kind, "target": v.Target, "every": v.Every, "grace": v.Grace, "timeout": v.Timeout, "slow": v.Slow,
			"expect": v.Expect, "days": v.Days, "active": v.Active, "places": v.Places, "alert": v.Alert, "silence_alert": v.Silence}
	},
}

// Checks returns the checks of org with what every place found, by name.
func (s *Store) Checks(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Check, error) {
	found, err := many(ctx, s, s.db, checkColumns, `FROM checks WHERE org_id = ? ORDER BY name, id`, org)
	if err != nil {
		return nil, err
	}
	results, err := s.checkResults(ctx, `WHERE org_id = ?`, org)
	if err != nil {
		return nil, err
	}
	list := make([]*tidemark.Check, len(found))
	for i := range found {
		list[i] = &found[i].Check
		list[i].AddResults(results[list[i].ID])
	}
	return list, nil
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
	results, err := s.checkResults(ctx, `WHERE org_id = ? AND check_id = ?`, org, id)
	v.AddResults(results[id])
	return &v.Check, err
}

// CheckByHash returns the heartbeat, of any organization, whose address has
// the secret with the given hash.
func (s *Store) CheckByHash(ctx context.Context, hash string) (*OrgCheck, error) {
	return one(ctx, s, s.db, checkColumns, `FROM checks WHERE hash = ? AND hash <> ''`, hash)
}

// CreateCheck adds v to org with its alert and the one for silent places,
// which may be nil, or none of them, and sets their IDs. hash is that of the
// secret in the address of a heartbeat, and "" for others.
func (s *Store) CreateCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Check, a, silence *tidemark.Alert, hash string) error {
	if err := v.Validate(); err != nil {
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
		var err error
		if v.Alert, err = s.insertCheckAlert(ctx, tx, org, by, a); err != nil {
			return err
		}
		if v.Silence, err = s.insertCheckAlert(ctx, tx, org, by, silence); err != nil {
			return err
		}
		err = insert(ctx, s, tx, &v.ID, `
			INSERT INTO checks (org_id, name, kind, target, every, grace, timeout, expect, days, active, places, alert_id, silence_alert_id, created_at, hash, slow,
				ran_at, started_at, up, duration, said)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 0, '')
			RETURNING id`,
			org, v.Name, v.Kind, v.Target, v.Every, v.Grace, v.Timeout, v.Expect, v.Days, v.Active, asJSON(&v.Places), v.Alert, v.Silence, v.CreatedAt, hash, v.Slow, false)
		if err != nil {
			return taken(err, "name")
		}
		v.AddResults(nil)
		return created(ctx, s, tx, operation{org, by, "check.create"}, checkColumns, &OrgCheck{org, *v})
	})
}

// insertCheckAlert adds an alert of a check and returns its ID; there may be none.
func (s *Store) insertCheckAlert(ctx context.Context, tx conn, org tidemark.OrgID, by tidemark.Actor, a *tidemark.Alert) (int64, error) {
	if a == nil {
		return 0, nil
	}
	if err := prepareAlert(a); err != nil {
		return 0, err
	}
	err := s.insertAlert(ctx, tx, org, by, a)
	return a.ID, err
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
// its alert go by them. What places found that it had before is forgotten.
func (s *Store) UpdateCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Check)) (*tidemark.Check, error) {
	var was tidemark.Check
	v, err := editNoted(ctx, s, operation{org, by, "check.update"}, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`, []any{org, id},
		func(v *OrgCheck) {
			was = v.Check
			change(&v.Check)
			v.Name, v.Kind = was.Name, was.Kind
		},
		func(tx conn, v *OrgCheck) error {
			if !slices.Equal(was.Places, v.Places) {
				if _, err := s.exec(ctx, tx, `DELETE FROM check_results WHERE org_id = ? AND check_id = ?`, org, id); err != nil {
					return err
				}
			}
			if err := s.silence(ctx, tx, operation{org, by, "alert.update"}, &was, &v.Check); err != nil {
				return err
			}
			return s.affect(ctx, tx, "check", `
				UPDATE checks SET target = ?, every = ?, grace = ?, timeout = ?, slow = ?, expect = ?, days = ?, active = ?, places = ?, alert_id = ?
				WHERE org_id = ? AND id = ?`,
				v.Target, v.Every, v.Grace, v.Timeout, v.Slow, v.Expect, v.Days, v.Active, asJSON(&v.Places), v.Alert, org, id)
		})
	if err != nil {
		return nil, err
	}
	return s.Check(ctx, org, v.ID)
}

// silence has the alert about silence of a check count nothing as silent that
// is not to run it any more: an incident about that ends. While the check is
// switched off, so is the alert.
func (s *Store) silence(ctx context.Context, tx conn, w operation, was, is *tidemark.Check) error {
	if is.Silence == 0 {
		return nil
	}
	places, err := many(ctx, s, tx, placeColumns, `FROM check_places WHERE org_id = ? ORDER BY name`, w.org)
	if err != nil {
		return err
	}
	gone, back := is.Moved(was, places)
	if len(gone)+len(back) == 0 && was.Active == is.Active {
		return nil
	}
	_, err = s.changeAlert(ctx, tx, revision{operation: w}, is.Silence, func(a *tidemark.Alert) {
		a.LeaveOutPlaces(gone, back)
		if was.Active != is.Active {
			a.Active = is.Active
		}
	})
	if tidemark.KindOf(err) == tidemark.NotFound {
		return nil // somebody deleted it
	}
	return err
}

// SaveCheckState notes how a check of org is.
func (s *Store) SaveCheckState(ctx context.Context, org tidemark.OrgID, id int64, v tidemark.CheckState) error {
	return s.affect(ctx, s.writer, "check", `
		UPDATE checks SET ran_at = ?, started_at = ?, up = ?, duration = ?, said = ? WHERE org_id = ? AND id = ?`,
		v.RanAt, v.StartedAt, v.Up, v.Duration, v.Said, org, id)
}

// DeleteCheck removes a check of org with the alerts that were made with it.
// Whoever was notified that one of them fires is notified of its end.
func (s *Store) DeleteCheck(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
		if err != nil {
			return err
		}
		for _, alert := range []int64{v.Alert, v.Silence} {
			if alert == 0 {
				continue
			}
			// Somebody may have deleted it by itself.
			if err := s.deleteAlert(ctx, tx, operation{org, by, "alert.delete"}, alert); err != nil && tidemark.KindOf(err) != tidemark.NotFound {
				return err
			}
		}
		return remove(ctx, s, tx, operation{org, by, "check.delete"}, checkColumns, `FROM checks WHERE org_id = ? AND id = ?`, org, id)
	})
}
