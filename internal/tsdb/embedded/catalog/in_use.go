package catalog

import "github.com/tidemark-metrics/tidemark"

// wanted are tags that are looked for, values by name, in symbols. The value 0,
// which no stream has, stands for any.
type wanted map[uint32]map[uint32]bool // whether it was found

// TagsInUse tells, for each of tags, whether a stream of org has it; where the
// value is "", whether one has a tag of that name. For a text that nobody has
// no stream is looked at.
func (c *View) TagsInUse(org tidemark.OrgID, tags []tidemark.Tag) []bool {
	used, o := make([]bool, len(tags)), c.orgs[org]
	w := make(wanted)
	for _, t := range tags {
		if name, value, known := c.symbolsOf(t); known {
			if w[name] == nil {
				w[name] = make(map[uint32]bool)
			}
			w[name][value] = false
		}
	}
	if len(w) == 0 || o == nil {
		return used
	}
	c.unseenMu.RLock()
	defer c.unseenMu.RUnlock()
	for _, m := range o.metrics {
		for j, name := range m.tags {
			c.find(w[name], m, j)
		}
	}
	for i, t := range tags {
		name, value, known := c.symbolsOf(t)
		used[i] = known && w[name][value]
	}
	return used
}

// symbolsOf returns the symbols of a tag, if both texts are those of streams.
func (c *View) symbolsOf(t tidemark.Tag) (name, value uint32, known bool) {
	name, known = c.symbols.of[t.Name]
	if known && t.Value != "" {
		value, known = c.symbols.of[t.Value]
	}
	return name, value, known
}

// find notes which values a column of m has, until it has found all.
func (c *View) find(values map[uint32]bool, m *Metric, col int) {
	left := 0
	for _, found := range values {
		if !found {
			left++
		}
	}
	for at, value := range m.cols[col] {
		if left == 0 {
			return
		}
		if _, hidden := c.unseen[m.ids[at]]; value == 0 || hidden {
			continue
		}
		for _, v := range [...]uint32{0, value} {
			if found, ok := values[v]; ok && !found {
				values[v] = true
				left--
			}
		}
	}
}
