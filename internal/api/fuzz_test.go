package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzPath: no path and no credentials get a 5xx.
func FuzzPath(f *testing.F) {
	w := newWorld(f)
	for _, seed := range []string{"/v1/metrics/a", "/v1/services/1", "/v1/annotations/a/1/links/x", "/v1/alerts/%00", "/v1/../x", "/v1/spaces/1/charts/:id", "/v1/api_tokens/*", "//", "/v1/metrics/%ff"} {
		f.Add("GET", seed)
		f.Add("DELETE", seed)
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		u, err := url.ParseRequestURI(path)
		if err != nil || !strings.HasPrefix(path, "/") || strings.ContainsAny(method, " \r\n") {
			return
		}
		r, err := http.NewRequest(method, "http://x/", http.NoBody)
		if err != nil {
			return
		}
		r.Body = http.NoBody // a server's requests always have one
		r.URL.Path, r.URL.RawPath, r.URL.RawQuery = u.Path, u.RawPath, u.RawQuery
		r.SetBasicAuth(w.secrets["admin"], "")
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		if rec.Code >= 500 {
			t.Fatalf("%s %q: %d %s", method, path, rec.Code, rec.Body)
		}
	})
}
