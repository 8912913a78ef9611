package api

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TestInternalErrors: what is our fault says nothing but where the log has more.
func TestInternalErrors(t *testing.T) {
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
