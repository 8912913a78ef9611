package alerting

import (
	"math"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// otherThresholds counts how often the alert would have fired with others in
// place of c's.
func (t *backtest) otherThresholds(c *backtestCondition) []tidemark.BacktestThreshold {
	values := nearby(c.rule.threshold, c.verdicts.highest-c.verdicts.lowest)
	found := make([]tidemark.BacktestThreshold, len(values))
	var wg sync.WaitGroup
	for i, value := range values {
		wg.Go(func() {
			v := c.verdicts
			if value != c.rule.threshold {
				other := c.rule
				other.threshold = value
				v = c.evaluate(other, t.start, t.end)
			}
			met := t.met(c, &v)
			total, _ := met.total()
			found[i] = tidemark.BacktestThreshold{Value: value, Fired: len(met), Total: total}
		})
	}
	wg.Wait()
	return found
}

// nearby returns five thresholds around one, a round step apart.
func nearby(threshold, spread float64) []float64 {
	size := math.Abs(threshold) / 10
	if size == 0 && spread > 0 && !math.IsInf(spread, 0) {
		size = spread / 20
	}
	if size == 0 || math.IsInf(size, 0) {
		size = 1
	}
	step := round125(size)
	var all []float64
	for k := -2.0; k <= 2; k++ {
		v := threshold + k*step
		// Without the dust that sums leave behind.
		digits := math.Pow(10, math.Ceil(-math.Log10(step))+2)
		if rounded := math.Round(v*digits) / digits; k != 0 && !math.IsInf(rounded, 0) && !math.IsNaN(rounded) {
			v = rounded
		}
		all = append(all, v)
	}
	return all
}

// round125 returns the nearest 1, 2 or 5 times a power of ten.
func round125(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	switch f := v / power; {
	case f < 1.5:
		return power
	case f < 3.5:
		return 2 * power
	case f < 7.5:
		return 5 * power
	}
	return 10 * power
}
