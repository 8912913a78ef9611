package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
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
		Client: c, Logger: slog.New(slog.DiscardHandler), History: 8 * time.Hour,
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

// TestDemoPast fills a server whose alerts are not judged yet: two of them are
// found firing, one with the incidents of the hours before and what services
// were told of them, and no delivery of the past is left to be sent.
func TestDemoPast(t *testing.T) {
	cfg := settings(t, map[string]string{"bootstrap_token": bootstrap, "demo": "true"})
	unlock, err := Lock(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	rm, err := open(t.Context(), cfg, slog.New(slog.DiscardHandler), &meters{})
	if err != nil {
		t.Fatal(err)
	}
	defer rm.close(slog.New(slog.DiscardHandler))
	if _, err := Bootstrap(t.Context(), rm.store, cfg.Bootstrap); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = demo.Run(ctx, demo.Options{
		Client: client.New("http://tidemark", client.HTTP(&http.Client{Transport: outbound.Inside{Handler: rm.api.Admin()}})),
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, Org: 1, History: 8 * time.Hour, Store: rm.store, Filled: cancel,
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := rm.store.CountFiring(t.Context(), 1); n != 2 || err != nil {
		t.Errorf("%d alerts fire, %v", n, err)
	}
	incidents, _, err := rm.store.Incidents(t.Context(), 1, 1, tidemark.Page{Length: 10})
	if err != nil || len(incidents) != 3 || incidents[0].ClearedAt != nil || incidents[1].ClearedAt == nil || len(incidents[0].Violations) < 2 {
		t.Errorf("incidents %+v, %v", incidents, err)
	}
	sent, _, err := rm.store.AlertDeliveries(t.Context(), 1, 1, tidemark.Page{Length: 100})
	if err != nil {
		t.Fatal(err)
	}
	waiting := 0
	for _, d := range sent {
		if d.Status == tidemark.DeliveryWaiting {
			waiting++
		}
	}
	if waiting != 3 || len(sent) != 3*5 {
		t.Errorf("%d deliveries, %d of them waiting", len(sent), waiting)
	}
	checkDemoUsage(t, rm, 1)
}

// checkDemoUsage looks for measurements counted on the days they are of.
func checkDemoUsage(t *testing.T, rm *rooms, org tidemark.OrgID) {
	t.Helper()
	const day = 86400
	stats, err := rm.engine.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// What the server counts itself, and has not yet in this test.
	now := time.Now().Unix()
	if err := rm.store.AddUsage(t.Context(), now/day*day, map[tidemark.OrgID]int64{org: stats.Orgs[org].Samples}); err != nil {
		t.Fatal(err)
	}
	days, err := rm.store.Usage(t.Context(), org, 0)
	if err != nil || len(days) == 0 {
		t.Fatalf("%d days, %v", len(days), err)
	}
	first, total := days[0].Day, int64(0)
	for _, d := range days {
		total += d.Samples
	}
	if total != stats.Orgs[org].Samples || first != (now-8*3600)/day*day && first != now/day*day {
		t.Errorf("%d measurements since %d, of %d", total, first, stats.Orgs[org].Samples)
	}
	if n := (now % day) / 60; n < 8*60 && len(days) != 2 {
		t.Errorf("eight hours until %d minutes after midnight are on %d days", n, len(days))
	}
}
