package rest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestPrefix(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"":                             "",
		"https://example.org":          "",
		"https://example.org/":         "",
		"https://example.org/tidemark": "/tidemark",
		"https://example.org/a/b/":     "/a/b",
	} {
		if got := (&Site{PublicURL: public}).Prefix(); got != want {
			t.Errorf("Prefix of %q is %q, want %q", public, got, want)
		}
	}
}

func TestBelowPrefix(t *testing.T) {
	t.Parallel()
	s := &Site{PublicURL: "https://example.org/tidemark"}
	h := s.BelowPrefix(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }))
	for asked, want := range map[string]string{
		"/tidemark/v1/alerts": "/v1/alerts",
		"/v1/alerts":          "/v1/alerts", // a proxy has taken it off
		"/tidemark/":          "/",
		"/tidemarks":          "/tidemarks",
		"/v1/tidemark/x":      "/v1/tidemark/x",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, asked, nil))
		if got := w.Body.String(); got != want {
			t.Errorf("%s is handled as %s, want %s", asked, got, want)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/tidemark?a=b", nil))
	if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != "/tidemark/" {
		t.Errorf("the prefix alone: %d to %q", w.Code, w.Header().Get("Location"))
	}
}

func TestLocationBelowPrefix(t *testing.T) {
	t.Parallel()
	s := &Site{PublicURL: "https://example.org/tidemark"}
	for to, want := range map[string]string{
		"/v1/alerts/1":           "/tidemark/v1/alerts/1",
		"https://issuer.example": "https://issuer.example",
	} {
		if got := s.location(to); got != want {
			t.Errorf("location of %s is %s, want %s", to, got, want)
		}
	}
}
