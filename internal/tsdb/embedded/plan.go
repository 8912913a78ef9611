package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
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
	m     *metric
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
	c := e.cat
	c.mu.RLock()
	defer c.mu.RUnlock()
	var picked []uint32
	for _, m := range c.matching(org, q.Metric) {
		picked = c.pick(m, &q.Filter, picked[:0])
		from := len(p.targets)
		for _, at := range picked {
			p.targets = append(p.targets, target{m: m, at: at, id: m.ids[at]})
		}
		if q.Group {
			p.targets = append(p.targets[:from], group(c, m, p.targets[from:], by)...)
		}
	}
	return p
}

// group numbers the targets, which are of one metric, by the values of tags,
// orders them by that, and leaves out those that lack one of the tags.
func group(c *catalog, m *metric, list []target, by []string) []target {
	cols := make([]int, len(by))
	for i, name := range by {
		symbol, ok := c.symbols[name]
		if cols[i] = slices.Index(m.tags, symbol); !ok || cols[i] < 0 {
			return nil
		}
	}
	kept := list[:0]
	key := make([]byte, 0, 4*len(cols))
	numbers := make(map[string]uint32)
	var firsts []target // of each group
	for _, t := range list {
		key = key[:0]
		for _, col := range cols {
			v := m.value(col, t.at)
			if v == 0 {
				break
			}
			key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		if len(key) < 4*len(cols) {
			continue
		}
		n, ok := numbers[string(key)]
		if !ok {
			n = uint32(len(firsts))
			numbers[string(key)] = n
			firsts = append(firsts, t)
		}
		t.group = n
		kept = append(kept, t)
	}
	rank := rankGroups(c, m, firsts, cols)
	for i := range kept {
		kept[i].group = rank[kept[i].group]
	}
	slices.SortStableFunc(kept, func(a, b target) int { return int(a.group) - int(b.group) })
	return kept
}

// rankGroups returns the place of each group in the order of their tags.
func rankGroups(c *catalog, m *metric, firsts []target, cols []int) []uint32 {
	order := make([]uint32, len(firsts))
	for i := range order {
		order[i] = uint32(i)
	}
	text := func(i uint32, col int) string { return c.texts[m.value(col, firsts[i].at)] }
	slices.SortFunc(order, func(a, b uint32) int {
		for _, col := range cols {
			if x, y := text(a, col), text(b, col); x != y {
				if x < y {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	rank := make([]uint32, len(order))
	for place, i := range order {
		rank[i] = uint32(place)
	}
	return rank
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
	c := p.e.cat
	c.mu.RLock()
	defer c.mu.RUnlock()
	dst = t.m.appendTags(c, t.at, dst)
	if !p.q.Group {
		return dst
	}
	return slices.DeleteFunc(dst, func(tag tidemark.Tag) bool { return !slices.Contains(p.q.GroupBy, tag.Name) })
}
