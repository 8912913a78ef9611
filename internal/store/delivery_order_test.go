package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// outbox plays the deliveries of an alert that fires twice to a service.
type outbox struct {
	*life
	t *testing.T
}

// twice has an alert fire, clear and fire again, with a service of a type. The
// first trigger is delivered at 1000.
func twice(t *testing.T, s *store.Store, org tidemark.OrgID, kind string) outbox {
	t.Helper()
	service := &tidemark.Service{Type: kind, Title: "ops", Settings: map[string]string{
		"url": "https://hooks.example.org/s3cret", "service_key": "k", "event_type": "trigger", "description": "d",
		"project": "OPS", "user": "u", "api_token": "t",
	}}
	ok(t, s.CreateService(t.Context(), org, operator, service))
	o := outbox{newLife(t, s, org, service.ID), t}
	o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
	o.finish(o.one(1000, "trigger"), tidemark.DeliveryDelivered, 1000, 0)
	o.save(tidemark.Cleared, tidemark.NoticeClear, 1100)
	return o
}

// one takes what is due, which is one of a kind.
func (o outbox) one(now int64, kind string) *tidemark.Delivery {
	o.t.Helper()
	got := o.take(now)
	if keys(got) != kind {
		o.t.Fatalf("at %d: took %q, want %q", now, keys(got), kind)
	}
	return got[0]
}

func (o outbox) none(now int64) {
	o.t.Helper()
	same(o.t, fmt.Sprint("taken at ", now), "", keys(o.take(now)))
}

func (o outbox) finish(d *tidemark.Delivery, status string, now, due int64) {
	o.t.Helper()
	ok(o.t, o.s.Finish(o.t.Context(), &tidemark.Outcome{Delivery: d.ID, Status: status, DueAt: due, Attempt: tidemark.Attempt{At: now, OK: status == tidemark.DeliveryDelivered}}))
}

// statuses are how all deliveries stand, oldest first.
func (o outbox) statuses() string {
	o.t.Helper()
	all, _, err := o.s.AlertDeliveries(o.t.Context(), o.org, o.alert.ID, tidemark.Page{})
	ok(o.t, err)
	got := ""
	for _, d := range all {
		got = d.Kind + " " + d.Status + ", " + got
	}
	return got
}

// TestLateClear: the end of an incident never comes after the news of the next
// one of the alert, whatever happened to it before.
func TestLateClear(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		const both = "trigger delivered, clear superseded, trigger delivered, "
		for name, play := range map[string]func(t *testing.T, o outbox){
			"put off for an hour": func(t *testing.T, o outbox) {
				o.finish(o.one(1100, "clear"), tidemark.DeliveryWaiting, 1100, 4700)
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1200)
				o.finish(o.one(1200, "trigger"), tidemark.DeliveryDelivered, 1200, 0)
				same(t, "deliveries", both, o.statuses())
				o.none(5000)
			},
			"the trigger fails, too": func(t *testing.T, o outbox) {
				o.finish(o.one(1100, "clear"), tidemark.DeliveryWaiting, 1100, 1300)
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1200)
				o.finish(o.one(1200, "trigger"), tidemark.DeliveryWaiting, 1200, 1400)
				same(t, "deliveries", "trigger delivered, clear superseded, trigger waiting, ", o.statuses())
				o.none(1300)
				o.finish(o.one(1400, "trigger"), tidemark.DeliveryDelivered, 1400, 0)
				same(t, "deliveries", both, o.statuses())
			},
			"under way": func(t *testing.T, o outbox) {
				clear := o.one(1100, "clear")
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1110)
				o.none(1110)
				o.finish(clear, tidemark.DeliveryWaiting, 1115, 1125)
				trigger := o.one(1115, "trigger")
				o.none(1130) // the end waits for it
				o.finish(trigger, tidemark.DeliveryDelivered, 1130, 0)
				same(t, "deliveries", both, o.statuses())
			},
			"under way, and arrives": func(t *testing.T, o outbox) {
				clear := o.one(1100, "clear")
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1110)
				o.finish(clear, tidemark.DeliveryDelivered, 1115, 0)
				o.finish(o.one(1115, "trigger"), tidemark.DeliveryDelivered, 1115, 0)
				same(t, "deliveries", "trigger delivered, clear delivered, trigger delivered, ", o.statuses())
			},
			"neither was tried": func(t *testing.T, o outbox) {
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1100)
				o.finish(o.one(1200, "clear"), tidemark.DeliveryDelivered, 1200, 0)
				o.finish(o.one(1200, "trigger"), tidemark.DeliveryDelivered, 1200, 0)
			},
			"cut off by a crash": func(t *testing.T, o outbox) {
				o.one(1100, "clear")
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1110)
				o.finish(o.one(1140, "clear"), tidemark.DeliveryWaiting, 1140, 1150)
				o.one(1140, "trigger") // and that is cut off
				o.none(1160)
				o.none(1175) // the end is found superseded first
				o.finish(o.one(1176, "trigger"), tidemark.DeliveryDelivered, 1176, 0)
				same(t, "deliveries", both, o.statuses())
			},
			"repeated by hand": func(t *testing.T, o outbox) {
				clear := o.one(1100, "clear")
				o.finish(clear, tidemark.DeliveryFailed, 1100, 0)
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1200)
				o.finish(o.one(1200, "trigger"), tidemark.DeliveryDelivered, 1200, 0)
				ok(t, o.s.RetryDelivery(t.Context(), o.org, operator, clear.ID, 1300))
				o.none(1300)
				same(t, "deliveries", both, o.statuses())
				same(t, "by hand again", tidemark.Conflict, tidemark.KindOf(o.s.RetryDelivery(t.Context(), o.org, operator, clear.ID, 1300)))
			},
		} {
			t.Run(name, func(t *testing.T) { play(t, twice(t, s, addOrg(t, s, name), "webhook")) })
		}
	})
}

// TestLateTrigger: an incident that nobody could be notified of in time is not
// told of after the next one, and holds that up no longer than it must.
func TestLateTrigger(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		service := addService(t, s, org, "ops")
		o := outbox{newLife(t, s, org, service.ID), t}
		o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		o.finish(o.one(1000, "trigger"), tidemark.DeliveryWaiting, 1000, 4600)
		o.save(tidemark.Cleared, tidemark.NoticeClear, 1100)
		o.none(1100)
		o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1200)
		o.finish(o.one(1200, "trigger"), tidemark.DeliveryDelivered, 1200, 0)
		same(t, "deliveries", "trigger superseded, clear superseded, trigger delivered, ", o.statuses())
		o.save(tidemark.Cleared, tidemark.NoticeClear, 1300)
		o.finish(o.one(1300, "clear"), tidemark.DeliveryDelivered, 1300, 0)
		o.none(9999)
	})
}

// TestClearByIncident: a receiver that goes by the incident is told of the end
// of each, before the next one where that can be.
func TestClearByIncident(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		for _, kind := range []string{"pagerduty", "jira", "alertmanager"} {
			t.Run(kind, func(t *testing.T) {
				o := twice(t, s, addOrg(t, s, kind), kind)
				o.finish(o.one(1100, "clear"), tidemark.DeliveryWaiting, 1100, 4700)
				o.save(tidemark.Triggered, tidemark.NoticeTrigger, 1200)
				o.finish(o.one(1200, "clear"), tidemark.DeliveryWaiting, 1200, 1300)
				o.finish(o.one(1200, "trigger"), tidemark.DeliveryDelivered, 1200, 0)
				o.finish(o.one(1300, "clear"), tidemark.DeliveryDelivered, 1300, 0)
				same(t, "deliveries", "trigger delivered, clear delivered, trigger delivered, ", o.statuses())
			})
		}
	})
}
