package catalog

import (
	"cmp"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TagNames returns the names of tags that the streams of m have, in order.
func (c *View) TagNames(m *Metric) []tsdb.TagCount {
	picked := c.Pick(m, &tsdb.Filter{}, nil)
	var found []tsdb.TagCount
	for j, tag := range m.tags {
		n := 0
		for _, at := range picked {
			if m.value(j, at) != 0 {
				n++
			}
		}
		if n > 0 {
			found = append(found, tsdb.TagCount{Name: c.symbols.texts[tag], Streams: n})
		}
	}
	return byName(found)
}

// TagValues returns the values that a tag has among the streams of m, in order.
func (c *View) TagValues(m *Metric, tag string) []tsdb.TagCount {
	symbol, ok := c.symbols.of[tag]
	j := slices.Index(m.tags, symbol)
	if !ok || j < 0 {
		return nil
	}
	counts := make(map[uint32]int)
	for _, at := range c.Pick(m, &tsdb.Filter{}, nil) {
		if v := m.value(j, at); v != 0 {
			counts[v]++
		}
	}
	var found []tsdb.TagCount
	for v, n := range counts {
		found = append(found, tsdb.TagCount{Name: c.symbols.texts[v], Streams: n})
	}
	return byName(found)
}

func byName(list []tsdb.TagCount) []tsdb.TagCount {
	slices.SortFunc(list, func(a, b tsdb.TagCount) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
