package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
)

// plan is a query, worked out: which streams, in which order, from where.
type plan struct {
	e       *Engine
	q       *tsdb.Query
	regions []region
	targets []target
}

// target is one stream of a query.
type target struct {
	m     *catalog.Metric
	at    uint32 // position in m
	id    uint32
	group uint32 // number of its group within m
}

// sameGroup reports whether t and o become one series.
func (t *target) sameGroup(o *target) bool { return t.m == o.m && t.group == o.group }

func (e *Engine) plan(org tidemark.OrgID, q *tsdb.Query) *plan {
	p := &plan{e: e, q: q, regions: e.regions(q)}
	if len(p.regions) == 0 {
		return p
	}
	by := slices.Clone(q.GroupBy)
	slices.Sort(by)
	by = slices.Compact(by)
	c := e.catalog.View()
	defer c.Close()
	var picked []uint32
	for _, m := range c.Matching(org, q.Metric) {
		picked = c.Pick(m, &q.Filter, picked[:0])
		if q.Group {
			for _, t := range c.Group(m, picked, by) {
				p.targets = append(p.targets, target{m: m, at: t.At, id: m.Stream(t.At), group: t.Group})
			}
			continue
		}
		for _, at := range picked {
			p.targets = append(p.targets, target{m: m, at: at, id: m.Stream(at)})
		}
	}
	return p
}

// batchSize returns how many targets are read at a time: few if there are few,
// so that all workers have something to do, or if each may have many points,
// so that what is read ahead stays small.
func (p *plan) batchSize(workers int) int {
	const pointsAhead, least, most = 1 << 17, 8, 64
	span := int64(0)
	for _, g := range p.regions {
		span += g.hi - g.lo
	}
	share := max(least, min(most, len(p.targets)/(4*workers)))
	return max(1, min(share, pointsAhead/int(max(1, span/p.q.Step))))
}

// tags returns the tags of a target, or of its group.
func (p *plan) tags(t *target, dst tidemark.Tags) tidemark.Tags {
	c := p.e.catalog.View()
	defer c.Close()
	dst = t.m.AppendTags(c, t.at, dst)
	if !p.q.Group {
		return dst
	}
	return slices.DeleteFunc(dst, func(tag tidemark.Tag) bool { return !slices.Contains(p.q.GroupBy, tag.Name) })
}
