package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// fillOutbox adds n waiting deliveries of an organization, each of an incident of
// its own.
func fillOutbox(t *testing.T, s *store.Store, org tidemark.OrgID, n int, now int64) {
	t.Helper()
	must(s.EnsureMetrics(t.Context(), org, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}))(t)
	service := addService(t, s, org, "ops")
	for i := range n {
		a := newAlert(fmt.Sprint("a", i), above("cpu", 1))
		a.ServiceIDs = []int64{service.ID}
		ok(t, s.CreateAlert(t.Context(), org, operator, a))
		fire(t, s, org, a, now)
	}
}

// fire has an alert trigger and notify its services.
func fire(t *testing.T, s *store.Store, org tidemark.OrgID, a *tidemark.Alert, now int64) {
	t.Helper()
	n := tidemark.NewNotice(org, a, nil)
	n.Kind = tidemark.NoticeTrigger
	ok(t, s.SaveStates(t.Context(), []*tidemark.StateChange{{
		Org: org, Alert: a, Now: now, State: tidemark.AlertState{Firing: true, Conditions: "c", TriggeredAt: now},
		Transition: tidemark.AlertTransition{Kind: tidemark.Triggered, Notify: true},
		Incident:   &tidemark.Incident{Alert: a.ID, TriggeredAt: now, Violations: []tidemark.Violation{}}, Notice: n,
	}}))
}

// TestTakeDueSharesEvenly has one organization with many older deliveries: the
// other gets its share of what is taken.
func TestTakeDueSharesEvenly(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, many tidemark.OrgID) {
		few := addOrg(t, s, "few")
		fillOutbox(t, s, many, 12, 100)
		fillOutbox(t, s, few, 2, 200)
		take := func(q tidemark.DueQuery) map[tidemark.OrgID]int {
			counts := map[tidemark.OrgID]int{}
			for _, d := range must(s.TakeDue(t.Context(), q))(t) {
				counts[d.Org]++
			}
			return counts
		}
		if got := take(tidemark.DueQuery{Now: 300, Until: 330, Limit: 4}); got[many] != 2 || got[few] != 2 {
			t.Errorf("taken %v, want two of each", got)
		}
		if got := take(tidemark.DueQuery{Now: 300, Until: 330, Limit: 4}); got[many] != 4 {
			t.Errorf("taken %v, want what is left to be used", got)
		}
		if got := take(tidemark.DueQuery{Now: 300, Until: 330, Limit: 4, Orgs: []tidemark.OrgID{many}}); len(got) != 0 {
			t.Errorf("taken %v of an organization that is to be left alone", got)
		}
	})
}

// TestRewindDeliveries makes those due again that a clock which was ahead has
// put off.
func TestRewindDeliveries(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		fillOutbox(t, s, org, 1, 90_000)
		ok(t, s.RewindDeliveries(t.Context(), 1000, 5000))
		got := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 1000, Until: 1030, Limit: 4}))(t)
		if len(got) != 1 || got[0].StartedAt != 1000 {
			t.Errorf("taken %+v", got)
		}
		// What is merely taken by somebody stays theirs.
		ok(t, s.RewindDeliveries(t.Context(), 1000, 5000))
		if got := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 1000, Until: 1030, Limit: 4}))(t); len(got) != 0 {
			t.Errorf("taken again %+v", got)
		}
	})
}

func TestDeliveryBacklog(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		if got := must(s.DeliveryBacklog(t.Context()))(t); *got != (tidemark.DeliveryBacklog{}) {
			t.Errorf("of an empty outbox: %+v", got)
		}
		fillOutbox(t, s, org, 2, 100)
		taken := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 100, Until: 130, Limit: 1}))(t)
		ok(t, s.Finish(t.Context(), &tidemark.Outcome{Delivery: taken[0].ID, Status: tidemark.DeliveryWaiting, DueAt: 200}))
		if got := must(s.DeliveryBacklog(t.Context()))(t); *got != (tidemark.DeliveryBacklog{Waiting: 2, Retrying: 1, Oldest: 100}) {
			t.Errorf("%+v", got)
		}
	})
}

// TestUnreadableNotice: a delivery whose notice cannot be read is taken with
// the reason, can be finished and listed, and keeps nobody else's from being
// taken.
func TestUnreadableNotice(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, bad tidemark.OrgID) {
		good := addOrg(t, s, "good")
		fillOutbox(t, s, bad, 1, 100)
		fillOutbox(t, s, good, 1, 100)
		for _, text := range []string{`{"time":"yesterday"}`, `null`, `{`} {
			ok(t, store.SpoilNotices(t.Context(), s, bad, text))
			ok(t, s.RewindDeliveries(t.Context(), 200, 200)) // due again
			taken := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 300, Until: 330, Limit: 4}))(t)
			if len(taken) != 2 {
				t.Fatalf("%s: %d are taken", text, len(taken))
			}
			for _, d := range taken {
				if (d.Unreadable != "") != (d.Org == bad) || d.Notice == nil {
					t.Errorf("%s: organization %d: %q, %+v", text, d.Org, d.Unreadable, d.Notice)
				}
			}
		}
		list := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 400, Until: 430, Limit: 4, Orgs: []tidemark.OrgID{good}}))(t)
		d := list[0]
		ok(t, s.Finish(t.Context(), &tidemark.Outcome{Delivery: d.ID, Status: tidemark.DeliveryFailed, Attempt: tidemark.Attempt{At: 401, Answer: "the notification cannot be read"}}))
		of, _, err := s.ServiceDeliveries(t.Context(), bad, d.Service, tidemark.Page{})
		ok(t, err)
		same(t, "the owner sees", []string{tidemark.DeliveryFailed, "the notification cannot be read"}, []string{of[0].Status, of[0].Attempts[0].Answer})
	})
}
