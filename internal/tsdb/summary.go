package tsdb

import "math"

// Summary is what is kept of one or more observations. A single value is a
// summary with Count 1. M2 is the sum of squared deviations from the mean, so
// that the standard deviation of merged summaries is exact.
type Summary struct {
	Count, Sum, Min, Max, Last, M2 float64
}

// Single returns the summary of one value.
func Single(v float64) Summary { return Summary{Count: 1, Sum: v, Min: v, Max: v, Last: v} }

// IsSingle reports whether s is of one value.
func (s *Summary) IsSingle() bool { return *s == Single(s.Sum) }

// Mean returns the arithmetic mean.
func (s *Summary) Mean() float64 { return s.Sum / s.Count }

// StdDev returns the population standard deviation.
func (s *Summary) StdDev() float64 { return math.Sqrt(max(0, s.M2) / s.Count) }

// Merge adds the observations of o, which came after those of s.
func (s *Summary) Merge(o *Summary) {
	if o.Count == 0 {
		return
	}
	if s.Count == 0 {
		*s = *o
		return
	}
	n := s.Count + o.Count
	delta := o.Mean() - s.Mean()
	s.M2 += o.M2 + delta*delta*s.Count*o.Count/n // Chan, Golub, LeVeque
	s.Count = n
	s.Sum += o.Sum
	s.Min = math.Min(s.Min, o.Min)
	s.Max = math.Max(s.Max, o.Max)
	s.Last = o.Last
}

// Value returns what f makes of s. Derivative and All have no value of one
// summary; they give Last and Mean.
func (s *Summary) Value(f Function) float64 {
	switch f {
	case Sum:
		return s.Sum
	case Count:
		return s.Count
	case Min:
		return s.Min
	case Max:
		return s.Max
	case Last, Derivative:
		return s.Last
	case StdDev:
		return s.StdDev()
	}
	return s.Mean()
}
