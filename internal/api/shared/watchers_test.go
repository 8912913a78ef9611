package shared

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestTooManyWatch: pages that watch are counted by organization. Those of one
// that has many are refused, by its limit or because all are taken; another
// organization still gets in.
func TestTooManyWatch(t *testing.T) {
	s := New(Options{})
	limit := int((*tidemark.Limits)(nil).Server(tidemark.LimitListeners))
	enter := func(org tidemark.OrgID) error {
		_, err := s.Watch(org)
		return err
	}
	for org := tidemark.OrgID(1); int(org) <= maxWatching/limit; org++ {
		for range limit {
			if err := enter(org); err != nil {
				t.Fatalf("one of those that may watch is refused: %v", err)
			}
		}
		if err := enter(org); tidemark.KindOf(err) != tidemark.TooMany {
			t.Errorf("one too many: %v", err)
		}
	}
	const late = 1000
	for range sparePages {
		if err := enter(late); err != nil {
			t.Errorf("the pages of others keep an organization from watching: %v", err)
		}
	}
	if err := enter(late); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("one too many of all: %v", err)
	}
}

// TestLeaveOnce: a page that has gone makes room for one.
func TestLeaveOnce(t *testing.T) {
	w := newWatchers()
	leave, err := w.enter(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.enter(nil, 1); err != nil {
		t.Fatal(err)
	}
	leave()
	leave()
	if w.total != 1 || w.pages[1] != 1 {
		t.Errorf("%d pages in all, %d of the organization", w.total, w.pages[1])
	}
}

// TestMayStillWatch: a stream ends with the session, the membership and the
// role that it was opened with.
func TestMayStillWatch(t *testing.T) {
	ctx, by := t.Context(), tidemark.ServerActor()
	st, err := store.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s := New(Options{Store: st})
	org, err := st.CreateOrg(ctx, by, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	// person signs somebody in.
	person := func(email string) tidemark.Identity {
		u := &tidemark.User{Email: email}
		session := &tidemark.Session{Org: org.ID, ExpiresAt: time.Now().Unix() + 3600}
		if err := st.CreateUser(ctx, by, u); err != nil {
			t.Fatal(err)
		}
		if _, err := st.AddMember(ctx, org.ID, by, u.ID, tidemark.FullAccess); err != nil {
			t.Fatal(err)
		}
		session.User = u.ID
		if err := st.CreateSession(ctx, by, session, email, "password"); err != nil {
			t.Fatal(err)
		}
		return tidemark.Identity{Org: org.ID, User: u.ID, Session: session.ID, Role: tidemark.FullAccess}
	}
	person("owner@example.org") // somebody has to stay
	for name, end := range map[string]func(who tidemark.Identity) error{
		"signs-out":  func(who tidemark.Identity) error { return st.DeleteSession(ctx, by, who.User, who.Session) },
		"is-removed": func(who tidemark.Identity) error { return st.RemoveMember(ctx, org.ID, by, who.User) },
		"is-demoted": func(who tidemark.Identity) error {
			return st.SetMemberRole(ctx, org.ID, by, who.User, tidemark.ViewOnly)
		},
	} {
		who := person(name + "@example.org")
		if !s.MayStillWatch(ctx, who) {
			t.Errorf("%s: may not watch from the start", name)
		}
		if err := end(who); err != nil {
			t.Fatal(err)
		}
		if s.MayStillWatch(ctx, who) {
			t.Errorf("somebody who %s goes on watching", name)
		}
	}
}
