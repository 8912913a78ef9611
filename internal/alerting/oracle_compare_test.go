package alerting

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

func (c *oracleCondition) function() string {
	if g := c.cond.Against; g != nil && g.Kind == tidemark.AgainstBudget {
		return "sum"
	}
	return c.cond.Function()
}

// compared is what a condition looks at in a step: the readings, or how they
// compare with what it names.
func (c *oracleCondition) compared(step int64) map[string]float64 {
	now := c.readings("", step)
	g := c.cond.Against
	if g == nil {
		return now
	}
	if g.Kind == tidemark.AgainstBudget {
		return c.burn(step)
	}
	all := map[string]float64{}
	for group, v := range now {
		if g.Kind == tidemark.AgainstBand {
			if score, ok := c.inSpreads(group, step, v); ok {
				all[group] = score
			}
			continue
		}
		past := step - int64(g.Period)
		then, ok := c.readings("", past)[group]
		ok = ok && !meetsAny(c.suspended, past, past+c.step)
		side := 1.0
		if c.cond.Type == tidemark.Below {
			side = -1
		}
		switch {
		case !ok || then == 0 && !g.Absolute:
		case g.Absolute:
			all[group] = side * (v - then)
		case g.Kind == tidemark.AgainstPast:
			all[group] = 100 * v / then
		default:
			all[group] = side * ((v - then) * (100 / math.Abs(then)))
		}
	}
	return all
}

// inSpreads is how many usual spreads beyond the usual value a reading is.
func (c *oracleCondition) inSpreads(group string, step int64, v float64) (float64, bool) {
	g := c.cond.Against
	const day = 24 * 3600
	learned, heard := c.learned(group, step, 7*day, g.LearnedWeeks())
	if g.Season() == tidemark.HourOfDay || heard < 2 {
		if learned, heard = c.learned(group, step, day, 14); heard < 3 {
			return 0, false
		}
	}
	usual := middle(learned)
	var apart []float64
	for _, l := range learned {
		apart = append(apart, math.Abs(l-usual))
	}
	spread := 1.4826 * middle(apart)
	distance := v - usual
	if c.cond.Type == tidemark.Below {
		distance = usual - v
	}
	if g.Both {
		distance = math.Abs(v - usual)
	}
	switch {
	case distance <= 0 || g.Least != nil && distance <= *g.Least:
		return 0, true
	case spread == 0:
		return 1e9, true
	}
	return distance / spread, true
}

// learned are the readings of the same hour, some times before, but for those
// of a time that is suspended, or of a day that is unusual.
func (c *oracleCondition) learned(group string, step, back int64, times int) (values []float64, heard int) {
	first := step - step%3600
	for k := range int64(times) {
		before := len(values)
		for at := first - (k+1)*back; at < first-(k+1)*back+3600; at += c.step {
			if v, ok := c.readings("", at)[group]; ok && !meetsAny(c.suspended, at, at+c.step) && !c.isUnusual(at) && !c.isUnusual(at+c.step-1) {
				values = append(values, v)
			}
		}
		if len(values) > before {
			heard++
		}
	}
	return values, heard
}

// isUnusual reports whether a time is in one of the days that are marked.
func (c *oracleCondition) isUnusual(at int64) bool {
	zone, err := time.LoadLocation(c.cond.Against.Zone)
	return err == nil && slices.Contains(c.cond.Against.Days, time.Unix(at, 0).In(zone).Format(time.DateOnly))
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
