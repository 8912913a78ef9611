package embedded

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
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
			s.Metric, s.Tags, s.LastSeen = t.m.name, p.tags(t, s.Tags[:0]), e.keptLastSeen(t.id)
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// pickAll picks streams, whatever data they have.
func (e *Engine) pickAll(org tidemark.OrgID, metric string, filter *tsdb.Filter) *plan {
	p := &plan{e: e, q: &tsdb.Query{}}
	c := e.cat
	c.mu.RLock()
	defer c.mu.RUnlock()
	var picked []uint32
	for _, m := range c.matching(org, metric) {
		picked = c.pick(m, filter, picked[:0])
		for _, at := range picked {
			p.targets = append(p.targets, target{m: m, at: at, id: m.ids[at]})
		}
	}
	return p
}

// keptLastSeen returns the time of a stream's latest record, or 0 if no tier
// keeps it any more.
func (e *Engine) keptLastSeen(stream uint32) int64 {
	t, now := e.lastSeen(stream), e.now()
	for tier := raw; tier <= hours; tier++ {
		if w := int64(window[tier]); t >= 0 && t/w*w >= now-e.retention(tier) {
			return t
		}
	}
	return 0
}

// TagNames returns the names of tags that the streams of a metric have.
func (e *Engine) TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, metric, func(c *catalog, m *metricView) []tsdb.TagCount {
		var found []tsdb.TagCount
		for j, tag := range m.tags {
			n := 0
			for _, at := range m.picked {
				if m.value(j, at) != 0 {
					n++
				}
			}
			if n > 0 {
				found = append(found, tsdb.TagCount{Name: c.texts[tag], Streams: n})
			}
		}
		return found
	})
}

// TagValues returns the values that a tag has among the streams of a metric.
func (e *Engine) TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, metric, func(c *catalog, m *metricView) []tsdb.TagCount {
		symbol, ok := c.symbols[tag]
		j := slices.Index(m.tags, symbol)
		if !ok || j < 0 {
			return nil
		}
		counts := make(map[uint32]int)
		for _, at := range m.picked {
			if v := m.value(j, at); v != 0 {
				counts[v]++
			}
		}
		var found []tsdb.TagCount
		for v, n := range counts {
			found = append(found, tsdb.TagCount{Name: c.texts[v], Streams: n})
		}
		return found
	})
}

// metricView is a metric, and those of its streams that can be seen.
type metricView struct {
	*metric
	picked []uint32
}

func (e *Engine) countTags(ctx context.Context, org tidemark.OrgID, name string, count func(c *catalog, m *metricView) []tsdb.TagCount) ([]tsdb.TagCount, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := e.life.enter(); err != nil {
		return nil, err
	}
	defer e.life.leave()
	c := e.cat
	c.mu.RLock()
	defer c.mu.RUnlock()
	m := c.metric(org, name)
	if m == nil {
		return nil, nil
	}
	found := count(c, &metricView{m, c.pick(m, &tsdb.Filter{}, nil)})
	slices.SortFunc(found, func(a, b tsdb.TagCount) int { return cmp.Compare(a.Name, b.Name) })
	return found, nil
}
