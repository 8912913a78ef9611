package app

import (
	"context"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
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

// TestOwnMetrics records metrics about the server and its alerting, and makes
// alerts on them, on all of which something is recorded.
func TestOwnMetrics(t *testing.T) {
	t.Parallel()
	flags := map[string]string{"alerting.own_alerts": "true", "backup.to": t.TempDir(), "backup.every": "1h"}
	rm, org := openRooms(t, flags)
	own := &ownRecorder{rooms: rm, cfg: settings(t, flags)}
	now := time.Now()
	for range 2 { // the second time everything is there already
		if err := own.record(t.Context(), now.Add(-time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	rm.meters.backupAt.Store(now.Unix())
	if err := own.record(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	for _, metric := range append(charted(t), alerting.MetricAlerts, alerting.MetricUnsaved, alerting.MetricUptime) {
		if got := rm.valuesOf(t, org, metric, now); len(got) != 1 {
			t.Errorf("of %s there is %v", metric, got)
		}
	}
	alerts, err := rm.store.AlertsOverview(t.Context(), org)
	if err != nil || len(alerts) != len(alerting.OwnAlerts()) {
		t.Errorf("%d alerts, %v", len(alerts), err)
	}
}

// charted are the metrics of the ready space about the server.
func charted(t *testing.T) (metrics []string) {
	t.Helper()
	text, err := os.ReadFile("../api/uiapi/dashboards/templates/server.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"metric": "([^"]+)"`).FindAllSubmatch(text, -1) {
		metrics = append(metrics, string(m[1]))
	}
	return metrics
}

// valuesOf are the values of a metric of one second, of all its streams.
func (rm *rooms) valuesOf(t *testing.T, org tidemark.OrgID, metric string, at time.Time) (values []float64) {
	t.Helper()
	for s, err := range rm.engine.Select(t.Context(), org, &tsdb.Query{Metric: metric, Start: at.Unix(), End: at.Unix() + 1, Step: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, s.Values...)
	}
	return values
}

// TestOwnMetricsOfServer: a server that has something to do tells what it was
// told since the last time, and how late its backup is.
func TestOwnMetricsOfServer(t *testing.T) {
	t.Parallel()
	flags := map[string]string{"backup.to": t.TempDir(), "backup.every": "1h"}
	rm, org := openRooms(t, flags)
	if _, _, err := rm.recorder.Record(t.Context(), org, []byte(`{"tags":{"a":"b"},"measurements":[{"name":"x","value":1}]}`), "test"); err != nil {
		t.Fatal(err)
	}
	own := &ownRecorder{rooms: rm, cfg: settings(t, flags)}
	first := rm.started.Add(time.Minute)
	rm.meters.errors.Add(2)
	rm.meters.backupAt.Store(first.Add(-90 * time.Minute).Unix())
	second := first.Add(time.Minute)
	for _, step := range []struct {
		at           time.Time
		errors, late float64
	}{{first, 2, 1800}, {second, 0, 1860}} {
		if err := own.record(t.Context(), step.at); err != nil {
			t.Fatal(err)
		}
		if got := rm.valuesOf(t, org, alerting.MetricErrors, step.at); len(got) != 1 || got[0] != step.errors {
			t.Errorf("errors of the last minute: %v", got)
		}
		if got := rm.valuesOf(t, org, alerting.MetricBackupLate, step.at); len(got) != 1 || math.Abs(got[0]-step.late) > 1 {
			t.Errorf("the backup is late by %v", got)
		}
	}
}

// TestOwnMetricsOfNobody leaves an organization without alerts empty, and
// reports one that does not exist.
func TestOwnMetricsOfNobody(t *testing.T) {
	t.Parallel()
	rm, org := openRooms(t, nil)
	own := &ownRecorder{rooms: rm, cfg: settings(t, nil)}
	if err := own.record(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	for s, err := range rm.engine.Streams(t.Context(), org, "*", tsdb.Filter{}) {
		t.Errorf("an empty organization has %s (%v)", s.Metric, err)
	}
	flags := map[string]string{"alerting.own_organization": "nobody", "alerting.own_alerts": "true"}
	own.cfg = settings(t, flags)
	if err := own.record(t.Context(), time.Now()); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
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
