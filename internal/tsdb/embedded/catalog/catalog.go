package catalog

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Catalog knows every metric and stream. A stream is found by 96 bits of
// hash of its key, made with secret seeds, and never by
// comparing texts: no key is kept. That two of a hundred million streams agree
// in them has a chance of one in 10^13. Tags are columns of symbols, one for each
// tag of a metric: a condition is evaluated once for each value, and then
// costs one load a stream.
//
// Ids are dense and never used twice, so that a deleted metric's data cannot
// be mistaken for another's.
//
// It is looked at through a view and changed through an edit, which hold its
// lock until they are closed. While one is held no other is asked for.
type Catalog struct {
	mu sync.RWMutex
	v  View
}

// View is the catalogue, locked for reading.
type View struct {
	mu      *sync.RWMutex
	seed    [2]maphash.Seed
	table   []slot // open addressing; its length is a power of two
	used    int
	symbols symbols

	orgs     map[tidemark.OrgID]*orgEntry
	metrics  []*Metric           // by id; nil if deleted
	metricOf []uint32            // by stream
	streams  int                 // not deleted
	key      []byte              // scratch
	special  bool                // some metric folds or was deleted
	limbo    []leaving           // metrics whose memory is given back soon
	retired  map[uint32]struct{} // streams that get no more records, and go soon
	returned map[uint32]struct{} // streams that were: another one may have their key since

	// What was defined and is not yet in Pebble, in order. The first is
	// number defBase; ids are handed out in the same order.
	defs    []Definition
	defBase int

	unseenMu sync.RWMutex
	unseen   map[uint32]struct{} // streams defined by a write that is not, or never was, durable
}

// Edit is the catalogue, locked for writing.
type Edit struct{ *View }

// View returns the catalogue to read, until it is closed.
func (c *Catalog) View() *View {
	c.mu.RLock()
	return &c.v
}

func (c *View) Close() { c.mu.RUnlock() }

// Edit returns the catalogue to change, until it is closed.
func (c *Catalog) Edit() Edit {
	c.mu.Lock()
	return Edit{&c.v}
}

func (c Edit) Close() { c.mu.Unlock() }

type slot struct {
	h1 uint64
	h2 uint32
	id uint32 // + 1; 0 is empty
}

type orgEntry struct {
	metrics map[string]*Metric
	streams int
	bytes   int64 // of names and tags
}

// Metric is one metric with its streams.
type Metric struct {
	ID   uint32
	org  tidemark.OrgID
	Name string
	Mode tsdb.Mode

	ids    []uint32   // streams
	tags   []uint32   // symbols of tag names
	cols   [][]uint32 // for each tag the value's symbol by stream; short columns end in absent
	byName []int      // columns in order of tag names

	orderMu sync.Mutex
	order   []uint32 // positions in ids, by tags; those of the first len(order)
}

// Definition is a metric (stream false) or a stream that came to be.
type Definition struct {
	Stream     bool
	ID, Metric uint32
	Text       []byte // a metric's name, or a stream's key after it
}

func New() *Catalog {
	c := &Catalog{}
	c.v = View{
		mu: &c.mu, seed: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, table: make([]slot, 1024),
		symbols: newSymbols(), orgs: make(map[tidemark.OrgID]*orgEntry),
		unseen: make(map[uint32]struct{}), retired: make(map[uint32]struct{}), returned: make(map[uint32]struct{}),
	}
	return c
}

func (c *View) hash(org tidemark.OrgID, key []byte) (h1 uint64, h2 uint32) {
	mix := uint64(org) * 0x9E3779B97F4A7C15
	return maphash.Bytes(c.seed[0], key) + mix, uint32((maphash.Bytes(c.seed[1], key) ^ mix) >> 32)
}

// Find returns the stream with the given key.
func (c *View) Find(org tidemark.OrgID, key []byte) (id uint32, ok bool) {
	h1, h2 := c.hash(org, key)
	s := c.probe(h1, h2)
	if s.id == 0 || c.special && c.isGone(s.id-1) {
		return 0, false
	}
	return s.id - 1, true
}

// Recall is Find for a key with a Ref: where that has a stream of org it is the
// one with the key, since a number is never that of two streams.
func (c *View) Recall(org tidemark.OrgID, key []byte, ref *streamref.Ref) (id uint32, ok bool) {
	if id, ok = ref.Get(); ok {
		if m := c.Owner(id); m != nil && m.org == org && !(c.special && c.isDoubtful(id)) {
			return id, true
		}
	}
	if id, ok = c.Find(org, key); ok {
		ref.Set(id)
	}
	return id, ok
}

// isDoubtful reports whether a stream may not be the one with its key.
func (c *View) isDoubtful(stream uint32) bool {
	_, returned := c.returned[stream]
	return returned || c.isGone(stream)
}

// isGone reports whether a stream was deleted, or is about to leave: nothing is
// written to it.
func (c *View) isGone(stream uint32) bool {
	_, retired := c.retired[stream]
	return retired || c.Owner(stream) == nil
}

// probe returns the slot that has the hash, or the empty one to put it.
func (c *View) probe(h1 uint64, h2 uint32) *slot {
	mask := uint64(len(c.table) - 1)
	for i := h1 & mask; ; i = (i + 1) & mask {
		s := &c.table[i]
		if s.id == 0 || s.h1 == h1 && s.h2 == h2 {
			return s
		}
	}
}

// insert notes the hash of a stream; one of a deleted stream is taken over.
func (c Edit) insert(h1 uint64, h2, id uint32) {
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
func (c Edit) rehash() {
	old := c.table
	live := 0
	for _, s := range old {
		if s.id != 0 && !c.isGone(s.id-1) {
			live++
		}
	}
	n := len(old)
	if live*2 > n {
		n *= 2
	}
	c.table, c.used = make([]slot, n), live
	for _, s := range old {
		if s.id != 0 && !c.isGone(s.id-1) {
			*c.probe(s.h1, s.h2) = s
		}
	}
}

// Metric returns the metric called name, or nil.
func (c *View) Metric(org tidemark.OrgID, name string) *Metric {
	o := c.orgs[org]
	if o == nil {
		return nil
	}
	return o.metrics[name]
}

// addMetric puts a metric in its place. An id at or beyond those known makes
// room for it.
func (c Edit) addMetric(id uint32, org tidemark.OrgID, name string) *Metric {
	for uint32(len(c.metrics)) <= id {
		c.metrics = append(c.metrics, nil)
	}
	o := c.orgs[org]
	if o == nil {
		o = &orgEntry{metrics: make(map[string]*Metric)}
		c.orgs[org] = o
	}
	m := &Metric{ID: id, org: org, Name: name}
	c.metrics[id], o.metrics[name] = m, m
	o.bytes += int64(len(name))
	return m
}

// DefineMetric returns the metric called name, new if need be.
func (c Edit) DefineMetric(org tidemark.OrgID, name string) *Metric {
	if m := c.Metric(org, name); m != nil {
		return m
	}
	m := c.addMetric(uint32(len(c.metrics)), org, strings.Clone(name))
	c.defs = append(c.defs, Definition{ID: m.ID, Text: []byte(m.Name)})
	return m
}

// addStream puts a stream in its place; tags is its key after the name. It
// reports false for what is no key.
func (c Edit) addStream(id uint32, m *Metric, tags []byte) bool {
	if !validTags(tags) {
		return false
	}
	c.key = append(append(c.key[:0], m.Name...), tags...)
	for uint32(len(c.metricOf)) <= id {
		c.metricOf = append(c.metricOf, noMetric)
	}
	c.metricOf[id] = m.ID
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

// Define returns the stream with the given key, new if need be. The key must be one.
func (c Edit) Define(org tidemark.OrgID, key []byte) uint32 {
	if id, ok := c.Find(org, key); ok {
		return id
	}
	name, _, _ := bytes.Cut(key, []byte{0})
	m := c.DefineMetric(org, string(name))
	id := uint32(len(c.metricOf))
	tags := bytes.Clone(key[len(name):])
	c.addStream(id, m, tags)
	c.defs = append(c.defs, Definition{Stream: true, ID: id, Metric: m.ID, Text: tags})
	c.unseenMu.Lock()
	c.unseen[id] = struct{}{}
	c.unseenMu.Unlock()
	return id
}

// Saw notes that a stream has records.
func (c *Catalog) Saw(id uint32) {
	c.v.unseenMu.Lock()
	delete(c.v.unseen, id)
	c.v.unseenMu.Unlock()
}

// Drop forgets a metric.
func (c Edit) Drop(m *Metric) {
	o := c.orgs[m.org]
	delete(o.metrics, m.Name)
	o.streams -= len(m.ids)
	c.streams -= len(m.ids)
	c.metrics[m.ID] = nil
	c.special = true
	o.bytes -= int64(len(m.Name))
	c.limbo = append(c.limbo, leaving{m: m})
	c.unseenMu.Lock()
	for _, id := range m.ids {
		delete(c.unseen, id)
	}
	c.unseenMu.Unlock()
}

// Owner returns the metric of a stream, or nil if it was deleted.
func (c *View) Owner(stream uint32) *Metric {
	if int(stream) >= len(c.metricOf) || c.metricOf[stream] == noMetric {
		return nil
	}
	return c.metrics[c.metricOf[stream]]
}

// add appends a stream to the columns.
func (m *Metric) add(c Edit, id uint32, tags []byte) {
	at := len(m.ids)
	m.ids = append(m.ids, id)
	_, rest, more := bytes.Cut(tags, []byte{0})
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		name, value, _ := bytes.Cut(pair, []byte{1})
		j := m.column(c, name)
		col := m.cols[j]
		c.orgs[m.org].bytes += columnBytes(at + 1 - len(col))
		for len(col) < at {
			col = append(col, 0)
		}
		m.cols[j] = append(col, c.use(m.org, value))
	}
}

// column returns the position of the column of a tag, new if need be.
func (m *Metric) column(c Edit, name []byte) int {
	if tag, known := c.symbols.find(name); known {
		if j := slices.Index(m.tags, tag); j >= 0 {
			return j
		}
	}
	m.tags = append(m.tags, c.use(m.org, name))
	m.cols = append(m.cols, nil)
	m.byName = append(m.byName, len(m.byName))
	slices.SortFunc(m.byName, func(a, b int) int { return strings.Compare(c.symbols.texts[m.tags[a]], c.symbols.texts[m.tags[b]]) })
	return len(m.tags) - 1
}

// AllStreams returns the ids of its streams. Nobody adds any once it is deleted.
func (m *Metric) AllStreams() []uint32 { return m.ids }

// Org returns whose the metric is.
func (m *Metric) Org() tidemark.OrgID { return m.org }

// Stream returns the id of the stream at a position.
func (m *Metric) Stream(at uint32) uint32 { return m.ids[at] }

// value returns the symbol that stream at has in a column.
func (m *Metric) value(col int, at uint32) uint32 {
	if v := m.cols[col]; int(at) < len(v) {
		return v[at]
	}
	return 0
}

// AppendTags appends the tags of stream at.
func (m *Metric) AppendTags(c *View, at uint32, dst tidemark.Tags) tidemark.Tags {
	for _, j := range m.byName {
		if v := m.value(j, at); v != 0 {
			dst = append(dst, tidemark.Tag{Name: c.symbols.texts[m.tags[j]], Value: c.symbols.texts[v]})
		}
	}
	return dst
}

// ByID returns a metric, or nil if it is not known or was deleted.
func (c *View) ByID(id uint32) *Metric {
	if int(id) >= len(c.metrics) {
		return nil
	}
	return c.metrics[id]
}

// Known reports whether a stream was ever defined.
func (c *View) Known(stream uint32) bool { return int(stream) < len(c.metricOf) }

// Count returns how many streams there are.
func (c *View) Count() int { return c.streams }

// CountOf returns how many streams an organization has.
func (c *View) CountOf(org tidemark.OrgID) int {
	if o := c.orgs[org]; o != nil {
		return o.streams
	}
	return 0
}

// Visible returns how many streams with records each organization has.
func (c *View) Visible() map[tidemark.OrgID]int {
	n := make(map[tidemark.OrgID]int)
	for org, o := range c.orgs {
		if o.streams > 0 {
			n[org] = o.streams
		}
	}
	c.unseenMu.RLock()
	defer c.unseenMu.RUnlock()
	for id := range c.unseen {
		if m := c.Owner(id); m != nil {
			n[m.org]--
		}
	}
	return n
}

// ModeOf returns the mode of a stream's metric. It is quick while no metric
// has one.
func (c *View) ModeOf(stream uint32) tsdb.Mode {
	if !c.special {
		return tsdb.Mode{}
	}
	return c.ownersMode(stream)
}

func (c *View) ownersMode(stream uint32) tsdb.Mode {
	if m := c.Owner(stream); m != nil {
		return m.Mode
	}
	return tsdb.Mode{}
}

// SetMode sets the mode of a metric.
func (c Edit) SetMode(m *Metric, mode tsdb.Mode) {
	m.Mode = mode
	c.special = c.special || mode.Fold
}
