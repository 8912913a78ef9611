package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// escalate takes a step.
func (l *life) escalate(services []int64, now int64) {
	l.t.Helper()
	n := tidemark.NewNotice(l.org, l.alert, nil)
	n.Kind = tidemark.NoticeEscalation
	c := &tidemark.StateChange{
		Org: l.org, Alert: l.alert, State: l.state, Now: now, Incident: l.in, Transition: tidemark.AlertTransition{Steps: []int{0}},
		Escalations: []tidemark.Escalation{{Step: 1, Services: services, Notice: n}},
	}
	c.State.Escalated, c.State.NotifiedAt = 1, l.state.LastNotifiedAt
	ok(l.t, l.s.SaveStates(l.t.Context(), []*tidemark.StateChange{c}))
	l.state, l.in = c.State, c.Incident
}

// TestEscalation: a step notifies its services once, they hear of the end, and
// an acknowledgement keeps what waits from being delivered.
func TestEscalation(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		lead, gone := addService(t, s, org, "lead").ID, addService(t, s, org, "gone").ID
		l := newLife(t, s, org, addService(t, s, org, "ops").ID)
		steps := []tidemark.EscalationStep{{After: 300, Services: tidemark.ServiceRefs{lead, gone, lead}}}
		a, err := s.UpdateAlert(ctx, org, operator, l.alert.ID, func(a *tidemark.Alert) { a.Escalation = steps })
		ok(t, err)
		same(t, "steps", []tidemark.EscalationStep{{After: 300, Services: tidemark.ServiceRefs{lead, gone}}}, a.Escalation)
		ok(t, s.DeleteService(ctx, org, operator, gone))
		_, err = s.UpdateAlert(ctx, org, operator, a.ID, func(a *tidemark.Alert) { a.Escalation[0].Services = tidemark.ServiceRefs{lead, 99999} })
		if tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("a service that does not exist: %v", err)
		}

		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 100)
		incident := l.in.ID
		l.escalate(steps[0].Services, 400)
		deliveries := must(s.IncidentDeliveries(ctx, org, incident))(t)
		if len(deliveries) != 2 || deliveries[1].Service != lead || deliveries[1].Kind != tidemark.NoticeEscalation || deliveries[1].Notice.IncidentKey == "" {
			t.Fatalf("deliveries %+v", deliveries)
		}
		l.save(tidemark.Cleared, tidemark.NoticeClear, 500)
		notified := map[int64]int{}
		for _, d := range must(s.IncidentDeliveries(ctx, org, incident))(t) {
			if d.Kind == tidemark.NoticeClear {
				notified[d.Service]++
			}
		}
		if len(notified) != 2 || notified[lead] != 1 {
			t.Errorf("the end was told to %v", notified)
		}

		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 600)
		incident = l.in.ID
		l.escalate(steps[0].Services, 900)
		ok(t, s.AcknowledgeAlert(ctx, org, ann, a.ID, &tidemark.IncidentNote{At: 910}))
		states := []string{}
		for _, d := range must(s.IncidentDeliveries(ctx, org, incident))(t) {
			states = append(states, d.Kind+" "+d.Status)
		}
		same(t, "after the acknowledgement", []string{"trigger waiting", "escalation cancelled"}, states)
		w := must(s.WatchedAlert(ctx, org, a.ID))(t)
		if w.State.AcknowledgedBy != "user:ann@example.org" || w.State.Escalated != 1 || w.State.NotifiedAt != 600 {
			t.Errorf("state %+v", w.State)
		}
		ok(t, s.ReopenAlert(ctx, org, ann, a.ID, 920))
		if w = must(s.WatchedAlert(ctx, org, a.ID))(t); w.State.AcknowledgedAt != 0 || w.State.AcknowledgedBy != "" {
			t.Errorf("state after it was taken back %+v", w.State)
		}
	})
}

// TestAcknowledgeIncident: a link in a notification is good for its incident
// and no other.
func TestAcknowledgeIncident(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		l := newLife(t, s, org)
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 100)
		first := l.in.ID
		l.save(tidemark.Cleared, tidemark.NoticeClear, 200)
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 300)
		incident := l.in.ID
		by := tidemark.LinkActor("192.0.2.1")
		in := must(s.AcknowledgeIncident(t.Context(), org, by, first, &tidemark.IncidentNote{At: 310}))(t)
		if in.ClearedAt == nil || must(s.WatchedAlert(t.Context(), org, l.alert.ID))(t).State.AcknowledgedAt != 0 {
			t.Error("the link of an incident that is over acknowledges the next")
		}
		must(s.AcknowledgeIncident(t.Context(), org, by, incident, &tidemark.IncidentNote{At: 320, Text: "on it"}))(t)
		must(s.AcknowledgeIncident(t.Context(), org, by, incident, &tidemark.IncidentNote{At: 330}))(t)
		in = must(s.Incident(t.Context(), org, incident))(t)
		same(t, "notes", []tidemark.IncidentNote{{ID: in.Notes[0].ID, At: 320, Kind: tidemark.NoteAcknowledged, By: "link in notification", Text: "on it"}}, in.Notes)
	})
}

// TestMaintenance writes, changes and deletes windows, and finds them with the
// alerts they cover.
func TestMaintenance(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		l := newLife(t, s, org)
		must(s.UpdateAlert(ctx, org, operator, l.alert.ID, func(a *tidemark.Alert) { a.Labels = map[string]string{"team": "db", "tier": "1"} }))(t)
		end := int64(1 << 39)
		v := &tidemark.Maintenance{Name: "Upgrade", StartsAt: end - 3600, EndsAt: &end, Covers: tidemark.Covers{Labels: map[string]string{"team": "db"}}}
		version := must(s.AlertsVersion(ctx))(t)
		ok(t, s.CreateMaintenance(ctx, org, ann, v))
		if must(s.AlertsVersion(ctx))(t) == version {
			t.Error("the evaluator does not hear of it")
		}
		for name, w := range map[string]*tidemark.WatchedAlert{
			"one": must(s.WatchedAlert(ctx, org, l.alert.ID))(t), "all": must(s.WatchedAlerts(ctx))(t)[0], "overview": must(s.AlertsOverview(ctx, org))(t)[0],
		} {
			if len(w.Windows) != 1 || w.Windows[0].Name != "Upgrade" {
				t.Errorf("%s: windows %v", name, w.Windows)
			}
		}
		changed, err := s.UpdateMaintenance(ctx, org, ann, v.ID, func(m *tidemark.Maintenance) { m.Covers.Labels["team"] = "web" })
		ok(t, err)
		if w := must(s.WatchedAlert(ctx, org, l.alert.ID))(t); len(w.Windows) != 0 || changed.Name != "Upgrade" {
			t.Errorf("windows %v, changed %+v", w.Windows, changed)
		}
		err = s.CreateMaintenance(ctx, org, ann, &tidemark.Maintenance{Name: "x", StartsAt: end - 3600, EndsAt: &end, Covers: tidemark.Covers{Alerts: []int64{99999}}})
		if tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("an alert that does not exist: %v", err)
		}
		ok(t, s.DeleteMaintenance(ctx, org, ann, v.ID))
		left, _, err := s.MaintenanceWindows(ctx, org, tidemark.Page{})
		ok(t, err)
		if len(left) != 0 {
			t.Errorf("left %v", left)
		}
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "maintenance.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"maintenance.delete", "maintenance.update", "maintenance.create"}, did)
	})
}
