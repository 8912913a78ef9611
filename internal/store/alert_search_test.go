package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSearchAlerts: what fires is found first, however many names come before
// it, unless it is snoozed.
func TestSearchAlerts(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		l := newLife(t, s, org)
		for i := range tidemark.MaxPageLength {
			addAlert(t, s, org, fmt.Sprintf("cpu %03d", i), above("cpu", 1))
		}
		first := func(part string) store.FoundAlert {
			found := must(s.SearchAlerts(ctx, org, part, 2))(t)
			if len(found) != 2 {
				t.Fatalf("%d alerts are found", len(found))
			}
			return *found[0]
		}
		same(t, "by name", "cpu 000", first("CPU").Name)
		l.save(tidemark.Triggered, "", 1000)
		want := store.FoundAlert{ID: l.alert.ID, Name: "cpu high", Active: true, Firing: true, TriggeredAt: 1000}
		same(t, "firing", want, first("cpu"))
		ok(t, s.SnoozeAlert(ctx, org, operator, l.alert.ID, &tidemark.Snooze{StartsAt: 1}))
		same(t, "snoozed", "cpu 000", first("").Name)
		found := must(s.SearchAlerts(ctx, org, "high", 2))(t)
		want.Snoozed = true
		same(t, "snoozed, by its name", []*store.FoundAlert{&want}, found)
	})
}
