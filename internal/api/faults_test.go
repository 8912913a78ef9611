package api

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// TestOurFault: what is our fault says nothing but where the log has more.
func TestOurFault(t *testing.T) {
	w := ownWorld(t)
	var log lockedBuffer
	w.Logger = slog.New(slog.NewTextHandler(&log, nil))
	w.serve([]rest.Route{rest.On("GET /v1/broken", rest.Anyone, func(*http.Request, tidemark.Identity) (rest.Reply, error) {
		panic("at the disco, with SECRET")
	})}, w.authenticate)
	rec := w.ask("nobody", "GET", "/v1/broken", "")
	id := rec.Header().Get("X-Request-Id")
	equal(t, `{"errors":{"request":["internal error (request `+id+`)"]}}`, rec.Body.String())
	equal(t, http.StatusInternalServerError, rec.Code)
	if !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "at the disco") {
		t.Errorf("the log has %s", log.String())
	}
}

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

// TestLegacyAnswerTooLong: an answer by source is made whole before it is
// sent, so that it has an end.
func TestLegacyAnswerTooLong(t *testing.T) {
	w := newWorld(t)
	w.AnswerPoints = 3
	w.must(t, http.StatusOK, "POST", "/v1/metrics", `{"gauges":[{"name":"g","value":1,"source":"a","measure_time":NOW},{"name":"g","value":1,"source":"b","measure_time":NOW},
		{"name":"g","value":1,"source":"c","measure_time":NOW},{"name":"g","value":1,"source":"d","measure_time":NOW}]}`)
	text := w.must(t, http.StatusRequestEntityTooLarge, "GET", w.timely("/v1/metrics/g?start_time=NOW-60"), "")
	equal(t, `{"errors":{"request":["the answer has more than 3 points; ask for less time or a longer resolution"]}}`, text)
}
