package auth_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// invited is a server with one person, and what invites somebody to its
// organization.
func invited(t *testing.T) (n node, invite func(email string) (*tidemark.Invitation, tidemark.Secret)) {
	t.Helper()
	n, _ = person(t)
	orgs, err := n.store.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n, func(email string) (*tidemark.Invitation, tidemark.Secret) {
		t.Helper()
		v, key, err := n.Invite(t.Context(), tidemark.Identity{Org: orgs[0].ID, Name: "owner"}, email, tidemark.Member, false, auth.Browser{})
		if err != nil {
			t.Fatal(err)
		}
		return v, key
	}
}

// TestJoinAsNew: a new address gets an account; one that has an account already
// is not given a second one by a link.
func TestJoinAsNew(t *testing.T) {
	n, invite := invited(t)
	_, key := invite("bob@example.org")
	secret, _, err := n.JoinAsNew(t.Context(), key, "Bob", "battery staple", auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	if who, _, err := n.IdentifySession(t.Context(), secret); err != nil || who.Name != "bob@example.org" || who.Role != tidemark.Member {
		t.Errorf("signed in as %+v, %v", who, err)
	}
	if err := n.store.CreateUser(t.Context(), tidemark.ServerActor(), &tidemark.User{Email: "cy@example.org"}); err != nil {
		t.Fatal(err)
	}
	_, key = invite("cy@example.org")
	if _, _, err := n.JoinAsNew(t.Context(), key, "Cy", "battery staple", auth.Browser{}); err == nil || tidemark.KindOf(err) == tidemark.NotFound {
		t.Errorf("a second account: %v", err)
	}
}

// TestReinvite: a new link ends the old one; mails are sent a few times and no
// more, links to copy as often as somebody wants them.
func TestReinvite(t *testing.T) {
	n, invite := invited(t)
	v, old := invite("bob@example.org")
	who := tidemark.Identity{Org: v.Org, Name: "owner"}
	again := func(mailed bool) (tidemark.Secret, error) {
		_, key, err := n.Reinvite(t.Context(), who, v.ID, mailed, auth.Browser{Address: "192.0.2.1"})
		return key, err
	}
	mails := 0
	for range 100 {
		_, err := again(true)
		if tidemark.KindOf(err) == tidemark.TooMany && err != nil {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		mails++
	}
	if mails == 0 || mails == 100 {
		t.Errorf("%d mails are sent", mails)
	}
	key, err := again(false)
	if err != nil {
		t.Fatalf("a link to copy: %v", err)
	}
	if _, err := n.Invitation(t.Context(), key); err != nil {
		t.Errorf("the new link: %v", err)
	}
	if _, err := n.Invitation(t.Context(), old); err == nil {
		t.Error("the old link works")
	}
}
