package auth_test

import (
	"net/url"
	"slices"
	"testing"
)

// TestOIDCReach: what the issuer names on its own host may be contacted, what
// it names elsewhere is not opened.
func TestOIDCReach(t *testing.T) {
	h := newHouse(t)
	h.keysURL = "https://keys.example.org/keys"
	var reached []string
	h.oidc.Reach = func(u *url.URL) { reached = append(reached, u.String()) }
	h.start(t, "")
	if want := []string{h.URL + "/token"}; !slices.Equal(reached, want) {
		t.Errorf("opened %q, want %q", reached, want)
	}
}
