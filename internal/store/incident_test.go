package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// life drives one alert through a store, as the evaluator does.
type life struct {
	t         *testing.T
	s         *store.Store
	org       tidemark.OrgID
	alert     *tidemark.Alert
	state     tidemark.AlertState
	in        *tidemark.Incident
	delivered *tidemark.Attempt
}

func newLife(t *testing.T, s *store.Store, org tidemark.OrgID, services ...int64) *life {
	addMetrics(t, s, org, "cpu")
	a := newAlert("cpu high", above("cpu", 90))
	a.ServiceIDs = services
	ok(t, s.CreateAlert(t.Context(), org, operator, a))
	return &life{t: t, s: s, org: org, alert: a}
}

// save saves a change; the incident and the notice are made up.
func (l *life) save(kind tidemark.AlertTransitionKind, notice string, now int64) bool {
	l.t.Helper()
	c := &tidemark.StateChange{
		Org: l.org, Alert: l.alert, State: l.state, Now: now, Incident: l.in, Delivered: l.delivered,
		Transition: tidemark.AlertTransition{Kind: kind, Notify: notice != "", Reason: tidemark.ClearNormal},
	}
	v := tidemark.Violation{Stream: "host=a", Metric: "cpu", Value: 95, RecordedAt: now, Condition: l.alert.Conditions[0].ID, Since: now}
	switch kind {
	case tidemark.Triggered:
		c.State.Firing, c.State.TriggeredAt, c.State.LastNotifiedAt = true, now, now
		c.State.LastNotified = map[string]int64{"host=a": now}
		c.State.Conditions, c.State.Violations = "f", []tidemark.Violation{v}
		c.Incident = &tidemark.Incident{Alert: l.alert.ID, TriggeredAt: now, Peak: &v.Value, Violations: c.State.Violations}
	case tidemark.Cleared:
		c.State.Firing, c.State.ClearedAt, c.State.Violations, c.State.LastNotified = false, now, nil, nil
		in := *l.in
		in.ClearedAt, in.Clear = &now, &c.Transition.Reason
		c.Incident = &in
	}
	if notice != "" {
		c.Notice = tidemark.NewNotice(l.org, l.alert, map[string]string{"cpu": "%"})
		c.Notice.Kind, c.Notice.Time = notice, now
	}
	ok(l.t, l.s.SaveStates(l.t.Context(), []*tidemark.StateChange{c}))
	if c.Saved {
		l.state, l.in = c.State, nil
		if c.State.Firing {
			l.in = c.Incident
		}
	}
	return c.Saved
}

func (l *life) take(now int64, skip ...int64) []*tidemark.Delivery {
	l.t.Helper()
	return must(l.s.TakeDue(l.t.Context(), tidemark.DueQuery{Now: now, Until: now + 30, Limit: 10, Services: skip}))(l.t)
}

func keys(all []*tidemark.Delivery) string {
	var kinds []string
	for _, d := range all {
		kinds = append(kinds, d.Kind)
	}
	return strings.Join(kinds, " ")
}

func TestSaveStates(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ops, chat := addService(t, s, org, "ops"), addService(t, s, org, "chat")
		l := newLife(t, s, org, ops.ID, chat.ID)
		if !l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000) {
			t.Fatal("not saved")
		}
		key := tidemark.IncidentKey(l.alert.ID, l.state.Incident)
		same(t, "incident's key", key, l.in.Key)

		watched := must(s.WatchedAlerts(t.Context()))(t)
		if len(watched) != 1 {
			t.Fatalf("%d watched alerts", len(watched))
		}
		same(t, "state", l.state, watched[0].State)
		same(t, "incident", l.in, watched[0].Incident)
		same(t, "alert", l.alert.Conditions, watched[0].Alert.Conditions)

		taken := l.take(1000)
		same(t, "deliveries", "trigger trigger", keys(taken))
		same(t, "key", tidemark.DeliveryKey(key, "trigger", 1000), taken[0].Key)
		same(t, "key in the notice", key, taken[0].Notice.IncidentKey)
		same(t, "status", true, must(s.AlertStatus(t.Context(), org, l.alert.ID))(t).Firing)

		l.save(tidemark.Cleared, tidemark.NoticeClear, 1300)
		incidents, n, err := s.Incidents(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		if n.Total != 1 || *incidents[0].Clear != "normal" || *incidents[0].ClearedAt != 1300 || *incidents[0].Peak != 95 {
			t.Errorf("incidents = %+v %+v", n, incidents[0])
		}
		events := must(s.Events(t.Context(), org, tidemark.AlertStream, tidemark.AnnotationEventQuery{}))(t)
		if len(events) != 2 || events[0].Title != "cpu high triggered" || *events[0].EndTime != 1300 || events[1].Title != "cpu high cleared" {
			t.Errorf("events = %+v", events)
		}
		since := must(s.IncidentsSince(t.Context(), org, 1200))(t)
		if len(since) != 1 || since[0].Key != key {
			t.Errorf("since = %+v", since)
		}
		same(t, "nothing since", 0, len(must(s.IncidentsSince(t.Context(), org, 1301))(t)))
		during := func(start, end int64, most int) int {
			return len(must(s.IncidentsDuring(t.Context(), org, start, end, most))(t))
		}
		same(t, "during it", []int{1, 1, 0, 0, 0}, []int{
			during(1299, 1300, 9), during(900, 1001, 9), during(1300, 1400, 9), during(900, 1000, 9), during(900, 1400, 0),
		})
		one := must(s.IncidentsDuring(t.Context(), org, 1000, 1300, 9))(t)[0]
		same(t, "the one during it", tidemark.PastIncident{
			ID: incidents[0].ID, Alert: l.alert.ID, AlertName: "cpu high", TriggeredAt: 1000, ClearedAt: new(int64(1300)),
		}, *one)
		same(t, "last fired", map[int64]int64{l.alert.ID: 1000}, must(s.LastFired(t.Context(), org))(t))
	})
}

// What is imported with its deliveries is not sent again.
func TestSaveStatesTold(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		l := newLife(t, s, org, addService(t, s, org, "ops").ID)
		l.delivered = &tidemark.Attempt{At: 1001, Duration: 80, OK: true, Answer: "200 OK"}
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		same(t, "due", "", keys(l.take(2000)))
		sent, _, err := s.AlertDeliveries(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		if len(sent) != 1 || sent[0].Status != tidemark.DeliveryDelivered || sent[0].Tries != 1 || sent[0].CreatedAt != 1000 || sent[0].FinishedAt != 1001 {
			t.Fatalf("deliveries = %+v", sent)
		}
		same(t, "attempts", []tidemark.Attempt{*l.delivered}, sent[0].Attempts)

		ok(t, s.AgeAlert(t.Context(), org, l.alert.ID, 500))
		same(t, "age", int64(500), must(s.Alert(t.Context(), org, l.alert.ID))(t).CreatedAt)
	})
}

// Two who save: the second notices. So does one whose alert is gone.
func TestSaveStatesOvertaken(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ops := addService(t, s, org, "ops")
		l := newLife(t, s, org, ops.ID)
		other := *l
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		if other.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000) {
			t.Error("two triggers were saved")
		}
		same(t, "deliveries", 1, len(l.take(1000)))
		before := must(s.AlertsVersion(t.Context()))(t)
		ok(t, s.ResolveAlert(t.Context(), org, tidemark.PersonActor("ops", ""), l.alert.ID, 1100))
		if after := must(s.AlertsVersion(t.Context()))(t); after == before {
			t.Error("nobody hears that it was resolved")
		}
		if l.save(tidemark.Cleared, tidemark.NoticeClear, 1200) {
			t.Error("cleared twice")
		}
		w := must(s.WatchedAlert(t.Context(), org, l.alert.ID))(t)
		if w.State.Firing || w.State.ResolvedAt != 1100 || w.State.ClearedAt != 1100 || w.Incident != nil {
			t.Errorf("state = %+v", w.State)
		}
		incidents, _, err := s.Incidents(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		if in := incidents[0]; *in.Clear != "manual" || *in.ClearedBy != "user:ops" {
			t.Errorf("incident = %+v", in)
		}
		ok(t, s.ResolveAlert(t.Context(), org, operator, l.alert.ID, 1200)) // nothing to resolve
		ok(t, s.DeleteAlert(t.Context(), org, operator, l.alert.ID))
		l.state = w.State
		if l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1300) {
			t.Error("the state of a deleted alert was saved")
		}
		same(t, "what waits outlives the alert", "trigger", keys(l.take(9999)))
	})
}

func TestOutbox(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ops, chat := addService(t, s, org, "ops"), addService(t, s, org, "chat")
		l := newLife(t, s, org, ops.ID)
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		same(t, "too early", "", keys(l.take(999)))
		same(t, "skipped", "", keys(l.take(1000, ops.ID)))
		first := l.take(1000)
		same(t, "due", "trigger", keys(first))
		same(t, "taken already", "", keys(l.take(1029)))
		same(t, "taken by nobody who finished", "trigger", keys(l.take(1030)))

		l.save(tidemark.Reminded, tidemark.NoticeReminder, 1600)
		ok(t, s.Release(t.Context(), []int64{first[0].ID}, 1600))
		again := l.take(1600)
		same(t, "no reminder while the trigger waits", "trigger", keys(again))
		l.save(tidemark.Cleared, tidemark.NoticeClear, 1700)
		same(t, "the clear waits for the trigger", "", keys(l.take(1620)))
		finish := func(id, at int64, status string, due, fallback int64) {
			ok(t, s.Finish(t.Context(), &tidemark.Outcome{Delivery: id, Status: status, DueAt: due, Fallback: fallback,
				Attempt: tidemark.Attempt{At: at, Duration: 12, OK: status == tidemark.DeliveryDelivered, Answer: "answer"}}))
		}
		finish(again[0].ID, 1701, tidemark.DeliveryWaiting, 1800, 0)
		same(t, "before the next try", "", keys(l.take(1799)))
		finish(l.take(1800)[0].ID, 1800, tidemark.DeliveryFailed, 0, chat.ID)
		rest := l.take(1800)
		same(t, "the clear, and the trigger for another", "clear trigger", keys(rest))
		if f := rest[1]; f.Service != chat.ID || f.FallbackOf != first[0].ID || f.Key != first[0].Key || f.Tries != 0 {
			t.Errorf("fallback = %+v", f)
		}
		finish(rest[0].ID, 1802, tidemark.DeliveryDelivered, 0, 0)

		d := must(s.Delivery(t.Context(), org, first[0].ID))(t)
		if d.Status != tidemark.DeliveryFailed || d.Tries != 2 || len(d.Attempts) != 2 || d.Attempts[1].Answer != "answer" || d.FinishedAt != 1800 {
			t.Errorf("delivery = %+v", d)
		}
		ok(t, s.RetryDelivery(t.Context(), org, operator, d.ID, 2000))
		if got := l.take(2000); !slices.ContainsFunc(got, func(v *tidemark.Delivery) bool { return v.ID == d.ID && v.StartedAt == 2000 }) {
			t.Errorf("not due after retry: %+v", got)
		}
		checkKinds(t, []wrong{
			{"retry what was delivered", func() error { return s.RetryDelivery(t.Context(), org, operator, rest[0].ID, 2000) }, tidemark.Conflict},
			{"retry of another org", func() error { return s.RetryDelivery(t.Context(), org+1, operator, d.ID, 2000) }, tidemark.NotFound},
			{"delivery of another org", func() error { return errOf(s.Delivery(t.Context(), org+1, d.ID)) }, tidemark.NotFound},
			{"deliveries of no alert", func() error { return listErr(s.AlertDeliveries(t.Context(), org, 999, tidemark.Page{})) }, tidemark.NotFound},
			{"deliveries of no service", func() error { return listErr(s.ServiceDeliveries(t.Context(), org, 999, tidemark.Page{})) }, tidemark.NotFound},
			{"incidents of another org", func() error { return listErr(s.Incidents(t.Context(), org+1, l.alert.ID, tidemark.Page{})) }, tidemark.NotFound},
		})
		list, n, err := s.AlertDeliveries(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		same(t, "all of the alert, latest first", "trigger clear trigger", keys(list))
		same(t, "count", 3, n.Total)
		list, _, err = s.ServiceDeliveries(t.Context(), org, chat.ID, tidemark.Page{})
		ok(t, err)
		same(t, "of one service", "trigger", keys(list))

		ok(t, s.PruneAlerting(t.Context(), 1803))
		list, _, err = s.AlertDeliveries(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		same(t, "what waits outlives its incident", "trigger trigger", keys(list))
		_, n, err = s.Incidents(t.Context(), org, l.alert.ID, tidemark.Page{})
		ok(t, err)
		same(t, "incidents", 0, n.Total)
	})
}

func TestRecordTest(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ops := addService(t, s, org, "ops")
		l := newLife(t, s, org, ops.ID)
		n := tidemark.NewNotice(org, l.alert, nil)
		n.Kind, n.Time = tidemark.NoticeTest, 1000
		ok(t, s.RecordTest(t.Context(), org, operator, n, "k", []tidemark.TestResult{{Service: ops.ID, Answer: "503", Duration: 7}}))
		list, _, err := s.ServiceDeliveries(t.Context(), org, ops.ID, tidemark.Page{})
		ok(t, err)
		if d := list[0]; d.Kind != "test" || d.Status != "failed" || d.Incident != 0 || d.Attempts[0].Answer != "503" {
			t.Errorf("delivery = %+v", d)
		}
		same(t, "nothing to deliver", 0, len(l.take(5000)))
	})
}

func TestSnoozes(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		s.SetClock(func() int64 { return 1000 })
		l := newLife(t, s, org)
		id := l.alert.ID
		end := func(at int64) *int64 { return &at }
		ok(t, s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 1000, EndsAt: end(2000), By: "a"}))
		ok(t, s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 5000, EndsAt: end(6000), By: "b", Note: "move"}))
		ok(t, s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 1000, By: "c"}))
		got := must(s.Snoozes(t.Context(), org, id))(t)
		if len(got) != 2 || got[0].By != "c" || got[0].EndsAt != nil || got[1].Note != "move" {
			t.Errorf("snoozes = %+v", got)
		}
		same(t, "watched", got, must(s.WatchedAlerts(t.Context()))(t)[0].Snoozes)
		same(t, "by alert", map[int64][]tidemark.Snooze{id: got}, must(s.SnoozesOf(t.Context(), org))(t))
		ok(t, s.UndoSnoozes(t.Context(), org, operator, id, []int64{got[0].ID, 999}))
		same(t, "the planned one stays", got[1:], must(s.Snoozes(t.Context(), org, id))(t))
		ok(t, s.SnoozeAlert(t.Context(), org, operator, id, &got[0]))
		s.SetClock(func() int64 { return 6000 })
		same(t, "over", 1, len(must(s.Snoozes(t.Context(), org, id))(t)))
		ok(t, s.ResumeAlert(t.Context(), org, operator, id))
		same(t, "resumed", 0, len(must(s.Snoozes(t.Context(), org, id))(t)))
		checkKinds(t, []wrong{
			{"snooze nothing", func() error { return s.SnoozeAlert(t.Context(), org, operator, 999, &tidemark.Snooze{}) }, tidemark.NotFound},
			{"snooze in another org", func() error { return s.SnoozeAlert(t.Context(), org+1, operator, id, &tidemark.Snooze{}) }, tidemark.NotFound},
			{"ends before it starts", func() error {
				return s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 10, EndsAt: end(5)})
			}, tidemark.Invalid},
			{"undo of nothing", func() error { return s.UndoSnoozes(t.Context(), org, operator, 999, []int64{1}) }, tidemark.NotFound},
			{"resume nothing", func() error { return s.ResumeAlert(t.Context(), org, operator, 999) }, tidemark.NotFound},
		})
		for range tidemark.MaxSnoozes {
			ok(t, s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 9000}))
		}
		if err := s.SnoozeAlert(t.Context(), org, operator, id, &tidemark.Snooze{StartsAt: 9000}); tidemark.KindOf(err) != tidemark.TooLarge {
			t.Errorf("err = %v", err)
		}
	})
}
