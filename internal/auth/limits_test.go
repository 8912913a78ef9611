package auth

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// TestManyNames: one address that tries many people has to wait, whoever it
// tries to be next; others do not.
func TestManyNames(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	for i := range 50 {
		if !wrong.take(fmt.Sprintf("p%d@example.org", i), "192.0.2.1", now) {
			t.Fatalf("refused after %d", i)
		}
	}
	if wrong.open("192.0.2.1", now) || wrong.take("ann@example.org", "192.0.2.1", now) {
		t.Error("the 51st is allowed")
	}
	if !wrong.open("198.51.100.7", now) || !wrong.take("ann@example.org", "198.51.100.7", now) {
		t.Error("refused from elsewhere")
	}
	if !wrong.take("ann@example.org", "192.0.2.1", now.Add(2*time.Minute)) {
		t.Error("refused two minutes later")
	}
}

// TestManyAddresses: one person who is tried from everywhere is protected too.
func TestManyAddresses(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	allowed := 0
	for i := range 100 {
		if wrong.take("ann@example.org", fmt.Sprintf("192.0.2.%d", i), now) {
			allowed++
		}
	}
	if allowed != 20 {
		t.Errorf("%d tries from 100 addresses are allowed", allowed)
	}
}

// TestLinksOfNotifications: one link is for a few notes an hour, and one
// address for those of a few links, before it is known whether they work.
func TestLinksOfNotifications(t *testing.T) {
	t.Parallel()
	now := time.Now()
	a := New(nil, func() time.Time { return now })
	count := func(may func(string, Browser) error, link func(int) string, from func(int) string) (n int) {
		for i := range 500 {
			if may(link(i), Browser{Address: from(i)}) == nil {
				n++
			}
		}
		return n
	}
	one, each := func(int) string { return "x" }, func(i int) string { return fmt.Sprintf("k%d", i) }
	here, anywhere := func(int) string { return "192.0.2.1" }, func(i int) string { return fmt.Sprintf("198.51.100.%d", i%250) }
	for name, got := range map[string][2]int{
		"notes with a link":        {count(a.MayNote, one, anywhere), 20},
		"notes from an address":    {count(a.MayNote, each, here), 120},
		"looks with a link":        {count(a.MayLook, one, anywhere), 60},
		"looks from an address":    {count(a.MayLook, each, here), 240},
		"notes with a link, later": {func() int { now = now.Add(time.Hour); return count(a.MayNote, one, anywhere) }(), 20},
		"looks with a link, later": {count(a.MayLook, one, anywhere), 60},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %d are allowed, want %d", name, got[0], got[1])
		}
	}
}

// TestNowAndThen: somebody who goes on trying every two minutes keeps nobody
// out for long, neither one person nor all who share an address.
func TestNowAndThen(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	for i := range 60 {
		wrong.take(fmt.Sprintf("p%d@example.org", i), "192.0.2.1", now)
		wrong.take("ann@example.org", "192.0.2.1", now)
	}
	for range 20 {
		now = now.Add(2 * time.Minute)
		wrong.take("p1@example.org", "192.0.2.1", now)
		wrong.take("ann@example.org", "192.0.2.1", now)
		for _, name := range []string{"ann@example.org", "bob@example.org"} {
			if !wrong.take(name, "192.0.2.1", now) {
				t.Fatalf("%s is kept out", name)
			}
			wrong.giveBack(name, "192.0.2.1", now)
		}
	}
}

// TestNamesAreNoAddresses: a name that looks like an address is none.
func TestNamesAreNoAddresses(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	for _, name := range []string{"@203.0.113.7", "203.0.113.7"} {
		for i := range 60 {
			wrong.take(name, fmt.Sprintf("192.0.2.%d", i), now)
		}
	}
	for i := range 45 {
		if !wrong.take(fmt.Sprint(i), "203.0.113.7", now) {
			t.Fatalf("refused after %d", i)
		}
	}
}

// TestNetworks: somebody who has an IPv6 network cannot try from each of its
// addresses.
func TestNetworks(t *testing.T) {
	t.Parallel()
	wrong, now := &New(nil, nil).wrong, time.Now()
	for i := range 50 {
		wrong.take(fmt.Sprint(i), fmt.Sprintf("2001:db8::%x", i), now)
	}
	if wrong.take("ann", "2001:db8::ffff", now) {
		t.Error("the 51st of one network is allowed")
	}
	if !wrong.take("ann", "2001:db8:0:1::1", now) {
		t.Error("refused from another network")
	}
}

// TestTriesAreBounded: what is remembered of those who guess has an end.
func TestTriesAreBounded(t *testing.T) {
	t.Parallel()
	tr := &tries{perName: limit{5, time.Minute}, perHost: limit{50, time.Minute}}
	for i := range maxTracked + 10 {
		tr.take(fmt.Sprint(i), fmt.Sprint(i), time.Now())
	}
	if len(tr.used) > maxTracked+2 {
		t.Errorf("%d are remembered", len(tr.used))
	}
}

// TestHashingWaits: no more passwords are hashed at once than there is room
// for, and whoever waits can give up.
func TestHashingWaits(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	a := New(st, nil)
	if cap(a.hashing) == 0 {
		t.Fatal("there is no bound")
	}
	for range cap(a.hashing) {
		if err := a.hashing.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func() error{
		"hash":    func() error { _, err := a.HashPassword(gone, "correct horse"); return err },
		"sign in": func() error { _, err := a.prove(gone, "ann@example.org", "x", Browser{}); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A link that does not work costs no hash.
	if err := a.ResetPassword(t.Context(), "nosuch", "correct horse", Browser{}); tidemark.KindOf(err) != tidemark.NotFound || err == nil {
		t.Errorf("reset: %v", err)
	}
	a.hashing.leave()
	if _, err := a.HashPassword(t.Context(), "correct horse"); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
