package promql

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	prom "github.com/prometheus/prometheus/promql"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// benchEnd is a full day, so that steps are whole.
const benchEnd = 1_760_054_400

// benchQueries are ten kinds of range queries.
var benchQueries = []struct{ name, expr string }{
	{"selector", `load`},
	{"sum", `sum(load)`},
	{"sum by", `sum by (zone) (load)`},
	{"one of many", `load{host="h0007"}`},
	{"pattern", `avg(load{host=~".*7"})`},
	{"rate", `sum by (zone) (rate(load[5m]))`},
	{"avg_over_time", `avg_over_time(load[5m])`},
	{"max_over_time", `max(max_over_time(load[1h]))`},
	{"topk", `topk(5, load)`},
	{"quantile", `quantile by (zone) (0.9, load)`},
	{"binary", `sum by (zone) (load) / count by (zone) (load)`},
	{"subquery", `max_over_time(sum(load)[30m:5m])`},
}

// benchData fills an engine with streams whose last record is before benchEnd.
func benchData(b *testing.B, streams int, span, every int64) tsdb.Engine {
	now := time.Unix(benchEnd-span, 0)
	e, err := embedded.Open(context.Background(), embedded.Options{Dir: b.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	var keys [][]byte
	for i := range streams {
		keys = append(keys, tsdb.AppendKey(nil, "load", tidemark.MakeTags(map[string]string{"host": fmt.Sprintf("h%04d", i), "zone": fmt.Sprintf("z%d", i%10)})))
	}
	var batch tsdb.Batch
	seed := uint64(1)
	for at := benchEnd - span; at < benchEnd; at += every {
		now = time.Unix(at, 0)
		for i, key := range keys {
			seed = seed*6364136223846793005 + 1442695040888963407
			batch.AddKey(key, at+int64(i)%every, tsdb.Single(float64(seed>>50)/100))
		}
		if batch.Len() >= 10_000 || at+every >= benchEnd {
			if err := e.Write(context.Background(), org, &batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	now = time.Unix(benchEnd, 0)
	return e
}

// BenchmarkRange measures range queries on the embedded engine: 6 hours of
// records 15 s apart in steps of a minute, and 30 days of records a minute
// apart, of which 8 are kept as they are, in steps of an hour.
func BenchmarkRange(b *testing.B) {
	for _, c := range []struct {
		name        string
		span, every int64
		step        time.Duration
	}{
		{"6h", 6 * 3600, 15, time.Minute},
		{"30d", 30 * 86400, 60, time.Hour},
	} {
		for _, streams := range []int{100, 1000} {
			if testing.Short() && streams*int(c.span/c.every) > 10_000_000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", c.name, streams), func(b *testing.B) {
				e := New(Options{Storage: benchData(b, streams, c.span, c.every), Now: func() time.Time { return time.Unix(benchEnd, 0) }})
				for _, q := range benchQueries {
					b.Run(strings.ReplaceAll(q.name, " ", "_"), func(b *testing.B) { benchRange(b, e, q.expr, c.span, c.step) })
				}
			})
		}
	}
}

func benchRange(b *testing.B, e *Engine, expr string, span int64, step time.Duration) {
	b.ReportAllocs()
	for b.Loop() {
		q, err := e.Range(context.Background(), org, expr, time.Unix(benchEnd-span, 0), time.Unix(benchEnd, 0), step, QueryOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if res := q.Exec(context.Background()); res.Err != nil || len(res.Value.(prom.Matrix)) == 0 {
			b.Fatal("nothing", res.Err)
		}
		q.Close()
	}
}

// BenchmarkWindow measures one long window at one time: max_over_time is read
// from summaries, avg_over_time from records.
func BenchmarkWindow(b *testing.B) {
	e := New(Options{Storage: benchData(b, 100, 30*86400, 60), Now: func() time.Time { return time.Unix(benchEnd, 0) }})
	for _, f := range []string{"max_over_time", "avg_over_time"} {
		b.Run(f, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q, err := e.Instant(context.Background(), org, f+"(load[30d])", time.Unix(benchEnd, 0), QueryOptions{})
				if err != nil {
					b.Fatal(err)
				}
				if res := q.Exec(context.Background()); res.Err != nil || len(res.Value.(prom.Vector)) != 100 {
					b.Fatal("not all", res.Err)
				}
				q.Close()
			}
		})
	}
}
