package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
)

// prometheusTarget is Prometheus' tsdb as its server uses it: appends by
// reference, no sync of the log before a commit returns.
type prometheusTarget struct {
	db   *tsdb.DB
	late bool
	labs []labels.Labels
	refs []storage.SeriesRef
}

func (p *prometheusTarget) prepare(n int) {
	for len(p.labs) < n {
		p.labs = append(p.labs, labelsOf(len(p.labs)))
	}
	p.refs = make([]storage.SeriesRef, n)
}

func (p *prometheusTarget) open(dir string) error {
	o := tsdb.DefaultOptions()
	o.RetentionDuration = (10 * 365 * 24 * time.Hour).Milliseconds()
	o.MaxBlockDuration = (24 * time.Hour).Milliseconds()
	if p.late {
		o.OutOfOrderTimeWindow = (4 * 24 * time.Hour).Milliseconds()
	}
	db, err := tsdb.Open(dir, nil, nil, o, nil)
	p.db = db
	return err
}

func (p *prometheusTarget) write(_ int, b *batch) error {
	app := p.db.Appender(context.Background())
	for i, id := range b.ids {
		ref, err := app.Append(p.refs[id], p.labs[id], b.times[i]*1000, b.values[i])
		if errors.Is(err, storage.ErrDuplicateSampleForTimestamp) {
			continue // it keeps the first of two; we keep the last
		}
		if err != nil {
			app.Rollback()
			return fmt.Errorf("append: %w", err)
		}
		p.refs[id] = ref // each stream has one writer
	}
	return app.Commit()
}

func (p *prometheusTarget) setNow(int64) {}

// work waits: the database starts its own.
func (p *prometheusTarget) work(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// settle compacts all blocks that are due, and what is in the head as well.
func (p *prometheusTarget) settle() error {
	ctx := context.Background()
	if err := p.db.Compact(ctx); err != nil {
		return err
	}
	head := p.db.Head()
	if head.NumSeries() > 0 && head.MaxTime() >= head.MinTime() {
		if err := p.db.CompactHead(tsdb.NewRangeHead(head, head.MinTime(), head.MaxTime())); err != nil {
			return err
		}
	}
	if p.late {
		if err := p.db.CompactOOOHead(ctx); err != nil {
			return err
		}
	}
	return p.db.Compact(ctx)
}

// dayOver does nothing: the head is cut as data comes in.
func (p *prometheusTarget) dayOver() error { return nil }

// rest does nothing: a series stays in the head for hours.
func (p *prometheusTarget) rest() error { return nil }

// bytes counts blocks alone: a part of the log stays until later.
func (p *prometheusTarget) bytes(dir string) (float64, error) {
	all, err := dirBytes(dir)
	for _, part := range []string{"wal", "wbl", "chunks_head"} {
		if n, err := dirBytes(filepath.Join(dir, part)); err == nil {
			all -= n
		}
	}
	return all, err
}

// bucket is the sum of a step.
type bucket struct{ sum, n float64 }

func (p *prometheusTarget) group(metric string, from, to, step int64) (int, error) {
	groups := make(map[string][]bucket)
	points := 0
	err := p.each(metric, "", from, to, step, func(l labels.Labels, steps []bucket) {
		g := groups[l.Get("dc")]
		if g == nil {
			g = make([]bucket, len(steps))
			groups[l.Get("dc")] = g
		}
		for i := range steps {
			if steps[i].n > 0 {
				g[i].sum += steps[i].sum / steps[i].n
				g[i].n++
			}
		}
	})
	for _, g := range groups {
		for i := range g {
			if g[i].n > 0 {
				g[i].sum /= g[i].n
				points++
			}
		}
	}
	return points, err
}

func (p *prometheusTarget) one(stream int, from, to, step int64) (int, error) {
	points := 0
	err := p.each(metricOf(stream), tagsOf(stream)["host"], from, to, step, func(_ labels.Labels, steps []bucket) {
		for i := range steps {
			if steps[i].n > 0 {
				points++
			}
		}
	})
	return points, err
}

// each sums every stream of a metric, or that of one host, by steps.
func (p *prometheusTarget) each(metric, host string, from, to, step int64, do func(labels.Labels, []bucket)) error {
	q, err := p.db.Querier(from*1000, to*1000-1)
	if err != nil {
		return err
	}
	defer q.Close()
	match := []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "__name__", metric)}
	if host != "" {
		match = append(match, labels.MustNewMatcher(labels.MatchEqual, "host", host))
	}
	set := q.Select(context.Background(), true, nil, match...)
	steps := make([]bucket, (to-from)/step)
	var it chunkenc.Iterator
	for set.Next() {
		clear(steps)
		it = set.At().Iterator(it)
		for it.Next() == chunkenc.ValFloat {
			t, v := it.At()
			b := &steps[(t/1000-from)/step]
			b.sum += v
			b.n++
		}
		if err := it.Err(); err != nil {
			return err
		}
		do(set.At().Labels(), steps)
	}
	return set.Err()
}

func (p *prometheusTarget) close() error { return p.db.Close() }
