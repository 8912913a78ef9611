package alerting

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// shortWindows are the shorter windows that belong to the longer ones that are
// drawn, written out: a twelfth in whole minutes, and a minute at least.
var shortWindows = map[tidemark.Seconds]int64{600: 60, 1440: 120, 2220: 180, 3600: 300}

// burn is how fast every group spends its error budget at the end of a step.
// It adds up the measurements themselves, in fractions that are exact, over
// both windows, and takes the lower rate; what is counted in neither has none.
func (c *oracleCondition) burn(step int64) map[string]float64 {
	g := c.cond.Against
	end := step + c.step
	all := map[string]float64{}
	for group := range c.groups() {
		long := c.spentFrom(group, end-int64(g.Period), end)
		short := c.spentFrom(group, end-shortWindows[g.Period], end)
		if long == nil {
			continue
		}
		if short == nil {
			short = new(big.Rat) // nothing is spent where nothing is counted
		}
		rate := long
		if short.Cmp(long) < 0 {
			rate = short
		}
		allowed := new(big.Rat).Sub(big.NewRat(100, 1), exact(*g.Objective))
		rate = rate.Quo(rate.Mul(rate, big.NewRat(100, 1)), allowed)
		all[group], _ = rate.Float64()
	}
	return all
}

// groups are those that anything was ever counted of.
func (c *oracleCondition) groups() map[string]bool {
	all := map[string]bool{}
	for _, a := range c.arrivals {
		if a.metric == "" {
			all[c.groupOf(a)] = true
		}
	}
	return all
}

// spentFrom is the part that was not good of all that was counted of a group
// in [start, end); nil if that was nothing.
func (c *oracleCondition) spentFrom(group string, start, end int64) *big.Rat {
	type place struct {
		metric, host string
		time         int64
	}
	latest := map[place][]float64{} // of two at one time the later remains
	for _, a := range c.arrivals {
		if a.time >= start && a.time < end && c.groupOf(a) == group && !c.isLeftOut(group, a.time) {
			latest[place{a.metric, a.host, a.time}] = a.values
		}
	}
	total, good := new(big.Rat), new(big.Rat)
	for at, values := range latest {
		for _, v := range values {
			if limit := c.cond.Against.Below; limit != nil {
				total.Add(total, exact(1))
				if v <= *limit {
					good.Add(good, exact(1))
				}
			} else if at.metric == "" {
				total.Add(total, exact(v))
			} else {
				good.Add(good, exact(v))
			}
		}
	}
	if total.Sign() <= 0 {
		return nil
	}
	bad := new(big.Rat).Sub(total, good)
	if bad.Sign() < 0 {
		bad.SetInt64(0)
	}
	return bad.Quo(bad, total)
}

// isLeftOut reports whether what was counted of a group at a time does not
// count, because maintenance that covers it touches its minute.
func (c *oracleCondition) isLeftOut(group string, at int64) bool {
	if !c.cond.Against.WithoutMaintenance {
		return false
	}
	first := at / 60 * 60
	return slices.ContainsFunc(c.windows, func(w *tidemark.Maintenance) bool {
		dc := strings.ToLower(w.Covers.Tags["dc"])
		mine := w.Covers.All || w.Covers.Labels["team"] == "a" || dc != "" && w.Covers.Labels == nil
		return mine && (dc == "" || group == "dc="+dc) && w.StartsAt <= first+59 && *w.EndsAt > first
	})
}

// exact is a number that is written with few digits, such as 99.9.
func exact(v float64) *big.Rat {
	return big.NewRat(int64(v*1000+0.5), 1000)
}
