package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const org = 1

// tidemarkTarget is the embedded engine, with its usual settings.
type tidemarkTarget struct {
	e       *embedded.Engine
	now     atomic.Int64
	keys    [][]byte
	batches [writers]tsdb.Batch
	options embedded.Options
}

func (t *tidemarkTarget) prepare(n int) {
	for len(t.keys) < n {
		t.keys = append(t.keys, keyOf(len(t.keys)))
	}
}

func (t *tidemarkTarget) open(dir string) error {
	o := t.options
	o.Dir = dir
	o.Now = func() time.Time { return time.Unix(t.now.Load(), 0) }
	if t.now.Load() == 0 {
		t.now.Store(start)
	}
	e, err := embedded.Open(context.Background(), o)
	t.e = e
	return err
}

func (t *tidemarkTarget) write(writer int, b *batch) error {
	wb := &t.batches[writer]
	wb.Reset()
	for i, id := range b.ids {
		wb.AddKey(t.keys[id], b.times[i], tsdb.Single(b.values[i]))
	}
	return t.e.Write(context.Background(), org, wb)
}

func (t *tidemarkTarget) setNow(now int64) { t.now.Store(now) }

func (t *tidemarkTarget) work(ctx context.Context) error {
	if err := t.e.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (t *tidemarkTarget) settle() error {
	if err := t.e.Seal(context.Background()); err != nil {
		return err
	}
	return t.e.Maintain(context.Background())
}

func (t *tidemarkTarget) dayOver() error { return t.settle() }

func (t *tidemarkTarget) rest() error { return t.e.Seal(context.Background()) }

func (t *tidemarkTarget) bytes(dir string) (float64, error) { return settledBytes(dir) }

func (t *tidemarkTarget) group(metric string, from, to, step int64) (int, error) {
	return t.read(&tsdb.Query{Metric: metric, Start: from, End: to, Step: step, Group: true, GroupBy: []string{"dc"}})
}

func (t *tidemarkTarget) one(stream int, from, to, step int64) (int, error) {
	host := tsdb.TagIs("host", tagsOf(stream)["host"])
	return t.read(&tsdb.Query{Metric: metricOf(stream), Filter: host, Start: from, End: to, Step: step})
}

func (t *tidemarkTarget) read(q *tsdb.Query) (int, error) {
	points := 0
	for s, err := range t.e.Select(context.Background(), org, q) {
		if err != nil {
			return 0, err
		}
		points += len(s.Times)
	}
	return points, nil
}

func (t *tidemarkTarget) close() error { return t.e.Close() }
