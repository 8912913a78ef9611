package catalog

import (
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Matching returns the metrics of org that pattern picks, by name.
func (c *View) Matching(org tidemark.OrgID, pattern string) []*Metric {
	if !tidemark.IsGlob(pattern) {
		if m := c.Metric(org, pattern); m != nil {
			return []*Metric{m}
		}
		return nil
	}
	var found []*Metric
	if o := c.orgs[org]; o != nil {
		for name, m := range o.metrics {
			if tidemark.Glob(pattern, name) {
				found = append(found, m)
			}
		}
	}
	slices.SortFunc(found, func(a, b *Metric) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// Pick appends the positions of the streams of m that f picks, ordered by
// tags.
func (c *View) Pick(m *Metric, f *tsdb.Filter, dst []uint32) []uint32 {
	order := m.sorted(c)
	cond := c.compile(m, f)
	c.unseenMu.RLock()
	defer c.unseenMu.RUnlock()
	for _, at := range order {
		if !cond.match(at) {
			continue
		}
		if len(c.unseen) > 0 {
			if _, hidden := c.unseen[m.ids[at]]; hidden {
				continue
			}
		}
		dst = append(dst, at)
	}
	return dst
}

// sorted returns the positions of all streams in order of their tags. New
// ones are sorted and merged in when they are first needed.
func (m *Metric) sorted(c *View) []uint32 {
	m.orderMu.Lock()
	defer m.orderMu.Unlock()
	old := m.order
	if len(old) == len(m.ids) {
		return old
	}
	added := make([]uint32, 0, len(m.ids)-len(old))
	for at := len(old); at < len(m.ids); at++ {
		added = append(added, uint32(at))
	}
	slices.SortFunc(added, func(a, b uint32) int { return m.compare(c, a, b) })
	all := make([]uint32, 0, len(m.ids))
	for len(old) > 0 && len(added) > 0 {
		if m.compare(c, old[0], added[0]) < 0 {
			all, old = append(all, old[0]), old[1:]
		} else {
			all, added = append(all, added[0]), added[1:]
		}
	}
	m.order = append(append(all, old...), added...)
	return m.order
}

// compare orders two streams as tidemark.Tags.Compare does.
func (m *Metric) compare(c *View, a, b uint32) int {
	for i, j := range m.byName {
		x, y := m.value(j, a), m.value(j, b)
		switch {
		case x == y:
		case x == 0: // b has this tag; a goes on with a greater name, or ends
			return m.longer(a, i)
		case y == 0:
			return -m.longer(b, i)
		default:
			return strings.Compare(c.symbols.texts[x], c.symbols.texts[y])
		}
	}
	return 0
}

// longer returns 1 if the stream has tags after the i-th, and -1 if not.
func (m *Metric) longer(at uint32, i int) int {
	for _, j := range m.byName[i+1:] {
		if m.value(j, at) != 0 {
			return 1
		}
	}
	return -1
}

// condition is a filter, prepared for the streams of one metric.
type condition struct {
	op       tsdb.FilterOp
	args     []condition
	col      []uint32
	want     []uint32 // symbols that match, in order
	patterns []string // globs
	memo     []uint8  // by symbol: 0 not known, 1 no, 2 yes
	texts    []string
	last     uint32 // the symbol asked for last, and the answer
	lastOK   bool
}

// memoFrom is the number of streams from which on remembering what every
// symbol gave is cheaper than clearing the memory for it.
const memoFrom = 2048

func (c *View) compile(m *Metric, f *tsdb.Filter) *condition {
	n := &condition{op: f.Op, texts: c.symbols.texts}
	for i := range f.Args {
		n.args = append(n.args, *c.compile(m, &f.Args[i]))
	}
	if f.Op != tsdb.Has && f.Op != tsdb.Is {
		return n
	}
	if tag, ok := c.symbols.of[f.Tag]; ok {
		if j := slices.Index(m.tags, tag); j >= 0 {
			n.col = m.cols[j]
		}
	}
	for _, p := range f.Patterns {
		if tidemark.IsGlob(p) {
			n.patterns = append(n.patterns, p)
		} else if s, ok := c.symbols.of[p]; ok {
			n.want = append(n.want, s)
		}
	}
	slices.Sort(n.want)
	if len(n.patterns) > 0 && len(m.ids) >= memoFrom {
		n.memo = make([]uint8, len(c.symbols.texts))
	}
	return n
}

// match reports whether the stream at a position is picked.
func (n *condition) match(at uint32) bool {
	switch n.op {
	case tsdb.And:
		for i := range n.args {
			if !n.args[i].match(at) {
				return false
			}
		}
		return true
	case tsdb.Or:
		for i := range n.args {
			if n.args[i].match(at) {
				return true
			}
		}
		return false
	case tsdb.Not:
		return !n.args[0].match(at)
	case tsdb.Has:
		return int(at) < len(n.col) && n.col[at] != 0
	case tsdb.Is:
		return int(at) < len(n.col) && n.col[at] != 0 && n.is(n.col[at])
	}
	return true
}

func (n *condition) is(symbol uint32) bool {
	if _, wanted := slices.BinarySearch(n.want, symbol); wanted {
		return true
	}
	if len(n.patterns) == 0 {
		return false
	}
	if n.memo != nil {
		if n.memo[symbol] == 0 {
			n.memo[symbol] = 1
			if n.glob(symbol) {
				n.memo[symbol] = 2
			}
		}
		return n.memo[symbol] == 2
	}
	if symbol != n.last {
		n.last, n.lastOK = symbol, n.glob(symbol)
	}
	return n.lastOK
}

func (n *condition) glob(symbol uint32) bool {
	return slices.ContainsFunc(n.patterns, func(p string) bool { return tidemark.Glob(p, n.texts[symbol]) })
}
