package auth

import (
	"context"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// TestWatch: two nodes share a database. What one of them does to a token
// holds on the other after its very next look.
func TestWatch(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { testWatch(t, fresh.SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { testWatch(t, fresh.Postgres(t)) })
}

func testWatch(t *testing.T, url string) {
	here, there := newNode(t, url), newNode(t, url)
	org, err := here.store.CreateOrg(t.Context(), tidemark.ServerActor(), "test")
	if err != nil {
		t.Fatal(err)
	}
	who := tidemark.Identity{Org: org.ID, Role: tidemark.FullAccess, Name: "test"}
	tok, secret := &tidemark.Token{Name: "t", Role: tidemark.ViewOnly, Active: true}, tidemark.NewSecret()
	if err := here.CreateToken(t.Context(), who, tok, secret); err != nil {
		t.Fatal(err)
	}
	version, err := there.store.TokenVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ticks := make(chan time.Time)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go there.watch(ctx, version, ticks)
	look := func() {
		ticks <- time.Time{}
		ticks <- time.Time{} // taken only when the one before was seen through
	}
	update := func(change func(*tidemark.Token)) func() error {
		return func() error {
			_, err := here.UpdateToken(t.Context(), who, tok.ID, change)
			return err
		}
	}
	next := tidemark.NewSecret()
	steps := []struct {
		name  string
		do    func() error
		works bool
		role  tidemark.Role
	}{
		{"inactive", update(func(v *tidemark.Token) { v.Active = false }), false, ""},
		{"active again", update(func(v *tidemark.Token) { v.Active = true }), true, tidemark.ViewOnly},
		{"another role", update(func(v *tidemark.Token) { v.Role = tidemark.RecordOnly }), true, tidemark.RecordOnly},
		{"expired", update(func(v *tidemark.Token) { v.ExpiresAt = 1000 }), false, ""},
		{"not expired", update(func(v *tidemark.Token) { v.ExpiresAt = 0 }), true, tidemark.RecordOnly},
		{"rotated", func() error {
			_, err := here.RotateToken(t.Context(), who, tok.ID, next, 0)
			return err
		}, false, ""},
	}
	for _, step := range steps {
		before, _ := there.Identify(t.Context(), secret, "") // so that it is remembered
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if cached, _ := there.Identify(t.Context(), secret, ""); cached != before {
			t.Fatalf("%s: the other node asks the database for every request", step.name)
		}
		look()
		if now, err := there.Identify(t.Context(), secret, ""); (err == nil) != step.works || now.Role != step.role {
			t.Errorf("%s: after one look the other node says %+v, %v", step.name, now, err)
		}
	}
	if _, err := there.Identify(t.Context(), next, ""); err != nil {
		t.Errorf("the new secret: %v", err)
	}
	if err := here.DeleteToken(t.Context(), who, tok.ID); err != nil {
		t.Fatal(err)
	}
	look()
	if _, err := there.Identify(t.Context(), next, ""); err == nil {
		t.Error("after one look a deleted token works on the other node")
	}
}

func newNode(t *testing.T, url string) *Authenticator {
	t.Helper()
	st, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return New(st, nil)
}

// TestWithinASecond: a look comes often enough that a token which another node
// took back is refused within a second, also where the look that was under way
// just missed it and the next one takes its time.
func TestWithinASecond(t *testing.T) {
	if 2*pollEvery >= time.Second {
		t.Errorf("looks are %v apart", pollEvery)
	}
}
