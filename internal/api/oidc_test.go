package api

import (
	"net/http"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestOIDCCallback: anyone who comes back without the cookie of this browser is
// sent to sign in, as is whoever comes with what nobody was sent with.
func TestOIDCCallback(t *testing.T) {
	w := newWorld(t)
	w.OIDC = &auth.OIDC{Issuer: "http://127.0.0.1:1", ClientID: "x", Client: http.DefaultClient}
	for name, tt := range map[string]struct {
		path   string
		cookie string
		want   string
	}{
		"no cookie":              {"/ui/api/oidc/callback?state=abc&code=x", "", "/signin?error=again"},
		"another browser's":      {"/ui/api/oidc/callback?state=abc&code=x", tidemark.Secret("other").Hash(), "/signin?error=again"},
		"a state nobody was had": {"/ui/api/oidc/callback?state=abc&code=x", tidemark.Secret("abc").Hash(), "/signin?error=again"},
		"an issuer that is away": {"/ui/api/oidc/start?next=/alerts", "", "/signin?error=away"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := w.ask("nobody", "GET", tt.path, "", "Cookie", "tidemark_oidc="+tt.cookie, "Sec-Fetch-Site", "cross-site")
			if rec.Code != http.StatusFound || rec.Header().Get("Location") != tt.want || rec.Header().Get("Set-Cookie") != "" {
				t.Errorf("%d %v", rec.Code, rec.Header())
			}
		})
	}
}
