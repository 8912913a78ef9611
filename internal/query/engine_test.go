package query_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// endless is an engine that never runs out of streams.
type endless struct {
	tsdb.Engine
	after func(n int) // called with the number of series so far
	ended *atomic.Bool
}

func (e endless) Select(context.Context, tidemark.OrgID, *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		defer e.ended.Store(true)
		for n := 1; ; n++ {
			tags := tidemark.Tags{{Name: "n", Value: fmt.Sprint(n)}}
			if !yield(&tsdb.Series{Metric: "m", Tags: tags, Times: []int64{int64(n % 100)}, Values: []float64{1}}, nil) {
				return
			}
			e.after(n)
		}
	}
}

// TestEndless checks that a query ends, whatever the engine has: by its limits,
// and by its context.
func TestEndless(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`s("m", "*")`, `sum(s("m", "*"))`, `group_by("n", sum(s("m", "*")))`, `[s("m"), max(s("m", "*"))]`} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var ended atomic.Bool
			e := mustParse(t, text)
			w := query.Window{End: 100, Step: 1}

			limited := query.New(query.Options{Engine: endless{after: func(int) {}, ended: &ended}, Limits: query.Limits{Points: 5000, Series: 1000, Branches: 1000}})
			if _, err := limited.Eval(ctx, 1, e, w, nil); tidemark.KindOf(err) != tidemark.TooLarge || !ended.Load() {
				t.Errorf("by limits: %v, engine ended: %v", err, ended.Load())
			}
			ended.Store(false)
			cancelled := query.New(query.Options{Engine: endless{ended: &ended, after: func(n int) {
				if n == 100 {
					cancel()
				}
			}}})
			if _, err := cancelled.Eval(ctx, 1, e, w, nil); !errors.Is(err, context.Canceled) || !ended.Load() {
				t.Errorf("by its context: %v, engine ended: %v", err, ended.Load())
			}
		})
	}
}

// paired is an engine whose reads wait until there are two of them.
type paired struct {
	tsdb.Engine
	meet    chan struct{}
	at, max *atomic.Int64
}

func (p paired) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		n := p.at.Add(1)
		defer p.at.Add(-1)
		for was := p.max.Load(); n > was && !p.max.CompareAndSwap(was, n); was = p.max.Load() {
		}
		select {
		case p.meet <- struct{}{}:
		case <-p.meet:
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return
		}
		p.Engine.Select(ctx, org, q)(yield)
	}
}

// TestParallel checks that what an expression needs is read side by side, but
// no more of it at once than is allowed.
func TestParallel(t *testing.T) {
	t.Parallel()
	engine := paired{fleet(t, 10, 2), make(chan struct{}), new(atomic.Int64), new(atomic.Int64)}
	q := query.New(query.Options{Engine: engine, Limits: query.Limits{Parallel: 2}})
	var list []string
	for i := range 8 {
		list = append(list, fmt.Sprintf(`s("cpu", {"host": "h0000%d"})`, i))
	}
	r, err := q.Eval(t.Context(), 1, mustParse(t, "["+strings.Join(list, ",")+"]"), query.Window{End: 120, Step: 60}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Series) != 8 || engine.max.Load() != 2 {
		t.Errorf("%d series, %d reads at once", len(r.Series), engine.max.Load())
	}
	for i, s := range r.Series {
		if host, _ := s.Tags.Get("host"); host != fmt.Sprintf("h0000%d", i) {
			t.Errorf("series %d is of %s", i, host)
		}
	}
}
