package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// openRooms opens a server that does not run, with an organization.
func openRooms(t *testing.T, flags map[string]string) (*rooms, tidemark.OrgID) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	cfg := settings(t, flags)
	unlock, err := Lock(cfg.Data) // makes the directory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unlock() })
	rm, err := open(t.Context(), cfg, log, &meters{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rm.close(log) })
	if _, err := Bootstrap(t.Context(), rm.store, bootstrap); err != nil {
		t.Fatal(err)
	}
	orgs, err := rm.store.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rm, orgs[0].ID
}

// evaluate lets the evaluator finish a round.
func (rm *rooms) evaluate(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- rm.watch.evaluator.Load().Run(ctx) }()
	for rm.watch.evaluator.Load().EvaluatedAt() == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestOwnMetrics records metrics about alerting, and makes alerts on them.
func TestOwnMetrics(t *testing.T) {
	t.Parallel()
	flags := map[string]string{"alerting.own_alerts": "true"}
	rm, org := openRooms(t, flags)
	cfg := settings(t, flags)
	now := time.Now()
	for range 2 { // the second time everything is there already
		if err := rm.recordOwnOnce(t.Context(), cfg, now); err != nil {
			t.Fatal(err)
		}
	}
	for _, metric := range []string{alerting.MetricAlerts, alerting.MetricLateMax, alerting.MetricRetrying, alerting.MetricUnsaved} {
		found := 0
		for _, err := range rm.engine.Select(t.Context(), org, &tsdb.Query{Metric: metric, Start: now.Unix(), End: now.Unix() + 1, Step: 1}) {
			if err != nil {
				t.Fatal(err)
			}
			found++
		}
		if found != 1 {
			t.Errorf("%s has %d streams", metric, found)
		}
	}
	alerts, err := rm.store.AlertsOverview(t.Context(), org)
	if err != nil || len(alerts) != len(alerting.OwnAlerts()) {
		t.Errorf("%d alerts, %v", len(alerts), err)
	}
}

// TestOwnMetricsOfNobody leaves an organization without alerts empty, and
// reports one that does not exist.
func TestOwnMetricsOfNobody(t *testing.T) {
	t.Parallel()
	rm, org := openRooms(t, nil)
	if err := rm.recordOwnOnce(t.Context(), settings(t, nil), time.Now()); err != nil {
		t.Fatal(err)
	}
	for s, err := range rm.engine.Streams(t.Context(), org, "*", tsdb.Filter{}) {
		t.Errorf("an empty organization has %s (%v)", s.Metric, err)
	}
	flags := map[string]string{"alerting.own_organization": "nobody", "alerting.own_alerts": "true"}
	if err := rm.recordOwnOnce(t.Context(), settings(t, flags), time.Now()); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("an organization that does not exist: %v", err)
	}
}

// TestHeartbeat calls while alerts are evaluated on time, and only then.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	status := http.StatusOK
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(status)
	}))
	defer outside.Close()
	rm, _ := openRooms(t, map[string]string{"heartbeat.url": outside.URL + "/ping"})
	beat := func(at time.Time) error { return rm.beatOnce(t.Context(), outside.URL+"/ping", at) }
	if err := beat(time.Now()); err == nil || calls.Load() != 0 {
		t.Errorf("called before anything was evaluated (%v)", err)
	}
	rm.evaluate(t)
	if err := beat(time.Now()); err != nil || calls.Load() != 1 {
		t.Errorf("called %d times (%v)", calls.Load(), err)
	}
	if err := beat(time.Now().Add((alerting.OnTime + 5) * time.Second)); err == nil || calls.Load() != 1 {
		t.Errorf("called although alerting is behind (%v)", err)
	}
	status = http.StatusNotFound
	if err := beat(time.Now()); err == nil {
		t.Error("a refusal is taken for success")
	}
}

// TestAlertingMetrics has /metrics and /readyz tell how alerting is doing.
func TestAlertingMetrics(t *testing.T) {
	t.Parallel()
	rm, _ := openRooms(t, nil)
	rm.evaluate(t)
	answer := func(handler http.HandlerFunc) string {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest(http.MethodGet, "/", nil))
		b, _ := io.ReadAll(w.Result().Body)
		return string(b)
	}
	var text strings.Builder
	rm.writeAlertingMetrics(t.Context(), func(name, _ string, _ int64) { text.WriteString(name + "\n") })
	for _, name := range []string{"tidemark_alerting_late_max_seconds", "tidemark_alerting_set_aside", "tidemark_alerting_deliveries_retrying"} {
		if !strings.Contains(text.String(), name+"\n") {
			t.Errorf("no %s in\n%s", name, text.String())
		}
	}
	if got := answer(rm.ready); got != "ready\n" {
		t.Errorf("while all is well: %q", got)
	}
}
