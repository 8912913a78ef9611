// Package sketch keeps how values are distributed: any quantile of what was
// added, and of what was merged, within 1 % of the value.
//
// A sketch counts values in buckets whose limits grow by 2 %. Two sketches
// are merged by adding their counts, so what comes out is the same in
// whatever order and nesting it is done, to the last byte.
package sketch

import (
	"math"
	"slices"
)

// MaxBuckets is how many buckets a sketch may have. They cover a range of
// 1 to 10^17 without a gap. A sketch that needs more makes one bucket of two
// neighbours, all over its range: the error is then 2 %. It may do so again.
//
// How coarse it becomes depends on what was added alone, not on the order,
// because more values never need fewer buckets.
const MaxBuckets = 2048

// Counts are kept in units of 1/65536, so that adding them is exact: weights
// from sampling (1/0.3) are fractions.
const (
	unitBits = 16
	maxCount = 1 << 62 // of one bucket, in units; more is not counted
)

// Sketch is a distribution of values. The zero Sketch is empty and ready. One
// goroutine at a time may use it, also for reading.
type Sketch struct {
	level    uint8 // each level halves the number of buckets
	used     int   // buckets that hold something
	zero     uint64
	pos, neg store
	scratch  []bucket // what is being merged or encoded
}

type bucket struct {
	key int32
	n   uint64
}

// Reset empties s; it keeps its memory.
func (s *Sketch) Reset() {
	s.level, s.used, s.zero = 0, 0, 0
	s.pos.reset()
	s.neg.reset()
}

// Clone returns a copy of s.
func (s *Sketch) Clone() *Sketch {
	c := *s
	c.pos, c.neg, c.scratch = s.pos.clone(), s.neg.clone(), nil
	return &c
}

// Add counts v n times. It reports whether it did: NaN and infinities cannot
// be counted, and n must be positive.
func (s *Sketch) Add(v, n float64) bool {
	units := math.Round(n * (1 << unitBits))
	if v-v != 0 || !(units >= 1) {
		return false
	}
	s.add(coarse(keyOf(v), s.level), uint64(min(units, maxCount)))
	return true
}

// add counts n in the bucket with a key of the level of s.
func (s *Sketch) add(key int32, n uint64) {
	var fresh bool
	switch {
	case key > 0:
		fresh = s.pos.add(key, n)
	case key < 0:
		fresh = s.neg.add(-key, n)
	default:
		fresh, s.zero = s.zero == 0, sum(s.zero, n)
	}
	if fresh {
		s.used++
		for s.used > MaxBuckets {
			s.coarsen(s.level + 1)
		}
	}
}

// sum adds counts. Those too large stay the largest, in whatever order they
// are added.
func sum(a, b uint64) uint64 { return min(a+b, maxCount) }

// coarsen brings s to a level above its own.
func (s *Sketch) coarsen(level uint8) {
	levels, buckets := level-s.level, s.appendBuckets(nil)
	s.Reset()
	s.level = level
	for _, b := range buckets {
		s.add(coarse(b.key, levels), b.n)
	}
}

// appendBuckets appends those buckets that hold something, in order.
func (s *Sketch) appendBuckets(dst []bucket) []bucket {
	dst = s.neg.appendBuckets(dst)
	slices.Reverse(dst)
	for i := range dst {
		dst[i].key = -dst[i].key
	}
	if s.zero > 0 {
		dst = append(dst, bucket{0, s.zero})
	}
	return s.pos.appendBuckets(dst)
}

// Merge adds what was added to o.
func (s *Sketch) Merge(o *Sketch) {
	s.scratch = o.appendBuckets(s.scratch[:0])
	s.merge(s.scratch, o.level)
}

// merge adds buckets of a level, which are in order.
func (s *Sketch) merge(buckets []bucket, level uint8) {
	if level > s.level {
		s.coarsen(level)
	}
	if level == s.level && s.used+len(buckets) <= MaxBuckets {
		s.used += s.mergeRuns(buckets)
		return
	}
	for _, b := range buckets {
		s.add(coarse(b.key, s.level-level), b.n)
	}
}

// mergeRuns adds buckets of the level of s, those of a page at a time. It
// returns how many held nothing before.
func (s *Sketch) mergeRuns(buckets []bucket) (fresh int) {
	for len(buckets) > 0 {
		key := buckets[0].key
		if key <= 0 {
			used := s.used
			s.add(key, buckets[0].n)
			fresh, s.used, buckets = fresh+s.used-used, used, buckets[1:]
			continue
		}
		p, n := s.pos.page(key>>pageBits), 0
		for n < len(buckets) && buckets[n].key>>pageBits == key>>pageBits {
			if p.add(buckets[n].key, buckets[n].n) {
				fresh++
			}
			n++
		}
		buckets = buckets[n:]
	}
	return fresh
}

// Count returns how many values were added.
func (s *Sketch) Count() float64 {
	s.scratch = s.appendBuckets(s.scratch[:0])
	return total(s.scratch) / (1 << unitBits)
}

// Error returns the relative error that quantiles have at most.
func (s *Sketch) Error() float64 {
	growth := math.Exp2(float64(int(1)<<s.level) / perOctave)
	return (growth - 1) / (growth + 1)
}

// total adds up counts. It is a float64 as all of the largest do not fit into
// an integer.
func total(buckets []bucket) (t float64) {
	for _, b := range buckets {
		t += float64(b.n)
	}
	return t
}

// Len returns how many buckets hold something, which is what s takes memory
// for.
func (s *Sketch) Len() int { return s.used }
