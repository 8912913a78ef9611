package sketch

import (
	"iter"
	"math"
)

// Quantile returns the value below which q of those added are, 0 <= q <= 1;
// NaN where nothing was added.
func (s *Sketch) Quantile(q float64) float64 {
	return s.QuantileWithin(q, math.Inf(-1), math.Inf(1))
}

// QuantileWithin is Quantile for one who knows the least and the largest of
// the values: nothing outside of them is returned, and they themselves where
// q is 0 or 1.
func (s *Sketch) QuantileWithin(q, least, largest float64) float64 {
	if s.used == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	switch {
	case q == 0 && !math.IsInf(least, -1):
		return least
	case q == 1 && !math.IsInf(largest, 1):
		return largest
	}
	return min(max(middle(s.rank(q), s.level), least), largest)
}

// rank returns the key of the value that is at q of all in order.
func (s *Sketch) rank(q float64) (key int32) {
	s.scratch = s.appendBuckets(s.scratch[:0])
	rank := q * (total(s.scratch) - 1<<unitBits)
	for _, b := range s.scratch {
		key = b.key
		if rank -= float64(b.n); rank < 0 && q < 1 {
			break
		}
	}
	return key
}

// CountUpTo returns how many of the values are v or less. Those that share the
// bucket of v count: values up to 2 % above it may be among them.
func (s *Sketch) CountUpTo(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	limit := int32(math.MaxInt32)
	switch {
	case math.IsInf(v, -1):
		return 0
	case !math.IsInf(v, 1):
		limit = coarse(keyOf(v), s.level)
	}
	s.scratch = s.appendBuckets(s.scratch[:0])
	n := 0.0
	for _, b := range s.scratch {
		if b.key > limit {
			break
		}
		n += float64(b.n)
	}
	return n / (1 << unitBits)
}

// Bucket is a range of values, and how many there are.
type Bucket struct{ Lower, Upper, Count float64 }

// Buckets returns those buckets that hold something, in order of values. The
// one of zero has no width.
func (s *Sketch) Buckets() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		for _, b := range s.appendBuckets(nil) {
			lower, upper := bounds(b.key, s.level)
			if !yield(Bucket{lower, upper, float64(b.n) / (1 << unitBits)}) {
				return
			}
		}
	}
}

// maxPieces is how many parts Spread makes of a range at most. More make the
// sketch larger; what is between the limits of a coarse histogram is a guess.
const maxPieces = 8

// Spread counts n values of which is known only that they are between lower
// and upper: it takes them to be spread evenly. It reports whether it could.
func (s *Sketch) Spread(lower, upper, n float64) bool {
	if !(lower <= upper) || math.IsInf(upper-lower, 0) || math.IsNaN(upper-lower) || !(n > 0) || math.IsInf(n, 0) {
		return false
	}
	pieces := float64(piecesOf(lower, upper))
	if n < pieces {
		pieces = math.Ceil(n)
	}
	width, whole, done := (upper-lower)/pieces, n == math.Trunc(n), 0.0
	for i := 1.0; i <= pieces; i++ {
		next := n * i / pieces
		if whole {
			next = math.Floor(next) // whole counts stay whole: they are shorter
		}
		s.Add(lower+(i-0.5)*width, next-done)
		done = next
	}
	return true
}

// piecesOf returns how many parts of a range are worth telling apart: where
// the limits are buckets apart, as many as there are buckets.
func piecesOf(lower, upper float64) int32 {
	if lower < 0 && upper > 0 {
		return maxPieces
	}
	return min(max(keyOf(upper)-keyOf(lower), 1), maxPieces)
}
