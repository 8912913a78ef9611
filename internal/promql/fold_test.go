package promql

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestFolds: what is aggregated while it is read is what Prometheus' engine
// makes of every sample, where ranges begin and end at samples, between them,
// and where samples are missing or a counter starts again.
func TestFolds(t *testing.T) {
	t.Parallel()
	const now = 1_760_000_000 - 1_760_000_000%3600
	r := rand.New(rand.NewPCG(3, 9))
	db := memory.New(memory.Options{Now: func() int64 { return now }})
	for host := range 12 {
		tags := map[string]string{"host": fmt.Sprint(host), "dc": fmt.Sprint(host % 3)}
		count := 0.0
		for at := int64(now - 7200 + host%2*17); at < now-int64(host)*100; at += 60 {
			if count += float64(r.IntN(50)); r.IntN(30) == 0 {
				count = float64(r.IntN(5))
			}
			if r.IntN(6) > 0 {
				put(t, db, "requests", tags, at, tsdb.Single(count))
			}
		}
	}
	quick := New(Options{Storage: db, Now: func() time.Time { return time.Unix(now, 0) }})
	plain := New(Options{Storage: db, Now: func() time.Time { return time.Unix(now, 0) }})
	plain.plain = true
	inner := []string{"requests", "requests > 100", "(100 < requests)", "requests <= 300", "requests offset 3m"}
	for _, span := range []string{"2m", "150s", "5m", "20m"} {
		inner = append(inner, "rate(requests["+span+"])", "increase(requests["+span+"] offset 17s)")
	}
	const kinds = 8
	for i, of := range inner {
		for j, how := range []string{"sum", "count by (dc)", "min without (host)", "max by (host, none)"} {
			if (i+2*j)%kinds >= testdeps.Rounds(kinds) {
				continue
			}
			for _, step := range []time.Duration{time.Minute, 7 * time.Second, 11 * time.Minute} {
				expr, start := how+" ("+of+")", time.Unix(now-7300, 0)
				got, want := rangeOf(t, quick, expr, start, time.Unix(now+700, 0), step), rangeOf(t, plain, expr, start, time.Unix(now+700, 0), step)
				if got != want || got == "" {
					t.Fatalf("%s, step %v:\n%s\nplain:\n%s", expr, step, got, want)
				}
			}
		}
	}
}

// TestWhatIsFolded: what a fold cannot do is left to Prometheus' engine.
func TestWhatIsFolded(t *testing.T) {
	t.Parallel()
	e := New(Options{Storage: memory.New()})
	for expr, want := range map[string]bool{
		`sum(x)`: true, `count by (a) (x > 3)`: true, `max(rate(x[5m] offset 1h))`: true, `sum without (a) (increase({"x"}[1h]))`: true,
		`avg(x)`: false, `topk(3, x)`: false, `sum(x > bool 3)`: false, `sum(x > y)`: false, `sum(x + 1)`: false, `sum(delta(x[5m]))`: false,
		`sum(rate({__name__=~"x|y"}[5m]))`: false, `sum by (__name__) (x)`: false, `sum(x @ 100)`: false, `sum(x @ end())`: false,
		`max_over_time(sum(x)[1h:1m])`: false, `sum(rate(x[1h:1m]))`: false, `sum(-x)`: false,
	} {
		from := e.queryable(org, QueryOptions{})
		q, err := e.prom.NewRangeQuery(t.Context(), from, QueryOptions{}.prom(), expr, time.Unix(100, 0), time.Unix(200, 0), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := from.prepare(q); err != nil || (len(from.folds) == 1) != want {
			t.Errorf("%s: %d are folded, want one: %v (%v)", expr, len(from.folds), want, err)
		}
		q.Close()
	}
}
