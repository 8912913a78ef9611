package query

import (
	"math"
	"slices"
)

// What is made of the numbers of one stream; docs/reading.md explains it.
const (
	// leastBefore and leastDuring are how many points are needed for a stream
	// to be compared.
	leastBefore, leastDuring = 3, 3
	// perMAD makes the median of the absolute deviations a standard deviation,
	// where values are distributed normally.
	perMAD = 1.4826
	// leastSpread is what part of its level a stream may wander without that
	// being a change. It bounds deviations at 2 / leastSpread.
	leastSpread = 0.02
	// leastDeviation is how many spreads off a stream is that changed.
	leastDeviation = 3
	// mostDeviation is that of a stream that appears or stops.
	mostDeviation = 2 / leastSpread
)

// level is where the values of a stream lie: their median, and how far from it
// they usually are.
type level struct {
	n              int
	median, spread float64
}

// levelOf returns the level of values. It leaves them in another order.
func levelOf(values []float64) level {
	l := level{n: len(values)}
	if l.n == 0 {
		return l
	}
	l.median = median(values)
	for i, v := range values {
		values[i] = math.Abs(v - l.median)
	}
	l.spread = perMAD * median(values)
	return l
}

// median returns the median of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return values[n/2-1]/2 + values[n/2]/2
}

// deviation is how many of its own spreads a stream is off its level, with a
// median of now. A stream that never moved counts as one with a small spread.
func (l level) deviation(now float64) float64 {
	off := math.Abs(now - l.median)
	if off == 0 {
		return 0
	}
	return off / max(l.spread, leastSpread*max(math.Abs(now), math.Abs(l.median)))
}

// points are a part of a stream, by time.
type points struct {
	times  []int64
	values []float64
}

// between returns the part in [start, end).
func (p points) between(start, end int64) points {
	from, _ := slices.BinarySearch(p.times, start)
	to, _ := slices.BinarySearch(p.times, end)
	return points{p.times[from:to], p.values[from:to]}
}

// level returns the level of p, using scratch for its work.
func (p points) level(scratch *[]float64) level {
	*scratch = append((*scratch)[:0], p.values...)
	return levelOf(*scratch)
}

// isCounter reports whether p only rises, and mostly does: it counts, and what
// can change is how fast.
func (p points) isCounter() bool {
	rises := 0
	for i := 1; i < len(p.values); i++ {
		if p.values[i] < p.values[i-1] {
			return false
		}
		if p.values[i] > p.values[i-1] {
			rises++
		}
	}
	return len(p.values) > leastBefore && rises*2 > len(p.values)
}

// rates returns what p rises by in a second, without the times at which it
// begins again.
func (p points) rates() points {
	var r points
	for i := 1; i < len(p.values); i++ {
		if by := p.values[i] - p.values[i-1]; by >= 0 {
			r.times = append(r.times, p.times[i])
			r.values = append(r.values, by/float64(p.times[i]-p.times[i-1]))
		}
	}
	return r
}

// beginning returns the first time at which p is more than half of the way
// from before to during.
func (p points) beginning(before, during float64) (int64, bool) {
	half := (during - before) / 2
	for i, v := range p.values {
		if half > 0 && v-before > half || half < 0 && v-before < half {
			return p.times[i], true
		}
	}
	return 0, false
}

// fit100 says from 0 to 100 how well something fits a moment: how unlike its own
// past it was, and how near to the beginning of the range it began. length is
// that of the range.
func fit100(deviation float64, begins, length int64) int {
	unlike := deviation / (deviation + leastDeviation)
	return int(math.Round(100 * unlike * (1 + Nearness(begins, length)) / 2))
}

// Nearness is 1 for what begins with a range of some length, and 0 for what
// begins that long before or after.
func Nearness(begins, length int64) float64 {
	return max(0, 1-math.Abs(float64(begins))/float64(max(1, length)))
}
