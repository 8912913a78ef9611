package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/demo"
)

// TestDemo fills a server with a short demo and looks at what is promised:
// metrics with units and streams, annotations, dashboards, alerts that tell
// somebody. A second run finds it and makes nothing twice.
func TestDemo(t *testing.T) {
	s := start(t, settings(t, map[string]string{"bootstrap_token": bootstrap, "outbound_allow": "127.0.0.0/8"}))
	c := client.New(s.URL, client.Token(bootstrap))
	runDemo(t, c)
	before := census(t, c)
	for what, n := range before {
		if n == 0 {
			t.Errorf("the demo has no %s", what)
		}
	}
	series, err := c.Measurements(t.Context(), "checkout.requests", url.Values{"resolution": {"60"}, "duration": {"3600"}})
	if err != nil || len(series) < 2 || len(series[0].Measurements) < 10 {
		t.Errorf("%d series, %v", len(series), err)
	}
	runDemo(t, c)
	for what, n := range census(t, c) {
		if n != before[what] {
			t.Errorf("a second run: %d %s, before %d", n, what, before[what])
		}
	}
	s.end(t)
}

// runDemo runs the demo until it has nothing left to make.
func runDemo(t *testing.T, c *client.Client) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The clock is asked last when the demo begins to live.
	var asked atomic.Int64
	existed := census(t, c)["metrics"] > 0
	now := time.Now()
	err := demo.Run(ctx, demo.Options{
		Client: c, Logger: slog.New(slog.DiscardHandler), Receiver: "http://127.0.0.1:1/", History: 8 * time.Hour,
		Now: func() time.Time {
			if n := asked.Add(1); n == 2 || existed {
				cancel()
			}
			return now
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// census counts what there is.
func census(t *testing.T, c *client.Client) map[string]int {
	t.Helper()
	counts := make(map[string]int)
	for _, what := range []string{"metrics", "annotations", "spaces", "alerts", "services"} {
		var answer struct{ Query struct{ Found int } }
		if err := c.Do(t.Context(), http.MethodGet, "/v1/"+what, nil, &answer); err != nil {
			t.Fatal(err)
		}
		counts[what] = answer.Query.Found
	}
	return counts
}
