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
	c.forget(m.org)
}

// forget drops an organization that has nothing any longer.
func (c Edit) forget(org tidemark.OrgID) {
	if o := c.orgs[org]; o != nil && o.streams == 0 && len(o.metrics) == 0 && o.bytes == 0 {
		delete(c.orgs, org)
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

// Fitting decides, stream by stream, what there is room for. What it counts is
// what the catalogue will count once the streams are defined.
type Fitting struct {
	c       *View
	org     tidemark.OrgID
	room    tsdb.Room
	streams int64
	bytes   int64
	added   map[string]struct{}
	texts   map[string]struct{} // of tags, that were added
	metrics map[string]*planned
}

// planned is a metric as it will be.
type planned struct {
	m       *Metric // nil if it is new
	streams int
	names   int            // of tags
	columns map[string]int // lengths of those that were added to, by tag
}

// Fitting begins with what an organization has.
func (c *View) Fitting(org tidemark.OrgID, room tsdb.Room) *Fitting {
	return &Fitting{
		c: c, org: org, room: room, streams: int64(c.CountOf(org)), bytes: c.BytesOf(org),
		added: make(map[string]struct{}), texts: make(map[string]struct{}), metrics: make(map[string]*planned),
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
	n := f.need(key)
	switch {
	case f.room.Streams > 0 && f.streams >= f.room.Streams:
		return tidemark.LimitStreams
	case f.room.TagNames > 0 && n.names > 0 && int64(n.metric.names+n.names) > f.room.TagNames:
		return tidemark.LimitTagNames
	case f.room.Bytes > 0 && f.bytes+n.bytes > f.room.Bytes:
		return tidemark.LimitTagBytes
	}
	f.take(key, &n)
	return ""
}

// need is what a new stream takes.
type need struct {
	name   string
	metric *planned
	bytes  int64
	names  int      // of tags that are new to the metric
	tags   []string // all of them
	texts  []string // that are new
}

// take counts a stream for the next.
func (f *Fitting) take(key []byte, n *need) {
	f.added[string(key)] = struct{}{}
	f.metrics[n.name] = n.metric
	f.streams++
	f.bytes += n.bytes
	for _, text := range n.texts {
		f.texts[text] = struct{}{}
	}
	for _, tag := range n.tags {
		n.metric.columns[tag] = n.metric.streams + 1
	}
	n.metric.names += n.names
	n.metric.streams++
}

// plan returns the metric as it will be with what was added.
func (f *Fitting) plan(metric string) *planned {
	if p := f.metrics[metric]; p != nil {
		return p
	}
	p := &planned{m: f.c.Metric(f.org, metric), columns: make(map[string]int)}
	if p.m != nil {
		p.streams, p.names = len(p.m.ids), len(p.m.tags)
	}
	return p
}

// column returns the length of the column of a tag, and whether there is one.
func (f *Fitting) column(p *planned, tag []byte) (length int, ok bool) {
	if length, ok = p.columns[string(tag)]; ok || p.m == nil {
		return length, ok
	}
	if symbol, known := f.c.symbols.find(tag); known {
		if j := slices.Index(p.m.tags, symbol); j >= 0 {
			return len(p.m.cols[j]), true
		}
	}
	return 0, false
}

// need returns what the stream with a key takes, names and values of tags
// that are kept already nothing.
func (f *Fitting) need(key []byte) (n need) {
	name, rest, more := bytes.Cut(key, []byte{0})
	n.name = string(name)
	n.metric = f.plan(n.name)
	if n.metric.m == nil && n.metric.streams == 0 {
		n.bytes = int64(len(name))
	}
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		tag, value, _ := bytes.Cut(pair, []byte{1})
		length, ok := f.column(n.metric, tag)
		if !ok {
			n.names++
			f.keep(&n, tag)
		}
		n.bytes += columnBytes(n.metric.streams + 1 - length)
		n.tags = append(n.tags, string(tag))
		f.keep(&n, value)
	}
	return n
}

// keep counts a text that is not kept yet.
func (f *Fitting) keep(n *need, text []byte) {
	_, known := f.c.symbols.find(text)
	_, added := f.texts[string(text)]
	if !known && !added && !slices.Contains(n.texts, string(text)) {
		n.bytes += int64(len(text))
		n.texts = append(n.texts, string(text))
	}
}
