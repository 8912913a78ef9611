package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestQueriesWithoutMemory checks what a query hears for which others leave no memory, on
// every route that asks for points.
func TestQueriesWithoutMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var b tsdb.Batch
	for i := range int64(50) {
		b.Add("cpu", nil, w.minute-60*i, 1)
	}
	if err := w.engine.Write(t.Context(), w.ours, &b); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.EnsureMetrics(t.Context(), w.ours, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}); err != nil {
		t.Fatal(err)
	}
	w.Querier = query.New(query.Options{Engine: w.Engine, Catalog: w.Store, Limits: query.Limits{Held: 100, Together: 100, Wait: time.Millisecond}})
	e, err := query.Parse(`s("cpu")`)
	if err != nil {
		t.Fatal(err)
	}
	_, release, err := w.Querier.EvalHeld(t.Context(), w.ours, e, query.Window{Start: 0, End: w.minute + 60, Step: 60}, nil)
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{
		"/v1/measurements/cpu?resolution=60&duration=3600", "/v1/measurements?compose=s(%22cpu%22)&resolution=60&duration=3600",
		"/v1/metrics/cpu?resolution=60&count=5", "/v1/metrics?compose=s(%22cpu%22)&resolution=60&duration=3600",
	}
	for _, target := range targets {
		rec := w.ask("viewer", "GET", target, "")
		if rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") == "" ||
			!strings.Contains(rec.Body.String(), `"system"`) || !strings.Contains(rec.Body.String(), "100") {
			t.Errorf("%s while another holds it all: %d %v %s", target, rec.Code, rec.Header(), rec.Body)
		}
	}
	release()
	for _, target := range targets {
		for range 3 { // an answer gives back what it took
			if rec := w.ask("viewer", "GET", target, ""); rec.Code != http.StatusOK {
				t.Errorf("%s afterwards: %d %s", target, rec.Code, rec.Body)
			}
		}
	}
}
