package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// SaveStates saves changes in one transaction: of each alert the state, the
// incident with its annotation and the deliveries of its notice. It sets Saved
// and the ids that are new. A change whose alert is gone, or whose state is
// not at the change's revision, is left out.
func (s *Store) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	return s.saveStates(ctx, changes, func(conn) error { return nil })
}

// SaveStatesUnder is SaveStates for the holder of a lease: once somebody else
// has taken it over, nothing is saved and a Conflict error says so.
func (s *Store) SaveStatesUnder(ctx context.Context, lease Lease, changes []*tidemark.StateChange) error {
	return s.saveStates(ctx, changes, func(tx conn) error { return s.fence(ctx, tx, lease) })
}

func (s *Store) saveStates(ctx context.Context, changes []*tidemark.StateChange, allowed func(tx conn) error) error {
	// One order for all, so that two who save do not wait for each other.
	ordered := slices.Clone(changes)
	slices.SortFunc(ordered, func(a, b *tidemark.StateChange) int { return int(a.Alert.ID - b.Alert.ID) })
	var saved []func()
	err := s.write(ctx, func(tx conn) error {
		saved = nil // the transaction may be run again
		if err := allowed(tx); err != nil {
			return err
		}
		for _, c := range ordered {
			done, err := s.saveState(ctx, tx, c)
			if err != nil {
				return err
			}
			if done != nil {
				saved = append(saved, done)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, done := range saved {
		done()
	}
	return nil
}

// saveState saves one change. It returns what to do to c once that is
// committed, or nil if the change was left out.
func (s *Store) saveState(ctx context.Context, tx conn, c *tidemark.StateChange) (func(), error) {
	current, err := s.isCurrent(ctx, tx, c)
	if err != nil || !current {
		return nil, err
	}
	next := *c
	next.State.Revision++
	if c.Incident != nil {
		in := *c.Incident
		next.Incident = &in
		if err := s.saveIncident(ctx, tx, c, &in); err != nil {
			return nil, err
		}
		next.State.Incident = in.ID
	}
	if !next.State.Firing {
		next.State.Incident = 0
	}
	if err := s.writeState(ctx, tx, &next); err != nil {
		return nil, err
	}
	if err := s.follow(ctx, tx, &next); err != nil {
		return nil, err
	}
	return func() { *c = next; c.Saved = true }, nil
}

// isCurrent reports whether the alert of c is there and its state is the one
// that c follows. The alert is locked from then on.
func (s *Store) isCurrent(ctx context.Context, tx conn, c *tidemark.StateChange) (bool, error) {
	err := s.lockAlert(ctx, tx, c.Org, c.Alert.ID)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	revisions, err := values[int64](ctx, s, tx, `SELECT revision FROM alert_states WHERE alert_id = ?`, c.Alert.ID)
	if err != nil {
		return false, err
	}
	if len(revisions) == 0 {
		return c.State.Revision == 0, nil
	}
	return revisions[0] == c.State.Revision, nil
}

func (s *Store) writeState(ctx context.Context, tx conn, c *tidemark.StateChange) error {
	st := &c.State
	_, err := s.exec(ctx, tx, `
		INSERT INTO alert_states (alert_id, org_id, firing, triggered_at, cleared_at, incident_id, told_at, told, conditions,
			changed_at, resolved_at, violations, revision, acknowledged_at, acknowledged_by, notified_at, escalated, window_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (alert_id) DO UPDATE SET firing = excluded.firing, triggered_at = excluded.triggered_at,
			cleared_at = excluded.cleared_at, incident_id = excluded.incident_id, told_at = excluded.told_at, told = excluded.told,
			conditions = excluded.conditions, changed_at = excluded.changed_at, resolved_at = excluded.resolved_at,
			violations = excluded.violations, revision = excluded.revision, acknowledged_at = excluded.acknowledged_at,
			acknowledged_by = excluded.acknowledged_by, notified_at = excluded.notified_at, escalated = excluded.escalated,
			window_id = excluded.window_id`,
		c.Alert.ID, c.Org, st.Firing, st.TriggeredAt, st.ClearedAt, st.Incident, st.LastNotifiedAt, asJSON(&st.LastNotified), st.Conditions,
		st.ChangedAt, st.ResolvedAt, asJSON(&st.Violations), st.Revision, st.AcknowledgedAt,
		st.AcknowledgedBy, st.NotifiedAt, st.Escalated, st.Window)
	return err
}

// follow writes what follows from a change: the end of the annotation, the
// deliveries.
func (s *Store) follow(ctx context.Context, tx conn, c *tidemark.StateChange) error {
	if c.Incident == nil {
		return nil
	}
	if c.Transition.Kind == tidemark.Triggered {
		if err := s.hurryClears(ctx, tx, c.Alert.ID, c.Now); err != nil {
			return err
		}
	}
	if c.Transition.Kind == tidemark.Cleared {
		if err := s.endAnnotation(ctx, tx, c, c.Incident.ID); err != nil {
			return err
		}
	}
	for i := range c.Notes {
		if err := s.insertNote(ctx, tx, c.Org, c.Incident.ID, &c.Notes[i]); err != nil {
			return err
		}
	}
	if err := s.addEscalations(ctx, tx, c); err != nil {
		return err
	}
	if !c.Transition.Notify || c.Notice == nil {
		return nil
	}
	notice := *c.Notice
	notice.IncidentKey = c.Incident.Key
	return s.addDeliveries(ctx, tx, c, &notice)
}

// ResolveAlert ends the open incident of one alert of org by hand. An alert
// that does not fire stays as it is.
func (s *Store) ResolveAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, now int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, id); err != nil {
			return err
		}
		c := &tidemark.StateChange{Now: now, By: by.String()}
		ended, err := s.endIncident(ctx, tx, org, id, c, tidemark.ClearManual)
		if err != nil || !ended {
			return err
		}
		if err := s.note(ctx, tx, operation{org, by, "alert.resolve"}, alertColumns.object(c.Alert), nil); err != nil {
			return err
		}
		return s.bumpAlerts(ctx, tx, org)
	})
}

// endIncident ends the open incident of one alert of org, which is locked, for
// a reason, and has its services notified if they know of it. What c says of when
// and by whom is kept. It reports whether there was one.
func (s *Store) endIncident(ctx context.Context, tx conn, org tidemark.OrgID, id int64, c *tidemark.StateChange, reason string) (bool, error) {
	w, err := s.watched(ctx, tx, org, id)
	if err != nil {
		return false, err
	}
	c.Org, c.Alert, c.Incident = org, w.Alert, w.Incident
	c.State, c.Transition = w.State.Clear(reason, c.Now)
	if c.Transition.Kind == tidemark.Nothing {
		return false, nil
	}
	if c.Incident != nil {
		c.Incident.ClearedAt, c.Incident.Clear, c.Incident.ClearedBy = &c.Now, &c.Transition.Reason, &c.By
		if c.Notice, err = s.clearNotice(ctx, tx, w, c); err != nil {
			return false, err
		}
	}
	_, err = s.saveState(ctx, tx, c)
	return true, err
}

func (s *Store) clearNotice(ctx context.Context, tx conn, w *tidemark.WatchedAlert, c *tidemark.StateChange) (*tidemark.Notice, error) {
	units, err := s.units(ctx, tx, w.Org, w.Alert)
	if err != nil {
		return nil, err
	}
	n := tidemark.NewNotice(w.Org, w.Alert, units)
	n.Kind, n.Clear, n.Time, n.TriggeredAt = tidemark.NoticeClear, c.Transition.Reason, c.Now, w.Incident.TriggeredAt
	n.Violations = append(n.Violations, w.State.Violations...)
	return n, nil
}

// units returns the units of the metrics that an alert looks at.
func (s *Store) units(ctx context.Context, q conn, org tidemark.OrgID, a *tidemark.Alert) (map[string]string, error) {
	units := make(map[string]string)
	var names []string
	for i := range a.Conditions {
		names = append(names, a.Conditions[i].MetricName)
	}
	which := matchAny("name_key", names)
	for m, err := range each(ctx, s, q, metricColumns, `FROM metrics WHERE org_id = ? AND `+which.where, which.argsAfter(org)...) {
		if err != nil {
			return nil, err
		}
		if unit := m.Unit(); unit != "" {
			units[tidemark.MetricKey(m.Name)] = unit
		}
	}
	return units, nil
}

// AlertUnits returns the units of the metrics that an alert of org looks at,
// as tidemark.Alert.Sentence wants them.
func (s *Store) AlertUnits(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert) (map[string]string, error) {
	return s.units(ctx, s.db, org, a)
}

// AlertsOverview returns all alerts of org by name, each with its state, its
// services and the snoozes that are not over; without the open incident.
func (s *Store) AlertsOverview(ctx context.Context, org tidemark.OrgID) ([]*tidemark.WatchedAlert, error) {
	all, err := many(ctx, s, s.db, watchedColumns, fromStatus+`WHERE a.org_id = ? ORDER BY a.name_key, a.id`, org)
	if err != nil {
		return nil, err
	}
	snoozes, err := s.SnoozesOf(ctx, org)
	if err != nil {
		return nil, err
	}
	alerts := make([]*tidemark.Alert, len(all))
	for i, w := range all {
		alerts[i], w.Snoozes = w.Alert, snoozes[w.Alert.ID]
	}
	if err := s.fillWindows(ctx, all, `org_id = ?`, org); err != nil {
		return nil, err
	}
	return all, s.fillServices(ctx, s.db, alerts)
}

// UnitsOf returns the units of all metrics of org that have one, by
// MetricKey, as tidemark.Alert.Sentence wants them.
func (s *Store) UnitsOf(ctx context.Context, org tidemark.OrgID) (map[string]string, error) {
	units := make(map[string]string)
	for m, err := range each(ctx, s, s.db, metricColumns, `FROM metrics WHERE org_id = ? AND attributes LIKE '%display_units_short%'`, org) {
		if err != nil {
			return nil, err
		}
		if unit := m.Unit(); unit != "" {
			units[tidemark.MetricKey(m.Name)] = unit
		}
	}
	return units, nil
}

// CountFiring returns how many of org's alerts fire that nobody has
// acknowledged or snoozed.
func (s *Store) CountFiring(ctx context.Context, org tidemark.OrgID) (int, error) {
	now := s.now()
	return value[int](ctx, s, s.db, "alert", `SELECT COUNT(*) FROM alert_states st WHERE st.org_id = ? AND st.firing = TRUE AND st.acknowledged_at = 0 AND NOT EXISTS (
		SELECT 1 FROM alert_snoozes z WHERE z.alert_id = st.alert_id AND z.starts_at <= ? AND (z.ends_at IS NULL OR z.ends_at > ?))`, org, now, now)
}
