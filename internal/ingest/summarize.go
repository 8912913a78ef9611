package ingest

import (
	"math"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func (n *numbers) have(f numeric) bool { return n.has&(1<<f) != 0 }

// summarize makes a summary of what was sent: one value, or at least a count
// and a sum. On a flaw it names the field.
func (n *numbers) summarize() (tsdb.Summary, numeric, flaw) {
	if n.wrong != 0 {
		for f := range numerics {
			if n.wrong&(1<<f) != 0 {
				return tsdb.Summary{}, f, notNumber
			}
		}
	}
	aggregated := n.have(count) || n.have(sum)
	switch {
	case n.have(value) && aggregated:
		return tsdb.Summary{}, value, valueAndSum
	case n.have(value):
		return tsdb.Single(n.value[value]), value, fine
	case !aggregated:
		return tsdb.Summary{}, value, noValue
	case n.have(count) && n.value[count] == 0:
		return tsdb.Summary{}, count, nothing
	case !n.have(sum):
		return tsdb.Summary{}, sum, noSum
	case !n.have(count):
		return tsdb.Summary{}, count, noCount
	case n.value[count] < 1:
		return tsdb.Summary{}, count, countSmall
	}
	return n.aggregate()
}

// aggregate completes a count and a sum. What was not sent of min, max and
// last is the mean: the one value known to lie between them.
func (n *numbers) aggregate() (tsdb.Summary, numeric, flaw) {
	s := tsdb.Summary{Count: n.value[count], Sum: n.value[sum]}
	mean := s.Sum / s.Count
	s.Min, s.Max, s.Last = mean, mean, mean
	if n.have(least) {
		s.Min = n.value[least]
		s.Max = max(mean, s.Min)
	}
	if n.have(most) {
		s.Max = n.value[most]
		if !n.have(least) {
			s.Min = min(mean, s.Max)
		}
	}
	if n.have(last) {
		s.Last = n.value[last]
	}
	if s.Min > s.Max {
		return s, least, minOverMax
	}
	var f numeric
	s.M2, f = n.deviation(&s)
	switch {
	case s.M2 < 0:
		return s, f, negative
	case math.IsInf(s.M2, 0) || math.IsNaN(s.M2):
		return s, f, overflow
	}
	return s, f, fine
}

// deviation returns the sum of squared deviations from the mean, and the
// field it came from; it is negative where that makes no sense.
func (n *numbers) deviation(s *tsdb.Summary) (float64, numeric) {
	switch {
	case n.have(stddev):
		d := n.value[stddev]
		if d < 0 {
			return -1, stddev
		}
		return d * d * s.Count, stddev
	case n.have(m2):
		return n.secondMoment(s), m2
	case n.have(squares):
		return max(0, n.value[squares]-s.Sum*s.Sum/s.Count), squares
	}
	return 0, value
}

// secondMoment reads stddev_m2. It was documented as the sum of squared
// deviations, but the agents that send it put the standard deviation of the
// sample there. Given the range of the values the two can be told apart: the
// two extremes alone make up half its square, and the sum is largest where
// half of the values lie at either end.
func (n *numbers) secondMoment(s *tsdb.Summary) float64 {
	d, width := n.value[m2], s.Max-s.Min
	const slack = 1e-6 // for the rounding of whoever computed it
	possible := d >= width*width/2*(1-slack) && d <= s.Count*width*width/4*(1+slack)
	if d < 0 || possible || !n.have(least) || !n.have(most) {
		return d
	}
	return d * d * (s.Count - 1)
}
