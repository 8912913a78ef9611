package alerting

import (
	"context"
	"encoding/json"
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
	removed    []*tidemark.Delivery // with their alerts
	events     []string
	nextID     int64
}

func newModel() *model {
	return &model{alerts: map[int64]*tidemark.WatchedAlert{}, services: map[int64]*tidemark.Service{}, incidents: map[int64]*tidemark.Incident{}}
}

func copyOf[T any](v *T) *T {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c := new(T)
	if err := json.Unmarshal(b, c); err != nil {
		panic(err)
	}
	return c
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
		c := copyOf(a)
		c.Alert.ServiceIDs = a.Alert.ServiceIDs
		if in := m.incidents[c.State.Incident]; in != nil && c.State.Firing {
			c.Incident = copyOf(in)
		}
		all = append(all, c)
	}
	return all, nil
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
	if c.Event.Kind == tidemark.Triggered {
		c.Incident.ID = m.id()
		c.Incident.Key = tidemark.IncidentKey(c.Alert.ID, c.Incident.ID)
		c.State.Incident = c.Incident.ID
	}
	if c.Incident != nil {
		m.incidents[c.Incident.ID] = copyOf(c.Incident)
	}
	if !c.State.Firing {
		c.State.Incident = 0
	}
	c.State.Revision++
	a.State = *copyOf(&c.State)
	switch c.Event.Kind {
	case tidemark.Triggered:
		m.events = append(m.events, "triggered "+c.Incident.Key)
	case tidemark.Cleared:
		m.events = append(m.events, "cleared "+c.Incident.Key)
	case tidemark.Dropped:
		for _, d := range m.deliveries {
			if d.Incident == c.Incident.ID && d.Status == tidemark.DeliveryWaiting {
				d.Status = tidemark.DeliveryCancelled
			}
		}
	}
	if c.Event.Tell {
		m.enqueue(a, c)
	}
}

func (m *model) enqueue(a *tidemark.WatchedAlert, c *tidemark.StateChange) {
	c.Notice.IncidentKey = c.Incident.Key
	for _, service := range a.Alert.ServiceIDs {
		told := slices.ContainsFunc(m.deliveries, func(d *tidemark.Delivery) bool {
			lately := d.Status == tidemark.DeliveryDelivered && d.FinishedAt > c.Now-int64(max(a.Alert.RearmSeconds, tidemark.MinRearm))
			return d.Incident == c.Incident.ID && d.Service == service && (d.Status == tidemark.DeliveryWaiting || lately)
		})
		if c.Notice.Kind == tidemark.NoticeReminder && told && !a.Alert.RearmPerSignal {
			continue
		}
		m.deliveries = append(m.deliveries, &tidemark.Delivery{
			ID: m.id(), Org: c.Org, Alert: c.Alert.ID, Incident: c.Incident.ID, Service: service, Kind: c.Notice.Kind,
			Key: tidemark.DeliveryKey(c.Incident.Key, c.Notice.Kind, c.Now), Status: tidemark.DeliveryWaiting,
			CreatedAt: c.Now, StartedAt: c.Now, DueAt: c.Now, Notice: copyOf(c.Notice),
		})
	}
}

func (m *model) TakeDue(_ context.Context, now, until int64, limit int, skip []int64) (taken []*tidemark.Delivery, err error) {
	err = m.write(func() {
		blocked := map[[2]int64]bool{}
		for _, d := range m.deliveries {
			k := [2]int64{d.Incident, d.Service}
			if d.Status != tidemark.DeliveryWaiting {
				continue
			}
			if !blocked[k] && d.DueAt <= now && len(taken) < limit && !slices.Contains(skip, d.Service) {
				d.DueAt = until
				c := copyOf(d)
				c.Org, c.StartedAt = d.Org, d.StartedAt
				taken = append(taken, c)
			}
			blocked[k] = true
		}
	})
	return taken, err
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
		d.Tries++
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

func (m *model) Service(_ context.Context, _ tidemark.OrgID, id int64) (*tidemark.Service, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.services[id]
	if !ok {
		return nil, tidemark.Errorf(tidemark.NotFound, "no such service")
	}
	return copyOf(s), nil
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
	c := copyOf(a)
	c.Alert.ServiceIDs = a.Alert.ServiceIDs
	f(c)
	c.Alert.UpdatedAt = max(now, a.Alert.UpdatedAt+1)
	m.alerts[id] = c
	m.version++
}

func (m *model) remove(id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.alerts, id)
	m.deliveries = slices.DeleteFunc(m.deliveries, func(d *tidemark.Delivery) bool {
		if d.Alert == id {
			m.removed = append(m.removed, d)
		}
		return d.Alert == id
	})
	m.version++
}

// resolve is POST /v1/alerts/:id/clear.
func (m *model) resolve(id, now int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.alerts[id]
	if !ok {
		return
	}
	next, ev := a.State.Clear(tidemark.ClearManual, now)
	if ev.Kind == tidemark.Nothing {
		return
	}
	in := copyOf(m.incidents[a.State.Incident])
	in.ClearedAt, in.Clear = &now, &ev.Reason
	n := tidemark.NewNotice(1, a.Alert, nil)
	n.Kind, n.Time, n.Clear = tidemark.NoticeClear, now, ev.Reason
	m.saveState(&tidemark.StateChange{Org: 1, Alert: a.Alert, State: next, Event: ev, Now: now, Incident: in, Notice: n})
	m.version++
}
