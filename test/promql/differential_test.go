package promql_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/tidemark-metrics/tidemark/internal/promql"
)

// rounds is how many expressions are compared; TIDEMARK_PROMQL_ROUNDS=20000
// and another TIDEMARK_PROMQL_SEED look further.
func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestSameAsPrometheus asks Prometheus' storage and ours the same.
func TestSameAsPrometheus(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(setting("TIDEMARK_PROMQL_SEED", 1)), 2))
	theirs := teststorage.New(t)
	ours := newOurs(t, openEmbedded, time.Unix(dataEnd, 0))
	defer func() {
		if err := ours.Close(); err != nil {
			t.Error(err)
		}
	}()
	fill(t, r, theirs, ours)
	ours.use(promql.Options{Now: func() time.Time { return time.Unix(dataEnd, 0) }})
	reference := prom.NewEngine(prom.EngineOpts{
		MaxSamples: 50_000_000, Timeout: time.Minute, LookbackDelta: 5 * time.Minute,
		EnableAtModifier: true, EnableNegativeOffset: true, NoStepSubqueryIntervalFn: func(int64) int64 { return 60_000 },
		Parser: parser.NewParser(parser.Options{}),
	})
	c := &comparison{t: t, reference: reference, theirs: theirs, ours: ours}
	for range setting("TIDEMARK_PROMQL_ROUNDS", 1500) {
		c.compare(writer{r}.vector(3), r)
	}
	t.Logf("%d expressions gave series, %d nothing, %d errors; %d points", c.some, c.none, c.errors, c.points)
	if c.some < c.none {
		t.Error("most expressions gave nothing: the test says little")
	}
}

// comparison counts what was compared.
type comparison struct {
	t                          *testing.T
	reference                  *prom.Engine
	theirs                     *teststorage.TestStorage
	ours                       *ours
	some, none, errors, points int
}

// compare evaluates expr at one time, and over a range.
func (c *comparison) compare(expr string, r *rand.Rand) {
	at := time.UnixMilli(1000*dataStart + r.Int64N(1000*(dataEnd-dataStart+600)))
	if r.IntN(2) == 0 {
		at = at.Truncate(time.Minute)
	}
	step := []time.Duration{time.Second, 7500 * time.Millisecond, 15 * time.Second, time.Minute, 10 * time.Minute, 47 * time.Minute}[r.IntN(6)]
	end := at.Add(step*time.Duration(r.IntN(30)) + time.Duration(r.IntN(2000))*time.Millisecond)

	ctx := context.Background()
	want, err := c.reference.NewInstantQuery(ctx, c.theirs, nil, expr, at)
	got, gotErr := c.ours.promql.Instant(ctx, org, expr, at, promql.QueryOptions{})
	c.same(expr, at, at, 0, want, err, got, gotErr)
	want, err = c.reference.NewRangeQuery(ctx, c.theirs, nil, expr, at, end, step)
	got, gotErr = c.ours.promql.Range(ctx, org, expr, at, end, step, promql.QueryOptions{})
	c.same(expr, at, end, step, want, err, got, gotErr)
}

func (c *comparison) same(expr string, start, end time.Time, step time.Duration, want prom.Query, wantErr error, got prom.Query, gotErr error) {
	c.t.Helper()
	if wantErr != nil && gotErr != nil {
		c.errors++
		return
	}
	if wantErr != nil || gotErr != nil {
		c.t.Fatalf("%s: cannot be parsed: %v, %v", expr, wantErr, gotErr)
	}
	defer want.Close()
	defer got.Close()
	w, g := want.Exec(context.Background()), got.Exec(context.Background())
	if w.Err != nil || g.Err != nil {
		c.errors++
		if (w.Err == nil) != (g.Err == nil) {
			c.t.Errorf("%s\nfrom %d to %d step %v: Prometheus fails with %v, we with %v", expr, start.UnixMilli(), end.UnixMilli(), step, w.Err, g.Err)
		}
		return
	}
	a, b := matrix(w.Value), matrix(g.Value)
	if len(a) == 0 {
		c.none++
	} else {
		c.some++
	}
	if diff := c.difference(a, b); diff != "" {
		c.t.Errorf("%s\nfrom %d to %d step %v: %s\nPrometheus %v\nours       %v", expr, start.UnixMilli(), end.UnixMilli(), step, diff, w.Value, g.Value)
	}
}

// matrix makes one form of all kinds of values, in order of labels.
func matrix(v parser.Value) prom.Matrix {
	var m prom.Matrix
	switch v := v.(type) {
	case prom.Matrix:
		m = v
	case prom.Vector:
		for _, s := range v {
			m = append(m, prom.Series{Metric: s.Metric, Floats: []prom.FPoint{{T: s.T, F: s.F}}})
		}
	case prom.Scalar:
		m = prom.Matrix{{Floats: []prom.FPoint{{T: v.T, F: v.V}}}}
	}
	slices.SortFunc(m, func(a, b prom.Series) int { return labels.Compare(a.Metric, b.Metric) })
	return m
}

func (c *comparison) difference(want, got prom.Matrix) string {
	if len(want) != len(got) {
		return "another number of series"
	}
	for i := range want {
		if !labels.Equal(want[i].Metric, got[i].Metric) {
			return "other labels: " + want[i].Metric.String() + " and " + got[i].Metric.String()
		}
		if len(want[i].Floats) != len(got[i].Floats) {
			return "another number of points"
		}
		for k, p := range want[i].Floats {
			q := got[i].Floats[k]
			c.points++
			if p.T != q.T || !near(p.F, q.F) {
				return "another point: " + p.String() + " and " + q.String()
			}
		}
	}
	return ""
}

func near(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return math.IsNaN(a) && math.IsNaN(b) || cmp.Compare(a, b) == 0
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1e-6)
}
