package app

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestNoRedirects: whatever the slashes of a path, a request is answered where
// it came in. Clients take a redirect for success and lose what they sent.
func TestNoRedirects(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		method, path string
		status       int
		text         string
	}{
		{"POST", "//v1/measurements", http.StatusAccepted, `"failed":0`},
		{"POST", "/v1//measurements", http.StatusAccepted, `"failed":0`},
		{"POST", "/v1/measurements/", http.StatusAccepted, `"failed":0`},
		{"POST", "//v1//measurements//", http.StatusAccepted, `"failed":0`},
		{"GET", "//v1/metrics/hello.tide", http.StatusOK, `"name":"hello.tide"`},
		{"GET", "/v1", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "/v1/", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "/v1/../v1/metrics", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"POST", "/metrics-api/v1/measurements", http.StatusAccepted, `"failed":0`},
		{"GET", "/metrics-api/v1/metrics/hello.tide", http.StatusOK, `"name":"hello.tide"`},
		{"GET", "/metrics-api/v1", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "/metrics-api/other", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"POST", "/measurements", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "/spaces", http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "//healthz", http.StatusOK, "ok"},
	} {
		var sent io.Reader
		if c.method == "POST" {
			sent = strings.NewReader(`{"measurements":[{"name":"hello.tide","value":1,"tags":{"host":"a"}}]}`)
		}
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.URL+c.path, sent)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(s.Secret.Reveal(), "")
		r.Header.Set("Content-Type", "application/json")
		res, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != c.status || !strings.Contains(string(answer), c.text) {
			t.Errorf("%s %s: %d %.200s %v, want %d with %s", c.method, c.path, res.StatusCode, answer, err, c.status, c.text)
		}
	}
}
