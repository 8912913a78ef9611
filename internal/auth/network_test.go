package auth_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// TestNetworks: a token with networks is refused from everywhere else, also
// from where it is not known, and the change holds for the next request.
func TestNetworks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, err := store.Open(ctx, fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	org, err := st.CreateOrg(ctx, tidemark.ServerActor(), "a")
	if err != nil {
		t.Fatal(err)
	}
	a, secret := auth.New(st, nil), tidemark.NewSecret()
	who := tidemark.Identity{Org: org.ID, Role: tidemark.FullAccess, Name: "cli"}
	token := &tidemark.Token{Name: "edge", Role: tidemark.RecordOnly, Active: true, Networks: []string{"10.20.0.0/16", "2001:db8:40::/48", "192.0.2.7"}}
	if err := a.CreateToken(ctx, who, token, secret); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		"10.20.255.1": true, "::ffff:10.20.0.1": true, "2001:db8:40:1::5": true, "192.0.2.7": true,
		"10.21.0.1": false, "192.0.2.8": false, "2001:db8:41::1": false, "": false, "localhost": false, "10.20.0.1:80": false,
	} {
		_, err := a.Identify(ctx, secret, address)
		if got := err == nil; got != want || !got && (tidemark.KindOf(err) != tidemark.Forbidden || !strings.Contains(err.Error(), "token edge may not be used from")) {
			t.Errorf("from %q: %v", address, err)
		}
	}
	if _, err := a.UpdateToken(ctx, who, token.ID, func(v *tidemark.Token) { v.Networks = nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Identify(ctx, secret, "203.0.113.1"); err != nil {
		t.Errorf("from anywhere: %v", err)
	}
}
