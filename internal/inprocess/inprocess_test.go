package inprocess

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
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
			var body strings.Builder
			status, whole := Ask(tt.handler, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), &body)
			if status != tt.status || body.String() != tt.body || whole != tt.whole {
				t.Errorf("answered %d %q, whole: %v", status, body.String(), whole)
			}
		})
	}
}

// full takes a number of writes.
type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestAskForTooMuch: a handler learns that its answer is not wanted any more,
// each time, and so does who asked.
func TestAskForTooMuch(t *testing.T) {
	t.Parallel()
	var errs [3]error
	_, whole := Ask(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range errs {
			_, errs[i] = fmt.Fprint(w, "piece")
		}
	}), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), &full{left: 1})
	if whole || errs != [3]error{nil, errFull, errFull} {
		t.Errorf("whole: %v, errors %v", whole, errs)
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
	Ask(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("wrong") }), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), io.Discard)
}
