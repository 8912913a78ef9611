package chunk

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Rollup is the sink that makes records of a tier: one summary a window.
type Rollup struct {
	Window uint32
	lo, hi int64
	T      []uint32
	r      []tsdb.Summary

	// A window has a sketch if any record in it has, and then all of its
	// single values count. So where a sketch turns up everything is read once
	// more, one by one; without, nothing is spent on it.
	sketches sketchColumn
	met      bool          // a sketch turned up
	exact    bool          // reading once more
	known    sketch.Sketch // of the open window
	some     bool          // that has a sketch

	open   bool
	start  uint32
	sum    tsdb.Summary
	digits int // decimals that all values of the open window have, or -1
	parts  int // that were added to it

	c   Decoded
	sc  Scratch
	dec decimals
	v   []float64
}

func (u *Rollup) Reset() {
	u.T, u.r, u.open = u.T[:0], u.r[:0], false
	u.sketches, u.met, u.exact = u.sketches[:0], false, false
}

// Done ends the last window. It reports false if everything is to be fed once
// more.
func (u *Rollup) Done() bool {
	u.Flush()
	if !u.met || u.exact {
		return true
	}
	u.Reset()
	u.exact = true
	return false
}

// know notes what is known of the record that was added last.
func (u *Rollup) know(encoded []byte, s *tsdb.Summary) {
	if encoded != nil {
		u.met, u.some = true, true
	}
	if u.exact {
		addKnown(&u.known, encoded, s)
	}
}

func (u *Rollup) Bounds(lo, hi int64) { u.lo, u.hi = lo, hi }

// add adds a summary of values with k decimals (-1: unknown) at t.
func (u *Rollup) add(t uint32, s *tsdb.Summary, k int) {
	if w := t - t%u.Window; !u.open || w != u.start {
		u.Flush()
		u.open, u.start, u.sum, u.digits, u.parts = true, w, *s, k, 1
		if u.some = false; u.exact {
			u.known.Reset()
		}
		return
	}
	u.parts++
	if k < 0 || u.digits < 0 {
		u.digits = -1
	} else {
		u.digits = max(u.digits, k)
	}
	u.sum.Merge(s)
}

// Flush ends the open window.
func (u *Rollup) Flush() {
	if !u.open {
		return
	}
	u.open = false
	if u.parts > 1 && u.digits >= 0 { // one part alone is exact
		snap(&u.sum, u.digits)
	}
	u.T, u.r = append(u.T, u.start), append(u.r, u.sum)
	if u.exact && u.some {
		u.sketches.set(len(u.T)-1, u.known.AppendBinary(nil))
	}
}

// snap makes the sum and M2 of decimal values what decimals would have given:
// adding floats leaves noise in the last bits, which is wrong, if only just,
// and does not compress.
func snap(s *tsdb.Summary, k int) {
	if x := s.Sum * pow10[k]; math.Abs(x) < 1<<52 {
		s.Sum = math.Round(x) / pow10[k]
	}
	if !isCount(s.Count) {
		return
	}
	c := unitM2(s.Count, k)
	if x := s.M2 * c; x >= 0 && x < 1<<50 {
		s.M2 = math.Round(x) / c
	}
}

func (u *Rollup) Chunk(e *Piece) error {
	ok, err := u.dec.read(e.Data, e.Start, &e.Header)
	if err != nil {
		return err
	}
	if ok && u.dec.k <= sumDecimals {
		u.decimals(&u.dec)
		return nil
	}
	if err := u.c.Read(e.Data, e.Start, &u.sc, true); err != nil {
		return err
	}
	k := -1
	if u.c.flags&flagSummary == 0 {
		k = decimalsOfAll(u.c.v)
	}
	for i, t := range u.c.T {
		if int64(t) >= u.lo && int64(t) < u.hi {
			s := u.c.at(i)
			u.add(t, &s, k)
			u.know(u.c.sketches.at(i), &s)
		}
	}
	return nil
}

// decimals adds values, window by window.
func (u *Rollup) decimals(d *decimals) {
	if u.exact {
		d.each(u.lo, u.hi, func(t int64, s *tsdb.Summary) {
			u.add(uint32(t), s, d.k)
			u.know(nil, s)
		})
		return
	}
	if d.gaps {
		d.windows(u.lo, u.hi, int64(u.Window), func(t int64, x []int64) {
			s := summarize(x, d.k)
			u.add(uint32(t), &s, d.k)
		})
		return
	}
	w := int64(u.Window)
	for i := d.find(u.lo); i < len(d.x) && d.at(i) < u.hi; {
		t := d.at(i)
		j := d.next(i, min(t-t%w+w, u.hi))
		s := summarize(d.x[i:j], d.k)
		u.add(uint32(t), &s, d.k)
		i = j
	}
}

func (u *Rollup) run(r *Run, i, j int) {
	for ; i < j && int64(r.T[i]) < u.lo; i++ {
	}
	end := i
	for end < j && int64(r.T[end]) < u.hi {
		end++
	}
	if !r.Has && u.dec.take(r, i, end) {
		u.decimals(&u.dec)
		return
	}
	for ; i < end; i++ {
		s := r.At(i)
		u.add(r.T[i], &s, -1)
		u.know(r.Sketch(i), &s)
	}
}

// Absorb adds overdue records after all others.
func (u *Rollup) Absorb(list []Overdue) {
	at, ok := 0, false
	for i := range list {
		w := list[i].T - list[i].T%u.Window
		at, ok = place(u.T, at, w)
		if !ok {
			u.T, u.r = slices.Insert(u.T, at, w), slices.Insert(u.r, at, tsdb.Summary{})
			u.sketches.insert(at)
		}
		u.sketches.set(at, FoldSketches(u.sketches.at(at), &u.r[at], list[i].Sketch, &list[i].Sum))
		u.r[at].Merge(&list[i].Sum)
	}
}

// AppendTo appends uvarint(first window - start) and a chunk of the windows i
// to j. Windows of one value each take what the values take.
func (u *Rollup) AppendTo(dst []byte, start uint32, i, j int) []byte {
	t, r := u.T[i:j], u.r[i:j]
	dst = binary.AppendUvarint(dst, uint64(t[0]-start))
	if u.sketches.any(i, j) {
		return u.sketches.append(appendSummaries(dst, t, r, flagSketch, &u.sc), i, j)
	}
	u.v = u.v[:0]
	for k := range r {
		if !IsPlain(&r[k]) {
			return appendSummaries(dst, t, r, 0, &u.sc)
		}
		u.v = append(u.v, r[k].Sum)
	}
	return appendChunk(dst, t, u.v, 0, &u.sc)
}
