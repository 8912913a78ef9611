package tsdbtest

import (
	"context"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// RunDurable examines engines that keep their data over Close. open returns
// the engine of a directory, new or not. Every question of the exam that can
// be asked that way is, with the engine closed and opened again before each
// read; and some of its own. Nothing is concurrent then: where the race detector
// watches some of the questions are asked, and `make test` asks all of them once
// more without it.
func RunDurable(t *testing.T, open func(t *testing.T, dir string) tsdb.Engine, options ...Option) {
	own := []question{
		{name: "reopen/modes and folds", ask: reopenModes},
		{name: "reopen/deletes", ask: reopenDeletes},
		{name: "reopen/stats", ask: reopenStats},
		{name: "reopen/many times", ask: reopenOften},
	}
	for i, q := range append(own, questions(options)...) {
		if q.alone || !testdeps.Sampled(i) {
			continue
		}
		t.Run(q.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			e := &reopening{Engine: open(t, dir), t: t, again: func() tsdb.Engine { return open(t, dir) }}
			t.Cleanup(func() { e.Close() })
			q.ask(t, newExam(e))
		})
	}
}

// reopening is an engine that is closed and opened again before each read.
// It is not safe for concurrent use.
type reopening struct {
	tsdb.Engine
	t     *testing.T
	again func() tsdb.Engine
}

func (e *reopening) reopen() tsdb.Engine {
	e.t.Helper()
	if err := e.Engine.Close(); err != nil {
		e.t.Fatalf("Close: %v", err)
	}
	e.Engine = e.again()
	return e.Engine
}

func (e *reopening) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return e.reopen().Select(ctx, org, q)
}

func (e *reopening) Streams(ctx context.Context, org tidemark.OrgID, metric string, f tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return e.reopen().Streams(ctx, org, metric, f)
}

func (e *reopening) TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]tsdb.TagCount, error) {
	return e.reopen().TagNames(ctx, org, metric)
}

func (e *reopening) TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]tsdb.TagCount, error) {
	return e.reopen().TagValues(ctx, org, metric, tag)
}

func (e *reopening) TagsInUse(ctx context.Context, org tidemark.OrgID, tags []tidemark.Tag) ([]bool, error) {
	return e.reopen().TagsInUse(ctx, org, tags)
}

func (e *reopening) Stats(ctx context.Context) (tsdb.Stats, error) { return e.reopen().Stats(ctx) }

// The check before each step reopens; the steps themselves do not.

func reopenModes(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.fold(t, "unheard", 60)
	x.check(t, raw("*"))
	x.write(t, v("hits", 1, 1))
	x.check(t, raw("hits"), "hits: 0=1")
	x.write(t, v("hits", 2, 3), v("unheard", 61, 1))
	x.check(t, raw("*"), "hits: 0=n2/sum4/min1/max3/last3/sq2", "unheard: 60=1")
	x.mode(t, "hits", tsdb.Mode{})
	x.check(t, raw("hits"), "hits: 0=n2/sum4/min1/max3/last3/sq2")
	x.write(t, v("hits", 0, 9), v("hits", 1, 8))
	x.check(t, raw("hits"), "hits: 0=9 1=8")
	x.fold(t, "hits", 60)
	x.check(t, raw("hits"), "hits: 0=9 1=8")
	x.write(t, v("hits", 59, 11))
	x.check(t, raw("hits"), "hits: 0=n2/sum20/min9/max11/last11/sq2 1=8")
}

func reopenDeletes(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits a=1", 1, 1), v("misses a=1", 1, 1))
	x.check(t, raw("hits"), "hits a=1: 0=1")
	x.forget(t, "hits")
	x.check(t, raw("*"), "misses a=1: 1=1")
	x.checkStreams(t, "*", tsdb.Filter{}, "misses a=1@1")
	x.write(t, v("hits a=2", 5, 1), v("hits a=1", 5, 2))
	x.check(t, raw("hits"), "hits a=1: 5=2", "hits a=2: 5=1")
	x.forget(t, "hits")
	x.write(t, v("hits a=2", 6, 1))
	x.forget(t, "misses")
	x.check(t, raw("*"), "hits a=2: 6=1")
	x.checkStreams(t, "*", tsdb.Filter{}, "hits a=2@6")
}

func reopenStats(t *testing.T, x *exam) {
	for i := range int64(4) {
		x.write(t, v("cpu host=a", i, 1), v("cpu host=b", 0, 1))
		want := tsdb.Stats{Streams: 2, Samples: 2 * (i + 1)}
		s := x.stats(t)
		if diff := cmp.Diff(want, tsdb.Stats{Streams: s.Streams, Samples: s.Samples, Lost: s.Lost, Refusing: s.Refusing}); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", i, diff)
		}
	}
}

func reopenOften(t *testing.T, x *exam) {
	want := "cpu:"
	for i := range int64(12) {
		x.write(t, v("cpu", i*10, float64(i)/10))
		want += " " + number(float64(i*10)) + "=" + number(float64(i)/10)
		x.check(t, raw("cpu"), want)
	}
}
