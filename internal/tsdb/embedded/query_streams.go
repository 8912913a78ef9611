package embedded

import (
	"context"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
)

// Streams yields the streams that a pattern and a filter pick; see tsdb.Engine.
func (e *Engine) Streams(ctx context.Context, org tidemark.OrgID, metric string, filter tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) {
		if err := filter.Validate(); err != nil {
			yield(nil, err)
			return
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if err := e.life.enter(); err != nil {
			yield(nil, err)
			return
		}
		defer e.life.leave()
		p := e.pickAll(org, metric, &filter)
		var s tsdb.Stream
		for i := range p.targets {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			t := &p.targets[i]
			s.Metric, s.Tags, s.LastSeen = t.m.Name, p.tags(t, s.Tags[:0]), e.keptLastSeen(t.id)
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// pickAll picks streams, whatever data they have.
func (e *Engine) pickAll(org tidemark.OrgID, metric string, filter *tsdb.Filter) *plan {
	p := &plan{e: e, q: &tsdb.Query{}}
	c := e.catalog.View()
	defer c.Close()
	var picked []uint32
	for _, m := range c.Matching(org, metric) {
		picked = c.Pick(m, filter, picked[:0])
		for _, at := range picked {
			p.targets = append(p.targets, target{m: m, at: at, id: m.Stream(at)})
		}
	}
	return p
}

// keptLastSeen returns the time of a stream's latest record, or 0 if no tier
// keeps it any more.
func (e *Engine) keptLastSeen(stream uint32) int64 {
	t, now := e.head.lastSeen(stream), e.now()
	for tier := raw; tier <= hours; tier++ {
		if w := int64(window[tier]); t >= 0 && t/w*w >= now-e.retention(tier) {
			return t
		}
	}
	return 0
}

// TagNames returns the names of tags that the streams of a metric have.
func (e *Engine) TagNames(ctx context.Context, org tidemark.OrgID, name string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, name, (*catalog.View).TagNames)
}

// TagValues returns the values that a tag has among the streams of a metric.
func (e *Engine) TagValues(ctx context.Context, org tidemark.OrgID, name, tag string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, name, func(c *catalog.View, m *catalog.Metric) []tsdb.TagCount { return c.TagValues(m, tag) })
}

func (e *Engine) countTags(ctx context.Context, org tidemark.OrgID, name string, count func(c *catalog.View, m *catalog.Metric) []tsdb.TagCount) ([]tsdb.TagCount, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := e.life.enter(); err != nil {
		return nil, err
	}
	defer e.life.leave()
	c := e.catalog.View()
	defer c.Close()
	m := c.Metric(org, name)
	if m == nil {
		return nil, nil
	}
	return count(c, m), nil
}

// TagsInUse tells which of tags a stream of org has; see tsdb.Engine.
func (e *Engine) TagsInUse(ctx context.Context, org tidemark.OrgID, tags []tidemark.Tag) ([]bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := e.life.enter(); err != nil {
		return nil, err
	}
	defer e.life.leave()
	c := e.catalog.View()
	defer c.Close()
	return c.TagsInUse(org, tags), nil
}
