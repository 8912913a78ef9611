package auth_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestNoPassword: who came by the issuer and has no password gets one by a
// mailed link only, not by being signed in.
func TestNoPassword(t *testing.T) {
	h := newHouse(t)
	who, _, err := h.finish(t, h.start(t, ""), code)
	if err != nil {
		t.Fatal(err)
	}
	err = h.ChangeProfile(t.Context(), who, auth.ProfileUpdate{Current: "", Password: "chosen by nobody"})
	if tidemark.KindOf(err) != tidemark.Forbidden || !strings.Contains(err.Error(), "has no password") {
		t.Errorf("changed: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "ann@example.org", "chosen by nobody", auth.Browser{}); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("signed in with it: %v", err)
	}
	u, key, err := h.AskReset(t.Context(), "ann@example.org", auth.Browser{})
	if err != nil || u == nil {
		t.Fatalf("%v, %v", u, err)
	}
	if err := h.ResetPassword(t.Context(), key, "chosen by mail", auth.Browser{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.SignIn(t.Context(), "ann@example.org", "chosen by mail", auth.Browser{}); err != nil {
		t.Errorf("signed in with the one of the link: %v", err)
	}
}

// TestPasswordsOff: with passwords switched off, none opens anything, and the
// issuer's people come in as ever.
func TestPasswordsOff(t *testing.T) {
	h := newHouse(t)
	who, _, err := h.finish(t, h.start(t, ""), code)
	if err != nil {
		t.Fatal(err)
	}
	const email, password = "ann@example.org", "correct horse"
	hash, err := auth.DefaultCost().Hash(password)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.SetPassword(t.Context(), tidemark.ServerActor(), who.User, hash, who.Session); err != nil {
		t.Fatal(err)
	}
	link, err := h.NewResetKey(t.Context(), tidemark.ServerActor(), who.User)
	if err != nil {
		t.Fatal(err)
	}
	_, invitation, err := h.Invite(t.Context(), who, "bob@example.org", tidemark.Member, false, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	h.DisablePasswords()
	_, _, signIn := h.SignIn(t.Context(), email, password, auth.Browser{})
	_, _, joinNew := h.JoinAsNew(t.Context(), invitation, "Bob", password, auth.Browser{})
	_, _, joinOld := h.JoinWithPassword(t.Context(), invitation, password, auth.Browser{})
	for what, err := range map[string]error{
		"sign-in": signIn, "a new account": joinNew, "joining with a password": joinOld,
		"change": h.ChangeProfile(t.Context(), who, auth.ProfileUpdate{Current: password, Password: "another password"}), "reset": h.ResetPassword(t.Context(), link, "another password", auth.Browser{}),
	} {
		if tidemark.KindOf(err) != tidemark.Forbidden || !strings.Contains(err.Error(), "switched off") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if u, key, err := h.AskReset(t.Context(), email, auth.Browser{}); err != nil || u != nil || key != "" {
		t.Errorf("a link for a new password: %v, %v", u, err)
	}
	if _, _, err := h.finish(t, h.start(t, ""), code); err != nil {
		t.Errorf("with the issuer: %v", err)
	}
}
