package catalog

// A stream whose data has expired leaves in two steps. First it is retired:
// from then on its key is free, and a record of it makes a new
// stream. Writes that found it before are over by the time of the second step,
// which takes it out unless one of them gave it a record.

// Retire makes streams get no more records.
func (c Edit) Retire(streams []uint32) {
	for _, id := range streams {
		c.retired[id] = struct{}{}
		c.special = true
	}
}

// Retired returns the streams that are retired.
func (c *View) Retired() []uint32 {
	list := make([]uint32, 0, len(c.retired))
	for id := range c.retired {
		list = append(list, id)
	}
	return list
}

// Unretire takes retired streams back.
func (c Edit) Unretire(streams []uint32) {
	for _, id := range streams {
		delete(c.retired, id)
		c.returned[id] = struct{}{}
	}
}

// Remove takes streams out of their metrics.
func (c Edit) Remove(streams []uint32) {
	gone := make(map[*Metric]map[uint32]struct{})
	for _, id := range streams {
		delete(c.retired, id)
		delete(c.returned, id)
		m := c.Owner(id)
		if m == nil {
			continue
		}
		if gone[m] == nil {
			gone[m] = make(map[uint32]struct{})
		}
		gone[m][id] = struct{}{}
		c.metricOf[id] = noMetric
		c.special = true
	}
	for m, ids := range gone {
		c.without(m, ids)
	}
}

// without puts a metric without some of its streams in the place of m. Queries
// that found m still have all of it.
func (c Edit) without(m *Metric, ids map[uint32]struct{}) {
	fresh := &Metric{ID: m.ID, org: m.org, Name: m.Name, Mode: m.Mode}
	o := c.orgs[m.org]
	for at, id := range m.ids {
		if _, out := ids[id]; out {
			continue
		}
		fresh.ids = append(fresh.ids, id)
		for j := range m.cols {
			if symbol := m.value(j, uint32(at)); symbol != 0 {
				fresh.set(c, m.tags[j], len(fresh.ids)-1, symbol)
			}
		}
	}
	c.metrics[m.ID], o.metrics[m.Name] = fresh, fresh
	o.streams -= len(ids)
	c.streams -= len(ids)
	c.limbo = append(c.limbo, leaving{m: m})
}

// set gives the stream at the end of m a tag.
func (m *Metric) set(c Edit, tag uint32, at int, symbol uint32) {
	j := m.column(c, []byte(c.symbols.texts[tag]))
	col := m.cols[j]
	c.orgs[m.org].bytes += columnBytes(at + 1 - len(col))
	for len(col) < at {
		col = append(col, 0)
	}
	c.symbols.uses[symbol]++
	m.cols[j] = append(col, symbol)
}

// AllStreams returns the streams that are neither deleted nor retired.
func (c *View) AllStreams() []uint32 {
	list := make([]uint32, 0, c.streams)
	for id := range c.metricOf {
		if !c.isGone(uint32(id)) {
			list = append(list, uint32(id))
		}
	}
	return list
}
