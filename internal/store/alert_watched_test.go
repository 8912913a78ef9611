package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestAlertsByOrganization: a change of one organization's alerts is heard of
// by its evaluator alone, and that loads no others.
func TestAlertsByOrganization(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := must(s.CreateOrg(ctx, operator, "Other"))(t).ID
		ours, theirs := newLife(t, s, org, addService(t, s, org, "ops").ID), newLife(t, s, other, addService(t, s, other, "ops").ID)
		for _, l := range []*life{ours, theirs} {
			l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		}
		before := must(s.AlertsVersions(ctx))(t)
		ok(t, s.ResolveAlert(ctx, other, ann, theirs.alert.ID, 1100))
		after := must(s.AlertsVersions(ctx))(t)
		if before[org] == 0 || before[org] != after[org] || before[other] == after[other] {
			t.Errorf("versions %v, then %v", before, after)
		}
		same(t, "version of one", after[other], must(s.AlertsVersionOf(ctx, other))(t))
		watched := must(s.WatchedAlertsOf(ctx, org))(t)
		if len(watched) != 1 || watched[0].Alert.ID != ours.alert.ID || watched[0].Incident == nil {
			t.Errorf("watched: %+v", watched)
		}
		same(t, "all", 2, len(must(s.WatchedAlerts(ctx))(t)))
	})
}

// TestUnreadableAlert: an alert that cannot be read is there with the reason,
// and keeps no other from being evaluated.
func TestUnreadableAlert(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		bad, good := addAlert(t, s, org, "bad"), addAlert(t, s, org, "good")
		for _, text := range []string{`{`, `[{"threshold":"high"}]`} {
			ok(t, store.SpoilConditions(ctx, s, bad.ID, text))
			watched := must(s.WatchedAlertsOf(ctx, org))(t)
			if len(watched) != 2 {
				t.Fatalf("%s: %d alerts", text, len(watched))
			}
			for _, w := range watched {
				if (w.Unreadable != "") != (w.Alert.ID == bad.ID) || w.Alert.ID == good.ID && w.Alert.Name != "good" {
					t.Errorf("%s: %s: %q, %+v", text, w.Alert.Name, w.Unreadable, w.Alert.Conditions)
				}
			}
		}
	})
}
