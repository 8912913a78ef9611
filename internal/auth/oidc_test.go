package auth_test

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

const callback = "https://metrics.example.org/ui/api/oidc/callback"

// house is a server whose people sign in with an issuer.
type house struct {
	node
	at   *time.Time
	oidc *auth.OIDC
	*issuer
}

func newHouse(t *testing.T) *house {
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if err := st.UseKeys(t.Context(), seal.New(seal.NewKey())); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	h := &house{node: newNode(st, func() time.Time { return now }), at: &now, issuer: newIssuer(t)}
	h.oidc = &auth.OIDC{
		Issuer: h.URL, ClientID: clientID, ClientSecret: clientSecret, Title: "Example", GroupsClaim: "groups",
		AdminGroups: []string{"ops"}, MemberGroups: []string{"dev"}, ViewerGroups: []string{"guests"}, Client: http.DefaultClient,
	}
	owner(t, h.node)
	return h
}

// start sends a person to the issuer and returns the state they take along.
func (h *house) start(t *testing.T, next string) tidemark.Secret {
	t.Helper()
	to, state, err := h.StartOIDC(t.Context(), h.oidc, callback, next, auth.Browser{Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil || !strings.HasPrefix(to, h.URL+"/authorize?") {
		t.Fatalf("sent to %s, %v", to, err)
	}
	h.asked = u.Query()
	if h.asked.Get("state") != state.Reveal() || h.asked.Get("nonce") == "" || h.asked.Get("code_challenge") == "" || h.asked.Get("client_id") != clientID {
		t.Fatalf("sent with %v", h.asked)
	}
	return state
}

func (h *house) finish(t *testing.T, state tidemark.Secret, code string) (tidemark.Identity, string, error) {
	t.Helper()
	secret, _, next, err := h.FinishOIDC(t.Context(), h.oidc, callback, state, code, auth.Browser{UserAgent: "test"})
	if err != nil {
		return tidemark.Identity{}, next, err
	}
	who, _, err := h.IdentifySession(t.Context(), secret)
	return who, next, err
}

// TestOIDC: the issuer vouches for somebody, whose groups give them a role.
func TestOIDC(t *testing.T) {
	tests := map[string]struct {
		claims map[string]any
		want   tidemark.Role
	}{
		"the highest role of several":  {map[string]any{"groups": []string{"guests", "ops", "dev"}}, tidemark.FullAccess},
		"a member":                     {map[string]any{"groups": []string{"dev", "other"}}, tidemark.Member},
		"a viewer":                     {map[string]any{"groups": []string{"guests"}}, tidemark.ViewOnly},
		"one group as text":            {map[string]any{"groups": "dev"}, tidemark.Member},
		"verified, in text":            {map[string]any{"email_verified": "true"}, tidemark.FullAccess},
		"several audiences, one is us": {map[string]any{"aud": []string{"other", clientID}}, tidemark.FullAccess},
	}
	h := newHouse(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h.claims = tt.claims
			h.claims["email"] = strings.NewReplacer(" ", ".", ",", "").Replace(name) + "@Example.org"
			who, next, err := h.finish(t, h.start(t, "/alerts?state=firing"), code)
			if err != nil || who.Role != tt.want || who.Name != strings.ToLower(h.claims["email"].(string)) || next != "/alerts?state=firing" {
				t.Errorf("%+v, %q, %v, want %s", who, next, err, tt.want)
			}
		})
	}
}

// TestOIDCTrusted: with a setting, an issuer's silence about an address is
// enough; its denial never is.
func TestOIDCTrusted(t *testing.T) {
	h := newHouse(t)
	h.oidc.TrustEmail = true
	for claim, want := range map[any]error{nil: nil, true: nil, false: auth.ErrNoEmail, "false": auth.ErrNoEmail} {
		h.claims = map[string]any{"email_verified": claim}
		if who, _, err := h.finish(t, h.start(t, ""), code); !errors.Is(err, want) || want == nil && who.Role != tidemark.FullAccess {
			t.Errorf("email_verified %v: %+v, %v", claim, who, err)
		}
	}
}

// TestOIDCRefused: nobody gets in whom the issuer does not vouch for, here and
// now, to us.
func TestOIDCRefused(t *testing.T) {
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour).Unix()
	tests := map[string]struct {
		claims map[string]any
		signer *rsa.PrivateKey
		code   string
		want   error
	}{
		"for another client":     {claims: map[string]any{"aud": "other"}, want: auth.ErrNotVouched},
		"for nobody":             {claims: map[string]any{"aud": nil}, want: auth.ErrNotVouched},
		"by another issuer":      {claims: map[string]any{"iss": "https://issuer.example.org"}, want: auth.ErrNotVouched},
		"signed by another":      {signer: stranger, want: auth.ErrNotVouched},
		"expired":                {claims: map[string]any{"iat": past, "exp": past + 60}, want: auth.ErrNotVouched},
		"of another sign-in":     {claims: map[string]any{"nonce": "other"}, want: auth.ErrNotVouched},
		"without a nonce":        {claims: map[string]any{"nonce": nil}, want: auth.ErrNotVouched},
		"a code of somebody":     {code: "guessed", want: auth.ErrNotVouched},
		"no code":                {code: " ", want: auth.ErrNotVouched},
		"e-mail not verified":    {claims: map[string]any{"email_verified": false}, want: auth.ErrNoEmail},
		"not verified, in text":  {claims: map[string]any{"email_verified": "false"}, want: auth.ErrNoEmail},
		"nothing said of it":     {claims: map[string]any{"email_verified": nil}, want: auth.ErrNoEmail},
		"no e-mail":              {claims: map[string]any{"email": nil}, want: auth.ErrNoEmail},
		"a group without a role": {claims: map[string]any{"groups": []string{"staff"}}, want: auth.ErrNoGroup},
		"no groups":              {claims: map[string]any{"groups": nil}, want: auth.ErrNoGroup},
		"groups of another form": {claims: map[string]any{"groups": map[string]any{"ops": true}}, want: auth.ErrNoGroup},
	}
	h := newHouse(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h.claims, h.signer = tt.claims, h.key
			if tt.signer != nil {
				h.signer = tt.signer
			}
			given := code
			if tt.code != "" {
				given = tt.code
			}
			who, _, err := h.finish(t, h.start(t, ""), given)
			if !errors.Is(err, tt.want) {
				t.Fatalf("%+v, %v, want %v", who, err, tt.want)
			}
			if strings.Contains(err.Error(), clientSecret) {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
	if has, err := h.store.HasUsers(t.Context()); err != nil || has {
		t.Errorf("somebody who was refused exists: %v, %v", has, err)
	}
}

// TestOIDCState: a state works once, soon, and with the browser's own proof.
func TestOIDCState(t *testing.T) {
	h := newHouse(t)
	unknown := func(what string, state tidemark.Secret) {
		t.Helper()
		if _, _, err := h.finish(t, state, code); tidemark.KindOf(err) != tidemark.Unauthenticated || errors.Is(err, auth.ErrNotVouched) {
			t.Errorf("%s: %v", what, err)
		}
	}
	state := h.start(t, "")
	if _, _, err := h.finish(t, state, code); err != nil {
		t.Fatal(err)
	}
	unknown("replayed", state)
	unknown("made up", "made-up")
	unknown("none", "")
	late := h.start(t, "")
	*h.at = h.at.Add(11 * time.Minute)
	unknown("late", late)

	first := h.start(t, "")
	h.start(t, "") // another sign-in, whose proof the issuer now expects
	if _, _, err := h.finish(t, first, code); !errors.Is(err, auth.ErrNotVouched) || !strings.Contains(err.Error(), "PKCE") {
		t.Errorf("with the proof of another sign-in: %v", err)
	}
	setup, err := h.NewSetupKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unknown("the key of another door", setup)
}

// TestOIDCRoles: the role follows the groups at each sign-in, but the last
// Admin stays one; without groups in the settings people keep theirs.
func TestOIDCRoles(t *testing.T) {
	h := newHouse(t)
	role := func(groups ...string) tidemark.Role {
		t.Helper()
		h.claims = map[string]any{"groups": groups}
		who, _, err := h.finish(t, h.start(t, ""), code)
		if err != nil {
			t.Fatal(err)
		}
		return who.Role
	}
	if got := role("ops"); got != tidemark.FullAccess {
		t.Errorf("first: %s", got)
	}
	if got := role("dev"); got != tidemark.FullAccess {
		t.Errorf("the last Admin became %s", got)
	}
	other := &tidemark.User{Email: "bob@example.org"}
	if err := h.store.CreateUser(t.Context(), tidemark.ServerActor(), other); err != nil {
		t.Fatal(err)
	}
	orgs, err := h.store.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.AddMember(t.Context(), orgs[0].ID, tidemark.ServerActor(), other.ID, tidemark.FullAccess); err != nil {
		t.Fatal(err)
	}
	if got := role("dev"); got != tidemark.Member {
		t.Errorf("with another Admin: %s", got)
	}
	h.oidc.AdminGroups, h.oidc.MemberGroups, h.oidc.ViewerGroups = nil, nil, nil
	if got := role("whatever"); got != tidemark.Member {
		t.Errorf("without groups in the settings: %s", got)
	}
}

// TestOIDCAway: an issuer that is away is asked again later.
func TestOIDCAway(t *testing.T) {
	h := newHouse(t)
	h.broken = true
	if _, _, err := h.StartOIDC(t.Context(), h.oidc, callback, "", auth.Browser{}); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("away: %v", err)
	}
	h.broken = false
	if _, _, err := h.finish(t, h.start(t, ""), code); err != nil {
		t.Errorf("back: %v", err)
	}
	for range 200 { // who starts ever again fills nothing
		if _, _, err := h.StartOIDC(t.Context(), h.oidc, callback, "", auth.Browser{Address: "192.0.2.9"}); err != nil {
			if tidemark.KindOf(err) != tidemark.TooMany {
				t.Fatal(err)
			}
			return
		}
	}
	t.Error("200 sign-ins are begun from one address at once")
}

// TestOIDCClaim: an account that somebody else may have made is the owner's
// alone once the issuer vouches for them; one that is known to be theirs stays
// as it is.
func TestOIDCClaim(t *testing.T) {
	for _, verified := range []bool{false, true} {
		h := newHouse(t)
		hash, err := auth.DefaultCost().Hash("chosen by evil")
		if err != nil {
			t.Fatal(err)
		}
		u := &tidemark.User{Email: "ann@example.org", PasswordHash: hash, Verified: verified}
		if err := h.store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
			t.Fatal(err)
		}
		orgs, err := h.store.Orgs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.store.AddMember(t.Context(), orgs[0].ID, tidemark.ServerActor(), u.ID, tidemark.ViewOnly); err != nil {
			t.Fatal(err)
		}
		before, _, err := h.SignIn(t.Context(), u.Email, "chosen by evil", auth.Browser{})
		if err != nil {
			t.Fatal(err)
		}
		who, _, err := h.finish(t, h.start(t, ""), code)
		if err != nil || who.User != u.ID {
			t.Fatalf("%+v, %v", who, err)
		}
		if _, _, err := h.SignIn(t.Context(), u.Email, "chosen by evil", auth.Browser{}); (err == nil) != verified {
			t.Errorf("verified %v: with the password from before: %v", verified, err)
		}
		if _, _, err := h.IdentifySession(t.Context(), before); (err == nil) != verified {
			t.Errorf("verified %v: the session from before: %v", verified, err)
		}
		if _, _, err := h.finish(t, h.start(t, ""), code); err != nil {
			t.Errorf("verified %v: the next time: %v", verified, err)
		}
	}
}
