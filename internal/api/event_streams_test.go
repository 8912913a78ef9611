package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// TestTooManyWatch: pages that listen are counted, and those that are too many
// refused.
func TestTooManyWatch(t *testing.T) {
	w := ownWorld(t)
	for range usage.MaxListeners {
		if _, _, ok := w.Usage.Listen(usage.Filter{}); !ok {
			t.Fatal("one of those that may listen is refused")
		}
	}
	for _, path := range []string{"/ui/api/arrivals/watch", "/ui/api/tokens/1/watch"} {
		rec := w.ask("Admin", "GET", path, "")
		if rec.Code != http.StatusTooManyRequests || !strings.Contains(rec.Body.String(), "too many pages are watching") || rec.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
}

// TestEventsAreNotBuffered: nginx passes on an answer without an end as it
// comes only if it is told to.
func TestEventsAreNotBuffered(t *testing.T) {
	w := ownWorld(t)
	for _, path := range []string{"/ui/api/watch", "/ui/api/arrivals/watch", "/ui/api/tokens/1/watch"} {
		rec := w.ask("Admin", "GET", path, "")
		if got := rec.Header().Get("X-Accel-Buffering"); rec.Code != http.StatusOK || got != "no" {
			t.Errorf("%s: %d, X-Accel-Buffering: %q", path, rec.Code, got)
		}
	}
}
