package api

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestUsageSaysWhyRefused: anyone who watches what arrives reads sentences.
func TestUsageSaysWhyRefused(t *testing.T) {
	w := newWorld(t).withPeople(t)
	bad := []struct{ path, body, want string }{
		{"/v1/measurements", `{"measurements":[{"name":"ok","value":1},{"value":1}]}`, ""}, // some of it is taken
		{"/v1/measurements", `{"measurements":[{"value":1}]}`, "measurement 1 failed: name is not present"},
		{"/v1/measurements", `{`, "Unable to process JSON"},
		{"/v1/metrics", `{"gauges":[{"value":1}]}`, "name"},
	}
	for _, b := range bad {
		w.ask("recorder", "POST", b.path, b.body, "Content-Type", "application/json")
		var said struct{ Problems []struct{ Reason string } }
		if err := json.Unmarshal(w.ask("Viewer", "GET", "/ui/api/arrivals", "").Body.Bytes(), &said); err != nil {
			t.Fatal(err)
		}
		if b.want == "" {
			continue
		}
		if len(said.Problems) == 0 || !strings.Contains(said.Problems[0].Reason, b.want) || strings.Contains(said.Problems[0].Reason, "{") {
			t.Errorf("%s %s: %+v, want %q", b.path, b.body, said.Problems, b.want)
		}
	}
}

// TestUnknownTokens: of a token that nobody has, people see the end, by which
// they find it in a configuration, and never more. Of short ones, which may be
// passwords, they see nothing.
func TestUnknownTokens(t *testing.T) {
	w := newWorld(t).withPeople(t)
	var logged bytes.Buffer
	w.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	strange := tidemark.NewSecret()
	for _, header := range []string{"Bearer " + strange.Reveal(), "Bearer hunter2", "Basic " + strange.Reveal(), ""} {
		if rec := w.ask("nobody", "POST", "/v1/measurements", `{"measurements":[]}`, "Authorization", header); rec.Code != http.StatusUnauthorized {
			t.Fatalf("%s: %d", header, rec.Code)
		}
	}
	w.joinTheirs(t, "viewer@example.org")
	r := w.ask("Viewer", "GET", "/o/1/ui/api/arrivals", "")
	var said struct {
		Problems []struct {
			Ends string `json:"token_ends"`
		}
	}
	if err := json.Unmarshal(r.Body.Bytes(), &said); err != nil || len(said.Problems) != 4 {
		t.Fatalf("%s, %v", r.Body, err)
	}
	for i, want := range []string{"", "", "", strange.Last4()} { // the latest first
		if got := said.Problems[i].Ends; got != want {
			t.Errorf("request %d ends in %q, want %q", i, got, want)
		}
	}
	for _, text := range []string{r.Body.String(), logged.String()} {
		if strings.Contains(text, strange.Reveal()) || strings.Contains(text, strange.Reveal()[:12]) || strings.Contains(text, "hunter") {
			t.Errorf("a secret is told: %s", text)
		}
	}
}
