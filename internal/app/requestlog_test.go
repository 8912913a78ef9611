package app

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRequestLog(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	h := logRequests(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, canFlush := w.(http.Flusher); !canFlush || http.NewResponseController(w).Flush() != nil {
			t.Error("live pages cannot be sent")
		}
		_, _ = io.WriteString(w, "short")
	}), slog.New(slog.NewTextHandler(&text, nil)), func(*http.Request) string { return "192.0.2.7" })
	for _, path := range []string{"/v1/metrics/cpu?token=hush", "/setup/hush", "/ui/api/shared/hush/query"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	for _, want := range []string{"path=/v1/metrics/cpu ", "path=/setup/... ", "path=/ui/api/shared/... ", "status=200", "bytes=5", "from=192.0.2.7"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "hush") {
		t.Errorf("a secret is in the log:\n%s", text.String())
	}
}

// TestCutAnswersAreLogged: an answer that broke off has its line, too.
func TestCutAnswersAreLogged(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	h := logRequests(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	}), slog.New(slog.NewTextHandler(&text, nil)), func(*http.Request) string { return "192.0.2.7" })
	defer func() {
		if recover() != any(http.ErrAbortHandler) || !strings.Contains(text.String(), "bytes=4") {
			t.Errorf("logged %q", text.String())
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v1/measurements", nil))
}

// TestKeysInOtherSpellings: a key stays out of the log however a client writes
// the path, and below the prefix of the public URL.
func TestKeysInOtherSpellings(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/heartbeat/hush": "/heartbeat/...", "/heartbeat/hush/fail": "/heartbeat/...", "/tidemark/s/hush": "/tidemark/s/...",
		"/tidemark/ui/api/shared/hush/query": "/tidemark/ui/api/shared/...", "/o/7/ui/api/shared/hush": "/o/7/ui/api/shared/...",
		"//ui/api//shared///hush": "/ui/api/shared/...", "/a/ui/api/reset/hush": "/a/ui/api/reset/...",
		"/v1/metrics/cpu": "/v1/metrics/cpu", "/s/": "/s/", "/spaces/5": "/spaces/5",
	} {
		if got := withoutKey(path); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}

// TestKeyedPaths: every route that takes a key is known.
func TestKeyedPaths(t *testing.T) {
	t.Parallel()
	cfg := settings(t, nil)
	rm := opened(t, cfg, slog.New(slog.DiscardHandler))
	found := 0
	for _, rt := range rm.api.Table {
		_, path, _ := strings.Cut(rt.Name(), " ")
		if !strings.Contains(path, "{key}") {
			continue
		}
		found++
		if strings.Contains(withoutKey(path), "{key}") {
			t.Errorf("the request log would have the key of %s", path)
		}
	}
	if found == 0 {
		t.Error("there are no such routes")
	}
}
