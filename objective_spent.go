package tidemark

import (
	"cmp"
	"slices"
)

// Spending is a time in which an objective spent more of its error budget than
// its share.
type Spending struct {
	Start int64   `json:"start"`
	End   int64   `json:"end"`
	Total float64 `json:"total"`
	Bad   float64 `json:"bad"`
	// Spent is how many percent of the budget of the window that is.
	Spent float64 `json:"spent"`
}

// Spendings returns the times in [start, end) that spent most of the budget,
// those that cost most first, and most of them at most. Tallies are in steps of
// some seconds; steps that follow each other are one time. A step counts in
// which more was bad than is allowed; or much more than usual, which may be
// more than allowed in a part of it.
func (o *Objective) Spendings(t Tallies, start, end, step int64, most int) []Spending {
	usual := o.usualRate(t, start, end)
	all := o.spendings(t, start, end, step, func(rate float64) bool { return rate > 1 || rate > 0.25 && rate > 2*usual })
	return MostSpent(all, most)
}

func byCost(a, b Spending) int { return cmp.Compare(b.Bad, a.Bad) }

// spendings returns the times of steps whose burn rate counts, by time.
func (o *Objective) spendings(t Tallies, start, end, step int64, counts func(rate float64) bool) []Spending {
	total, _ := t.Between(start, end)
	budget := o.allowed() * total
	all := []Spending{}
	for _, s := range t {
		bad := max(0, s.Total-s.Good)
		if s.At < start || s.At >= end || s.Total <= 0 || !counts(bad/(o.allowed()*s.Total)) {
			continue
		}
		if n := len(all); n == 0 || all[n-1].End < s.At {
			all = append(all, Spending{Start: s.At})
		}
		one := &all[len(all)-1]
		one.End, one.Total, one.Bad = min(s.At+step, end), one.Total+s.Total, one.Bad+bad
		one.Spent = 100 * one.Bad / budget
	}
	return all
}

// usualRate is the burn rate that half of the steps do not exceed.
func (o *Objective) usualRate(t Tallies, start, end int64) float64 {
	var rates []float64
	for _, s := range t {
		if s.At >= start && s.At < end && s.Total > 0 {
			rates = append(rates, max(0, s.Total-s.Good)/(o.allowed()*s.Total))
		}
	}
	if len(rates) == 0 {
		return 0
	}
	slices.Sort(rates)
	return rates[(len(rates)-1)/2]
}

// Narrow returns s as finer steps of the same time have it: from the first to
// the last of them in which more was bad than is allowed. It reports whether
// more was bad at all than is allowed, in a step or on the whole.
func (o *Objective) Narrow(s Spending, fine Tallies, step int64) (Spending, bool) {
	times := o.spendings(fine, s.Start, s.End, step, func(rate float64) bool { return rate > 1 })
	if len(times) == 0 {
		return s, s.Bad > o.allowed()*s.Total
	}
	perBad := s.Spent / s.Bad
	s.Start, s.End = times[0].Start, times[len(times)-1].End
	s.Total, s.Bad = fine.Between(s.Start, s.End)
	s.Spent = perBad * s.Bad
	return s, true
}

// MostSpent returns the times that cost most, first, and most of them at most.
func MostSpent(all []Spending, most int) []Spending {
	slices.SortStableFunc(all, byCost)
	return all[:min(len(all), most)]
}

// Worse reports whether the state a is worse than b.
func Worse(a, b string) bool {
	order := []string{ObjectiveNoData, ObjectiveMet, ObjectiveAtRisk, ObjectiveMissed}
	return slices.Index(order, a) > slices.Index(order, b)
}

// Together is what was counted of all values of a tag: what was bad of each is
// bad, though another has more that was good than there was.
func Together(all []Tallies) Tallies {
	at := make(map[int64]Tally)
	for _, t := range all {
		for _, s := range t {
			sum := at[s.At]
			sum.At, sum.Total, sum.Good = s.At, sum.Total+s.Total, sum.Good+min(s.Good, s.Total)
			at[s.At] = sum
		}
	}
	return inOrder(at)
}

// Folded is t in coarser steps.
func (t Tallies) Folded(step int64) Tallies {
	at := make(map[int64]Tally)
	for _, s := range t {
		begin := s.At - s.At%step
		sum := at[begin]
		at[begin] = Tally{At: begin, Total: sum.Total + s.Total, Good: sum.Good + s.Good}
	}
	return inOrder(at)
}

func inOrder(at map[int64]Tally) Tallies {
	all := make(Tallies, 0, len(at))
	for _, s := range at {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Tally) int { return cmp.Compare(a.At, b.At) })
	return all
}
