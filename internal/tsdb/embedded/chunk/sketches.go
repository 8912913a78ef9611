package chunk

import (
	"encoding/binary"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// A chunk of summaries of which any has a sketch has flagSketch and, after the
// columns of the summaries,
//
//	uvarint(length)... sketches
//
// with the length 0 for a record that has none. A chunk without sketches is
// what it was before there were any.

// sketchColumn is the encoded sketches of records; it may be shorter than the
// records, and is empty where none has one.
type sketchColumn [][]byte

func (c sketchColumn) at(i int) []byte {
	if i < len(c) {
		return c[i]
	}
	return nil
}

// set gives record i a sketch, or with nil takes it away.
func (c *sketchColumn) set(i int, encoded []byte) {
	if encoded == nil && i >= len(*c) {
		return // what is not there costs nothing
	}
	for len(*c) <= i {
		*c = append(*c, nil)
	}
	(*c)[i] = encoded
}

// insert makes room for one more record.
func (c *sketchColumn) insert(i int) {
	if i < len(*c) {
		*c = slices.Insert(*c, i, nil)
	}
}

// any reports whether any of the records i to j has a sketch.
func (c sketchColumn) any(i, j int) bool {
	for ; i < min(j, len(c)); i++ {
		if c[i] != nil {
			return true
		}
	}
	return false
}

// append appends the sketches of the records i to j as a chunk has them.
func (c sketchColumn) append(dst []byte, i, j int) []byte {
	for k := i; k < j; k++ {
		dst = binary.AppendUvarint(dst, uint64(len(c.at(k))))
	}
	for k := i; k < j; k++ {
		dst = append(dst, c.at(k)...)
	}
	return dst
}

// Sketch returns the encoded sketch of record i, or nil.
func (r *Run) Sketch(i int) []byte { return r.sketches.at(i) }

// SetSketch gives record i, which has a summary, an encoded sketch, or with
// nil takes it away. The bytes are not copied.
func (r *Run) SetSketch(i int, encoded []byte) { r.sketches.set(i, encoded) }

// copySketches gives the last records of r the sketches i to j of o.
func (r *Run) copySketches(o *Run, i, j int) {
	for k := i; k < min(j, len(o.sketches)); k++ {
		r.SetSketch(len(r.T)-j+k, o.sketches[k])
	}
}

// FoldSketches returns the sketch of two records that become one: of all that
// is known of them, if either has a sketch; see tsdb.Distribution.
func FoldSketches(a []byte, as *tsdb.Summary, b []byte, bs *tsdb.Summary) []byte {
	if a == nil && b == nil {
		return nil
	}
	var both sketch.Sketch
	addKnown(&both, a, as)
	addKnown(&both, b, bs)
	return both.AppendBinary(nil)
}

// addKnown counts in dst what is known of a record. Sketches were checked
// before they were stored; of one that cannot be read nothing is known.
func addKnown(dst *sketch.Sketch, encoded []byte, s *tsdb.Summary) {
	switch {
	case encoded != nil:
		_ = dst.MergeEncoded(encoded)
	case s.IsSingle():
		dst.Add(s.Sum, 1)
	}
}

// readSketches reads what follows the summaries. What it reads stays in b.
func (c *Decoded) readSketches(b []byte) error {
	n := len(c.T)
	lengths := b
	for range n {
		_, k := binary.Uvarint(b)
		if k <= 0 {
			return ErrDamaged
		}
		b = b[k:]
	}
	c.sketches = slices.Grow(c.sketches[:0], n)
	for range n {
		size, k := binary.Uvarint(lengths)
		lengths = lengths[k:]
		if size > uint64(len(b)) || size > sketch.MaxEncoded {
			return ErrDamaged
		}
		var own []byte
		if size > 0 {
			own = b[:size:size]
		}
		c.sketches, b = append(c.sketches, own), b[size:]
	}
	return nil
}
