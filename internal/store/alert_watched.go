package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// AlertsVersion returns a number that changes whenever an alert, its services
// or its snoozes do, or its incident is ended by hand.
func (s *Store) AlertsVersion(ctx context.Context) (int64, error) {
	return s.version(ctx, allAlertsTopic)
}

var watchedColumns = columns[tidemark.WatchedAlert]{
	noun: "alert",
	names: `a.org_id, a.id, a.name, a.description, a.conditions, a.attributes, a.active, a.version, a.rearm_seconds, a.rearm_per_signal,
		a.created_at, a.updated_at, a.severity, a.labels, a.escalation,
		COALESCE(st.firing, FALSE), COALESCE(st.triggered_at, 0), COALESCE(st.cleared_at, 0), COALESCE(st.incident_id, 0),
		COALESCE(st.told_at, 0), COALESCE(st.told, 'null'), COALESCE(st.conditions, ''), COALESCE(st.changed_at, 0),
		COALESCE(st.resolved_at, 0), COALESCE(st.violations, 'null'), COALESCE(st.revision, 0), COALESCE(st.acknowledged_at, 0),
		COALESCE(st.acknowledged_by, ''), COALESCE(st.notified_at, 0), COALESCE(st.escalated, 0), COALESCE(st.window_id, 0)`,
	dest: func(v *tidemark.WatchedAlert) []any {
		v.Alert = &tidemark.Alert{}
		st := &v.State
		return tolerant(&v.Unreadable, slices.Concat([]any{&v.Org}, alertColumns.dest(v.Alert), []any{
			&st.Firing, &st.TriggeredAt, &st.ClearedAt, &st.Incident, &st.LastNotifiedAt, asJSON(&st.LastNotified), &st.Conditions,
			&st.ChangedAt, &st.ResolvedAt, asJSON(&st.Violations), &st.Revision, &st.AcknowledgedAt,
			&st.AcknowledgedBy, &st.NotifiedAt, &st.Escalated, &st.Window,
		}))
	},
}

// AlertsVersions is AlertsVersion of each organization that ever had alerts.
func (s *Store) AlertsVersions(ctx context.Context) (map[tidemark.OrgID]int64, error) {
	all := make(map[tidemark.OrgID]int64)
	for v, err := range each(ctx, s, s.db, versionColumns, `FROM versions WHERE topic LIKE 'alerts/%'`) {
		if err != nil {
			return nil, err
		}
		org, err := strconv.ParseInt(strings.TrimPrefix(v.topic, orgAlertsTopic), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("topic %q: %w", v.topic, err)
		}
		all[tidemark.OrgID(org)] = v.version
	}
	return all, nil
}

// AlertsVersionOf is AlertsVersion of one organization.
func (s *Store) AlertsVersionOf(ctx context.Context, org tidemark.OrgID) (int64, error) {
	return s.version(ctx, alertsTopicOf(org))
}

type topicVersion struct {
	topic   string
	version int64
}

var versionColumns = columns[topicVersion]{
	noun:  "version",
	names: `topic, version`,
	dest:  func(v *topicVersion) []any { return []any{&v.topic, &v.version} },
}

// WatchedAlerts returns the alerts of every organization that are active or
// were when they were last evaluated, each with its state, its open incident and
// the snoozes that are not over; without its services.
func (s *Store) WatchedAlerts(ctx context.Context) ([]*tidemark.WatchedAlert, error) {
	return s.watchedAlerts(ctx, `TRUE`)
}

// WatchedAlertsOf is WatchedAlerts of one organization.
func (s *Store) WatchedAlertsOf(ctx context.Context, org tidemark.OrgID) ([]*tidemark.WatchedAlert, error) {
	return s.watchedAlerts(ctx, `org_id = ?`, org)
}

// watchedAlerts returns the alerts of the organizations that a condition on
// org_id names.
func (s *Store) watchedAlerts(ctx context.Context, whose string, args ...any) ([]*tidemark.WatchedAlert, error) {
	all, err := many(ctx, s, s.db, watchedColumns, fromStatus+`WHERE (a.active = TRUE OR st.conditions <> '') AND a.id IN (SELECT id FROM alerts WHERE `+whose+`) ORDER BY a.id`, args...)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*tidemark.WatchedAlert, len(all))
	for _, w := range all {
		byID[w.Alert.ID] = w
	}
	for in, err := range each(ctx, s, s.db, incidentColumns, `FROM incidents WHERE cleared_at IS NULL AND `+whose, args...) {
		if err != nil {
			return nil, err
		}
		if w := byID[in.Alert]; w != nil && w.State.Incident == in.ID {
			in.Key = tidemark.IncidentKey(in.Alert, in.ID)
			w.Incident = &in.Incident
		}
	}
	stmt := `FROM alert_snoozes WHERE (ends_at IS NULL OR ends_at > ?) AND ` + whose + ` ORDER BY starts_at, id`
	for sn, err := range each(ctx, s, s.db, snoozeColumns, stmt, append([]any{s.now()}, args...)...) {
		if err != nil {
			return nil, err
		}
		if w := byID[sn.alert]; w != nil {
			w.Snoozes = append(w.Snoozes, sn.Snooze)
		}
	}
	return all, s.fillWindows(ctx, all, whose, args...)
}

// WatchedAlert is WatchedAlerts for one alert of org, whatever its state.
func (s *Store) WatchedAlert(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.WatchedAlert, error) {
	w, err := s.watched(ctx, s.db, org, id)
	if err != nil {
		return nil, err
	}
	if w.Snoozes, err = s.Snoozes(ctx, org, id); err != nil {
		return nil, err
	}
	return w, s.fillWindows(ctx, []*tidemark.WatchedAlert{w}, `org_id = ?`, org)
}

// watched returns one alert of org with its state and its open incident.
func (s *Store) watched(ctx context.Context, q conn, org tidemark.OrgID, id int64) (*tidemark.WatchedAlert, error) {
	w, err := one(ctx, s, q, watchedColumns, fromStatus+`WHERE a.org_id = ? AND a.id = ?`, org, id)
	if err != nil || !w.State.Firing {
		return w, err
	}
	in, err := one(ctx, s, q, incidentColumns, `FROM incidents WHERE org_id = ? AND id = ?`, org, w.State.Incident)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return w, nil
	}
	if err != nil {
		return nil, err
	}
	in.Key = tidemark.IncidentKey(in.Alert, in.ID)
	w.Incident = &in.Incident
	return w, nil
}
