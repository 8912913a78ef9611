package tsdb

import (
	"bytes"
	"errors"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// Batch is what one Write stores: records in the order they were sent. It
// keeps its memory over Reset, so that filling it again allocates nothing.
//
// A stream is named by its key: the metric's name, then for each tag in order
// of names a 0 byte, the tag's name, a 1 byte, the tag's value. None of the
// texts may hold a byte below 2.
type Batch struct {
	Records []Record
	// Room is what the organization may have after the write. It is not
	// forgotten by Reset.
	Room Room
	// Merged says that summaries may be of more values than their sketches
	// have, as those are that were merged with some of unknown distribution. It is
	// not forgotten by Reset either.
	Merged bool
	keys   []byte
	refs   []*streamref.Ref // of the first records; nil where there is none

	// Beside the records, so that those without a sketch do not pay for it.
	sketches []byte
	spans    []span // ordered by record
}

// Room is the most that an organization may have; a zero is no limit.
type Room struct {
	Streams  int64
	Bytes    int64 // of memory for names of metrics and for tags
	TagNames int64 // of one metric
}

// span is where the sketch of a record is.
type span struct {
	record   int
	from, to int
}

// Record is one measurement of one stream.
type Record struct {
	Time    int64
	Summary Summary
	off, n  uint32 // of the key
}

// Len returns the number of records.
func (b *Batch) Len() int { return len(b.Records) }

// Reset empties b.
func (b *Batch) Reset() {
	b.Records, b.keys = b.Records[:0], b.keys[:0]
	clear(b.refs) // what they belong to may be forgotten meanwhile
	b.refs = b.refs[:0]
	b.sketches, b.spans = b.sketches[:0], b.spans[:0]
}

// TextBytes is how much memory b keeps for keys and sketches.
func (b *Batch) TextBytes() int { return cap(b.keys) + cap(b.sketches) }

// AddKey appends a record of the stream with the given key.
func (b *Batch) AddKey(key []byte, time int64, s Summary) {
	off := uint32(len(b.keys))
	// Agents send many measurements of one stream in a row more often than
	// not; sharing its key keeps the batch small.
	if i := len(b.Records) - 1; i >= 0 && bytes.Equal(b.Key(i), key) {
		off = b.Records[i].off
	} else {
		b.keys = append(b.keys, key...)
	}
	b.Records = append(b.Records, Record{Time: time, Summary: s, off: off, n: uint32(len(key))})
}

// AddRef is AddKey with a Ref that belongs to the key.
func (b *Batch) AddRef(key []byte, ref *streamref.Ref, time int64, s Summary) {
	b.AddKey(key, time, s)
	if ref == nil {
		return
	}
	for len(b.refs) < len(b.Records)-1 {
		b.refs = append(b.refs, nil)
	}
	b.refs = append(b.refs, ref)
}

// Ref returns the Ref of record i, or nil.
func (b *Batch) Ref(i int) *streamref.Ref {
	if i >= len(b.refs) {
		return nil
	}
	return b.refs[i]
}

// AddDistribution appends a record with the encoded sketch of the values that
// s summarizes, which is copied. No bytes are no sketch.
func (b *Batch) AddDistribution(key []byte, time int64, s Summary, sketch []byte) {
	b.AddKey(key, time, s)
	if len(sketch) > 0 {
		from := len(b.sketches)
		b.sketches = append(b.sketches, sketch...)
		b.spans = append(b.spans, span{len(b.Records) - 1, from, len(b.sketches)})
	}
}

// Fold adds to record i what else was observed of its stream in that second, as
// Distribution.Merge does.
func (b *Batch) Fold(i int, s Summary, encoded []byte) error {
	if had := b.Sketch(i); len(had)+len(encoded) > 0 {
		var both sketch.Sketch
		if err := errors.Join(addKnown(&both, &b.Records[i].Summary, had), addKnown(&both, &s, encoded)); err != nil {
			return err
		}
		from := len(b.sketches)
		b.sketches = both.AppendBinary(b.sketches)
		b.setSketch(span{i, from, len(b.sketches)})
		b.Merged = true
	}
	b.Records[i].Summary.Merge(&s)
	return nil
}

// addKnown counts in to what is known of a summary: its sketch, or its single
// value.
func addKnown(to *sketch.Sketch, s *Summary, encoded []byte) error {
	if len(encoded) > 0 {
		return to.MergeEncoded(encoded)
	}
	if s.IsSingle() {
		to.Add(s.Sum, 1)
	}
	return nil
}

// spanOf finds where the span of a record is among the others, or belongs.
func (b *Batch) spanOf(i int) (at int, has bool) {
	return slices.BinarySearchFunc(b.spans, i, func(s span, i int) int { return s.record - i })
}

// setSketch puts s in place of the sketch that its record has, or among the
// others.
func (b *Batch) setSketch(s span) {
	at, has := b.spanOf(s.record)
	if has {
		b.spans[at] = s
		return
	}
	b.spans = slices.Insert(b.spans, at, s)
}

// HasSketches reports whether any record has a sketch.
func (b *Batch) HasSketches() bool { return len(b.spans) > 0 }

// Sketch returns the encoded sketch of record i, or nil. It is valid until
// the next Reset or Add.
func (b *Batch) Sketch(i int) []byte {
	if len(b.spans) == 0 { // nearly always: this much is inlined into every write
		return nil
	}
	return b.findSketch(i)
}

func (b *Batch) findSketch(i int) []byte {
	at, ok := b.spanOf(i)
	if !ok {
		return nil
	}
	s := b.spans[at]
	return b.sketches[s.from:s.to:s.to]
}

// Add appends one value of a stream. It is AddKey for those in no hurry.
func (b *Batch) Add(metric string, tags tidemark.Tags, time int64, value float64) {
	b.AddKey(AppendKey(nil, metric, tags), time, Single(value))
}

// Key returns the key of record i. It is valid until the next Reset or Add.
func (b *Batch) Key(i int) []byte {
	r := &b.Records[i]
	return b.keys[r.off : r.off+r.n]
}

// Repeats reports whether record i, not the first, is of the stream of the one
// before, as far as that can be told without comparing their keys.
func (b *Batch) Repeats(i int) bool {
	return b.Records[i].off == b.Records[i-1].off && b.Records[i].n == b.Records[i-1].n
}

// AppendKey appends the key of a stream to dst. Tags must be in order.
func AppendKey(dst []byte, metric string, tags tidemark.Tags) []byte {
	dst = append(dst, metric...)
	for _, t := range tags {
		dst = append(dst, 0)
		dst = append(dst, t.Name...)
		dst = append(dst, 1)
		dst = append(dst, t.Value...)
	}
	return dst
}

// KeyMetric returns the metric of a key.
func KeyMetric(key []byte) string {
	name, _, _ := bytes.Cut(key, []byte{0})
	return string(name)
}

// ParseKey takes a key apart. It reports false for what is no key.
func ParseKey(key []byte) (metric string, tags tidemark.Tags, ok bool) {
	name, rest, more := bytes.Cut(key, []byte{0})
	metric = string(name)
	if more {
		tags = make(tidemark.Tags, 0, 1+bytes.Count(rest, []byte{0}))
	}
	for more {
		var pair []byte
		pair, rest, more = bytes.Cut(rest, []byte{0})
		name, value, found := bytes.Cut(pair, []byte{1})
		if !found || bytes.IndexByte(value, 1) >= 0 || len(tags) > 0 && tags[len(tags)-1].Name >= string(name) {
			return "", nil, false
		}
		tags = append(tags, tidemark.Tag{Name: string(name), Value: string(value)})
	}
	return metric, tags, metric != "" && bytes.IndexByte(name, 1) < 0
}
