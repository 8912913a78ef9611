package chunk

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// A chunk holds records of one stream in order of time:
//
//	flags(1) uvarint(n) times values
//
// The time of the first record is in the key. Times are uvarint(step) where
// they are regular, step and slots where they are but for gaps, and else
// uvarint(last - first) and a column of offsets. There is no checksum: Pebble
// has one for every block.
const (
	flagRegular = 1
	flagSummary = 2
	flagFold    = 4
	flagGaps    = 8
	flagSketch  = 16 // with flagSummary only; see sketches.go

	maxRecords = 2048 // records that are written into one chunk
	maxRead    = 1 << 16
)

// Decoded is a decoded chunk. Plain values have v alone; summaries have v as
// the sums, cnt, and if all columns were asked for the rest.
type Decoded struct {
	flags              byte
	T                  []uint32
	v, cnt             []float64
	min, max, last, m2 []float64
	sketches           sketchColumn // of all records, or none; they stay where the chunk is
}

// at returns record i; all columns must have been decoded.
func (c *Decoded) at(i int) tsdb.Summary {
	if c.flags&flagSummary == 0 {
		return tsdb.Single(c.v[i])
	}
	return tsdb.Summary{Count: c.cnt[i], Sum: c.v[i], Min: c.min[i], Max: c.max[i], Last: c.last[i], M2: c.m2[i]}
}

func regularStep(t []uint32) (step uint32, ok bool) {
	if len(t) < 2 {
		return 0, true
	}
	step = t[1] - t[0]
	for i := 2; i < len(t); i++ {
		if t[i]-t[i-1] != step {
			return 0, false
		}
	}
	return step, true
}

// appendHead appends what comes before the values.
func appendHead(dst []byte, t []uint32, flags byte, s *Scratch) []byte {
	step, regular := regularStep(t)
	if regular {
		dst = binary.AppendUvarint(append(dst, flags|flagRegular), uint64(len(t)))
		return binary.AppendUvarint(dst, uint64(step))
	}
	if step, gaps, ok := gapsOf(t); ok {
		dst = binary.AppendUvarint(append(dst, flags|flagGaps), uint64(len(t)))
		return appendSlots(binary.AppendUvarint(dst, uint64(step)), t, step, gaps)
	}
	dst = binary.AppendUvarint(append(dst, flags), uint64(len(t)))
	dst = binary.AppendUvarint(dst, uint64(t[len(t)-1]-t[0]))
	s.ints = grow(s.ints, len(t))
	for i, u := range t {
		s.ints[i] = int64(u) - int64(t[0])
	}
	return AppendInts(dst, s.ints)
}

// appendChunk appends a chunk of plain values.
func appendChunk(dst []byte, t []uint32, v []float64, flags byte, s *Scratch) []byte {
	return appendFloats(appendHead(dst, t, flags, s), v, s)
}

// Header is what is known of a chunk without decoding it.
type Header struct {
	flags byte
	N     int
	step  uint32 // of times that are regular, if only but for gaps
	Span  uint32 // last time - first time
}

// slots returns how many steps the chunk covers.
func (h *Header) slots() int { return int(h.Span/h.step) + 1 }

// HeaderOf returns the header of an encoded chunk.
func HeaderOf(v []byte) (Header, error) {
	h, _, err := readHeader(padded(v)) // it loads byte by byte
	return h, err
}

// readHeader returns the header of b and what follows it.
func readHeader(b padded) (h Header, rest padded, err error) {
	if len(b) < 3 {
		return h, nil, ErrDamaged
	}
	h.flags = b[0]
	n, k := binary.Uvarint(b[1:])
	if k <= 0 || n == 0 || n > maxRead {
		return h, nil, ErrDamaged
	}
	h.N = int(n)
	b = b[1+k:]
	x, k := binary.Uvarint(b)
	if k <= 0 || x > math.MaxUint32 {
		return h, nil, ErrDamaged
	}
	switch h.flags & (flagRegular | flagGaps) {
	case 0:
		h.Span = uint32(x)
		return h, b[k:], nil
	case flagGaps:
		return h.readGaps(b[k:], x)
	case flagRegular | flagGaps:
		return h, nil, ErrDamaged
	}
	if x*(n-1) > math.MaxUint32 || x == 0 && n > 1 {
		return h, nil, ErrDamaged
	}
	h.step, h.Span = uint32(x), uint32(x*(n-1))
	return h, b[k:], nil
}

// readGaps reads the number of slots, each as long as step.
func (h Header) readGaps(b padded, step uint64) (Header, padded, error) {
	last, k := binary.Uvarint(b)
	if k <= 0 || step == 0 || last >= maxSlots || last+1 < uint64(h.N) || step*last > math.MaxUint32 {
		return h, nil, ErrDamaged
	}
	h.step, h.Span = uint32(step), uint32(step*last)
	return h, b[k:], nil
}

// readTimes fills out with the times of a chunk that starts at t0.
func readTimes(b padded, h *Header, t0 uint32, out []uint32, s *Scratch) (padded, error) {
	if uint64(t0)+uint64(h.Span) > math.MaxUint32 {
		return nil, ErrDamaged
	}
	if h.flags&flagRegular != 0 {
		t := t0
		for i := range out {
			out[i] = t
			t += h.step
		}
		return b, nil
	}
	if h.flags&flagGaps != 0 {
		return readSlotTimes(b, h, t0, out, s)
	}
	s.ints = grow(s.ints, h.N)
	b, err := readInts(b, s.ints)
	if err != nil {
		return nil, err
	}
	if !areOffsets(s.ints, h.Span) {
		return nil, ErrDamaged
	}
	for i, x := range s.ints {
		out[i] = t0 + uint32(x)
	}
	return b, nil
}

// readSlotTimes fills out with times that have gaps.
func readSlotTimes(b padded, h *Header, t0 uint32, out []uint32, s *Scratch) (padded, error) {
	b, err := s.slots.read(b, h)
	if err != nil {
		return nil, err
	}
	i := 0
	for w, word := range s.slots[:len(s.slots)-1] {
		base := t0 + uint32(w)*64*h.step
		for ; word != 0; word &= word - 1 {
			out[i] = base + uint32(bits.TrailingZeros64(word))*h.step
			i++
		}
	}
	return b, nil
}

// Read decodes b, a chunk that starts at t0. Of summaries it decodes count
// and sum alone unless full.
func (c *Decoded) Read(e Encoded, t0 uint32, s *Scratch, full bool) error {
	h, b, err := readHeader(e.b)
	if err != nil {
		return err
	}
	c.flags, c.sketches = h.flags, c.sketches[:0]
	c.T, c.v = grow(c.T, h.N), grow(c.v, h.N)
	if b, err = readTimes(b, &h, t0, c.T, s); err != nil {
		return err
	}
	if h.flags&flagSummary != 0 {
		return c.readSummaries(b, s, full)
	}
	_, err = readFloats(b, c.v)
	return err
}
