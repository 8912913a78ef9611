package embedded

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// rollup is the sink that makes records of a tier: one summary a window.
type rollup struct {
	window uint32
	lo, hi int64
	t      []uint32
	r      []tsdb.Summary

	open   bool
	start  uint32
	sum    tsdb.Summary
	digits int // decimals that all values of the open window have, or -1
	parts  int // that were added to it

	c   chunk
	sc  scratch
	dec decimals
	v   []float64
}

func (u *rollup) reset() { u.t, u.r, u.open = u.t[:0], u.r[:0], false }

func (u *rollup) bounds(lo, hi int64) { u.lo, u.hi = lo, hi }

// add adds a summary of values with k decimals (-1: unknown) at t.
func (u *rollup) add(t uint32, s *tsdb.Summary, k int) {
	if w := t - t%u.window; !u.open || w != u.start {
		u.flush()
		u.open, u.start, u.sum, u.digits, u.parts = true, w, *s, k, 1
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

// flush ends the open window.
func (u *rollup) flush() {
	if !u.open {
		return
	}
	u.open = false
	if u.parts > 1 && u.digits >= 0 { // one part alone is exact
		snap(&u.sum, u.digits)
	}
	u.t, u.r = append(u.t, u.start), append(u.r, u.sum)
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

func (u *rollup) chunk(b []byte, t0 uint32, h *chunkHeader) error {
	ok, err := u.dec.read(b, t0, h)
	if err != nil {
		return err
	}
	if ok && u.dec.k <= sumDecimals {
		u.decimals(&u.dec)
		return nil
	}
	if err := u.c.read(b, t0, &u.sc, true); err != nil {
		return err
	}
	k := -1
	if u.c.flags&flagSummary == 0 {
		k = decimalsOfAll(u.c.v)
	}
	for i, t := range u.c.t {
		if int64(t) >= u.lo && int64(t) < u.hi {
			s := u.c.at(i)
			u.add(t, &s, k)
		}
	}
	return nil
}

// decimals adds values, window by window.
func (u *rollup) decimals(d *decimals) {
	w := int64(u.window)
	if d.gaps {
		d.windows(u.lo, u.hi, w, func(t int64, x []int64) {
			s := summarize(x, d.k)
			u.add(uint32(t), &s, d.k)
		})
		return
	}
	for i := d.find(u.lo); i < len(d.x); {
		t := d.at(i)
		if t >= u.hi {
			return
		}
		j := d.next(i, min(t-t%w+w, u.hi))
		s := summarize(d.x[i:j], d.k)
		u.add(uint32(t), &s, d.k)
		i = j
	}
}

func (u *rollup) run(r *run, i, j int) {
	for ; i < j && int64(r.t[i]) < u.lo; i++ {
	}
	end := i
	for end < j && int64(r.t[end]) < u.hi {
		end++
	}
	if !r.has && u.dec.take(r, i, end) {
		u.decimals(&u.dec)
		return
	}
	for ; i < end; i++ {
		s := r.at(i)
		u.add(r.t[i], &s, -1)
	}
}

// absorb adds overdue records after all others.
func (u *rollup) absorb(list []overdueRecord) {
	for i := range list {
		w := list[i].t - list[i].t%u.window
		at, ok := slices.BinarySearch(u.t, w)
		if !ok {
			u.t, u.r = slices.Insert(u.t, at, w), slices.Insert(u.r, at, tsdb.Summary{})
		}
		u.r[at].Merge(&list[i].sum)
	}
}

// appendTo appends uvarint(first window - start) and a chunk of the windows i
// to j. Windows of one value each take what the values take.
func (u *rollup) appendTo(dst []byte, start uint32, i, j int) []byte {
	t, r := u.t[i:j], u.r[i:j]
	dst = binary.AppendUvarint(dst, uint64(t[0]-start))
	u.v = u.v[:0]
	for k := range r {
		if !isPlain(&r[k]) {
			return appendSummaries(dst, t, r, 0, &u.sc)
		}
		u.v = append(u.v, r[k].Sum)
	}
	return appendChunk(dst, t, u.v, 0, &u.sc)
}
