package chunk

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Sink takes the records of one stream in order of time: chunks still encoded,
// decimals, or any records. It drops what is outside the bounds it was given.
//
// There is one for each thing that is made of records: sums (sum and count of
// each step, by short cuts for every form that chunks have), lasts (the last
// value of each step), summaries (everything of each step) and rollup (records of a tier). All of them give
// what adding the records one by one gives, to which the tests hold them.
type Sink interface {
	Bounds(lo, hi int64)
	Chunk(p *Piece) error
	decimals(d *decimals)
	run(r *Run, i, j int)
}

// Points is a sink that makes the points of a query.
type Points interface {
	Sink
	Reset()
	Absorb(list []Overdue)
	Series(f tsdb.Function) ([]int64, []float64)
}

// Piece is an encoded chunk with what is known of it.
type Piece struct {
	Data   Encoded
	Header Header
	Start  uint32 // time of the first record
	Gen    uint32 // generation it was written in
	Op     uint8
}

// steps is the part of a query's sink that knows about time.
type steps struct {
	Step   int64
	lo, hi int64
	end    int64 // of the step that is open
	t      []int64
	lacked []int64 // scratch of openAt
}

func (s *steps) Bounds(lo, hi int64) { s.lo, s.hi = lo, hi }

func (s *steps) Reset() { s.end, s.t = -1, s.t[:0] }

// begin opens the step of t, which is not before end.
func (s *steps) begin(t int64) {
	w := s.end
	if w < 0 || t-w >= s.Step { // dividing is slow, and the next step most likely
		w = t - t%s.Step
	}
	s.end = w + s.Step
	s.t = append(s.t, w)
}

// openAt opens at position i the steps of the overdue records at the beginning of
// list that ascend and belong there, and returns how many. One by one, all that
// follow would be moved for each.
func (s *steps) openAt(i int, list []Overdue) int {
	last, next := int64(-1), int64(math.MaxInt64)
	if i < len(s.t) {
		next = s.t[i]
	}
	s.lacked = s.lacked[:0]
	for k := range list {
		w := int64(list[k].T) / s.Step * s.Step
		if w < last || w >= next {
			break
		}
		if w > last {
			s.lacked = append(s.lacked, w)
			last = w
		}
	}
	s.t = slices.Insert(s.t, i, s.lacked...)
	return len(s.lacked)
}

// insert makes room for n more at position i, and fills it with v.
func insert[T any](s []T, i, n int, v T) []T {
	s = extend(s, n)
	copy(s[i+n:], s[i:])
	for k := i; k < i+n; k++ {
		s[k] = v
	}
	return s
}

// isOwn reports whether records so far apart, the first of which is at t, have a
// step each.
func (s *steps) isOwn(t, apart int64) bool {
	return apart > 0 && apart%s.Step == 0 && t-t%s.Step >= s.end
}

// beginOwn opens the steps of n such records.
func (s *steps) beginOwn(t, apart int64, n int) {
	w, from := t-t%s.Step, len(s.t)
	s.t = extend(s.t, n)
	for i := range s.t[from:] {
		s.t[from+i] = w
		w += apart
	}
	s.end = w - apart + s.Step
}

// outside reports whether no record of a chunk is within the bounds.
func (s *steps) outside(p *Piece) bool {
	return int64(p.Start) >= s.hi || int64(p.Start)+int64(p.Header.Span) < s.lo
}

// decoder gives chunks to a sink that takes decimals, and other records one by
// one.
type decoder struct {
	c   Decoded
	sc  Scratch
	dec decimals
	sum tsdb.Summary
}

// read gives what of a chunk is within the bounds of s to a sink.
func (d *decoder) read(e *Piece, s *steps, to interface {
	decimals(d *decimals)
	add(t int64, sum *tsdb.Summary)
}) error {
	if s.outside(e) {
		return nil
	}
	if ok, err := d.dec.read(e.Data, e.Start, &e.Header); ok || err != nil {
		if ok {
			to.decimals(&d.dec)
		}
		return err
	}
	if err := d.c.Read(e.Data, e.Start, &d.sc, true); err != nil {
		return err
	}
	i, _ := slices.BinarySearch(d.c.T, uint32(min(s.lo, 1<<32-1)))
	for ; i < len(d.c.T) && int64(d.c.T[i]) < s.hi; i++ {
		d.sum = d.c.at(i)
		to.add(int64(d.c.T[i]), &d.sum)
	}
	return nil
}

// NeedsAll reports whether f needs more than sum and count, or the last value.
func NeedsAll(f tsdb.Function) bool {
	return f != tsdb.Mean && f != tsdb.Sum && f != tsdb.Count && !NeedsLast(f)
}

// NeedsLast reports whether f needs the last value only.
func NeedsLast(f tsdb.Function) bool { return f == tsdb.Last || f == tsdb.Derivative }
