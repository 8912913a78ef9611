package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func alertName(v *tidemark.Alert) string { return v.Name }

func above(metric string, threshold float64) tidemark.Condition {
	return tidemark.Condition{Type: tidemark.Above, MetricName: metric, Threshold: &threshold}
}

func newAlert(name string, conditions ...tidemark.Condition) *tidemark.Alert {
	v := tidemark.NewAlert()
	v.Name, v.Conditions = name, conditions
	return v
}

func addAlert(t testing.TB, s *store.Store, org tidemark.OrgID, name string, conditions ...tidemark.Condition) *tidemark.Alert {
	t.Helper()
	v := newAlert(name, conditions...)
	ok(t, s.CreateAlert(t.Context(), org, operator, v))
	return v
}

// keepConditions is a change that sends back the conditions it read.
func keepConditions(v *tidemark.Alert) tidemark.AlertUpdate {
	return tidemark.AlertUpdate{Conditions: tidemark.Some(v.Conditions)}
}

func TestAlerts(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, s, org, "checkout.latency", "checkout.heartbeat")
		mail, chat := addService(t, s, org, "mail"), addService(t, s, org, "chat")
		// The order of conditions, tags, values and services is the sender's.
		v := newAlert("prod.checkout latency.high",
			tidemark.Condition{
				ID: 777, Type: tidemark.Above, MetricName: "Checkout.Latency", Threshold: new(250.1), Duration: new(tidemark.Seconds(300)),
				SummaryFunction: new("derivative"), DetectReset: new(false), Source: new("*"),
				Tags: []tidemark.TagFilter{
					{Name: "z", Values: []string{"b", "a*", "!c"}, Grouped: new(false)}, {Name: "a", Grouped: new(true), Dynamic: new(true)},
				},
			},
			tidemark.Condition{Type: tidemark.Absent, MetricName: "checkout.heartbeat", Duration: new(tidemark.Seconds(600)), Threshold: new(0.0)})
		v.Description, v.Attributes = new("p99 & more"), map[string]any{"runbook_url": "https://wiki.example/<x>"}
		v.RearmSeconds, v.RearmPerSignal, v.Active = 1200, true, false
		v.ServiceIDs = []int64{chat.ID, mail.ID, chat.ID}
		ok(t, s.CreateAlert(ctx, org, operator, v))
		if v.ID <= 0 || v.CreatedAt == 0 || v.UpdatedAt != v.CreatedAt || !v.MD {
			t.Errorf("created %+v", v)
		}
		if a, b := v.Conditions[0].ID, v.Conditions[1].ID; a <= 0 || a == 777 || b == a || b <= 0 {
			t.Errorf("conditions have ids %d and %d", a, b)
		}
		same(t, "services", []*tidemark.Service{chat, mail}, v.Services)
		same(t, "service ids", []int64{chat.ID, mail.ID}, v.ServiceIDs)
		same(t, "Alert", v, must(s.Alert(ctx, org, v.ID))(t))
		same(t, "AlertByName", v, must(s.AlertByName(ctx, org, v.Name))(t))
		list, _, err := s.Alerts(ctx, org, tidemark.Page{})
		ok(t, err)
		same(t, "Alerts", []*tidemark.Alert{v}, list)

		plain := addAlert(t, s, org, "plain") // says nothing but its name
		want := tidemark.NewAlert()
		want.ID, want.Name, want.CreatedAt, want.UpdatedAt, want.ServiceIDs = plain.ID, "plain", plain.CreatedAt, plain.UpdatedAt, []int64{}
		same(t, "a plain alert", want, must(s.Alert(ctx, org, plain.ID))(t))

		ok(t, s.DeleteAlert(ctx, org, operator, v.ID))
		if again := addAlert(t, s, org, v.Name); again.ID == v.ID {
			t.Errorf("the id %d of a deleted alert came back", v.ID)
		}
	})
}

func TestUpdateAlert(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		addMetrics(t, s, org, "cpu", "mem", "gone")
		mail, chat := addService(t, s, org, "mail"), addService(t, s, org, "chat")
		v := newAlert("high", above("cpu", 1), above("mem", 2), above("gone", 3))
		v.ServiceIDs = []int64{mail.ID, chat.ID}
		ok(t, s.CreateAlert(ctx, org, operator, v))
		update := func(u tidemark.AlertUpdate) *tidemark.Alert {
			t.Helper()
			now++
			before := must(s.Alert(ctx, org, v.ID))(t)
			got := must(s.UpdateAlert(ctx, org, operator, v.ID, u.Apply))(t)
			if got.UpdatedAt <= before.UpdatedAt || got.CreatedAt != before.CreatedAt {
				t.Errorf("updated_at went from %d to %d, created_at from %d to %d", before.UpdatedAt, got.UpdatedAt, before.CreatedAt, got.CreatedAt)
			}
			same(t, "Alert after the update", got, must(s.Alert(ctx, org, v.ID))(t))
			return got
		}
		ids := func(v *tidemark.Alert) (ids []int64) {
			for _, c := range v.Conditions {
				ids = append(ids, c.ID)
			}
			return ids
		}

		// Sent back as they were, conditions keep their ids; services stay.
		u := keepConditions(v)
		u.Active = tidemark.Some(false)
		got := update(u)
		same(t, "condition ids", ids(v), ids(got))
		same(t, "services", []*tidemark.Service{mail, chat}, got.Services)
		if got.Active {
			t.Error("still active")
		}

		// In another order, with a new one, a foreign id and one id twice.
		sent := []tidemark.Condition{v.Conditions[1], above("cpu", 9), v.Conditions[0], v.Conditions[0], v.Conditions[0]}
		sent[4].ID = v.Conditions[2].ID + 1000
		got = update(tidemark.AlertUpdate{Conditions: tidemark.Some(sent)})
		was, is := ids(v), ids(got)
		if is[0] != was[1] || is[2] != was[0] {
			t.Errorf("ids %v became %v", was, is)
		}
		for i, id := range []int64{is[1], is[3], is[4]} {
			if slices.Contains(was, id) || id <= 0 || id == sent[4].ID {
				t.Errorf("new condition %d has id %d", i, id)
			}
		}
		slices.Sort(is)
		same(t, "ids that are there once", is, slices.Compact(slices.Clone(is)))

		// Services in another order, and none.
		u = keepConditions(got)
		u.Services = tidemark.Some(tidemark.ServiceRefs{chat.ID, mail.ID})
		same(t, "services", []*tidemark.Service{chat, mail}, update(u).Services)
		u.Services = tidemark.Some(tidemark.ServiceRefs{})
		same(t, "services", []*tidemark.Service{}, update(u).Services)

		// Conditions left out are gone, attributes and the rest stay.
		u = tidemark.AlertUpdate{Attributes: tidemark.Some(map[string]any{"runbook_url": "https://x.example"})}
		same(t, "conditions", []tidemark.Condition{}, update(u).Conditions)
		same(t, "attributes", map[string]any{"runbook_url": "https://x.example"}, update(tidemark.AlertUpdate{}).Attributes)
		update(tidemark.AlertUpdate{Name: tidemark.Some("high")}) // its own name is free for it
	})
}

// An alert whose metric was deleted can still be changed, but for what it watches.
func TestAlertWithoutMetric(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, s, org, "CPU")
		v := addAlert(t, s, org, "high", above("cpu", 1))
		ok(t, s.DeleteMetric(ctx, org, operator, "cpu"))
		u := keepConditions(v)
		u.Active = tidemark.Some(false)
		must(s.UpdateAlert(ctx, org, operator, v.ID, u.Apply))(t)
		u.Conditions.V = append(u.Conditions.V, above("Disk.Free", 1))
		checkFields(t, errOf(s.UpdateAlert(ctx, org, operator, v.ID, u.Apply)), "conditions.metric_name", "Disk.Free does not exist")
	})
}

func TestAlertErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		addMetrics(t, s, org, "cpu")
		addMetrics(t, s, other, "theirs")
		mine, theirs := addService(t, s, org, "mine"), addService(t, s, other, "theirs")
		v := newAlert("high", above("cpu", 1))
		v.ServiceIDs = []int64{mine.ID}
		ok(t, s.CreateAlert(ctx, org, operator, v))
		addAlert(t, s, org, "low")
		ok(t, s.CreateAlert(ctx, other, operator, newAlert("high"))) // names are each organization's own
		rename := func(name string) func(*tidemark.Alert) { return func(v *tidemark.Alert) { v.Name = name } }
		with := func(ids ...int64) *tidemark.Alert {
			v := newAlert("with services")
			v.ServiceIDs = ids
			return v
		}
		create := func(v *tidemark.Alert) func() error {
			return func() error { return s.CreateAlert(ctx, org, operator, v) }
		}
		k := func(alert, service int64) tidemark.AttachmentKey {
			return tidemark.AttachmentKey{Alert: alert, Service: service}
		}
		checkKinds(t, []wrong{
			{"no such alert", func() error { return errOf(s.Alert(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Alert(ctx, other, v.ID)) }, tidemark.NotFound},
			{"no such name", func() error { return errOf(s.AlertByName(ctx, org, "HIGH")) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateAlert(ctx, other, operator, v.ID, rename("x"))) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteAlert(ctx, other, operator, v.ID) }, tidemark.NotFound},
			{"delete nothing", func() error { return s.DeleteAlert(ctx, org, operator, 999) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateAlert(ctx, 999, operator, newAlert("x")) }, tidemark.NotFound},
			{"without name", create(newAlert("")), tidemark.Invalid},
			{"a name with a slash", create(newAlert("a/b")), tidemark.Invalid},
			{"above nothing", create(newAlert("x", tidemark.Condition{Type: tidemark.Above, MetricName: "cpu"})), tidemark.Invalid},
			{"a metric that does not exist", create(newAlert("x", above("cpu", 1), above("nope", 1))), tidemark.Invalid},
			{"a metric of another org", create(newAlert("x", above("theirs", 1))), tidemark.Invalid},
			{"a service that does not exist", create(with(mine.ID, 999)), tidemark.Invalid},
			{"a service of another org", create(with(theirs.ID)), tidemark.Invalid},
			{"twice the same name", create(newAlert("high")), tidemark.Conflict},
			{"rename to another's", func() error { return errOf(s.UpdateAlert(ctx, org, operator, v.ID, rename("low"))) }, tidemark.Conflict},
			{"update to no name", func() error { return errOf(s.UpdateAlert(ctx, org, operator, v.ID, rename(""))) }, tidemark.Invalid},
			{"attach to nothing", func() error { return s.AttachService(ctx, org, operator, k(999, mine.ID)) }, tidemark.NotFound},
			{"attach in another org", func() error { return s.AttachService(ctx, other, operator, k(v.ID, theirs.ID)) }, tidemark.NotFound},
			{"attach another org's", func() error { return s.AttachService(ctx, org, operator, k(v.ID, theirs.ID)) }, tidemark.Invalid},
			{"attach nothing", func() error { return s.AttachService(ctx, org, operator, k(v.ID, 999)) }, tidemark.Invalid},
			{"detach in another org", func() error { return s.DetachService(ctx, other, operator, k(v.ID, mine.ID)) }, tidemark.NotFound},
			{"detach what is not there", func() error { return s.DetachService(ctx, org, operator, k(v.ID, theirs.ID)) }, tidemark.NotFound},
			{"status of another org", func() error { return errOf(s.AlertStatus(ctx, other, v.ID)) }, tidemark.NotFound},
		})
		same(t, "untouched", v, must(s.Alert(ctx, org, v.ID))(t))
		checkFields(t, s.CreateAlert(ctx, org, operator, newAlert("high")), "name", "is already taken")
		checkFields(t, s.CreateAlert(ctx, org, operator, newAlert("x", above("Nope", 1))), "conditions.metric_name", "Nope does not exist")
		checkFields(t, s.CreateAlert(ctx, org, operator, with(999)), "services", "999 does not exist")
		checkFields(t, s.AttachService(ctx, org, operator, k(v.ID, 999)), "service", "999 does not exist")
		checkList(t, alertName, 2, 2, "high", "low")(s.Alerts(ctx, org, tidemark.Page{}))
	})
}

func TestAttachService(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v := addAlert(t, s, org, "high")
		a, b, c := addService(t, s, org, "a"), addService(t, s, org, "b"), addService(t, s, org, "c")
		check := func(want ...*tidemark.Service) {
			t.Helper()
			same(t, "services", append([]*tidemark.Service{}, want...), must(s.Alert(ctx, org, v.ID))(t).Services)
		}
		for _, id := range []int64{c.ID, a.ID, b.ID, a.ID} { // one of them twice
			ok(t, s.AttachService(ctx, org, operator, tidemark.AttachmentKey{Alert: v.ID, Service: id}))
		}
		check(c, a, b)
		ok(t, s.DetachService(ctx, org, operator, tidemark.AttachmentKey{Alert: v.ID, Service: a.ID}))
		check(c, b)
		ok(t, s.AttachService(ctx, org, operator, tidemark.AttachmentKey{Alert: v.ID, Service: a.ID}))
		check(c, b, a)
		ok(t, s.DeleteService(ctx, org, operator, c.ID))
		check(b, a)
		if after := must(s.Alert(ctx, org, v.ID))(t); after.UpdatedAt != v.UpdatedAt {
			t.Error("attaching a service counts as an edit of the alert")
		}
	})
}

func TestAlertList(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { now++; return now })
		addMetrics(t, s, org, "cpu")
		var all []*tidemark.Alert
		for i := range 5 {
			v := newAlert(fmt.Sprintf("disk %d", 5-i), above("cpu", float64(i)))
			for j := range i {
				v.ServiceIDs = append(v.ServiceIDs, addService(t, s, org, fmt.Sprintf("%d.%d", i, 9-j)).ID)
			}
			ok(t, s.CreateAlert(ctx, org, operator, v))
			all = append(all, v)
		}
		list, _, err := s.Alerts(ctx, org, tidemark.Page{})
		ok(t, err)
		same(t, "Alerts with their services", all, list)

		must(s.UpdateAlert(ctx, org, operator, all[0].ID, keepConditions(all[0]).Apply))(t)
		f := func(p tidemark.Page, found int, want ...string) {
			t.Helper()
			checkList(t, alertName, found, 5, want...)(s.Alerts(ctx, org, p))
		}
		f(tidemark.Page{}, 5, "disk 4", "disk 3", "disk 2", "disk 1", "disk 5") // the last one changed comes last
		f(tidemark.Page{OrderBy: "updated_at", Desc: true, Length: 1}, 5, "disk 5")
		f(tidemark.Page{OrderBy: "name", Length: 2}, 5, "disk 1", "disk 2")
		f(tidemark.Page{OrderBy: "id", Length: 2}, 5, "disk 5", "disk 4")
		f(tidemark.Page{Name: "K 3"}, 1, "disk 3")
		f(tidemark.Page{Name: "disk*1"}, 1, "disk 1")
		f(tidemark.Page{Offset: 5}, 5)
		addAlert(t, s, org, "a disk 3")
		must(s.UpdateAlert(ctx, org, operator, all[2].ID, keepConditions(all[2]).Apply))(t)
		checkList(t, alertName, 2, 6, "disk 3", "a disk 3")(s.Alerts(ctx, org, tidemark.Page{Name: "Disk 3"})) // the exact one first
	})
}

// setStatus makes an alert of org stand where v says.
func setStatus(t testing.TB, s *store.Store, org tidemark.OrgID, v store.AlertStatus) {
	t.Helper()
	w := must(s.WatchedAlert(t.Context(), org, v.Alert))(t)
	w.State.Firing, w.State.TriggeredAt, w.State.ClearedAt = v.Firing, v.TriggeredAt, v.ClearedAt
	change := &tidemark.StateChange{Org: org, Alert: w.Alert, State: w.State}
	ok(t, s.SaveStates(t.Context(), []*tidemark.StateChange{change}))
	if !change.Saved {
		t.Fatal("the state was not saved")
	}
}

func TestAlertStatus(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		a, b := addAlert(t, s, org, "a"), addAlert(t, s, org, "b")
		addAlert(t, s, org, "never fires")
		other := addOrg(t, s, "other")
		setStatus(t, s, other, store.AlertStatus{Alert: addAlert(t, s, other, "x").ID, Firing: true, TriggeredAt: 5})
		same(t, "never fired", &store.AlertStatus{Alert: a.ID}, must(s.AlertStatus(ctx, org, a.ID))(t))
		same(t, "nothing", []*store.AlertStatus{}, must(s.AlertStatuses(ctx, org, 0))(t))

		firing := store.AlertStatus{Alert: a.ID, Firing: true, TriggeredAt: 100, ClearedAt: 50}
		cleared := store.AlertStatus{Alert: b.ID, TriggeredAt: 90, ClearedAt: 200}
		setStatus(t, s, org, firing)
		setStatus(t, s, org, cleared)
		same(t, "firing", &firing, must(s.AlertStatus(ctx, org, a.ID))(t))
		same(t, "cleared", &cleared, must(s.AlertStatus(ctx, org, b.ID))(t))
		same(t, "both", []*store.AlertStatus{&firing, &cleared}, must(s.AlertStatuses(ctx, org, 200))(t))
		same(t, "cleared long ago", []*store.AlertStatus{&firing}, must(s.AlertStatuses(ctx, org, 201))(t))
		same(t, "since ever", []*store.AlertStatus{&firing, &cleared}, must(s.AlertStatuses(ctx, org, -5))(t))

		ok(t, s.DeleteAlert(ctx, org, operator, a.ID))
		same(t, "deleted", []*store.AlertStatus{&cleared}, must(s.AlertStatuses(ctx, org, 0))(t))
	})
}

// TestUpdatedNow: clients tell versions by their time, which is never one that
// is still far away.
func TestUpdatedNow(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		addMetrics(t, s, org, "cpu")
		v := addAlert(t, s, org, "high")
		update := func() int64 {
			t.Helper()
			return must(s.UpdateAlert(t.Context(), org, operator, v.ID, func(*tidemark.Alert) {}))(t).UpdatedAt
		}
		same(t, "within the second in which it was made", now+1, update())
		for range 5 {
			same(t, "again", now+1, update())
		}
		now += 10
		same(t, "later", now, update())
	})
}

// TestAlertsBeforeMetrics: an alert names metrics that exist, unless its
// organization says that they may come later.
func TestAlertsBeforeMetrics(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		create := func(org tidemark.OrgID) error {
			return s.CreateAlert(ctx, org, operator, newAlert("early", above("later", 1)))
		}
		checkKinds(t, []wrong{{"before it is allowed", func() error { return create(org) }, tidemark.Invalid}})
		must(s.UpdateOrg(ctx, org, operator, func(o *tidemark.Org) { o.AlertsBeforeMetrics = true }))(t)
		ok(t, create(org))
		checkKinds(t, []wrong{{"in another organization", func() error { return create(other) }, tidemark.Invalid}})
	})
}
