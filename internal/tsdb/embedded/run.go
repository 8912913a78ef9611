package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// run holds records of one stream: plain values as columns, and summaries
// beside them once there is any record that is more than a value.
type run struct {
	t   []uint32
	v   []float64
	op  []uint8
	sum []tsdb.Summary // as long as t if has
	has bool           // some op is not 0

	keys []uint64 // scratch of resolve
}

func (r *run) reset() { r.t, r.v, r.op, r.sum, r.has = r.t[:0], r.v[:0], r.op[:0], r.sum[:0], false }

// widen gives every record a summary.
func (r *run) widen() {
	r.has = true
	for i := len(r.sum); i < len(r.t); i++ {
		r.sum = append(r.sum, tsdb.Single(r.v[i]))
	}
}

// at returns record i as a summary.
func (r *run) at(i int) tsdb.Summary {
	if r.has {
		return r.sum[i]
	}
	return tsdb.Single(r.v[i])
}

// push appends record i of o.
func (r *run) push(o *run, i int) {
	if o.op[i] != 0 && !r.has {
		r.widen()
	}
	r.t, r.v, r.op = append(r.t, o.t[i]), append(r.v, o.v[i]), append(r.op, o.op[i])
	if r.has {
		r.sum = append(r.sum, o.at(i))
	}
}

// pushAll appends the records i to j of o.
func (r *run) pushAll(o *run, i, j int) {
	if i >= j {
		return
	}
	if o.has && !r.has {
		r.widen()
	}
	r.t, r.v, r.op = append(r.t, o.t[i:j]...), append(r.v, o.v[i:j]...), append(r.op, o.op[i:j]...)
	switch {
	case o.has:
		r.sum = append(r.sum, o.sum[i:j]...)
	case r.has:
		r.widen()
	}
}

// pushChunk appends a decoded chunk of the given operation.
func (r *run) pushChunk(c *chunk, op uint8) {
	if op != 0 && !r.has {
		r.widen()
	}
	r.t, r.v = append(r.t, c.t...), append(r.v, c.v...)
	for range c.t {
		r.op = append(r.op, op)
	}
	if r.has {
		for i := range c.t {
			r.sum = append(r.sum, c.at(i))
		}
	}
}

// combine applies record i of o, which came later, to record k of r, which
// is of the same second. A record keeps its fold mark while nothing before it
// is known that it could be folded into: an older chunk may have that.
func (r *run) combine(k int, o *run, i int) {
	if o.op[i]&opFold == 0 {
		r.v[k], r.op[k] = o.v[i], o.op[i]
		if o.op[i] != 0 && !r.has {
			r.widen()
		}
		if r.has {
			r.sum[k] = o.at(i)
		}
		return
	}
	if !r.has {
		r.widen()
	}
	s := o.at(i)
	r.sum[k].Merge(&s)
	r.v[k] = r.sum[k].Sum
	r.op[k] |= opSummary
}

// add appends record i of o, or applies it to the last record if that is of
// the same second.
func (r *run) add(o *run, i int) {
	if k := len(r.t) - 1; k >= 0 && r.t[k] == o.t[i] {
		r.combine(k, o, i)
		return
	}
	r.push(o, i)
}

// ascends reports whether times only grow.
func (r *run) ascends() bool { return r.ascendsIn(0, len(r.t)) }

// ascendsIn reports whether the times of records i to j only grow.
func (r *run) ascendsIn(i, j int) bool {
	for i++; i < j; i++ {
		if r.t[i] <= r.t[i-1] {
			return false
		}
	}
	return true
}

// resolve makes of records in order of arrival records in order of time, one
// a second, using tmp as scratch.
func (r *run) resolve(tmp *run) {
	if r.ascends() {
		return
	}
	r.keys = r.keys[:0]
	for i, t := range r.t { // time, then arrival: no two are equal, so any sort is stable
		r.keys = append(r.keys, uint64(t)<<32|uint64(i))
	}
	slices.Sort(r.keys)
	tmp.reset()
	for _, key := range r.keys {
		tmp.add(r, int(uint32(key)))
	}
	keys := r.keys
	*r, *tmp = *tmp, *r
	r.keys, tmp.keys = keys, nil
}

// overlay puts newer, which came later, over r; both are resolved. tmp is
// scratch.
func (r *run) overlay(newer, tmp *run) {
	if len(newer.t) == 0 {
		return
	}
	if len(r.t) == 0 || newer.t[0] > r.t[len(r.t)-1] {
		r.pushAll(newer, 0, len(newer.t))
		return
	}
	tmp.reset()
	i := 0
	for j := range newer.t {
		k := i
		for i < len(r.t) && r.t[i] <= newer.t[j] {
			i++
		}
		tmp.pushAll(r, k, i)
		tmp.add(newer, j)
	}
	tmp.pushAll(r, i, len(r.t))
	*r, *tmp = *tmp, *r
}

// keep drops the records outside [lo, hi).
func (r *run) keep(lo, hi int64) {
	n := 0
	for i, t := range r.t {
		if int64(t) < lo || int64(t) >= hi {
			continue
		}
		if n < i {
			r.t[n], r.v[n], r.op[n] = t, r.v[i], r.op[i]
			if r.has {
				r.sum[n] = r.sum[i]
			}
		}
		n++
	}
	r.t, r.v, r.op = r.t[:n], r.v[:n], r.op[:n]
	if r.has {
		r.sum = r.sum[:n]
	}
}

// after returns the position of the first record after t.
func (r *run) after(t uint32) int {
	if t == 1<<32-1 {
		return len(r.t)
	}
	return r.find(t + 1)
}

// find returns the position of the first record at or after t.
func (r *run) find(t uint32) int {
	i, _ := slices.BinarySearch(r.t, t)
	return i
}
