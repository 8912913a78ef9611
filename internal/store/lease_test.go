package store_test

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestLease follows a lease from one holder to the next, and what the one who
// lost it may no longer do.
func TestLease(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx, a, b := t.Context(), stores[0], stores[1]
		renew := func(s *store.Store, mine store.Lease, ttl time.Duration, want bool) store.Lease {
			t.Helper()
			lease, held, err := s.TakeLease(ctx, mine, ttl)
			ok(t, err)
			if held != want {
				t.Errorf("%+v is held: %v, want %v: %+v", mine, held, want, lease)
			}
			return lease
		}
		take := func(s *store.Store, holder string, ttl time.Duration, want bool) store.Lease {
			t.Helper()
			return renew(s, store.Lease{Name: "alerts", Holder: holder}, ttl, want)
		}
		first := take(a, "a", time.Hour, true)
		if other := take(b, "b", time.Hour, false); other.Holder != "a" {
			t.Errorf("the lease of another is %+v", other)
		}
		if again := renew(a, first, -10*time.Second, true); again.Fence != first.Fence { // renewed, and it expires
			t.Errorf("renewing changes the fence from %d to %d", first.Fence, again.Fence)
		}
		ok(t, a.SetEngineMark(ctx, first, "hours", 5)) // nobody has taken over yet
		second := take(b, "b", time.Hour, true)
		if second.Fence <= first.Fence {
			t.Errorf("fence %d after %d", second.Fence, first.Fence)
		}
		if err := a.SetEngineMark(ctx, first, "hours", 6); tidemark.KindOf(err) != tidemark.Conflict {
			t.Errorf("who lost the lease could save: %v", err)
		}
		if mark := must(b.EngineMark(ctx, "hours"))(t); mark != 5 {
			t.Errorf("the mark is %d, want 5", mark)
		}
		ok(t, a.ReleaseLease(ctx, first)) // not its own any more
		take(a, "a", time.Hour, false)
		ok(t, b.ReleaseLease(ctx, second))
		if held := must(b.Leases(ctx))(t); len(held) != 1 || held[0].Holder != "" {
			t.Errorf("leases that were released: %+v", held)
		}
		lost := take(a, "a", time.Hour, true)
		third := take(b, "a", time.Hour, true) // started again
		if third.Fence <= lost.Fence {
			t.Errorf("fence %d of a process that replaces one of fence %d", third.Fence, lost.Fence)
		}
		if other := renew(a, lost, time.Hour, false); other != third { // the former process, which was frozen
			t.Errorf("the lease is %+v, want %+v", other, third)
		}
		if held := must(b.Leases(ctx))(t); len(held) != 1 || *held[0] != third {
			t.Errorf("leases: %+v, want %+v", held, third)
		}
	})
}

// TestSaveStatesUnder has one who lost a lease try to trigger an alert.
func TestSaveStatesUnder(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx, a, b := t.Context(), stores[0], stores[1]
		own := furnish(t, a, org)
		lost, _, err := a.TakeLease(ctx, store.Lease{Name: "alerts", Holder: "a"}, -10*time.Second)
		ok(t, err)
		held, _, err := b.TakeLease(ctx, store.Lease{Name: "alerts", Holder: "b"}, time.Hour)
		ok(t, err)
		status := must(a.AlertStatus(ctx, org, own.alert.ID))(t)
		watched := must(a.WatchedAlerts(ctx))(t)
		change := func() []*tidemark.StateChange {
			state := watched[0].State
			state.Firing, state.TriggeredAt = !status.Firing, 9
			return []*tidemark.StateChange{{Org: org, Alert: own.alert, State: state, Now: 9}}
		}
		if err := a.SaveStatesUnder(ctx, lost, change()); tidemark.KindOf(err) != tidemark.Conflict {
			t.Errorf("who lost the lease could save: %v", err)
		}
		if now := must(a.AlertStatus(ctx, org, own.alert.ID))(t); now.Firing != status.Firing {
			t.Errorf("the alert is %+v, was %+v", now, status)
		}
		saved := change()
		ok(t, b.SaveStatesUnder(ctx, held, saved))
		if !saved[0].Saved {
			t.Error("who holds the lease could not save")
		}
	})
}
