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
	aggregated := n.have(fieldCount) || n.have(fieldSum)
	switch {
	case n.have(fieldValue) && aggregated:
		return tsdb.Summary{}, fieldValue, valueAndSum
	case n.have(fieldValue):
		return tsdb.Single(n.value[fieldValue]), fieldValue, flawNone
	case !aggregated:
		return tsdb.Summary{}, fieldValue, noValue
	case n.have(fieldCount) && n.value[fieldCount] == 0:
		return tsdb.Summary{}, fieldCount, flawEmpty
	case !n.have(fieldSum):
		return tsdb.Summary{}, fieldSum, noSum
	case !n.have(fieldCount):
		return tsdb.Summary{}, fieldCount, noCount
	case n.value[fieldCount] < 1:
		return tsdb.Summary{}, fieldCount, countSmall
	}
	return n.aggregate()
}

// aggregate completes a count and a sum. What was not sent of min, max and
// last is the mean: the one value known to lie between them.
func (n *numbers) aggregate() (tsdb.Summary, numeric, flaw) {
	s := tsdb.Summary{Count: n.value[fieldCount], Sum: n.value[fieldSum]}
	mean := s.Sum / s.Count
	s.Min, s.Max, s.Last = mean, mean, mean
	if n.have(fieldMin) {
		s.Min = n.value[fieldMin]
		s.Max = max(mean, s.Min)
	}
	if n.have(fieldMax) {
		s.Max = n.value[fieldMax]
		if !n.have(fieldMin) {
			s.Min = min(mean, s.Max)
		}
	}
	if n.have(fieldLast) {
		s.Last = n.value[fieldLast]
	}
	if s.Min > s.Max {
		return s, fieldMin, minOverMax
	}
	var f numeric
	s.M2, f = n.deviation(&s)
	switch {
	case s.M2 < 0:
		return s, f, negative
	case math.IsInf(s.M2, 0) || math.IsNaN(s.M2):
		return s, f, overflow
	}
	return s, f, flawNone
}

// deviation returns the sum of squared deviations from the mean, and the
// field it came from; it is negative where that makes no sense.
func (n *numbers) deviation(s *tsdb.Summary) (float64, numeric) {
	switch {
	case n.have(fieldStddev):
		d := n.value[fieldStddev]
		if d < 0 {
			return -1, fieldStddev
		}
		return d * d * s.Count, fieldStddev
	case n.have(fieldM2):
		return n.secondMoment(s), fieldM2
	case n.have(fieldSquares):
		return max(0, n.value[fieldSquares]-s.Sum*s.Sum/s.Count), fieldSquares
	}
	return 0, fieldValue
}

// secondMoment reads stddev_m2. It was documented as the sum of squared
// deviations, but the agents that send it put the standard deviation of the
// sample there. Given the range of the values the two can be distinguished: the
// two extremes alone make up half its square, and the sum is largest where
// half of the values lie at either end.
func (n *numbers) secondMoment(s *tsdb.Summary) float64 {
	d, width := n.value[fieldM2], s.Max-s.Min
	const slack = 1e-6 // for rounding by the client
	possible := d >= width*width/2*(1-slack) && d <= s.Count*width*width/4*(1+slack)
	if d < 0 || possible || !n.have(fieldMin) || !n.have(fieldMax) {
		return d
	}
	return d * d * (s.Count - 1)
}
