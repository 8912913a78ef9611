package auth

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// used makes a token that was used at a time.
func used(t *testing.T, a *Authenticator, org tidemark.OrgID, name string, at int64) tidemark.Secret {
	t.Helper()
	tok, secret := &tidemark.Token{Name: name, Role: tidemark.ViewOnly, Active: true}, tidemark.NewSecret()
	who := tidemark.Identity{Org: org, Role: tidemark.FullAccess, Name: "test"}
	if err := a.CreateToken(t.Context(), who, tok, secret); err != nil {
		t.Fatal(err)
	}
	if at != 0 {
		a.touch(tok.ID, at)
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return secret
}

// TestWarm: who is warm answers the tokens that were used last from memory, and
// forgets them if any token changed before it began to watch.
func TestWarm(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { testWarm(t, fresh.SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { testWarm(t, fresh.Postgres(t)) })
}

func testWarm(t *testing.T, url string) {
	before := newNode(t, url)
	if last, err := before.Warm(t.Context()); err != nil || last != 0 {
		t.Errorf("without tokens the last to use one is %d, %v", last, err)
	}
	var orgs [2]tidemark.OrgID
	for i, name := range []string{"one", "two"} {
		org, err := before.store.CreateOrg(t.Context(), tidemark.ServerActor(), name)
		if err != nil {
			t.Fatal(err)
		}
		orgs[i] = org.ID
	}
	early, last, never := used(t, before, orgs[0], "early", 1000), used(t, before, orgs[1], "last", 2000), used(t, before, orgs[0], "never", 0)
	warm := func() *Authenticator {
		t.Helper()
		a := newNode(t, url)
		if org, err := a.Warm(t.Context()); err != nil || org != orgs[1] {
			t.Errorf("the last to use a token is %d, %v, want %d", org, err, orgs[1])
		}
		return a
	}

	a := warm()
	if _, err := a.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.store.Close()
	for secret, org := range map[tidemark.Secret]tidemark.OrgID{early: orgs[0], last: orgs[1]} {
		if who, err := a.Identify(t.Context(), secret, ""); err != nil || who.Org != org || who.Role != tidemark.ViewOnly {
			t.Errorf("without the database: %+v, %v", who, err)
		}
	}
	if _, err := a.Identify(t.Context(), never, ""); err == nil {
		t.Error("the database is not asked: the test shows nothing")
	}

	a = warm()
	if err := before.DeleteToken(t.Context(), tidemark.Identity{Org: orgs[0], Role: tidemark.FullAccess, Name: "test"}, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := a.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Identify(t.Context(), early, ""); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("a token that was taken back meanwhile: %v", err)
	}
}
