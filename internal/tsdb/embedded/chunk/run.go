package chunk

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Operations of a record, and of all records of a chunk.
const (
	OpFold    = 1 // merge into what is there, rather than replace it
	OpSummary = 2 // a summary rather than one value
)

// Run holds records of one stream: plain values as columns, and summaries
// beside them once there is any record that is more than a value.
type Run struct {
	T   []uint32
	V   []float64
	Op  []uint8
	Sum []tsdb.Summary // as long as t if has
	Has bool           // some op is not 0

	sketches sketchColumn // of the first records, if any has one
	keys     []uint64     // scratch of resolve
}

func (r *Run) Reset() {
	r.T, r.V, r.Op, r.Sum, r.Has = r.T[:0], r.V[:0], r.Op[:0], r.Sum[:0], false
	r.sketches = r.sketches[:0]
}

// Widen gives every record a summary.
func (r *Run) Widen() {
	r.Has = true
	for i := len(r.Sum); i < len(r.T); i++ {
		r.Sum = append(r.Sum, tsdb.Single(r.V[i]))
	}
}

// At returns record i as a summary.
func (r *Run) At(i int) tsdb.Summary {
	if r.Has {
		return r.Sum[i]
	}
	return tsdb.Single(r.V[i])
}

// push appends record i of o.
func (r *Run) push(o *Run, i int) {
	if o.Op[i] != 0 && !r.Has {
		r.Widen()
	}
	r.T, r.V, r.Op = append(r.T, o.T[i]), append(r.V, o.V[i]), append(r.Op, o.Op[i])
	if r.Has {
		r.Sum = append(r.Sum, o.At(i))
		r.SetSketch(len(r.T)-1, o.Sketch(i))
	}
}

// pushAll appends the records i to j of o.
func (r *Run) pushAll(o *Run, i, j int) {
	if i >= j {
		return
	}
	if o.Has && !r.Has {
		r.Widen()
	}
	r.T, r.V, r.Op = append(r.T, o.T[i:j]...), append(r.V, o.V[i:j]...), append(r.Op, o.Op[i:j]...)
	switch {
	case o.Has:
		r.Sum = append(r.Sum, o.Sum[i:j]...)
		r.copySketches(o, i, j)
	case r.Has:
		r.Widen()
	}
}

// PushChunk appends a decoded chunk of the given operation.
func (r *Run) PushChunk(c *Decoded, op uint8) {
	if op != 0 && !r.Has {
		r.Widen()
	}
	r.T, r.V = append(r.T, c.T...), append(r.V, c.v...)
	for range c.T {
		r.Op = append(r.Op, op)
	}
	if r.Has {
		for i := range c.T {
			r.Sum = append(r.Sum, c.at(i))
		}
		for i, encoded := range c.sketches {
			r.SetSketch(len(r.T)-len(c.T)+i, encoded)
		}
	}
}

// combine applies record i of o, which came later, to record k of r, which
// is of the same second. A record keeps its fold mark while nothing before it
// is known that it could be folded into: an older chunk may have that.
func (r *Run) combine(k int, o *Run, i int) {
	if o.Op[i]&OpFold == 0 {
		r.V[k], r.Op[k] = o.V[i], o.Op[i]
		if o.Op[i] != 0 && !r.Has {
			r.Widen()
		}
		if r.Has {
			r.Sum[k] = o.At(i)
			r.SetSketch(k, o.Sketch(i))
		}
		return
	}
	if !r.Has {
		r.Widen()
	}
	s := o.At(i)
	r.SetSketch(k, FoldSketches(r.Sketch(k), &r.Sum[k], o.Sketch(i), &s))
	r.Sum[k].Merge(&s)
	r.V[k] = r.Sum[k].Sum
	r.Op[k] |= OpSummary
}

// add appends record i of o, or applies it to the last record if that is of
// the same second.
func (r *Run) add(o *Run, i int) {
	if k := len(r.T) - 1; k >= 0 && r.T[k] == o.T[i] {
		r.combine(k, o, i)
		return
	}
	r.push(o, i)
}

// ascends reports whether times only grow.
func (r *Run) ascends() bool { return r.ascendsIn(0, len(r.T)) }

// ascendsIn reports whether the times of records i to j only grow.
func (r *Run) ascendsIn(i, j int) bool {
	for i++; i < j; i++ {
		if r.T[i] <= r.T[i-1] {
			return false
		}
	}
	return true
}

// Resolve makes of records in order of arrival records in order of time, one
// a second, using tmp as scratch.
func (r *Run) Resolve(tmp *Run) {
	if r.ascends() {
		return
	}
	r.keys = r.keys[:0]
	for i, t := range r.T { // time, then arrival: no two are equal, so any sort is stable
		r.keys = append(r.keys, uint64(t)<<32|uint64(i))
	}
	slices.Sort(r.keys)
	tmp.Reset()
	for _, key := range r.keys {
		tmp.add(r, int(uint32(key)))
	}
	keys := r.keys
	*r, *tmp = *tmp, *r
	r.keys, tmp.keys = keys, nil
}

// Overlay puts newer, which came later, over r; both are resolved. tmp is
// scratch.
func (r *Run) Overlay(newer, tmp *Run) {
	if len(newer.T) == 0 {
		return
	}
	if len(r.T) == 0 || newer.T[0] > r.T[len(r.T)-1] {
		r.pushAll(newer, 0, len(newer.T))
		return
	}
	tmp.Reset()
	i := 0
	for j := range newer.T {
		k := i
		for i < len(r.T) && r.T[i] <= newer.T[j] {
			i++
		}
		tmp.pushAll(r, k, i)
		tmp.add(newer, j)
	}
	tmp.pushAll(r, i, len(r.T))
	*r, *tmp = *tmp, *r
}

// Keep drops the records outside [lo, hi).
func (r *Run) Keep(lo, hi int64) {
	n := 0
	for i, t := range r.T {
		if int64(t) < lo || int64(t) >= hi {
			continue
		}
		if n < i {
			r.T[n], r.V[n], r.Op[n] = t, r.V[i], r.Op[i]
			if r.Has {
				r.Sum[n] = r.Sum[i]
				r.SetSketch(n, r.Sketch(i))
			}
		}
		n++
	}
	r.drop(n)
}

// drop drops the records from n on.
func (r *Run) drop(n int) {
	r.T, r.V, r.Op = r.T[:n], r.V[:n], r.Op[:n]
	r.sketches = r.sketches[:min(n, len(r.sketches))]
	if r.Has {
		r.Sum = r.Sum[:n]
	}
}

// Move makes dst the records from i on, and takes them out of r.
func (r *Run) Move(i int, dst *Run) {
	dst.Reset()
	dst.pushAll(r, i, len(r.T))
	r.drop(i)
}

// AscendsFrom reports whether each record from i on is later than the one
// before it.
func (r *Run) AscendsFrom(i int) bool { return r.ascendsIn(max(i-1, 0), len(r.T)) }

// After returns the position of the first record after t.
func (r *Run) After(t uint32) int {
	if t == 1<<32-1 {
		return len(r.T)
	}
	return r.Find(t + 1)
}

// Find returns the position of the first record at or after t.
func (r *Run) Find(t uint32) int {
	i, _ := slices.BinarySearch(r.T, t)
	return i
}
