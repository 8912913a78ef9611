package embedded

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// A payload of the log is kind(1) and what belongs to it:
//
//	1 records      varint(org) {uvarint(zigzag(stream - previous) << 3 | op) varint(time - previous) value(8) or summary(48)}...
//	2 definitions  {0 uvarint(metric) varint(org) text | 1 uvarint(stream) uvarint(metric) text}...   text = uvarint(length) bytes
//	3 mode         uvarint(metric) fold(1) uvarint(period)
//	4 deletion     uvarint(metric)
//	5 distributions  as records, with uvarint(length) and a sketch, or 0, after each summary
const (
	entryRecords       = 1
	entryDefinitions   = 2
	entryMode          = 3
	entryDeletion      = 4
	entryDistributions = 5
)

// opOverdue is one more operation of a record: raw records of its age may have
// been gone when it was written.
const opOverdue = 4

var errEntry = errors.New("log entry is damaged")

func zigzagID(x int64) uint64   { return uint64(x<<1) ^ uint64(x>>63) }
func unzigzagID(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// record is one record on its way in. v is a position among the summaries of
// its batch if op says so.
type record struct {
	id, t uint32
	op    uint8
	v     float64
}

// appendRecords appends an entry; sketches are of the first summaries, if any
// has one.
func appendRecords(dst []byte, org tidemark.OrgID, recs []record, sums []tsdb.Summary, sketches [][]byte) []byte {
	kind := byte(entryRecords)
	if len(sketches) > 0 {
		kind = entryDistributions
	}
	dst = binary.AppendVarint(append(dst, kind), int64(org))
	id, t := int64(0), int64(0)
	for i := range recs {
		r := &recs[i]
		dst = binary.AppendUvarint(dst, zigzagID(int64(r.id)-id)<<3|uint64(r.op))
		dst = binary.AppendVarint(dst, int64(r.t)-t)
		id, t = int64(r.id), int64(r.t)
		if r.op&chunk.OpSummary == 0 {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(r.v))
			continue
		}
		dst = chunk.AppendSummary(dst, &sums[int(r.v)])
		if kind == entryDistributions {
			sketch := sketchAt(sketches, int(r.v))
			dst = append(binary.AppendUvarint(dst, uint64(len(sketch))), sketch...)
		}
	}
	return dst
}

// sketchAt returns the sketch of summary i, or nil.
func sketchAt(sketches [][]byte, i int) []byte {
	if i < len(sketches) {
		return sketches[i]
	}
	return nil
}

// isRecords reports whether a payload is of records.
func isRecords(payload []byte) bool {
	return payload[0] == entryRecords || payload[0] == entryDistributions
}

// readRecords calls fn for each record of a payload; sum is set where op says
// so. A sketch stays where the payload is.
func readRecords(payload []byte, fn func(org tidemark.OrgID, r *record, sum *tsdb.Summary, sketch []byte)) error {
	sketched, b := payload[0] == entryDistributions, payload[1:]
	org, k := binary.Varint(b)
	if k <= 0 {
		return errEntry
	}
	b = b[k:]
	id, t := int64(0), int64(0)
	var sum tsdb.Summary
	for len(b) > 0 {
		x, k := binary.Uvarint(b)
		if k <= 0 {
			return errEntry
		}
		b = b[k:]
		d, k := binary.Varint(b)
		if k <= 0 {
			return errEntry
		}
		b = b[k:]
		id += unzigzagID(x >> 3)
		t += d
		r := record{id: uint32(id), t: uint32(t), op: uint8(x & 7)}
		if id < 0 || id > math.MaxUint32 || t < 0 || t > math.MaxUint32 {
			return errEntry
		}
		n := 8
		if r.op&chunk.OpSummary != 0 {
			n = chunk.SummaryLen
		}
		if len(b) < n {
			return errEntry
		}
		r.v = math.Float64frombits(binary.LittleEndian.Uint64(b))
		if n == chunk.SummaryLen {
			chunk.ReadSummary(b, &sum)
		}
		b = b[n:]
		var sketch []byte
		if sketched && n == chunk.SummaryLen {
			f := fields{b: b}
			text := f.text()
			if f.err != nil {
				return f.err
			}
			if b = f.b; len(text) > 0 {
				sketch = text
			}
		}
		fn(tidemark.OrgID(org), &r, &sum, sketch)
	}
	return nil
}

func appendDefinition(dst []byte, d *catalog.Definition, org tidemark.OrgID) []byte {
	if d.Stream {
		dst = binary.AppendUvarint(append(dst, 1), uint64(d.ID))
		dst = binary.AppendUvarint(dst, uint64(d.Metric))
	} else {
		dst = binary.AppendUvarint(append(dst, 0), uint64(d.ID))
		dst = binary.AppendVarint(dst, int64(org))
	}
	dst = binary.AppendUvarint(dst, uint64(len(d.Text)))
	return append(dst, d.Text...)
}

// reader of varints that remembers the first thing wrong.
type fields struct {
	b   []byte
	err error
}

func (f *fields) uint32() uint32 {
	x, k := binary.Uvarint(f.b)
	if k <= 0 || x > math.MaxUint32-1 { // the largest is taken for "none"
		f.b, f.err = nil, errEntry
		return 0
	}
	f.b = f.b[k:]
	return uint32(x)
}

func (f *fields) int64() int64 {
	x, k := binary.Varint(f.b)
	if k <= 0 {
		f.b, f.err = nil, errEntry
		return 0
	}
	f.b = f.b[k:]
	return x
}

func (f *fields) byte() byte {
	if len(f.b) == 0 {
		f.err = errEntry
		return 0
	}
	c := f.b[0]
	f.b = f.b[1:]
	return c
}

func (f *fields) text() []byte {
	n := f.uint32()
	if f.err != nil || uint64(n) > uint64(len(f.b)) {
		f.b, f.err = nil, errEntry
		return nil
	}
	t := f.b[:n]
	f.b = f.b[n:]
	return t
}

// readDefinitions calls fn for each definition.
func readDefinitions(b []byte, fn func(d *catalog.Definition, org tidemark.OrgID)) error {
	f := fields{b: b}
	for len(f.b) > 0 {
		var d catalog.Definition
		var org int64
		switch f.byte() {
		case 0:
			d.ID = f.uint32()
			org = f.int64()
		case 1:
			d.Stream = true
			d.ID, d.Metric = f.uint32(), f.uint32()
		default:
			return errEntry
		}
		d.Text = f.text()
		if f.err != nil {
			return f.err
		}
		fn(&d, tidemark.OrgID(org))
	}
	return nil
}

func appendMode(dst []byte, metric uint32, m tsdb.Mode) []byte {
	dst = binary.AppendUvarint(append(dst, entryMode), uint64(metric))
	return catalog.AppendMode(dst, m)
}

func (f *fields) mode() tsdb.Mode {
	mode, rest, ok := catalog.ReadMode(f.b)
	if !ok {
		f.b, f.err = nil, errEntry
		return mode
	}
	f.b = rest
	return mode
}

func appendDeletion(dst []byte, metric uint32) []byte {
	return binary.AppendUvarint(append(dst, entryDeletion), uint64(metric))
}
