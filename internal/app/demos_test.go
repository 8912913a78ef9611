package app

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/demo"
)

// openDemos opens a server with one person, whose demos run until the test
// ends.
func openDemos(t *testing.T) (*rooms, int64) {
	t.Helper()
	cfg := settings(t, map[string]string{"bootstrap_token": bootstrap})
	log := slog.New(slog.DiscardHandler)
	unlock, err := Lock(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	rm, err := open(t.Context(), cfg, log, &meters{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Bootstrap(t.Context(), rm.store, cfg.Bootstrap); err != nil {
		t.Fatal(err)
	}
	owner := &tidemark.User{Email: "owner@example.org"}
	if err := rm.store.CreateUser(t.Context(), tidemark.ServerActor(), owner); err != nil {
		t.Fatal(err)
	}
	rm.demos.History = 8 * time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- rm.demos.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		rm.close(log)
	})
	return rm, owner.ID
}

// wait waits for the demo to be in a state.
func wait(t *testing.T, d *demo.Manager, state string) demo.State {
	t.Helper()
	for range 6000 { // filling one takes a minute where others work, too
		if s := d.State(); s.Stage == state || s.Stage == demo.Failed {
			if s.Stage != state {
				t.Fatalf("%+v", s)
			}
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the demo is %+v", d.State())
	return demo.State{}
}

// TestDemos: a demo that somebody asks for is an organization of its own; it
// leaves the others as they are, and nothing of it is left once it is removed.
func TestDemos(t *testing.T) {
	rm, owner := openDemos(t)
	ctx := t.Context()
	begun, err := rm.demos.Start(ctx, tidemark.ServerActor(), owner)
	if err != nil || begun.Stage != demo.Filling || begun.Org == firstOrgID {
		t.Fatalf("%+v, %v", begun, err)
	}
	if again, err := rm.demos.Start(ctx, tidemark.ServerActor(), owner); err != nil || again.Org != begun.Org {
		t.Fatalf("a second one: %+v, %v", again, err)
	}
	ready := wait(t, rm.demos, demo.Ready)
	if ready.Done != 1 {
		t.Errorf("%+v", ready)
	}
	m, err := rm.store.Membership(ctx, ready.Org, owner)
	if err != nil || m.OrgName != "Demo" || m.Role != tidemark.FullAccess {
		t.Errorf("%+v, %v", m, err)
	}
	checkDemoTokens(t, rm, ready.Org)
	if pins, err := rm.store.Pins(ctx, ready.Org, owner); len(pins) != 4 || err != nil {
		t.Errorf("%d spaces are pinned, %v", len(pins), err)
	}
	if _, n, err := rm.store.Metrics(ctx, firstOrgID, tidemark.Page{Length: 1}); n.Total != 0 || err != nil {
		t.Errorf("the other organization has %d metrics, %v", n.Total, err)
	}
	if incidents, _, err := rm.store.Incidents(ctx, ready.Org, 1, tidemark.Page{Length: 10}); err != nil || len(incidents) != 3 || incidents[0].ClearedAt != nil {
		t.Errorf("%d incidents, %v", len(incidents), err)
	}
	notified, _, err := rm.store.AlertDeliveries(ctx, ready.Org, 1, tidemark.Page{Length: 100})
	if err != nil || len(notified) != 3*5 {
		t.Errorf("%d deliveries, %v", len(notified), err)
	}
	for _, d := range notified {
		if past := d.CreatedAt < time.Now().Unix()-3600; past && (d.Status != tidemark.DeliveryDelivered || len(d.Attempts) != 1 || d.Attempts[0].At != d.CreatedAt+1) {
			t.Errorf("what is over was sent then: %+v", d)
		}
	}
	for id := int64(1); id <= 2; id++ {
		a, err := rm.store.WatchedAlert(ctx, ready.Org, id)
		if err != nil || !a.Alert.Active || !a.State.Firing || a.State.Conditions != tidemark.Fingerprint(a.Alert.Conditions) || len(a.Alert.Conditions) != 1 {
			t.Errorf("alert %d would not be found firing: %+v, %v", id, a, err)
		}
	}
	upper := []byte(`{"measurements":[{"name":"Checkout.Total","value":1}]}`)
	if _, _, err := rm.recorder.Record(ctx, ready.Org, upper, "test"); err != nil {
		t.Fatal(err)
	}
	if err := rm.demos.Remove(ctx, tidemark.ServerActor()); err != nil {
		t.Fatal(err)
	}
	stats, err := rm.engine.Stats(ctx)
	if err != nil || stats.Orgs[ready.Org].Streams != 0 {
		t.Errorf("streams that are left: %+v, %v", stats.Orgs, err)
	}
	if _, err := rm.store.Org(ctx, ready.Org); tidemark.KindOf(err) != tidemark.NotFound || err == nil {
		t.Errorf("the organization is still there: %v", err)
	}
	if s := rm.demos.State(); s != (demo.State{Stage: demo.None}) {
		t.Errorf("%+v", s)
	}
}

// checkDemoTokens looks for what a list of tokens should show: all roles, some
// in use, one that nobody used for long and is about to be forgotten, one that
// expires soon, one that is off.
func checkDemoTokens(t *testing.T, rm *rooms, org tidemark.OrgID) {
	t.Helper()
	found, _, err := rm.store.Tokens(t.Context(), org, tidemark.Page{Length: 100})
	if err != nil || len(found) != 9 {
		t.Fatalf("%d tokens, %v", len(found), err)
	}
	now := time.Now().Unix()
	roles := make(map[tidemark.Role]int)
	var inactive, expiring, unused int
	for _, v := range found {
		roles[v.Role]++
		if v.LastUsedAt == 0 || v.LastUsedAt > now || v.CreatedAt > v.LastUsedAt {
			t.Errorf("%s was made %d and used %d", v.Name, v.CreatedAt, v.LastUsedAt)
		}
		if !v.Active {
			inactive++
		}
		if v.ExpiresAt != 0 && v.ExpiresAt < now+14*86400 {
			expiring++
		}
		if now-v.LastUsedAt > 90*86400 {
			unused++
		}
	}
	if len(roles) != 3 || inactive != 1 || expiring != 1 || unused != 1 {
		t.Errorf("%v, %d inactive, %d expire, %d unused", roles, inactive, expiring, unused)
	}
}

// TestDemoInterrupted: a demo that was not filled to the end is gone after the
// next start.
func TestDemoInterrupted(t *testing.T) {
	rm, _ := openDemos(t)
	ctx := t.Context()
	half, err := rm.store.CreateOrg(ctx, tidemark.ServerActor(), "Demo")
	if err != nil {
		t.Fatal(err)
	}
	if err := rm.store.SetSetting(ctx, "demo", fmt.Appendf(nil, `{"org":%d,"filled":false}`, half.ID)); err != nil {
		t.Fatal(err)
	}
	d := rm.newDemos(slog.New(slog.DiscardHandler))
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.Run(running) }()
	gone := func() bool {
		_, err := rm.store.Org(ctx, half.ID)
		return err != nil && tidemark.KindOf(err) == tidemark.NotFound
	}
	// That it is gone is noted after it went.
	for i := 0; i < 600 && (!gone() || d.State().Stage != demo.None); i++ {
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	if err := <-ended; err != nil || !gone() {
		t.Errorf("the half of a demo is still there: %v", err)
	}
	if s := d.State(); s.Stage != demo.None {
		t.Errorf("%+v", s)
	}
}
