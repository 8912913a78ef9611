package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func addSession(t testing.TB, s *store.Store, org tidemark.OrgID, user int64, hash string, expires int64) *tidemark.Session {
	t.Helper()
	v := &tidemark.Session{User: user, Org: org, CreatedAt: 100, LastSeenAt: 100, RotatedAt: 100, ExpiresAt: expires, UserAgent: "Browser", Address: "192.0.2.1"}
	ok(t, s.CreateSession(t.Context(), tidemark.PersonActor("ann@example.org", "192.0.2.1"), v, hash, "password"))
	v.Hash = hash
	return v
}

// TestSessionSecrets: a session is found by its secret until it expires; a
// replaced secret works until the new one was seen, and one of several who
// replace it at once succeeds.
func TestSessionSecrets(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx, s := t.Context(), stores[0]
		v := addSession(t, s, org, addUser(t, s, "ann@example.org").ID, "first", 1000)
		same(t, "SessionByHash", v, must(s.SessionByHash(ctx, "first", 999))(t))
		wantKind(t, "expired", tidemark.NotFound, errOf(s.SessionByHash(ctx, "first", 1000)))
		for _, hash := range []string{"", "FIRST"} { // "" is the old secret of every new session
			wantKind(t, "hash "+hash, tidemark.NotFound, errOf(s.SessionByHash(ctx, hash, 500)))
		}
		rotated := make([]bool, crowd)
		for i, err := range together(stores, func(i int, s *store.Store) (err error) {
			rotated[i], err = s.RotateSession(ctx, v, "first", "second", 500)
			return err
		}) {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		n := 0
		for _, did := range rotated {
			if did {
				n++
			}
		}
		same(t, "how many replaced the secret", 1, n)
		for _, hash := range []string{"first", "second"} {
			got := must(s.SessionByHash(ctx, hash, 600))(t)
			if got.ID != v.ID || got.RotatedAt != 500 || got.LastSeenAt != 500 || got.OldUntil != 1000 {
				t.Errorf("by %s: %+v", hash, got)
			}
		}
		ok(t, s.RetireOldSecret(ctx, v, 610)) // by one who has the old secret
		must(s.SessionByHash(ctx, "first", 900))(t)
		v = must(s.SessionByHash(ctx, "second", 600))(t)
		ok(t, s.RetireOldSecret(ctx, v, 610))
		ok(t, s.RetireOldSecret(ctx, v, 700)) // which does not prolong it
		must(s.SessionByHash(ctx, "first", 609))(t)
		wantKind(t, "retired", tidemark.NotFound, errOf(s.SessionByHash(ctx, "first", 610)))
		must(s.SessionByHash(ctx, "second", 999))(t)
	})
}

// TestSessionsOf: a person sees the sessions that still work, the latest first,
// and each note about one is of that one.
func TestSessionsOf(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		ann, bob := addUser(t, s, "ann@example.org").ID, addUser(t, s, "bob@example.org").ID
		a, b, c := addSession(t, s, org, ann, "a", 1000), addSession(t, s, org, ann, "b", 1000), addSession(t, s, org, ann, "c", 300)
		d := addSession(t, s, org, bob, "d", 1000)
		ok(t, s.TouchSession(ctx, b.ID, 200))
		ok(t, s.ProveSession(ctx, a.ID, 210))
		ok(t, s.SetSessionOrg(ctx, a.ID, other))
		b.LastSeenAt, a.ProvedAt, a.Org = 200, 210, other
		same(t, "while all work", []*tidemark.Session{b, a, c}, must(s.SessionsOf(ctx, ann, 299))(t))
		same(t, "later", []*tidemark.Session{b, a}, must(s.SessionsOf(ctx, ann, 300))(t))
		checkKinds(t, []wrong{
			{"touch nothing", func() error { return s.TouchSession(ctx, 999, 1) }, tidemark.NotFound},
			{"prove nothing", func() error { return s.ProveSession(ctx, 999, 1) }, tidemark.NotFound},
			{"look with nothing", func() error { return s.SetSessionOrg(ctx, 999, org) }, tidemark.NotFound},
			{"end another's", func() error { return s.DeleteSession(ctx, operator, bob, a.ID) }, tidemark.NotFound},
		})
		ok(t, s.DeleteSession(ctx, operator, ann, b.ID))
		same(t, "after one ended", []*tidemark.Session{a}, must(s.SessionsOf(ctx, ann, 300))(t))
		ok(t, s.EndSessions(ctx, operator, ann))
		ok(t, s.EndSessions(ctx, operator, ann)) // there are none
		same(t, "after all ended", []*tidemark.Session{}, must(s.SessionsOf(ctx, ann, 0))(t))
		same(t, "the other person's", []*tidemark.Session{d}, must(s.SessionsOf(ctx, bob, 0))(t))
	})
}

// TestEndMemberSessions: admins end the sessions of members, not of others.
func TestEndMemberSessions(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		ann := addUser(t, s, "ann@example.org").ID
		must(s.AddMember(ctx, org, operator, ann, tidemark.ViewOnly))(t)
		addSession(t, s, other, ann, "a", 1000)
		wantKind(t, "by those who do not know them", tidemark.NotFound, s.EndMemberSessions(ctx, other, operator, ann))
		same(t, "still there", 1, len(must(s.SessionsOf(ctx, ann, 0))(t)))
		ok(t, s.EndMemberSessions(ctx, org, operator, ann))
		same(t, "ended", 0, len(must(s.SessionsOf(ctx, ann, 0))(t)))
		log := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "session.end"}))(t)
		same(t, "entries of the audit log", 1, len(log))
	})
}

// TestOneTimeKeys: a key works once, for what it was made, until it expires;
// of the steps of a sign-in a person has ten at most, and the oldest give way.
func TestOneTimeKeys(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, _ tidemark.OrgID) {
		ctx, s := t.Context(), stores[0]
		ann := addUser(t, s, "ann@example.org").ID
		v := &tidemark.OneTimeKey{ExpiresAt: 100, Detail: `{"state":"x"}`}
		ok(t, s.CreateSignInKey(ctx, v, "hash"))
		same(t, "looked at", &tidemark.OneTimeKey{Kind: tidemark.SignInKey, ExpiresAt: 100, Detail: `{"state":"x"}`}, must(s.OneTimeKey(ctx, tidemark.SignInKey, "hash", 99))(t))
		checkKinds(t, []wrong{
			{"expired", func() error { return errOf(s.UseOneTimeKey(ctx, tidemark.SignInKey, "hash", 100)) }, tidemark.NotFound},
			{"of another kind", func() error { return errOf(s.UseOneTimeKey(ctx, tidemark.ResetKey, "hash", 50)) }, tidemark.NotFound},
			{"of another hash", func() error { return errOf(s.OneTimeKey(ctx, tidemark.SignInKey, "HASH", 50)) }, tidemark.NotFound},
		})
		used := 0
		for _, err := range together(stores, func(_ int, s *store.Store) error { return errOf(s.UseOneTimeKey(ctx, tidemark.SignInKey, "hash", 50)) }) {
			if err == nil {
				used++
			} else if tidemark.KindOf(err) != tidemark.NotFound {
				t.Error(err)
			}
		}
		same(t, "how often it was used", 1, used)

		name := func(i int) string { return "step " + string(rune('a'+i)) }
		for i := range 12 {
			ok(t, s.CreateStepKey(ctx, &tidemark.OneTimeKey{Kind: tidemark.SecondKey, User: ann, ExpiresAt: int64(100 + i)}, name(i)))
		}
		ok(t, s.CreateStepKey(ctx, &tidemark.OneTimeKey{Kind: tidemark.PasskeyKey, ExpiresAt: 1}, "of nobody yet"))
		for i := range 12 {
			_, err := s.OneTimeKey(ctx, tidemark.SecondKey, name(i), 0)
			if works := err == nil; works != (i >= 2) {
				t.Errorf("key %d of 12 works: %v", i, works)
			}
		}
		ok(t, s.DeleteExpired(ctx, 110))
		for i, want := range map[int]bool{10: false, 11: true} {
			if _, err := s.OneTimeKey(ctx, tidemark.SecondKey, name(i), 0); (err == nil) != want {
				t.Errorf("key %d is there: %v, want %v", i, err == nil, want)
			}
		}
	})
}

// TestSetUpOnce: of two set-up keys the later works, once, and makes an owner
// who operates the server; a refusal uses nothing up.
func TestSetUpOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, by := t.Context(), tidemark.VisitorActor("192.0.2.1")
		taken := addOrg(t, s, "Taken")
		ok(t, s.ReplaceSetupKey(ctx, "old", 100))
		ok(t, s.ReplaceSetupKey(ctx, "new", 100))
		owner := func() *tidemark.User { return &tidemark.User{Email: "ann@example.org", Name: "Ann"} }
		checkKinds(t, []wrong{
			{"replaced key", func() error { return errOf(s.SetUp(ctx, by, "old", 50, "Shop", owner())) }, tidemark.NotFound},
			{"expired", func() error { return errOf(s.SetUp(ctx, by, "new", 100, "Shop", owner())) }, tidemark.NotFound},
			{"no address", func() error { return errOf(s.SetUp(ctx, by, "new", 50, "Shop", &tidemark.User{})) }, tidemark.Invalid},
		})
		checkFields(t, errOf(s.SetUp(ctx, by, "new", 50, "taken", owner())), "org_name", "is already taken")
		u := owner()
		same(t, "organization", org, must(s.SetUp(ctx, by, "new", 50, "Shop", u))(t))
		same(t, "name", "Shop", must(s.Org(ctx, org))(t).Name)
		members := must(s.Members(ctx, org))(t)
		if len(members) != 1 || members[0].Role != tidemark.FullAccess || !must(s.User(ctx, u.ID))(t).Operator {
			t.Errorf("members %s", cmp.Diff(nil, members))
		}
		same(t, "account", "ann@example.org", must(s.Account(ctx, org))(t))
		same(t, "account without admins", "", must(s.Account(ctx, taken))(t))
		ok(t, s.ReplaceSetupKey(ctx, "again", 100))
		wantKind(t, "a server with people", tidemark.NotFound, errOf(s.SetUp(ctx, by, "again", 50, "Mine", &tidemark.User{Email: "eve@example.org"})))
	})
}
