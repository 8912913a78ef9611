package alerting

import (
	"context"
	"math"
	"sort"

	"github.com/tidemark-metrics/tidemark"
)

// fixedThreshold says what a threshold that is the same at all times would have
// done in place of a band: the strictest that catches every incident of the
// band. Nil where there is none to compare with.
func (t *backtest) fixedThreshold(ctx context.Context, c *backtestCondition) (*tidemark.BacktestThreshold, error) {
	g := c.source.against
	met := t.met(nil, nil)
	if g == nil || g.Kind != tidemark.AgainstBand || g.Both || len(met) == 0 {
		return nil, nil
	}
	plain := &backtestCondition{rule: c.rule, source: *c.source.plain()}
	if plain.rule.kind = tidemark.Above; c.source.below {
		plain.rule.kind = tidemark.Below
	}
	if err := t.readCondition(ctx, plain); err != nil {
		return nil, err
	}
	value, ok := plain.catching(met)
	if !ok {
		return nil, nil
	}
	plain.rule.threshold = value
	v := plain.evaluate(plain.rule, t.start, t.end)
	would := t.met(c, &v)
	total, _ := would.total()
	return &tidemark.BacktestThreshold{Value: value, Fired: len(would), Total: total}, nil
}

// catching returns the strictest threshold that something exceeds in each of
// the incidents, made round such that it still does.
func (c *backtestCondition) catching(incidents intervals) (float64, bool) {
	var all *float64
	for _, in := range incidents {
		var worst *float64
		for _, s := range c.streams {
			if v, ok := c.held(s, in); ok && (worst == nil || c.rule.worse(v, *worst)) {
				worst = &v
			}
		}
		if worst == nil {
			return 0, false // nothing was measured
		}
		if all == nil || c.rule.worse(*all, *worst) {
			all = worst
		}
	}
	return c.round(*all), true
}

// held is the worst value that a stream kept up for the duration of the rule
// somewhere in an incident, which began that long before it fired.
func (c *backtestCondition) held(s *streamHistory, in tidemark.Interval) (float64, bool) {
	first := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= in[0] })
	var worst *float64
	for i := first; i < len(s.times) && s.times[i] <= in[1]; i++ {
		mildest, from := s.values[i], i
		for ; from > 0 && s.times[i]-s.times[from] < c.rule.duration; from-- {
			if v := s.values[from-1]; c.rule.worse(mildest, v) {
				mildest = v
			}
		}
		long := s.times[i]-s.times[from] >= c.rule.duration
		if long && (worst == nil || c.rule.worse(mildest, *worst)) {
			worst = &mildest
		}
	}
	if worst == nil {
		return 0, false
	}
	return *worst, true
}

// round returns a number that v is beyond, in two digits of the highest value
// that there is.
func (c *backtestCondition) round(v float64) float64 {
	most := 0.0
	for _, s := range c.streams {
		for _, one := range s.values {
			most = max(most, math.Abs(one))
		}
	}
	unit := math.Pow(10, math.Floor(math.Log10(most))-1)
	switch {
	case unit == 0 || math.IsInf(unit, 0) || math.IsNaN(unit):
		unit = 1
	case unit < 1:
		// A division by a whole number leaves less dust than a product.
		return c.beyond(v*math.Round(1/unit)) / math.Round(1/unit)
	}
	return c.beyond(v/unit) * unit
}

// beyond returns the nearest whole number that v violates as a threshold.
func (c *backtestCondition) beyond(v float64) float64 {
	if c.rule.kind == tidemark.Below {
		return math.Floor(v) + 1
	}
	return math.Ceil(v) - 1
}
