package tidemark

import (
	"math"
	"time"
)

// TakeFlows returns how much a second organizations were let do since it was
// last called, which was so long ago: by this server, and by the others as far
// as they report it. FlowsOf has the same until the next call.
func (l *Limits) TakeFlows(since time.Duration) LimitRates {
	flows := make(map[limitOf]float64)
	if others := l.shares.others.Load(); others != nil {
		for of, rate := range *others {
			flows[of] += rate
		}
	}
	l.shares.granted.Range(func(key, counted any) bool {
		if n := counted.(*grants).flow.Swap(0); n > 0 {
			flows[key.(limitOf)] += float64(n) / max(since.Seconds(), 1)
		}
		return true
	})
	l.shares.flows.Store(&flows)
	rates := make(LimitRates)
	for of, rate := range flows {
		if rates[of.org] == nil {
			rates[of.org] = make(map[LimitName]float64)
		}
		rates[of.org][of.name] = rate
	}
	return rates
}

// FlowsOf is what org was let do a second when TakeFlows was last called, by
// limit, rounded up; nil before that.
func (l *Limits) FlowsOf(org OrgID) map[LimitName]int64 {
	if l == nil {
		return nil
	}
	flowing := l.shares.flows.Load()
	if flowing == nil {
		return nil
	}
	use := make(map[LimitName]int64, len(flows))
	for _, name := range flows {
		use[name] = int64(math.Ceil((*flowing)[limitOf{org, name}]))
	}
	return use
}
