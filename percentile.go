package tidemark

import "slices"

// Percentiles are the functions that look at how values are distributed, from
// the lowest to the highest.
var Percentiles = []string{"p50", "p75", "p90", "p95", "p99", "p999"}

var quantiles = []float64{0.5, 0.75, 0.9, 0.95, 0.99, 0.999}

// Quantile returns the part of the values, 0 to 1, that a function of
// Percentiles has below it. It reports false for any other.
func Quantile(function string) (q float64, ok bool) {
	i := slices.Index(Percentiles, function)
	if i < 0 {
		return 0, false
	}
	return quantiles[i], true
}

// IsDistribution reports whether the measurements of m are distributions, so
// that a percentile is one of all values and not of summaries of them.
func (m *Metric) IsDistribution() bool {
	is, _ := m.Attributes["distribution"].(bool)
	return is
}
