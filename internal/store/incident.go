package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// incidentRow is an incident with what only the store needs of it.
type incidentRow struct {
	tidemark.Incident
	event int64 // its annotation
}

var incidentColumns = columns[incidentRow]{
	noun:  "incident",
	names: `id, alert_id, triggered_at, cleared_at, clear, cleared_by, peak, violations, event_id`,
	dest: func(v *incidentRow) []any {
		return []any{
			&v.ID, &v.Alert, &v.TriggeredAt, &v.ClearedAt, &v.Clear, &v.ClearedBy, &v.Peak, asJSON(&v.Violations), &v.event,
		}
	},
}

func incidentsOf(rows []*incidentRow) []*tidemark.Incident {
	all := make([]*tidemark.Incident, len(rows))
	for i, r := range rows {
		r.Key = tidemark.IncidentKey(r.Alert, r.ID)
		all[i] = &r.Incident
	}
	return all
}

// Incidents returns a page of the incidents of one alert of org, latest first.
func (s *Store) Incidents(ctx context.Context, org tidemark.OrgID, alert int64, p tidemark.Page) ([]*tidemark.Incident, tidemark.Counts, error) {
	if err := s.checkAlertExists(ctx, org, alert); err != nil {
		return nil, tidemark.Counts{}, err
	}
	p.Name = ""
	rows, n, err := page(ctx, s, incidentColumns, listing{
		from: `FROM incidents WHERE org_id = ? AND alert_id = ?`, args: []any{org, alert},
		orders: []order{{"id", "id"}, {"triggered_at", "triggered_at"}}, desc: true,
	}, p)
	if err != nil {
		return nil, n, err
	}
	found := incidentsOf(rows)
	return found, n, s.fillNotes(ctx, found)
}

// Incident returns one incident of org with its notes.
func (s *Store) Incident(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Incident, error) {
	row, err := one(ctx, s, s.db, incidentColumns, `FROM incidents WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	found := incidentsOf([]*incidentRow{row})
	return found[0], s.fillNotes(ctx, found)
}

// IncidentDeliveries returns the deliveries of one incident of
// org, by time, with every attempt: the latest 1000.
func (s *Store) IncidentDeliveries(ctx context.Context, org tidemark.OrgID, id int64) ([]*tidemark.Delivery, error) {
	if _, err := value[int64](ctx, s, s.db, "incident", `SELECT id FROM incidents WHERE org_id = ? AND id = ?`, org, id); err != nil {
		return nil, err
	}
	found, err := many(ctx, s, s.db, deliveryColumns, `FROM deliveries WHERE org_id = ? AND incident_id = ? ORDER BY id DESC LIMIT 1000`, org, id)
	if err != nil {
		return nil, err
	}
	slices.Reverse(found)
	return found, s.fillDeliveries(ctx, found)
}

// maxRecent bounds how many incidents IncidentsSince returns.
const maxRecent = 10_000

// IncidentsSince returns org's incidents that were open at some time since
// then, by time, without their violations: the latest 10,000 of them.
func (s *Store) IncidentsSince(ctx context.Context, org tidemark.OrgID, since int64) ([]*tidemark.Incident, error) {
	brief := incidentColumns
	brief.names = `id, alert_id, triggered_at, cleared_at, clear, cleared_by, peak, '[]', event_id`
	rows, err := many(ctx, s, s.db, brief, `FROM incidents
		WHERE org_id = ? AND (cleared_at IS NULL OR cleared_at >= ?) ORDER BY triggered_at DESC, id DESC LIMIT ?`, org, since, maxRecent)
	if err != nil {
		return nil, err
	}
	found := incidentsOf(rows)
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found, nil
}

// LastFired returns when each of org's alerts that ever fired did so last.
func (s *Store) LastFired(ctx context.Context, org tidemark.OrgID) (map[int64]int64, error) {
	type last struct{ alert, at int64 }
	c := columns[last]{names: `alert_id, MAX(triggered_at)`, dest: func(v *last) []any { return []any{&v.alert, &v.at} }}
	found := make(map[int64]int64)
	for v, err := range each(ctx, s, s.db, c, `FROM incidents WHERE org_id = ? GROUP BY alert_id`, org) {
		if err != nil {
			return nil, err
		}
		found[v.alert] = v.at
	}
	return found, nil
}

func (s *Store) checkAlertExists(ctx context.Context, org tidemark.OrgID, id int64) error {
	_, err := value[int64](ctx, s, s.db, "alert", `SELECT id FROM alerts WHERE org_id = ? AND id = ?`, org, id)
	return err
}

// saveIncident writes an incident; a new one gets its id and an annotation.
func (s *Store) saveIncident(ctx context.Context, tx conn, c *tidemark.StateChange, v *tidemark.Incident) error {
	if v.ID != 0 {
		_, err := s.exec(ctx, tx, `
			UPDATE incidents SET cleared_at = ?, clear = ?, cleared_by = ?, peak = ?, violations = ? WHERE org_id = ? AND id = ?`,
			v.ClearedAt, v.Clear, v.ClearedBy, v.Peak, asJSON(&v.Violations), c.Org, v.ID)
		return err
	}
	units, err := s.units(ctx, tx, c.Org, c.Alert)
	if err != nil {
		return err
	}
	event := eventAbout(c, "triggered", c.Alert.Sentence(units).Short())
	if err := s.insertEvent(ctx, tx, c.Org, tidemark.AlertStream, event); err != nil {
		return err
	}
	err = insert(ctx, s, tx, &v.ID, `
		INSERT INTO incidents (org_id, alert_id, triggered_at, cleared_at, clear, cleared_by, peak, violations, event_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		c.Org, c.Alert.ID, v.TriggeredAt, v.ClearedAt, v.Clear, v.ClearedBy, v.Peak, asJSON(&v.Violations), event.ID)
	v.Key = tidemark.IncidentKey(c.Alert.ID, v.ID)
	return err
}

// endAnnotation marks the end of an incident: in its own annotation, which
// becomes a span, and in another.
func (s *Store) endAnnotation(ctx context.Context, tx conn, c *tidemark.StateChange, incident int64) error {
	_, err := s.exec(ctx, tx, `
		UPDATE events SET end_time = ? WHERE org_id = ? AND start_time <= ? AND id = (SELECT event_id FROM incidents WHERE org_id = ? AND id = ?)`,
		c.Now, c.Org, c.Now, c.Org, incident)
	if err != nil {
		return err
	}
	words := map[string]string{
		tidemark.ClearManual: "resolved by hand", tidemark.ClearAuto: "cleared after 10 days without data", tidemark.ClearNormal: "back to normal",
		tidemark.ClearInactive: "switched off", tidemark.ClearEdited: "its conditions were changed", tidemark.ClearDeleted: "the alert was deleted",
	}
	text := words[c.Transition.Reason]
	if c.By != "" {
		text += " by " + c.By
	}
	return s.insertEvent(ctx, tx, c.Org, tidemark.AlertStream, eventAbout(c, "cleared", text))
}

// eventAbout returns an annotation that says what happened to an alert. Its
// source is the alert, so that those of one alert can be asked for. It is
// written without being validated: what the server says itself must not keep
// it from saving what happened.
func eventAbout(c *tidemark.StateChange, what, text string) *tidemark.AnnotationEvent {
	name := c.Alert.Name
	title := name
	if most := 240; len(title) > most {
		title = title[:most] + "…"
	}
	return &tidemark.AnnotationEvent{
		Title: title + " " + what, Description: &text, Source: &name, StartTime: c.Now,
		Links: []tidemark.Link{{Rel: "alert", Href: "/alerts/" + c.Alert.ResourceID()}},
	}
}

// NamedIncident is an incident and the name of its alert.
type NamedIncident struct {
	ID, Alert, TriggeredAt int64
	AlertName              string
}

// IncidentsBetween returns org's incidents that began in [start, end), the first
// most of them by time.
func (s *Store) IncidentsBetween(ctx context.Context, org tidemark.OrgID, start, end int64, most int) ([]*NamedIncident, error) {
	c := columns[NamedIncident]{
		noun: "incident", names: `i.id, i.alert_id, i.triggered_at, a.name`,
		dest: func(v *NamedIncident) []any { return []any{&v.ID, &v.Alert, &v.TriggeredAt, &v.AlertName} },
	}
	return many(ctx, s, s.db, c, `FROM incidents i JOIN alerts a ON a.id = i.alert_id AND a.org_id = i.org_id
		WHERE i.org_id = ? AND i.triggered_at >= ? AND i.triggered_at < ? ORDER BY i.triggered_at, i.id LIMIT ?`, org, start, end, most)
}

// IncidentsDuring returns org's incidents that were open at some time in [start,
// end), the latest most of them, by time.
func (s *Store) IncidentsDuring(ctx context.Context, org tidemark.OrgID, start, end int64, most int) ([]*tidemark.PastIncident, error) {
	c := columns[tidemark.PastIncident]{
		noun: "incident", names: `i.id, i.alert_id, a.name, i.triggered_at, i.cleared_at`,
		dest: func(v *tidemark.PastIncident) []any {
			return []any{&v.ID, &v.Alert, &v.AlertName, &v.TriggeredAt, &v.ClearedAt}
		},
	}
	found, err := many(ctx, s, s.db, c, `FROM incidents i JOIN alerts a ON a.id = i.alert_id AND a.org_id = i.org_id
		WHERE i.org_id = ? AND i.triggered_at < ? AND (i.cleared_at IS NULL OR i.cleared_at > ?)
		ORDER BY i.triggered_at DESC, i.id DESC LIMIT ?`, org, end, start, most)
	slices.Reverse(found)
	return found, err
}
