package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// Conditions are a JSON column: they are never read without their alert, and
// come back as they were written, in the same order.
var alertColumns = columns[tidemark.Alert]{
	noun:  "alert",
	names: `id, name, description, conditions, attributes, active, version, rearm_seconds, rearm_per_signal, created_at, updated_at, severity, labels, escalation`,
	dest: func(v *tidemark.Alert) []any {
		*v = *tidemark.NewAlert()
		return []any{
			&v.ID, &v.Name, &v.Description, asJSON(&v.Conditions), asJSON(&v.Attributes), &v.Active, &v.Version,
			&v.RearmSeconds, &v.RearmPerSignal, &v.CreatedAt, &v.UpdatedAt, &v.Severity, asJSON(&v.Labels), asJSON(&v.Escalation),
		}
	},
	object: func(v *tidemark.Alert) string { return named("alert", v.ID, v.Name) },
	shown:  fieldsOfAlert,
}

// Alerts returns a page of org's alerts with their services.
func (s *Store) Alerts(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Alert, tidemark.Counts, error) {
	found, n, err := page(ctx, s, alertColumns, listing{
		from: `FROM alerts WHERE org_id = ?`, args: []any{org}, key: "name_key",
		orders: []order{{"updated_at", "updated_at"}, {"name", "name_key"}, {"id", "id"}},
	}, p)
	if err != nil {
		return nil, n, err
	}
	return found, n, s.fillServices(ctx, s.db, found)
}

// Alert returns one alert of org with its services.
func (s *Store) Alert(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Alert, error) {
	return s.alert(ctx, s.db, `FROM alerts WHERE org_id = ? AND id = ?`, org, id)
}

// AlertByName returns the alert of org that is called exactly name.
func (s *Store) AlertByName(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Alert, error) {
	return s.alert(ctx, s.db, `FROM alerts WHERE org_id = ? AND name = ?`, org, name)
}

func (s *Store) alert(ctx context.Context, q conn, rest string, args ...any) (*tidemark.Alert, error) {
	v, err := one(ctx, s, q, alertColumns, rest, args...)
	if err != nil {
		return nil, err
	}
	return v, s.fillServices(ctx, q, []*tidemark.Alert{v})
}

// CreateAlert adds v to org, attaches the services of its ServiceIDs, and sets
// its ID, times and Services and the ids of its conditions.
func (s *Store) CreateAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Alert) error {
	if err := prepareAlert(v); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error { return s.insertAlert(ctx, tx, org, by, v) })
}

// insertAlert adds an alert that was prepared.
func (s *Store) insertAlert(ctx context.Context, tx conn, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Alert) error {
	return s.insertAlertAs(ctx, tx, revision{operation: operation{org, by, "alert.create"}}, 0, v)
}

// insertAlertAs is insertAlert with an id that it had or, if that is 0, a new
// one.
func (s *Store) insertAlertAs(ctx context.Context, tx conn, w revision, id int64, v *tidemark.Alert) error {
	org := w.org
	v.CreatedAt = s.now()
	v.UpdatedAt = v.CreatedAt
	if err := s.room(ctx, tx, org, tidemark.LimitAlerts); err != nil {
		return err
	}
	if err := s.checkAlert(ctx, tx, org, v, tidemark.NewAlert()); err != nil {
		return err
	}
	err := insertAs(ctx, s, tx, id, &v.ID, `alerts`, `org_id, name, name_key, description, conditions, attributes, active, version,
		rearm_seconds, rearm_per_signal, created_at, updated_at, severity, labels, escalation`,
		org, v.Name, key(v.Name), v.Description, asJSON(&v.Conditions), asJSON(&v.Attributes), v.Active, v.Version,
		v.RearmSeconds, v.RearmPerSignal, v.CreatedAt, v.UpdatedAt, v.Severity, asJSON(&v.Labels), asJSON(&v.Escalation))
	if err != nil {
		return taken(err, "name")
	}
	if err := s.setServices(ctx, tx, org, v); err != nil {
		return err
	}
	if err := s.keepAlert(ctx, tx, w, v.ID, nil, fieldsOfAlert(v), 0); err != nil {
		return err
	}
	return created(ctx, s, tx, w.operation, alertColumns, v)
}

// keepAlert adds a version of an alert that became what was at since.
func (s *Store) keepAlert(ctx context.Context, tx conn, w revision, id int64, was, is fields, since int64) error {
	return s.keep(ctx, tx, save{
		operation: w.operation, key: tidemark.VersionsOf(tidemark.AlertVersions, id), restored: w.restored, was: was, is: is, since: since,
	})
}

// UpdateAlert applies change to one alert of org and returns the result. Its
// UpdatedAt is later than it was.
func (s *Store) UpdateAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, apply func(*tidemark.Alert)) (v *tidemark.Alert, err error) {
	err = s.write(ctx, func(tx conn) (err error) {
		v, err = s.changeAlert(ctx, tx, revision{operation: operation{org, by, "alert.update"}}, id, apply)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (s *Store) changeAlert(ctx context.Context, tx conn, w revision, id int64, apply func(*tidemark.Alert)) (*tidemark.Alert, error) {
	v, err := s.alert(ctx, tx, `FROM alerts WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, w.org, id)
	if err != nil {
		return nil, err
	}
	if err := s.checkSeen(ctx, tx, w.operation, tidemark.VersionsOf(tidemark.AlertVersions, id)); err != nil {
		return nil, err
	}
	old, was := *v, fieldsOfAlert(v)
	old.Escalation = slices.Clone(v.Escalation)
	apply(v)
	v.ID, v.CreatedAt, v.UpdatedAt = id, old.CreatedAt, s.after(old.UpdatedAt)
	if err := prepareAlert(v); err != nil {
		return nil, err
	}
	if err := s.checkAlert(ctx, tx, w.org, v, &old); err != nil {
		return nil, err
	}
	if err := s.saveAlert(ctx, tx, w.org, v); err != nil {
		return nil, err
	}
	is := fieldsOfAlert(v)
	if err := s.keepAlert(ctx, tx, w, id, was, is, old.UpdatedAt); err != nil {
		return nil, err
	}
	return v, s.noteChange(ctx, tx, w.operation, alertColumns.object(v), was, is)
}

func (s *Store) saveAlert(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Alert) error {
	_, err := s.exec(ctx, tx, `
		UPDATE alerts SET name = ?, name_key = ?, description = ?, conditions = ?, attributes = ?, active = ?, version = ?,
			rearm_seconds = ?, rearm_per_signal = ?, updated_at = ?, severity = ?, labels = ?, escalation = ?
		WHERE org_id = ? AND id = ?`,
		v.Name, key(v.Name), v.Description, asJSON(&v.Conditions), asJSON(&v.Attributes), v.Active, v.Version,
		v.RearmSeconds, v.RearmPerSignal, v.UpdatedAt, v.Severity, asJSON(&v.Labels), asJSON(&v.Escalation), org, v.ID)
	if err != nil {
		return taken(err, "name")
	}
	return s.setServices(ctx, tx, org, v)
}

// AgeAlert makes one alert of org as old as it is said to be, for those that
// are brought here with a past.
func (s *Store) AgeAlert(ctx context.Context, org tidemark.OrgID, id, createdAt int64) error {
	return s.affect(ctx, s.writer, "alert", `UPDATE alerts SET created_at = ? WHERE org_id = ? AND id = ?`, createdAt, org, id)
}

// DeleteAlert removes one alert of org. Services that were notified of its incident
// are notified of the end; what waits to be delivered outlives it.
func (s *Store) DeleteAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error { return s.deleteAlert(ctx, tx, operation{org, by, "alert.delete"}, id) })
}

func (s *Store) deleteAlert(ctx context.Context, tx conn, w operation, id int64) error {
	v, err := s.alert(ctx, tx, `FROM alerts WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, w.org, id)
	if err != nil {
		return err
	}
	if _, err := s.endIncident(ctx, tx, w.org, id, &tidemark.StateChange{Now: s.now()}, tidemark.ClearDeleted); err != nil {
		return err
	}
	if err := s.affect(ctx, tx, "alert", `DELETE FROM alerts WHERE org_id = ? AND id = ?`, w.org, id); err != nil {
		return err
	}
	was := fieldsOfAlert(v)
	if err := s.keepAlert(ctx, tx, revision{operation: w}, id, was, nil, v.UpdatedAt); err != nil {
		return err
	}
	if err := s.noteChange(ctx, tx, w, alertColumns.object(v), was, nil); err != nil {
		return err
	}
	return s.bumpAlerts(ctx, tx, w.org)
}

// prepareAlert checks v by itself. The service ids are v's own afterwards,
// each there once.
func prepareAlert(v *tidemark.Alert) error {
	if v.Conditions == nil {
		v.Conditions = []tidemark.Condition{}
	}
	for i := range v.Conditions {
		if v.Conditions[i].Tags == nil {
			v.Conditions[i].Tags = []tidemark.TagFilter{}
		}
	}
	if v.Attributes == nil {
		v.Attributes = map[string]any{}
	}
	v.MD = true
	ids := []int64{}
	for _, id := range v.ServiceIDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	v.ServiceIDs = ids
	return v.Validate()
}

// checkAlert checks that the metrics and the services of escalations that v
// names exist, and numbers its conditions. A metric that v watched before may
// be gone: the alert can still be changed otherwise.
func (s *Store) checkAlert(ctx context.Context, tx conn, org tidemark.OrgID, v, old *tidemark.Alert) error {
	watched, had := make(map[string]bool), make(map[int64]bool)
	for _, c := range old.Conditions {
		watched[tidemark.MetricKey(c.MetricName)], had[c.ID] = true, true
	}
	var asked []string // each once, as it was written
	var ids []*int64
	for i := range v.Conditions {
		c := &v.Conditions[i]
		ids = append(ids, &c.ID)
		if k := tidemark.MetricKey(c.MetricName); !watched[k] {
			watched[k] = true
			asked = append(asked, c.MetricName)
		}
	}
	if err := s.checkMetrics(ctx, tx, org, "conditions.metric_name", asked); err != nil {
		return err
	}
	if err := s.checkMetrics(ctx, tx, org, "conditions.good_metric", newGood(v, old)); err != nil {
		return err
	}
	if err := s.checkDistributions(ctx, tx, org, "conditions.metric_name", distributionsOf(v)); err != nil {
		return err
	}
	if err := s.checkEscalation(ctx, tx, org, v, old); err != nil {
		return err
	}
	return s.number(ctx, tx, org, conditionParts, ids, had)
}

// distributionsOf returns the metrics of which v counts values up to a limit.
func distributionsOf(v *tidemark.Alert) (names []string) {
	for _, c := range v.Conditions {
		if c.Against != nil && c.Against.Below != nil {
			names = append(names, c.MetricName)
		}
	}
	return names
}

// newGood returns the metrics that budgets of v count as good and those of old
// did not.
func newGood(v, old *tidemark.Alert) (names []string) {
	had := make(map[string]bool)
	for _, c := range old.Conditions {
		if c.Against != nil {
			had[tidemark.MetricKey(c.Against.Good)] = true
		}
	}
	for _, c := range v.Conditions {
		if g := c.Against; g != nil && g.Good != "" && !had[tidemark.MetricKey(g.Good)] {
			had[tidemark.MetricKey(g.Good)] = true
			names = append(names, g.Good)
		}
	}
	return names
}

// checkMetrics checks that metrics exist that field names.
func (s *Store) checkMetrics(ctx context.Context, tx conn, org tidemark.OrgID, field string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	which := matchAny("name_key", names)
	found, err := values[string](ctx, s, tx, `SELECT name_key FROM metrics WHERE org_id = ? AND `+which.where, which.argsAfter(org)...)
	if err != nil {
		return err
	}
	var p tidemark.Problems
	for _, name := range names {
		p.Check(slices.Contains(found, tidemark.MetricKey(name)), field, "%s does not exist", name)
	}
	if p.Err() == nil {
		return nil
	}
	o, err := one(ctx, s, tx, orgColumns, `FROM orgs WHERE id = ?`, org)
	if err != nil || o.AlertsBeforeMetrics {
		return err
	}
	return p.Err()
}
