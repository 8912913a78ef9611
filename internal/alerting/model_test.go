package alerting

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// model is a Store in memory, as simple as can be. What it returns are
// copies, as if it had been written to disk and read back.
type model struct {
	mu         sync.Mutex
	version    int64
	alerts     map[int64]*tidemark.WatchedAlert
	services   map[int64]*tidemark.Service
	incidents  map[int64]*tidemark.Incident
	deliveries []*tidemark.Delivery
	events     []string
	windows    []*tidemark.Maintenance
	notes      map[int64][]tidemark.IncidentNote
	nextID     int64
}

func newModel() *model {
	return &model{alerts: map[int64]*tidemark.WatchedAlert{}, services: map[int64]*tidemark.Service{}, incidents: map[int64]*tidemark.Incident{}, notes: map[int64][]tidemark.IncidentNote{}}
}

func copyWatched(v *tidemark.WatchedAlert) *tidemark.WatchedAlert {
	c, a := *v, *v.Alert
	a.Conditions = slices.Clone(a.Conditions)
	c.Alert, c.State, c.Snoozes = &a, copyState(v.State), slices.Clone(v.Snoozes)
	return &c
}

func copyState(v tidemark.AlertState) tidemark.AlertState {
	v.LastNotified, v.Violations = maps.Clone(v.LastNotified), slices.Clone(v.Violations)
	return v
}

func copyIncident(v *tidemark.Incident) *tidemark.Incident {
	c := *v
	c.Violations = slices.Clone(v.Violations)
	return &c
}

func copyDelivery(v *tidemark.Delivery) *tidemark.Delivery {
	c, n := *v, *v.Notice
	c.Notice, c.Attempts = &n, slices.Clone(v.Attempts)
	return &c
}

func (m *model) id() int64 { m.nextID++; return m.nextID }

func (m *model) write(f func()) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
	return nil
}

func (m *model) AlertsVersion(context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.version, nil
}

func (m *model) WatchedAlerts(context.Context) ([]*tidemark.WatchedAlert, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*tidemark.WatchedAlert
	for _, a := range m.alerts {
		if !a.Alert.Active && a.State.Conditions == "" {
			continue
		}
		c := copyWatched(a)
		if in := m.incidents[c.State.Incident]; in != nil && c.State.Firing {
			c.Incident = copyIncident(in)
		}
		for _, w := range m.windows {
			if w.Covers.Concerns(c.Alert) {
				c.Windows = append(c.Windows, w)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

func (m *model) WindowsIn(context.Context, tidemark.OrgID, int64) ([]*tidemark.Maintenance, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.windows), nil
}

func (m *model) AlertsVersions(context.Context) (map[tidemark.OrgID]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make(map[tidemark.OrgID]int64)
	for _, a := range m.alerts {
		all[a.Org] = m.version
	}
	return all, nil
}

func (m *model) AlertsVersionOf(ctx context.Context, _ tidemark.OrgID) (int64, error) {
	return m.AlertsVersion(ctx)
}

func (m *model) WatchedAlertsOf(ctx context.Context, org tidemark.OrgID) ([]*tidemark.WatchedAlert, error) {
	all, err := m.WatchedAlerts(ctx)
	return slices.DeleteFunc(all, func(a *tidemark.WatchedAlert) bool { return a.Org != org }), err
}

func (m *model) SaveStates(_ context.Context, changes []*tidemark.StateChange) error {
	return m.write(func() {
		for _, c := range changes {
			m.saveState(c)
		}
	})
}

func (m *model) saveState(c *tidemark.StateChange) {
	a := m.alerts[c.Alert.ID]
	if a == nil || a.State.Revision != c.State.Revision {
		return
	}
	c.Saved = true
	if c.Transition.Kind == tidemark.Triggered {
		c.Incident.ID = m.id()
		c.Incident.Key = tidemark.IncidentKey(c.Alert.ID, c.Incident.ID)
		c.State.Incident = c.Incident.ID
	}
	if c.Incident != nil {
		m.incidents[c.Incident.ID] = copyIncident(c.Incident)
	}
	if !c.State.Firing {
		c.State.Incident = 0
	}
	c.State.Revision++
	a.State = copyState(c.State)
	switch c.Transition.Kind {
	case tidemark.Triggered:
		m.events = append(m.events, "triggered "+c.Incident.Key)
	case tidemark.Cleared:
		m.events = append(m.events, "cleared "+c.Incident.Key)
	}
	for _, e := range c.Escalations {
		e.Notice.IncidentKey = c.Incident.Key
		for _, service := range e.Services {
			m.deliveries = append(m.deliveries, &tidemark.Delivery{
				ID: m.id(), Org: c.Org, Alert: c.Alert.ID, Incident: c.Incident.ID, Service: service, Kind: tidemark.NoticeEscalation,
				Key: tidemark.EscalationKey(c.Incident.Key, e.Step), Status: tidemark.DeliveryWaiting,
				CreatedAt: c.Now, StartedAt: c.Now, DueAt: c.Now, Notice: e.Notice,
			})
		}
	}
	if c.Incident != nil {
		m.notes[c.Incident.ID] = append(m.notes[c.Incident.ID], c.Notes...)
	}
	if c.Transition.Notify {
		m.enqueue(a, c)
	}
}

// toTell are the services that hear of c.
func (m *model) toTell(a *tidemark.WatchedAlert, c *tidemark.StateChange) []int64 {
	services := slices.Clone(a.Alert.ServiceIDs)
	for _, d := range m.deliveries {
		if c.Transition.Kind == tidemark.Cleared && d.Incident == c.Incident.ID && d.Kind == tidemark.NoticeEscalation && d.FallbackOf == 0 &&
			d.Status != tidemark.DeliveryCancelled && !slices.Contains(services, d.Service) {
			services = append(services, d.Service)
		}
	}
	return services
}

func (m *model) enqueue(a *tidemark.WatchedAlert, c *tidemark.StateChange) {
	c.Notice.IncidentKey = c.Incident.Key
	for _, service := range m.toTell(a, c) {
		due := c.Now
		if c.Notice.Kind == tidemark.NoticeReminder && !a.Alert.RearmPerSignal && !c.Transition.Resumed {
			var earlier []*tidemark.Delivery
			for _, d := range m.deliveries {
				if d.Incident == c.Incident.ID && d.Service == service {
					earlier = append(earlier, d)
				}
			}
			var wanted bool
			if due, wanted = tidemark.ReminderDue(earlier, a.Alert.RearmSeconds, c.Now); !wanted {
				continue
			}
		}
		m.deliveries = append(m.deliveries, &tidemark.Delivery{
			ID: m.id(), Org: c.Org, Alert: c.Alert.ID, Incident: c.Incident.ID, Service: service, Kind: c.Notice.Kind,
			Key: tidemark.DeliveryKey(c.Incident.Key, c.Notice.Kind, c.Now), Status: tidemark.DeliveryWaiting,
			CreatedAt: c.Now, StartedAt: due, DueAt: due, Notice: c.Notice,
		})
	}
}

func (m *model) TakeDue(_ context.Context, q tidemark.DueQuery) (taken []*tidemark.Delivery, err error) {
	err = m.write(func() {
		due := m.due(q)
		for len(taken) < q.Limit && len(due) > 0 {
			// One of each organization at a time.
			seen := map[tidemark.OrgID]bool{}
			due = slices.DeleteFunc(due, func(d *tidemark.Delivery) bool {
				if seen[d.Org] || len(taken) == q.Limit {
					return false
				}
				seen[d.Org] = true
				d.DueAt = q.Until
				taken = append(taken, copyDelivery(d))
				return true
			})
		}
	})
	return taken, err
}

// due returns what may be taken, oldest first.
func (m *model) due(q tidemark.DueQuery) (due []*tidemark.Delivery) {
	blocked := map[[2]int64]bool{}
	for _, d := range m.deliveries {
		if d.Status != tidemark.DeliveryWaiting {
			continue
		}
		k := [2]int64{d.Incident, d.Service}
		if !blocked[k] && d.DueAt <= q.Now && !slices.Contains(q.Services, d.Service) && !slices.Contains(q.Orgs, d.Org) {
			due = append(due, d)
		}
		blocked[k] = true
	}
	return due
}

func (m *model) RewindDeliveries(_ context.Context, now, latest int64) error {
	return m.write(func() {
		for _, d := range m.deliveries {
			if d.Status == tidemark.DeliveryWaiting && (d.StartedAt > now || d.DueAt > latest) {
				d.DueAt, d.StartedAt = now, min(d.StartedAt, now)
			}
		}
	})
}

func (m *model) Release(_ context.Context, ids []int64, due int64) error {
	return m.write(func() {
		for _, d := range m.deliveries {
			if slices.Contains(ids, d.ID) && d.Status == tidemark.DeliveryWaiting {
				d.DueAt = due
			}
		}
	})
}

func (m *model) Finish(_ context.Context, o *tidemark.Outcome) error {
	return m.write(func() {
		i := slices.IndexFunc(m.deliveries, func(d *tidemark.Delivery) bool { return d.ID == o.Delivery })
		if i < 0 {
			return
		}
		d := m.deliveries[i]
		d.Attempts = append(d.Attempts, o.Attempt)
		if !o.Uncounted {
			d.Tries++
		}
		if d.Status != tidemark.DeliveryWaiting {
			return
		}
		d.Status, d.DueAt = o.Status, o.DueAt
		if o.Status != tidemark.DeliveryWaiting {
			d.FinishedAt = o.Attempt.At
		}
		if o.Fallback != 0 && m.services[o.Fallback] != nil {
			f := *d
			f.ID, f.Service, f.FallbackOf, f.Status = m.id(), o.Fallback, d.ID, tidemark.DeliveryWaiting
			f.Tries, f.Attempts, f.DueAt, f.StartedAt, f.FinishedAt = 0, nil, o.Attempt.At, o.Attempt.At, 0
			m.deliveries = append(m.deliveries, &f)
		}
	})
}

func (m *model) Recipient(_ context.Context, _ tidemark.OrgID, id int64) (*tidemark.Service, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.services[id]
	if !ok {
		return nil, tidemark.Errorf(tidemark.NotFound, "no such service")
	}
	c := *s
	return &c, nil
}

func (m *model) PruneAlerting(context.Context, int64) error { return nil }

// What people do.

func (m *model) add(a *tidemark.Alert, now int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a.ID, a.CreatedAt, a.UpdatedAt = m.id(), now, now
	for i := range a.Conditions {
		a.Conditions[i].ID = m.id()
	}
	m.alerts[a.ID] = &tidemark.WatchedAlert{Org: 1, Alert: a}
	m.version++
}

// change edits an alert that is there.
func (m *model) change(id, now int64, f func(*tidemark.WatchedAlert)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.alerts[id]
	if !ok {
		return
	}
	c := copyWatched(a)
	f(c)
	c.Alert.UpdatedAt = max(now, a.Alert.UpdatedAt+1)
	m.alerts[id] = c
	m.version++
}

func (m *model) remove(id, now int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(id, now, tidemark.ClearDeleted)
	delete(m.alerts, id)
	m.version++
}

// resolve is POST /v1/alerts/:id/clear.
func (m *model) resolve(id, now int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(id, now, tidemark.ClearManual)
	m.version++
}

// acknowledge is POST /v1/alerts/:id/acknowledge. It returns the incident, or 0
// if there was none to acknowledge.
func (m *model) acknowledge(id, now int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.alerts[id]
	if !ok || !a.State.Firing || a.State.AcknowledgedAt != 0 {
		return 0
	}
	a.State.AcknowledgedAt = now
	a.State.Revision++
	notified := map[int64]bool{} // services that this is not the first for
	for _, d := range m.deliveries {
		if d.Incident != a.State.Incident {
			continue
		}
		if d.Status == tidemark.DeliveryWaiting && (d.Kind == tidemark.NoticeReminder && notified[d.Service] || d.Kind == tidemark.NoticeEscalation) {
			d.Status, d.FinishedAt = tidemark.DeliveryCancelled, now
		}
		notified[d.Service] = true
	}
	m.version++
	return a.State.Incident
}

// maintain adds a maintenance window.
func (m *model) maintain(w *tidemark.Maintenance) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.ID = m.id()
	m.windows = append(m.windows, w)
	m.version++
}

// end ends the open incident of an alert, if there is one.
func (m *model) end(id, now int64, reason string) {
	a, ok := m.alerts[id]
	if !ok {
		return
	}
	next, ev := a.State.Clear(reason, now)
	if ev.Kind == tidemark.Nothing {
		return
	}
	in := copyIncident(m.incidents[a.State.Incident])
	in.ClearedAt, in.Clear = &now, &ev.Reason
	n := tidemark.NewNotice(1, a.Alert, nil)
	n.Kind, n.Time, n.Clear = tidemark.NoticeClear, now, ev.Reason
	m.saveState(&tidemark.StateChange{Org: 1, Alert: a.Alert, State: next, Transition: ev, Now: now, Incident: in, Notice: n})
}
