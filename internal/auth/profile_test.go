package auth_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestChangeName: a valid name is kept without asking for the password, and one
// that is not changes nothing.
func TestChangeName(t *testing.T) {
	n, _ := person(t)
	u, err := n.store.UserByEmail(t.Context(), "ann@example.org")
	if err != nil {
		t.Fatal(err)
	}
	who := tidemark.Identity{User: u.ID, Name: u.Email}
	if err := n.ChangeProfile(t.Context(), who, auth.ProfileUpdate{Name: tidemark.Some("Ann")}); err != nil {
		t.Fatal(err)
	}
	err = n.ChangeProfile(t.Context(), who, auth.ProfileUpdate{Name: tidemark.Some(strings.Repeat("x", 256))})
	if err == nil || tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("a name of 256 characters: %v", err)
	}
	if u, err = n.store.UserByEmail(t.Context(), "ann@example.org"); err != nil || u.Name != "Ann" {
		t.Errorf("the name is %q, %v", u.Name, err)
	}
}

// TestJoinSignedIn: an invitation to a second organization shows that one to a
// person who is signed in, in the role they were invited to, and works once.
func TestJoinSignedIn(t *testing.T) {
	n, _ := person(t)
	secret, _, err := n.SignIn(t.Context(), "ann@example.org", "correct horse", auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	who, _, err := n.IdentifySession(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	other, err := n.store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := n.Invite(t.Context(), tidemark.Identity{Org: other.ID, Name: "owner"}, "ann@example.org", tidemark.ViewOnly, false, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := n.JoinSignedIn(t.Context(), key, who)
	if err != nil || got.Org != other.ID || got.Role != tidemark.ViewOnly {
		t.Errorf("joined: %+v, %v", got, err)
	}
	if _, err := n.JoinSignedIn(t.Context(), key, who); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("joined a second time: %v", err)
	}
	if again, _, err := n.IdentifySession(t.Context(), secret); err != nil || again.Org != other.ID || again.Role != tidemark.ViewOnly {
		t.Errorf("the session shows %+v, %v", again, err)
	}
}

// TestFlushFails: times of last use that cannot be saved are kept, and saved
// with the next.
func TestFlushFails(t *testing.T) {
	path := "sqlite:" + filepath.Join(t.TempDir(), "db")
	n := open(t, path)
	who := owner(t, n)
	tok, secret := newToken(t, n, who, tidemark.FullAccess)
	if !n.knows(t, secret) {
		t.Fatal("a new token is not known")
	}
	used := n.LastUsed(tok.ID, 0)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.Flush(over); err == nil {
		t.Fatal("saved after the end")
	}
	if got := n.LastUsed(tok.ID, 0); got != used || used == 0 {
		t.Errorf("last used at %d, want %d", got, used)
	}
	if err := n.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	saved, err := n.store.Token(t.Context(), who.Org, tok.ID)
	if err != nil || saved.LastUsedAt != used {
		t.Errorf("saved %d, %v, want %d", saved.LastUsedAt, err, used)
	}
}
