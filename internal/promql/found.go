package promql

import (
	"context"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// found is a stream that a picker picks.
type found struct {
	metric string // as storage has it
	name   string // that the metric was first called
	tags   tidemark.Tags
	seen   int64
}

// namedAtOnce is for how many streams names of metrics are looked up at a time.
const namedAtOnce = 4096

// find yields the streams of a pattern that p picks, in the order of storage.
// Listed counts all that storage has for it.
func (q *querier) find(ctx context.Context, p *picker, pattern string, listed *int) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		var some []found
		for s, err := range q.e.o.Storage.Streams(ctx, q.org, pattern, p.filter) {
			if err != nil {
				yield(nil, storageError(err))
				return
			}
			*listed++
			if !p.matchesTags(s.Tags) {
				continue
			}
			some = append(some, found{metric: s.Metric, name: s.Metric, tags: slices.Clone(s.Tags), seen: s.LastSeen})
			if len(some) == namedAtOnce {
				if !q.yieldNamed(ctx, p, some, yield) {
					return
				}
				some = nil
			}
		}
		q.yieldNamed(ctx, p, some, yield)
	}
}

// yieldNamed yields those of some that p picks by the names of their metrics.
func (q *querier) yieldNamed(ctx context.Context, p *picker, some []found, yield func(*found, error) bool) bool {
	if err := q.name(ctx, some); err != nil {
		yield(nil, storageError(err))
		return false
	}
	for i := range some {
		if f := &some[i]; p.matchesName(f.name) && !yield(f, nil) {
			return false
		}
	}
	return true
}

// name sets what the metrics of streams were first called.
func (q *querier) name(ctx context.Context, some []found) error {
	if q.e.o.Names == nil || len(some) == 0 {
		return nil
	}
	var keys []string
	for i := range some {
		if i == 0 || some[i].metric != some[i-1].metric {
			keys = append(keys, some[i].metric)
		}
	}
	names, err := q.e.o.Names(ctx, q.org, keys)
	if err != nil {
		return err
	}
	for i := range some {
		if name := names[some[i].metric]; name != "" {
			some[i].name = name
		}
	}
	return nil
}
