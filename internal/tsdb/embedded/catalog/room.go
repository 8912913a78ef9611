package catalog

import (
	"bytes"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// columnBytes is the memory of n streams in one column.
func columnBytes(n int) int64 { return int64(n) * 4 }

// leaving is a metric that lookups do not find any longer. A query that found it
// before may still ask for its tags, so that they stay for a while.
type leaving struct {
	m       *Metric
	waiting bool // it was there when memory was last given back
}

// Collect gives back the memory of what left before the last time it was
// called. Queries that take longer see streams without tags.
func (c Edit) Collect() {
	var later []leaving
	for _, l := range c.limbo {
		if !l.waiting {
			l.waiting = true
			later = append(later, l)
			continue
		}
		c.clear(l.m)
	}
	c.limbo = later
	c.symbols.shrink()
}

// clear takes back what the columns of m use.
func (c Edit) clear(m *Metric) {
	o := c.orgs[m.org]
	if o == nil { // the last of what it had was given back
		return
	}
	for j, col := range m.cols {
		o.bytes -= columnBytes(len(col))
		c.release(m.tags[j])
		for _, symbol := range col {
			c.release(symbol)
		}
	}
	m.orderMu.Lock()
	m.tags, m.cols, m.byName, m.order = nil, nil, nil, nil
	m.orderMu.Unlock()
	if o.streams == 0 && len(o.metrics) == 0 && o.bytes == 0 {
		delete(c.orgs, m.org)
	}
}

// Texts returns how many names and values of tags are kept.
func (c *View) Texts() int { return len(c.symbols.of) }

// BytesOf returns the memory that the names and tags of an organization take.
func (c *View) BytesOf(org tidemark.OrgID) int64 {
	if o := c.orgs[org]; o != nil {
		return o.bytes
	}
	return 0
}

// Fitting decides, stream by stream, what there is room for.
type Fitting struct {
	c       *View
	org     tidemark.OrgID
	room    tsdb.Room
	streams int64
	bytes   int64
	added   map[string]struct{}
	tags    map[string]map[string]struct{} // names that were added, by metric
}

// Fitting begins with what an organization has.
func (c *View) Fitting(org tidemark.OrgID, room tsdb.Room) *Fitting {
	return &Fitting{
		c: c, org: org, room: room, streams: int64(c.CountOf(org)), bytes: c.BytesOf(org),
		added: make(map[string]struct{}), tags: make(map[string]map[string]struct{}),
	}
}

// Added is how many streams were found to be new and to fit.
func (f *Fitting) Added() int { return len(f.added) }

// Add tells which limit stands against the stream with a key, "" if none
// does: then it counts for the next.
func (f *Fitting) Add(key []byte) tidemark.LimitName {
	if _, known := f.c.Find(f.org, key); known {
		return ""
	}
	if _, again := f.added[string(key)]; again {
		return ""
	}
	cost, metric, names := f.cost(key)
	switch had := len(f.tags[metric]); {
	case f.room.Streams > 0 && f.streams >= f.room.Streams:
		return tidemark.LimitStreams
	case f.room.TagNames > 0 && len(names) > 0 && int64(f.names(metric)+had+len(names)) > f.room.TagNames:
		return tidemark.LimitTagNames
	case f.room.Bytes > 0 && f.bytes+cost > f.room.Bytes:
		return tidemark.LimitTagBytes
	}
	f.added[string(key)] = struct{}{}
	f.streams++
	f.bytes += cost
	for _, name := range names {
		if f.tags[metric] == nil {
			f.tags[metric] = make(map[string]struct{})
		}
		f.tags[metric][name] = struct{}{}
	}
	return ""
}

// names is how many names of tags a metric has.
func (f *Fitting) names(metric string) int {
	if m := f.c.Metric(f.org, metric); m != nil {
		return len(m.tags)
	}
	return 0
}

// cost returns the memory that a new stream takes, and the names of tags that
// are new to its metric.
func (f *Fitting) cost(key []byte) (cost int64, metric string, added []string) {
	name, rest, more := bytes.Cut(key, []byte{0})
	metric = string(name)
	m := f.c.Metric(f.org, metric)
	at := 0
	if m == nil {
		m = &Metric{}
		cost = int64(len(name))
	} else {
		at = len(m.ids)
	}
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		tag, value, _ := bytes.Cut(pair, []byte{1})
		symbol, known := f.c.symbols.find(tag)
		if !known {
			cost += int64(len(tag))
		}
		if j := slices.Index(m.tags, symbol); known && j >= 0 {
			cost += columnBytes(at + 1 - len(m.cols[j]))
		} else if _, again := f.tags[metric][string(tag)]; !again {
			cost += columnBytes(at + 1)
			added = append(added, string(tag))
		}
		if _, known := f.c.symbols.find(value); !known {
			cost += int64(len(value))
		}
	}
	return cost, metric, added
}
