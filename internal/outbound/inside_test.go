package outbound_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// TestInside: what is sent to a host inside is answered without a connection,
// and lets nothing else through.
func TestInside(t *testing.T) {
	c := outbound.New(outbound.Options{Inside: map[string]http.Handler{
		"inside.invalid": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, r.Method+" "+r.URL.Path+" "+string(body))
		}),
	}})
	if err := c.CheckURL(t.Context(), "http://inside.invalid/x"); err != nil {
		t.Error(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://inside.invalid/x", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusTeapot || resp.Status != "418 I'm a teapot" || string(body) != "POST /x hello" || err != nil {
		t.Errorf("%d %q, %v", resp.StatusCode, body, err)
	}
	for _, url := range []string{"http://127.0.0.1/", "http://localhost/"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := c.Do(req); err == nil {
			resp.Body.Close()
			t.Errorf("%s was let through", url)
		}
	}
}

// TestInsideWithoutAnswer: who gives up gets no answer, and none that was cut
// off passes for whole. Handlers write nothing for who is gone, which would
// read as 200.
func TestInsideWithoutAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		want    error
	}{
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "[1,")
			panic(http.ErrAbortHandler)
		}, io.ErrUnexpectedEOF},
		"gone": {nil, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if tt.handler == nil {
			tt.handler = func(http.ResponseWriter, *http.Request) { cancel() }
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodDelete, "http://inside.invalid/x", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := outbound.Inside{Handler: tt.handler}.RoundTrip(req)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v", name, resp, err)
		}
		if resp != nil {
			resp.Body.Close()
		}
		cancel()
	}
}
