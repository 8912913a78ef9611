package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// foreign is what browsers say of a request that another site's page makes:
// new ones, older ones, and those inside a sandbox.
var foreign = [][]string{
	{"Sec-Fetch-Site", "cross-site"},
	{"Sec-Fetch-Site", "same-site"},
	{"Origin", "https://evil.example"},
	{"Origin", "https://example.com.evil.example"},
	{"Origin", "null"},
	{"Sec-Fetch-Site", "cross-site", "Origin", "http://example.com"},
}

// TestCrossSiteRoutes: no route that changes something takes a request of
// another site's page, whatever cookie the browser sends along, and whether it
// needs one or not.
func TestCrossSiteRoutes(t *testing.T) {
	w := newWorld(t).withPeople(t)
	tried := 0
	for _, rt := range w.Table {
		method, path := fill(rt.Pattern)
		if method == http.MethodGet {
			continue
		}
		tried++
		for _, headers := range foreign {
			for _, body := range []string{`{}`, ""} {
				rec := w.ask("Admin", method, path, body, headers...)
				if rec.Code != http.StatusForbidden || rec.Header().Get("Set-Cookie") != "" {
					t.Errorf("%s %s with %v: %d %s", method, path, headers, rec.Code, rec.Body)
				}
			}
		}
		// As a form of another site's page sends it.
		rec := w.ask("Admin", method, path, "name=x", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site")
		if rec.Code != http.StatusForbidden {
			t.Errorf("%s %s as a form: %d %s", method, path, rec.Code, rec.Body)
		}
	}
	if tried < 50 {
		t.Errorf("only %d routes change something", tried)
	}
}

// TestCrossSiteReads: what a page of another site may have the browser ask
// for changes nothing, and no answer lets that page read it.
func TestCrossSiteReads(t *testing.T) {
	w := newWorld(t).withPeople(t)
	for _, rt := range w.Table {
		method, path := fill(rt.Pattern)
		if method != http.MethodGet || strings.HasSuffix(path, "/watch") {
			continue
		}
		rec := w.ask("Admin", method, path, "", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
		for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"} {
			if v := rec.Header().Get(name); v != "" {
				t.Errorf("%s: %s: %s", path, name, v)
			}
		}
	}
}

// TestSessionCookie: scripts cannot read it, other sites' requests do not
// bring it, and where there is TLS it goes nowhere else.
func TestSessionCookie(t *testing.T) {
	for url, secure := range map[string]bool{"": false, "https://metrics.example.org": true} {
		w := newWorld(t)
		w.PublicURL = url
		rep := w.WithCookie(httptest.NewRequest("GET", "/", nil), rest.NoContent, "secret")
		c, err := http.ParseSetCookie(rep.Header["Set-Cookie"])
		if err != nil {
			t.Fatal(err)
		}
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != secure || c.Domain != "" || c.Path != "/" || c.MaxAge <= 0 {
			t.Errorf("at %q: %s", url, rep.Header["Set-Cookie"])
		}
	}
}
