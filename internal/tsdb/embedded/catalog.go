package embedded

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// catalog knows every metric and stream. A stream is found by 96 bits of
// hash of its key, made with seeds that nobody outside can know, and never by
// comparing texts: no key is kept. That two of a hundred million streams agree
// in them has a chance of one in 10^13. Tags are columns of symbols, one for each
// tag of a metric: a condition is evaluated once for each value, and then
// costs one load a stream.
//
// Ids are dense and never used twice, so that a deleted metric's data cannot
// be mistaken for another's.
type catalog struct {
	mu      sync.RWMutex
	seed    [2]maphash.Seed
	table   []slot // open addressing; its length is a power of two
	used    int
	symbols map[string]uint32
	texts   []string // by symbol; symbol 0 is "absent"

	orgs     map[tidemark.OrgID]*orgEntry
	metrics  []*metric // by id; nil if deleted
	metricOf []uint32  // by stream
	streams  int       // not deleted
	key      []byte    // scratch
	special  bool      // some metric folds or was deleted

	// What was defined and is not yet in Pebble, in order. The first is
	// number defBase; ids are handed out in the same order.
	defs    []definition
	defBase int

	unseenMu sync.RWMutex
	unseen   map[uint32]struct{} // streams defined by a write that is not, or never was, durable
}

type slot struct {
	h1 uint64
	h2 uint32
	id uint32 // + 1; 0 is empty
}

type orgEntry struct {
	metrics map[string]*metric
	streams int
}

// metric is one metric with its streams.
type metric struct {
	id   uint32
	org  tidemark.OrgID
	name string
	mode tsdb.Mode
	dead bool

	ids    []uint32   // streams
	tags   []uint32   // symbols of tag names
	cols   [][]uint32 // for each tag the value's symbol by stream; short columns end in absent
	byName []int      // columns in order of tag names

	orderMu sync.Mutex
	order   []uint32 // positions in ids, by tags; those of the first len(order)
}

// definition is a metric (stream false) or a stream that came to be.
type definition struct {
	stream     bool
	id, metric uint32
	text       []byte // a metric's name, or a stream's key after it
}

func newCatalog() *catalog {
	return &catalog{
		seed: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, table: make([]slot, 1024),
		symbols: map[string]uint32{}, texts: []string{""}, orgs: make(map[tidemark.OrgID]*orgEntry),
		unseen: make(map[uint32]struct{}),
	}
}

func (c *catalog) hash(org tidemark.OrgID, key []byte) (h1 uint64, h2 uint32) {
	mix := uint64(org) * 0x9E3779B97F4A7C15
	return maphash.Bytes(c.seed[0], key) + mix, uint32((maphash.Bytes(c.seed[1], key) ^ mix) >> 32)
}

// find returns the stream with the given key. It needs the read lock.
func (c *catalog) find(org tidemark.OrgID, key []byte) (id uint32, ok bool) {
	h1, h2 := c.hash(org, key)
	s := c.probe(h1, h2)
	if s.id == 0 || c.special && c.metrics[c.metricOf[s.id-1]] == nil {
		return 0, false
	}
	return s.id - 1, true
}

// probe returns the slot that has the hash, or the empty one to put it.
func (c *catalog) probe(h1 uint64, h2 uint32) *slot {
	mask := uint64(len(c.table) - 1)
	for i := h1 & mask; ; i = (i + 1) & mask {
		s := &c.table[i]
		if s.id == 0 || s.h1 == h1 && s.h2 == h2 {
			return s
		}
	}
}

// insert notes the hash of a stream; one of a deleted stream is taken over.
func (c *catalog) insert(h1 uint64, h2, id uint32) {
	if (c.used+1)*8 > len(c.table)*7 { // slots are small: a few steps cost nothing
		c.rehash()
	}
	s := c.probe(h1, h2)
	if s.id == 0 {
		c.used++
	}
	*s = slot{h1, h2, id + 1}
}

// rehash doubles the table, unless forgetting deleted streams makes room.
func (c *catalog) rehash() {
	old := c.table
	live := 0
	for _, s := range old {
		if s.id != 0 && c.metrics[c.metricOf[s.id-1]] != nil {
			live++
		}
	}
	n := len(old)
	if live*2 > n {
		n *= 2
	}
	c.table, c.used = make([]slot, n), live
	for _, s := range old {
		if s.id != 0 && c.metrics[c.metricOf[s.id-1]] != nil {
			*c.probe(s.h1, s.h2) = s
		}
	}
}

func (c *catalog) symbol(text []byte) uint32 {
	if s, ok := c.symbols[string(text)]; ok {
		return s
	}
	s := uint32(len(c.texts))
	t := string(text)
	c.symbols[t] = s
	c.texts = append(c.texts, t)
	return s
}

// metric returns the metric called name, or nil.
func (c *catalog) metric(org tidemark.OrgID, name string) *metric {
	o := c.orgs[org]
	if o == nil {
		return nil
	}
	return o.metrics[name]
}

// addMetric puts a metric in its place. An id at or beyond those known makes
// room for it.
func (c *catalog) addMetric(id uint32, org tidemark.OrgID, name string) *metric {
	for uint32(len(c.metrics)) <= id {
		c.metrics = append(c.metrics, nil)
	}
	o := c.orgs[org]
	if o == nil {
		o = &orgEntry{metrics: make(map[string]*metric)}
		c.orgs[org] = o
	}
	m := &metric{id: id, org: org, name: name}
	c.metrics[id], o.metrics[name] = m, m
	return m
}

// defineMetric returns the metric called name, new if need be. It needs the
// write lock.
func (c *catalog) defineMetric(org tidemark.OrgID, name string) *metric {
	if m := c.metric(org, name); m != nil {
		return m
	}
	m := c.addMetric(uint32(len(c.metrics)), org, strings.Clone(name))
	c.defs = append(c.defs, definition{id: m.id, text: []byte(m.name)})
	return m
}

// addStream puts a stream in its place; tags is its key after the name. It
// reports false for what is no key.
func (c *catalog) addStream(id uint32, m *metric, tags []byte) bool {
	if !validTags(tags) {
		return false
	}
	c.key = append(append(c.key[:0], m.name...), tags...)
	for uint32(len(c.metricOf)) <= id {
		c.metricOf = append(c.metricOf, noMetric)
	}
	c.metricOf[id] = m.id
	h1, h2 := c.hash(m.org, c.key)
	c.insert(h1, h2, id)
	m.add(c, id, tags)
	c.streams++
	c.orgs[m.org].streams++
	return true
}

// validTags reports whether tags can follow a metric's name in a key. It is
// tsdb.ParseKey without memory: a start reads a million of them.
func validTags(tags []byte) bool {
	if len(tags) == 0 {
		return true
	}
	if tags[0] != 0 {
		return false
	}
	var last []byte
	rest, more := tags[1:], true
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		name, value, ok := bytes.Cut(pair, []byte{1})
		if !ok || bytes.IndexByte(value, 1) >= 0 || last != nil && bytes.Compare(last, name) >= 0 {
			return false
		}
		last = name
	}
	return true
}

// noMetric stands for the metric of a stream that is not known: its metric
// was deleted before the engine was opened.
const noMetric = 1<<32 - 1

// define returns the stream with the given key, new if need be. It needs the
// write lock. The key must be one.
func (c *catalog) define(org tidemark.OrgID, key []byte) uint32 {
	if id, ok := c.find(org, key); ok {
		return id
	}
	name, _, _ := bytes.Cut(key, []byte{0})
	m := c.defineMetric(org, string(name))
	id := uint32(len(c.metricOf))
	tags := bytes.Clone(key[len(name):])
	c.addStream(id, m, tags)
	c.defs = append(c.defs, definition{stream: true, id: id, metric: m.id, text: tags})
	c.unseenMu.Lock()
	c.unseen[id] = struct{}{}
	c.unseenMu.Unlock()
	return id
}

// nextIDs returns the stream and the metric that the first definition after
// the first n that are not in Pebble would get.
func (c *catalog) nextIDs(n int) [2]uint32 {
	next := [2]uint32{uint32(len(c.metricOf)), uint32(len(c.metrics))}
	for i := len(c.defs) - 1; i >= n; i-- {
		if d := &c.defs[i]; d.stream {
			next[0] = min(next[0], d.id)
		} else {
			next[1] = min(next[1], d.id)
		}
	}
	return next
}

// saw notes that a stream has records.
func (c *catalog) saw(id uint32) {
	c.unseenMu.Lock()
	delete(c.unseen, id)
	c.unseenMu.Unlock()
}

// drop forgets a metric. It needs the write lock.
func (c *catalog) drop(m *metric) {
	o := c.orgs[m.org]
	delete(o.metrics, m.name)
	o.streams -= len(m.ids)
	c.streams -= len(m.ids)
	c.metrics[m.id] = nil
	m.dead, c.special = true, true
	c.unseenMu.Lock()
	for _, id := range m.ids {
		delete(c.unseen, id)
	}
	c.unseenMu.Unlock()
}

// owner returns the metric of a stream, or nil if it was deleted.
func (c *catalog) owner(stream uint32) *metric {
	if int(stream) >= len(c.metricOf) || c.metricOf[stream] == noMetric {
		return nil
	}
	return c.metrics[c.metricOf[stream]]
}

// add appends a stream to the columns.
func (m *metric) add(c *catalog, id uint32, tags []byte) {
	at := len(m.ids)
	m.ids = append(m.ids, id)
	_, rest, more := bytes.Cut(tags, []byte{0})
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		name, value, _ := bytes.Cut(pair, []byte{1})
		j := m.column(c, c.symbol(name))
		col := m.cols[j]
		for len(col) < at {
			col = append(col, 0)
		}
		m.cols[j] = append(col, c.symbol(value))
	}
}

// column returns the position of the column of a tag, new if need be.
func (m *metric) column(c *catalog, tag uint32) int {
	if j := slices.Index(m.tags, tag); j >= 0 {
		return j
	}
	m.tags = append(m.tags, tag)
	m.cols = append(m.cols, nil)
	m.byName = append(m.byName, len(m.byName))
	slices.SortFunc(m.byName, func(a, b int) int { return strings.Compare(c.texts[m.tags[a]], c.texts[m.tags[b]]) })
	return len(m.tags) - 1
}

// value returns the symbol that stream at has in a column.
func (m *metric) value(col int, at uint32) uint32 {
	if v := m.cols[col]; int(at) < len(v) {
		return v[at]
	}
	return 0
}

// appendTags appends the tags of stream at.
func (m *metric) appendTags(c *catalog, at uint32, dst tidemark.Tags) tidemark.Tags {
	for _, j := range m.byName {
		if v := m.value(j, at); v != 0 {
			dst = append(dst, tidemark.Tag{Name: c.texts[m.tags[j]], Value: c.texts[v]})
		}
	}
	return dst
}
