package app

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

// TestOwnWayOut: what the operator names for mail and signing in is reached by
// the server on a private address, and by nothing that users choose.
func TestOwnWayOut(t *testing.T) {
	start := func() *url.URL {
		srv := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(srv.Close)
		u, err := url.Parse(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	mail, issuer, third := start(), start(), start()
	port, err := strconv.ParseInt(mail.Port(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &config.Config{
		SMTP: config.SMTP{Host: mail.Hostname(), Port: port},
		OIDC: config.OIDC{Issuer: issuer.String() + "/realm", ClientID: "tidemark"},
	}
	rm := &rooms{out: wayOut(cfg), own: ownWayOut(cfg)}
	letters := rm.notifyOptions(cfg)
	for name, want := range map[string]struct {
		to  *url.URL
		own bool
	}{"mail": {mail, true}, "issuer": {issuer, true}, "another port": {third, false}} {
		conn, err := letters.Dial(t.Context(), "tcp", want.to.Host)
		if err == nil {
			conn.Close()
		}
		if (err == nil) != want.own {
			t.Errorf("%s: the server itself: %v", name, err)
		}
		req, err := http.NewRequestWithContext(t.Context(), "POST", want.to.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := letters.Client.Do(req); err == nil || tidemark.KindOf(err) != tidemark.Invalid {
			if err == nil {
				resp.Body.Close()
			}
			t.Errorf("%s: a notification gets there: %v", name, err)
		}
	}
}
