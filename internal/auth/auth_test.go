package auth_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// node is one server process: its own connection and its own memory.
type node struct {
	*auth.Authenticator
	store *store.Store
}

func open(t testing.TB, url string) node {
	t.Helper()
	st, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return newNode(st, nil)
}

// newNode returns a node that hashes passwords in no time.
func newNode(st *store.Store, now func() time.Time) node {
	a := auth.New(st, now)
	a.Cost = auth.Cost{Time: 1, Memory: 64, Threads: 1}
	return node{a, st}
}

// eachStore runs f on both databases.
func eachStore(t *testing.T, f func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { f(t, fresh.SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, fresh.Postgres(t)) })
}

// owner makes an organization and returns who acts in it.
func owner(t testing.TB, n node) tidemark.Identity {
	t.Helper()
	org, err := n.store.CreateOrg(t.Context(), tidemark.ServerActor(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return tidemark.Identity{Org: org.ID, Role: tidemark.FullAccess, Name: "test"}
}

func newToken(t testing.TB, n node, who tidemark.Identity, role tidemark.Role) (*tidemark.Token, tidemark.Secret) {
	t.Helper()
	tok, secret := &tidemark.Token{Name: "t", Role: role, Active: true}, tidemark.NewSecret()
	if err := n.CreateToken(t.Context(), who, tok, secret); err != nil {
		t.Fatal(err)
	}
	return tok, secret
}

func (n node) knows(t testing.TB, secret tidemark.Secret) bool {
	t.Helper()
	_, err := n.Identify(t.Context(), secret, "")
	if err != nil && tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Fatal(err)
	}
	return err == nil
}

// TestNextRequest: whatever changes about a token holds for the very next
// request on the node that changed it.
func TestNextRequest(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		ctx, n := t.Context(), open(t, url)
		who := owner(t, n)
		tok, secret := newToken(t, n, who, tidemark.RecordOnly)
		got, err := n.Identify(ctx, secret, "")
		if err != nil || got.Org != who.Org || got.Role != tidemark.RecordOnly || got.Token != tok.ID {
			t.Fatalf("Identify = %+v, %v", got, err)
		}
		active := func(on bool) {
			t.Helper()
			if _, err := n.UpdateToken(ctx, who, tok.ID, func(v *tidemark.Token) { v.Active = on }); err != nil {
				t.Fatal(err)
			}
			if n.knows(t, secret) != on {
				t.Errorf("after active = %v the token is known: %v", on, !on)
			}
		}
		active(false)
		active(true)
		if _, err := n.UpdateToken(ctx, who, tok.ID, func(v *tidemark.Token) { v.Role = tidemark.ViewOnly }); err != nil {
			t.Fatal(err)
		}
		if got, _ := n.Identify(ctx, secret, ""); got.Role != tidemark.ViewOnly {
			t.Errorf("role = %s after the change", got.Role)
		}
		fresh := tidemark.NewSecret()
		if n.knows(t, fresh) {
			t.Error("a secret nobody has is known")
		}
		if _, err := n.RotateToken(ctx, who, tok.ID, fresh, time.Now().Unix()+3600); err != nil {
			t.Fatal(err)
		}
		if !n.knows(t, fresh) || !n.knows(t, secret) {
			t.Error("after a rotation with overlap both secrets should work")
		}
		if _, err := n.RotateToken(ctx, who, tok.ID, tidemark.NewSecret(), 0); err != nil {
			t.Fatal(err)
		}
		if n.knows(t, fresh) || n.knows(t, secret) {
			t.Error("after a rotation without overlap an old secret works")
		}
		last := tidemark.NewSecret()
		if _, err := n.RotateToken(ctx, who, tok.ID, last, 0); err != nil {
			t.Fatal(err)
		}
		if err := n.DeleteToken(ctx, who, tok.ID); err != nil {
			t.Fatal(err)
		}
		if n.knows(t, last) {
			t.Error("a deleted token works")
		}
	})
}

// TestOtherNode: a node that only watches hears of a change.
func TestOtherNode(t *testing.T) {
	eachStore(t, func(t *testing.T, url string) {
		here, there := open(t, url), open(t, url)
		who := owner(t, here)
		tok, secret := newToken(t, here, who, tidemark.FullAccess)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- there.Run(ctx) }()
		if !there.knows(t, secret) {
			t.Fatal("the other node does not know the token")
		}
		if _, err := here.UpdateToken(t.Context(), who, tok.ID, func(v *tidemark.Token) { v.Active = false }); err != nil {
			t.Fatal(err)
		}
		for there.knows(t, secret) { // until the test's own time is up
			time.Sleep(10 * time.Millisecond)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestExpiry(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	n := newNode(st, func() time.Time { return now })
	who := owner(t, n)
	tok, secret := &tidemark.Token{Name: "t", Role: tidemark.ViewOnly, Active: true, ExpiresAt: now.Unix() + 60}, tidemark.NewSecret()
	if err := n.CreateToken(t.Context(), who, tok, secret); err != nil {
		t.Fatal(err)
	}
	if !n.knows(t, secret) {
		t.Error("unknown before it expires")
	}
	now = now.Add(time.Minute)
	if n.knows(t, secret) {
		t.Error("known after it expired")
	}
}

// TestLastUsed: uses are kept in memory and saved later.
func TestLastUsed(t *testing.T) {
	n := open(t, fresh.SQLite(t))
	who := owner(t, n)
	tok, secret := newToken(t, n, who, tidemark.ViewOnly)
	n.knows(t, secret)
	if n.LastUsed(tok.ID, 0) == 0 {
		t.Error("a use is not remembered")
	}
	if err := n.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	saved, err := n.store.Token(t.Context(), who.Org, tok.ID)
	if err != nil || saved.LastUsedAt == 0 {
		t.Errorf("saved %+v, %v", saved, err)
	}
}

func TestPasswords(t *testing.T) {
	hash, err := auth.DefaultCost().Hash("correct horse")
	if err != nil || strings.Contains(hash, "correct") {
		t.Fatalf("%q, %v", hash, err)
	}
	if !auth.DefaultCost().Check(hash, "correct horse") || auth.DefaultCost().Check(hash, "correct horsf") || auth.DefaultCost().Check("", "") {
		t.Error("wrong verdict")
	}
	for _, foreign := range []string{"$2b$10$abc", "$argon2id$v=19$m=x$a$b", "$argon2id$v=19$m=1,t=1,p=1$!$!", "plain"} {
		if auth.DefaultCost().Check(foreign, "plain") {
			t.Errorf("%q is taken", foreign)
		}
	}
	for _, bad := range []string{"short", strings.Repeat("x", 1001)} {
		if _, err := auth.DefaultCost().Hash(bad); tidemark.KindOf(err) != tidemark.Invalid || err == nil {
			t.Errorf("%d characters: %v", len(bad), err)
		}
	}
}

// TestSetup: the one-time link makes an owner, once.
func TestSetup(t *testing.T) {
	ctx, n := t.Context(), open(t, fresh.SQLite(t))
	owner(t, n)
	key, err := n.NewSetupKey(ctx)
	if err != nil || key == "" {
		t.Fatal(err)
	}
	if _, _, err := n.Setup(ctx, key, "Shop", "not an address", "short", auth.Browser{}); tidemark.KindOf(err) != tidemark.Invalid || err == nil {
		t.Errorf("bad input: %v", err)
	}
	secret, _, err := n.Setup(ctx, key, "Shop", "Owner@example.org", "correct horse", auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	if who, _, err := n.IdentifySession(ctx, secret); err != nil || who.Role != tidemark.FullAccess || who.Name != "owner@example.org" {
		t.Errorf("%+v, %v", who, err)
	}
	if _, _, err := n.Setup(ctx, key, "Again", "x@example.org", "correct horse", auth.Browser{}); tidemark.KindOf(err) != tidemark.NotFound || err == nil {
		t.Errorf("the link works twice: %v", err)
	}
	if key, err := n.NewSetupKey(ctx); err != nil || key != "" {
		t.Errorf("another link for a server that has people: %v", err)
	}
	if _, _, err := n.SignIn(ctx, " OWNER@example.org", "correct horse", auth.Browser{}); err != nil {
		t.Errorf("sign in: %v", err)
	}
}

// TestReset: a reset link sets the password and ends all sessions.
func TestReset(t *testing.T) {
	ctx, n := t.Context(), open(t, fresh.SQLite(t))
	owner(t, n)
	key, _ := n.NewSetupKey(ctx)
	session, _, err := n.Setup(ctx, key, "Shop", "a@example.org", "correct horse", auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := n.store.UserByEmail(ctx, "a@example.org")
	if err != nil {
		t.Fatal(err)
	}
	reset, err := n.NewResetKey(ctx, tidemark.ServerActor(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.ResetPassword(ctx, reset, "battery staple", auth.Browser{}); err != nil {
		t.Fatal(err)
	}
	if err := n.ResetPassword(ctx, reset, "battery staple", auth.Browser{}); err == nil {
		t.Error("the link works twice")
	}
	if _, _, err := n.IdentifySession(ctx, session); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("a session outlives the reset: %v", err)
	}
	if _, _, err := n.SignIn(ctx, "a@example.org", "battery staple", auth.Browser{}); err != nil {
		t.Errorf("with the new password: %v", err)
	}
}

func BenchmarkIdentify(b *testing.B) {
	n := open(b, "sqlite:"+filepath.Join(b.TempDir(), "db"))
	_, secret := newToken(b, n, owner(b, n), tidemark.RecordOnly)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := n.Identify(b.Context(), secret, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFirstOrganization: anyone who signs in is where they belonged first,
// whatever the others are called.
func TestFirstOrganization(t *testing.T) {
	n := open(t, fresh.SQLite(t))
	first := owner(t, n)
	u := &tidemark.User{Email: "ann@example.org"}
	if err := n.store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
		t.Fatal(err)
	}
	other, err := n.store.CreateOrg(t.Context(), tidemark.ServerActor(), "A name before all others")
	if err != nil {
		t.Fatal(err)
	}
	for _, org := range []tidemark.OrgID{first.Org, other.ID} {
		if _, err := n.store.AddMember(t.Context(), org, tidemark.ServerActor(), u.ID, tidemark.FullAccess); err != nil {
			t.Fatal(err)
		}
	}
	if _, s, err := n.OpenSession(t.Context(), u.ID, 0, auth.Browser{}); err != nil || s.Org != first.Org {
		t.Errorf("%+v, %v", s, err)
	}
}
