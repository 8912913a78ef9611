package api

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TestHeadersOfEveryRoute: no answer is kept on the way or taken for something
// else by a browser, whether it is good or a refusal. Browsers may keep
// pictures, whose addresses name what is in them.
func TestHeadersOfEveryRoute(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	for _, rt := range w.table() {
		everybody := []string{"", "Viewer", "admin"}
		if _, endless := rt.Answer.(rest.Events); endless {
			everybody = everybody[:1] // others are answered for as long as they listen
		}
		method, target, body := w.goodRequest(rt)
		for _, who := range everybody {
			rec := w.ask(who, method, target, body)
			picture := rec.Code == 200 && rec.Header().Get("Content-Type") == "image/png"
			if got := rec.Header().Get("Cache-Control"); got != "no-store" && !(picture && strings.HasPrefix(got, "private,")) {
				t.Errorf("%s as %q: %d with Cache-Control %q", rt.Name(), who, rec.Code, got)
			}
			if got := rec.Header().Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("%s as %q: %d with X-Content-Type-Options %q", rt.Name(), who, rec.Code, got)
			}
		}
	}
}
