package shared

import (
	"context"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// findMetric finds a metric by its name.
type findMetric func(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error)

// Readable returns find for those whose token may have a scope: a metric outside
// of it is refused. Where the scope has tags, one is inside if it has a stream
// that is; then nobody learns whether there is another.
func (s *Base) Readable(find findMetric) findMetric {
	return func(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
		scope := tsdb.ScopeOf(ctx)
		if scope == nil {
			return find(ctx, org, name)
		}
		key := tidemark.MetricKey(name)
		if err := scope.Check(key); err != nil {
			return nil, err
		}
		m, err := find(ctx, org, name)
		if err != nil && len(scope.Tags) > 0 && tidemark.KindOf(err) == tidemark.NotFound {
			return nil, scope.Outside(key)
		}
		if err != nil {
			return nil, err
		}
		if err := query.CheckScope(ctx, m); err != nil {
			return nil, err
		}
		names, err := s.namesInScope(ctx, org, key)
		if err == nil && !names.hold(m) {
			err = scope.Outside(key)
		}
		return m, err
	}
}

// ReadableMetrics is a page of the metrics that the caller may read.
func (s *Base) ReadableMetrics(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Metric, tidemark.Counts, error) {
	if tsdb.ScopeOf(ctx) == nil {
		return s.Store.Metrics(ctx, org, p)
	}
	names, err := s.namesInScope(ctx, org, "*")
	if err != nil {
		return nil, tidemark.Counts{}, err
	}
	return s.Store.MetricsWithin(ctx, org, p, func(m *tidemark.Metric) bool { return names.allow(ctx, m) })
}

// EachReadable yields the metrics that the caller may read, as
// store.EachMetric does.
func (s *Base) EachReadable(ctx context.Context, org tidemark.OrgID) iter.Seq2[*tidemark.Metric, error] {
	return func(yield func(*tidemark.Metric, error) bool) {
		names, err := s.namesInScope(ctx, org, "*")
		if err != nil {
			yield(nil, err)
			return
		}
		for m, err := range s.Store.EachMetric(ctx, org) {
			if err == nil && !names.allow(ctx, m) {
				continue
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// scopedNames are the metrics that have a stream in a scope; nil where the
// scope says nothing of streams.
type scopedNames map[string]bool

// namesInScope finds those among the metrics of a pattern.
func (s *Base) namesInScope(ctx context.Context, org tidemark.OrgID, pattern string) (scopedNames, error) {
	scope := tsdb.ScopeOf(ctx)
	if scope == nil || len(scope.Tags) == 0 {
		return nil, nil
	}
	names := make(scopedNames)
	for stream, err := range s.Engine.Streams(ctx, org, pattern, tsdb.Filter{}) {
		if err != nil {
			return nil, err
		}
		if names[stream.Metric] = true; !tidemark.IsGlob(pattern) {
			break
		}
	}
	return names, nil
}

// hold reports whether m is among them. A composite has no streams: what it
// reads is narrowed instead.
func (n scopedNames) hold(m *tidemark.Metric) bool {
	return n == nil || m.Type == tidemark.Composite || n[tidemark.MetricKey(m.Name)]
}

// allow reports whether m is in the scope of ctx, of which they are the names.
func (n scopedNames) allow(ctx context.Context, m *tidemark.Metric) bool {
	return query.CheckScope(ctx, m) == nil && n.hold(m)
}
