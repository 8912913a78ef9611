package query_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// countingCatalog counts how often it is asked.
type countingCatalog struct {
	catalog
	single, bulk atomic.Int64
}

func (c *countingCatalog) Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	c.single.Add(1)
	return c.catalog.Metric(ctx, org, name)
}

func (c *countingCatalog) MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error) {
	c.bulk.Add(1)
	return c.catalog.MetricsByName(ctx, org, names)
}

// TestGlobAsksOnce checks that the metrics which a pattern finds are looked up
// together, and that what is found out about them counts.
func TestGlobAsksOnce(t *testing.T) {
	t.Parallel()
	engine := memory.New()
	var b tsdb.Batch
	metrics := catalog{}
	for i := range 200 {
		name := fmt.Sprintf("app.%03d", i)
		b.Add(name, tidemark.Tags{{Name: "host", Value: "a"}}, 60, 1)
		if i > 0 { // the store has forgotten the first
			metrics[name] = &tidemark.Metric{Name: "App" + name[3:], Type: tidemark.Gauge, Period: new(int64(i))}
		}
	}
	if err := engine.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		single, bulk int64
		series       int
		name         string // of the first
		period       int64  // of the last
	}{
		`s("app.*")`:                                   {0, 1, 200, "app.000", 199},
		`sum(s("app.*"))`:                              {0, 1, 1, "", 199},
		`[s("app.*"), mean(s("app.1*"))]`:              {0, 2, 201, "app.000", 199},
		`[s("app.007"), s("app.00*")]`:                 {1, 1, 11, "App.007", 10},
		`map({metric: "app.*"}, s("&"))`:               {0, 1, 200, "app.000", 199},
		`map({metric: "app.*"}, abs(sum(s("&"))))`:     {0, 1, 200, "app.000", 199},
		`group_by("host", s("app.*", {host: "none"}))`: {0, 0, 0, "", 0},
	} {
		c := &countingCatalog{catalog: metrics}
		q := query.New(query.Options{Engine: engine, Catalog: c})
		r, err := q.Eval(t.Context(), 1, mustParse(t, text), query.Window{End: 120, Step: 10}, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		single, bulk := c.single.Load(), c.bulk.Load()
		if single != want.single || bulk > want.bulk || bulk == 0 && want.bulk > 0 {
			t.Errorf("%s: %d single and %d bulk look-ups, want %d and at most %d", text, single, bulk, want.single, want.bulk)
		}
		if len(r.Series) != want.series {
			t.Errorf("%s: %d series, want %d", text, len(r.Series), want.series)
			continue
		}
		if want.series == 0 {
			continue
		}
		if first, last := r.Series[0], r.Series[len(r.Series)-1]; first.Name() != want.name || last.Period != want.period {
			t.Errorf("%s: the first is %q, want %q; the last has period %d, want %d", text, first.Name(), want.name, last.Period, want.period)
		}
	}
}
