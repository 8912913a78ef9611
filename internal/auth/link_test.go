package auth_test

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestSetupLinks: of several starts the last one's link works, and none once
// the server has people. Its use is in the audit log.
func TestSetupLinks(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		ctx, n := t.Context(), open(t, url)
		who := owner(t, n)
		var keys []tidemark.Secret
		for range 3 {
			key, err := n.NewSetupKey(ctx)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		gone := func(key tidemark.Secret) {
			t.Helper()
			_, _, err := n.Setup(ctx, key, "Evil", "evil@example.org", "correct horse", auth.Browser{})
			for _, err := range []error{err, n.CheckSetupKey(ctx, key)} {
				if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
					t.Errorf("an earlier link: %v", err)
				}
			}
		}
		gone(keys[0])
		gone(keys[1])
		if _, _, err := n.Setup(ctx, keys[2], "Shop", "ann@example.org", "correct horse", auth.Browser{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
		log, _, err := n.store.Audit(ctx, who.Org, tidemark.Page{Length: 10})
		if err != nil || len(log) != 2 || log[0].Action != "session.open" || log[0].Detail["with"] != "setup" || log[1].Action != "server.setup" ||
			log[1].Actor != "user:ann@example.org" || log[1].Detail["address"] != "192.0.2.1" || log[1].Address != "192.0.2.1" {
			t.Errorf("audit: %+v, %v", log, err)
		}
	})
}

// TestSetupOfServerWithPeople: a link that was made before somebody else made
// the first person does not work.
func TestSetupOfServerWithPeople(t *testing.T) {
	ctx, n := t.Context(), open(t, "sqlite:"+filepath.Join(t.TempDir(), "db"))
	owner(t, n)
	key, err := n.NewSetupKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.store.CreateUser(ctx, tidemark.ServerActor(), &tidemark.User{Email: "ann@example.org"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := n.Setup(ctx, key, "Evil", "evil@example.org", "correct horse", auth.Browser{}); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("%v", err)
	}
}

// TestSetupIsWhole: where a set-up cannot be finished, the link goes on working.
func TestSetupIsWhole(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		ctx, n := t.Context(), open(t, url)
		owner(t, n)
		if _, err := n.store.CreateOrg(ctx, tidemark.ServerActor(), "Taken"); err != nil {
			t.Fatal(err)
		}
		key, err := n.NewSetupKey(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := n.Setup(ctx, key, "taken", "ann@example.org", "correct horse", auth.Browser{}); err == nil || tidemark.KindOf(err) != tidemark.Conflict {
			t.Errorf("a name that another organization has: %v", err)
		}
		if has, err := n.store.HasUsers(ctx); err != nil || has {
			t.Errorf("somebody is left behind: %v, %v", has, err)
		}
		if _, _, err := n.Setup(ctx, key, "Shop", "ann@example.org", "correct horse", auth.Browser{}); err != nil {
			t.Errorf("the second try: %v", err)
		}
	})
}

// TestResetLinksAreRevoked: the use of one link, and any other change of the
// password, ends all others.
func TestResetLinksAreRevoked(t *testing.T) {
	n, _ := person(t)
	ctx := t.Context()
	u, err := n.store.UserByEmail(ctx, "ann@example.org")
	if err != nil {
		t.Fatal(err)
	}
	link := func() tidemark.Secret {
		t.Helper()
		key, err := n.NewResetKey(ctx, tidemark.ServerActor(), u.ID)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	gone := func(when string, key tidemark.Secret) {
		t.Helper()
		if err := n.ResetPassword(ctx, key, "chosen by evil", auth.Browser{}); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("%s a link works: %v", when, err)
		}
	}
	first, second := link(), link()
	if err := n.ResetPassword(ctx, first, "battery staple", auth.Browser{}); err != nil {
		t.Fatal(err)
	}
	gone("after the use of another", second)
	third := link()
	if err := n.ChangeProfile(ctx, tidemark.Identity{User: u.ID}, auth.ProfileUpdate{Current: "battery staple", Password: "correct horse"}); err != nil {
		t.Fatal(err)
	}
	gone("after a change of the password", third)
	fourth := link()
	if err := n.store.SetPassword(ctx, tidemark.ServerActor(), u.ID, "hash", 0); err != nil {
		t.Fatal(err)
	}
	gone("after the operator's change", fourth)
}

// TestGuessesAtOnce: guesses that are sent at once are counted like others.
func TestGuessesAtOnce(t *testing.T) {
	n, _ := person(t)
	var checked atomic.Int64
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			_, _, err := n.SignIn(t.Context(), "ann@example.org", "wrong", auth.Browser{Address: "192.0.2.1"})
			switch tidemark.KindOf(err) {
			case tidemark.Unauthenticated:
				checked.Add(1)
			case tidemark.TooMany:
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if checked.Load() != 5 {
		t.Errorf("%d of 40 guesses were checked", checked.Load())
	}
}

// TestGuessingCurrent: somebody who is signed in cannot guess the password either.
func TestGuessingCurrent(t *testing.T) {
	n, _ := person(t)
	u, err := n.store.UserByEmail(t.Context(), "ann@example.org")
	if err != nil {
		t.Fatal(err)
	}
	change := func(current string) tidemark.Kind {
		t.Helper()
		err := n.ChangeProfile(t.Context(), tidemark.Identity{User: u.ID}, auth.ProfileUpdate{Current: current, Password: "battery staple"})
		if err == nil {
			t.Fatalf("%q is taken", current)
		}
		return tidemark.KindOf(err)
	}
	for range 5 {
		if got := change("wrong"); got != tidemark.Invalid {
			t.Fatalf("wrong: %v", got)
		}
	}
	if got := change("correct horse"); got != tidemark.TooMany {
		t.Errorf("right after five wrong: %v", got)
	}
}
