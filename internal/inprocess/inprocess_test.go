package inprocess

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		status  int
		body    string
		whole   bool
	}{
		"status and body": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "no such metric")
		}, http.StatusNotFound, "no such metric", true},
		"body alone":     {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }, http.StatusOK, "{}", true},
		"nothing at all": {func(http.ResponseWriter, *http.Request) {}, http.StatusOK, "", true},
		"second status": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "[")
			w.WriteHeader(http.StatusInternalServerError)
		}, http.StatusOK, "[", true},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "[1,")
			panic(http.ErrAbortHandler)
		}, http.StatusOK, "[1,", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body, whole := Ask(tt.handler, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
			if status != tt.status || string(body) != tt.body || whole != tt.whole {
				t.Errorf("answered %d %q, whole: %v", status, body, whole)
			}
		})
	}
}

// TestAskPanics: what is wrong in a handler is not hidden.
func TestAskPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if p := recover(); p != "wrong" {
			t.Errorf("recovered %v", p)
		}
	}()
	Ask(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("wrong") }), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
}
