package auth_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// ungrouped is a house whose settings name no groups.
func ungrouped(t *testing.T) (*house, tidemark.OrgID) {
	t.Helper()
	h := newHouse(t)
	h.oidc.AdminGroups, h.oidc.MemberGroups, h.oidc.ViewerGroups = nil, nil, nil
	return h, h.home(t)
}

func (h *house) home(t *testing.T) tidemark.OrgID {
	t.Helper()
	orgs, err := h.store.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return orgs[0].ID
}

// member makes a person with a place in org.
func (h *house) member(t *testing.T, org tidemark.OrgID, email string, role tidemark.Role) *tidemark.User {
	t.Helper()
	u := &tidemark.User{Email: email, Verified: true}
	if err := h.store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.AddMember(t.Context(), org, tidemark.ServerActor(), u.ID, role); err != nil {
		t.Fatal(err)
	}
	return u
}

// come signs the person in whom the issuer calls email.
func (h *house) come(t *testing.T, email, next string) (tidemark.Identity, string, error) {
	t.Helper()
	h.claims = map[string]any{"email": email}
	return h.finish(t, h.start(t, next), code)
}

// TestOIDCClosed: without domains and groups in the settings, the issuer's
// people are strangers unless they are members or invited.
func TestOIDCClosed(t *testing.T) {
	h, home := ungrouped(t)
	if who, _, err := h.come(t, "eve@example.org", ""); !errors.Is(err, auth.ErrNotAllowed) {
		t.Errorf("a stranger: %+v, %v", who, err)
	}
	if _, err := h.store.UserByEmail(t.Context(), "eve@example.org"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("who was refused has an account: %v", err)
	}
	for email, role := range map[string]tidemark.Role{"admin@example.org": tidemark.FullAccess, "member@example.org": tidemark.Member} {
		h.member(t, home, email, role)
		if who, _, err := h.come(t, email, ""); err != nil || who.Role != role || who.Org != home {
			t.Errorf("%s: %+v, %v, want to stay %s", email, who, err, role)
		}
	}
	gone := h.member(t, home, "gone@example.org", tidemark.Member)
	if err := h.store.RemoveMember(t.Context(), home, tidemark.ServerActor(), gone.ID); err != nil {
		t.Fatal(err)
	}
	if who, _, err := h.come(t, "gone@example.org", ""); !errors.Is(err, auth.ErrNotAllowed) {
		t.Errorf("somebody who was removed: %+v, %v", who, err)
	}
}

// TestOIDCElsewhere: a member of another organization alone comes in there,
// and gets no place in the first.
func TestOIDCElsewhere(t *testing.T) {
	h, home := ungrouped(t)
	h.oidc.AllowedDomains = []string{"example.org"}
	other, err := h.store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	u := h.member(t, other.ID, "ann@example.org", tidemark.Member)
	if who, _, err := h.come(t, u.Email, ""); err != nil || who.Org != other.ID || who.Role != tidemark.Member {
		t.Errorf("%+v, %v", who, err)
	}
	if _, err := h.store.Membership(t.Context(), home, u.ID); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a place in the first organization: %v", err)
	}
}

// TestOIDCInvited: signing in accepts the invitation of whoever has no place.
func TestOIDCInvited(t *testing.T) {
	h, home := ungrouped(t)
	invite := func(email string) tidemark.Secret {
		_, key, err := h.Invite(t.Context(), tidemark.Identity{Org: home, Name: "owner"}, email, tidemark.Member, false, auth.Browser{})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	invite("ann@example.org")
	if who, next, err := h.come(t, "Ann@example.org", "/alerts"); err != nil || who.Role != tidemark.Member || next != "/alerts" {
		t.Errorf("invited: %+v, %q, %v", who, next, err)
	}
	key := invite("bob@example.org")
	if who, _, err := h.come(t, "eve@example.org", "/invite/"+key.Reveal()); !errors.Is(err, auth.ErrNotAllowed) {
		t.Errorf("with the link of somebody else: %+v, %v", who, err)
	}
	if who, next, err := h.come(t, "bob@example.org", "/invite/"+key.Reveal()); err != nil || who.Role != tidemark.Member || next != "" {
		t.Errorf("by the link: %+v, %q, %v", who, next, err)
	}
	invite("cy@example.org")
	*h.at = h.at.Add(8 * 24 * time.Hour)
	if who, _, err := h.come(t, "cy@example.org", ""); !errors.Is(err, auth.ErrNotAllowed) {
		t.Errorf("invited too long ago: %+v, %v", who, err)
	}
}

// TestOIDCDomains: people of allowed domains become Viewers, others are
// refused whatever they are here.
func TestOIDCDomains(t *testing.T) {
	h, home := ungrouped(t)
	h.oidc.AllowedDomains = []string{"@Example.org", "example.com"}
	h.member(t, home, "boss@example.org", tidemark.FullAccess)
	h.member(t, home, "old@example.net", tidemark.Member)
	for email, want := range map[string]tidemark.Role{
		"ann@example.org": tidemark.ViewOnly, "bob@EXAMPLE.com": tidemark.ViewOnly, "boss@example.org": tidemark.FullAccess,
		"eve@sub.example.org": "", "eve@notexample.org": "", "example.org@example.net": "", "old@example.net": "",
	} {
		who, _, err := h.come(t, email, "")
		if want != "" && (err != nil || who.Role != want) || want == "" && !errors.Is(err, auth.ErrNotAllowed) {
			t.Errorf("%s: %+v, %v, want %q", email, who, err, want)
		}
	}
	h.oidc.MemberGroups = []string{"ops"} // both must fit
	if who, _, err := h.come(t, "ann@example.org", ""); err != nil || who.Role != tidemark.Member {
		t.Errorf("domain and group: %+v, %v", who, err)
	}
	if who, _, err := h.come(t, "eve@example.net", ""); !errors.Is(err, auth.ErrNotAllowed) {
		t.Errorf("group without domain: %+v, %v", who, err)
	}
}

// TestOIDCLeft: whose groups were taken away has neither place nor sessions
// after they tried to sign in; the last Admin keeps the place alone.
func TestOIDCLeft(t *testing.T) {
	h := newHouse(t)
	home := h.home(t)
	open := func() (tidemark.Secret, tidemark.Identity) {
		t.Helper()
		h.claims = map[string]any{"groups": []string{"ops"}}
		secret, _, _, err := h.FinishOIDC(t.Context(), h.oidc, callback, h.start(t, ""), code, auth.Browser{})
		if err != nil {
			t.Fatal(err)
		}
		who, _, err := h.IdentifySession(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		return secret, who
	}
	leave := func(secret tidemark.Secret) {
		t.Helper()
		h.claims = map[string]any{"groups": []string{"staff"}}
		if _, _, err := h.finish(t, h.start(t, ""), code); !errors.Is(err, auth.ErrNoGroup) {
			t.Errorf("without groups: %v", err)
		}
		if who, _, err := h.IdentifySession(t.Context(), secret); tidemark.KindOf(err) != tidemark.Unauthenticated {
			t.Errorf("the session from before: %+v, %v", who, err)
		}
	}
	secret, who := open()
	leave(secret)
	if m, err := h.store.Membership(t.Context(), home, who.User); err != nil || m.Role != tidemark.FullAccess {
		t.Errorf("the last Admin: %+v, %v", m, err)
	}
	h.member(t, home, "boss@example.org", tidemark.FullAccess)
	secret, _ = open()
	leave(secret)
	if m, err := h.store.Membership(t.Context(), home, who.User); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("after leaving: %+v, %v", m, err)
	}
}

// TestOIDCSession: a session that the issuer vouched for ends when the
// settings say, however much it is used.
func TestOIDCSession(t *testing.T) {
	h := newHouse(t)
	h.oidc.Session = 12 * time.Hour
	secret, _, _, err := h.FinishOIDC(t.Context(), h.oidc, callback, h.start(t, ""), code, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	for range 11 {
		*h.at = h.at.Add(time.Hour)
		_, fresh, err := h.IdentifySession(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		if fresh != "" {
			secret = fresh
		}
	}
	*h.at = h.at.Add(time.Hour)
	if who, _, err := h.IdentifySession(t.Context(), secret); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("after 12 hours: %+v, %v", who, err)
	}
}
