package tidemark

import (
	"sort"
	"time"
)

// Tally is what was counted in one step of time.
type Tally struct {
	At          int64
	Good, Total float64
}

// Tallies are steps of time, by time.
type Tallies []Tally

// Between returns what was counted in steps that begin in [start, end), and
// how much of it was not good.
func (t Tallies) Between(start, end int64) (total, bad float64) {
	from := sort.Search(len(t), func(i int) bool { return t[i].At >= start })
	for _, s := range t[from:] {
		if s.At >= end {
			break
		}
		total += s.Total
		bad += max(0, s.Total-s.Good)
	}
	return total, bad
}

// The states of an objective.
const (
	ObjectiveMet    = "met"
	ObjectiveAtRisk = "at risk" // a burn rate is over its limit
	ObjectiveMissed = "missed"  // the budget is spent
	ObjectiveNoData = "no data"
)

// BurnWindow is a pair of windows in which the error budget must burn faster
// than a limit for somebody to be notified.
type BurnWindow struct {
	Long  int64   `json:"long"`  // seconds
	Short int64   `json:"short"` // seconds
	Limit float64 `json:"limit"` // how many times as fast as allowed
}

// BurnWindows are those that alerts are offered for: the first spends 2 % of
// the budget of 30 days in an hour, the last 10 % in three days.
var BurnWindows = []BurnWindow{{3600, 300, 14}, {6 * 3600, 1800, 6}, {daySeconds, 7200, 3}, {3 * daySeconds, 6 * 3600, 1}}

// BurnRate is how fast the budget burns in a pair of windows: the lower of the
// two rates. It is nil where nothing was counted.
type BurnRate struct {
	BurnWindow
	Rate *float64 `json:"rate"`
}

// BudgetPoint is how many percent of the budget of the whole window are left.
type BudgetPoint struct {
	At   int64   `json:"at"`
	Left float64 `json:"left"`
}

// ObjectiveDay is what was counted on one day.
type ObjectiveDay struct {
	At    int64   `json:"at"` // when it begins
	Total float64 `json:"total"`
	Bad   float64 `json:"bad"`
	// Spent is how many percent of the budget of the window that is.
	Spent float64 `json:"spent"`
}

// ObjectiveStatus is how an objective does.
type ObjectiveStatus struct {
	State string  `json:"state" wire:"met|at risk|missed|no data"`
	Total float64 `json:"total"` // counted in the window
	Bad   float64 `json:"bad"`
	// Achieved is how many percent were good, and Left how many percent of the
	// error budget are left: less than 0 if more was spent. Nil without data.
	Achieved *float64 `json:"achieved"`
	Left     *float64 `json:"left"`
	MayFail  float64  `json:"may_fail"` // how many more until it is spent
	// HourRate is the burn rate of the last hour, and Lasts for how many
	// seconds the budget does at it; nil if nothing failed in it.
	HourRate *float64 `json:"hour_rate"`
	Lasts    *float64 `json:"lasts"`

	Burn []BurnRate     `json:"burn"`
	Line []BudgetPoint  `json:"line"`
	Days []ObjectiveDay `json:"day_list"`
}

// lineSteps is about how many points the line of the budget has.
const lineSteps = 168

// StatusOf returns how o does at now, given what was counted hour by hour and,
// in the last three days, in steps of five minutes. Days are those of zone.
func (o *Objective) StatusOf(hours, recent Tallies, now int64, zone *time.Location, days int) *ObjectiveStatus {
	start := now - int64(o.Days)*daySeconds
	s := &ObjectiveStatus{State: ObjectiveNoData, Burn: o.burnRates(recent, now), Line: []BudgetPoint{}, Days: []ObjectiveDay{}}
	s.Total, s.Bad = hours.Between(start, now)
	if s.Total <= 0 {
		return s
	}
	budget := o.allowed() * s.Total
	achieved, left := 100*(1-s.Bad/s.Total), 100*(1-s.Bad/budget)
	s.Achieved, s.Left, s.MayFail = &achieved, &left, max(0, budget-s.Bad)
	s.HourRate = o.rate(recent, now-3600, now)
	if _, bad := recent.Between(now-3600, now); bad > 0 {
		lasts := s.MayFail / bad * 3600
		s.Lasts = &lasts
	}
	s.State = stateOf(left, s.Burn)
	s.Line = lineOf(hours, start, now, budget)
	s.Days = daysOf(hours, now, zone, days, budget)
	return s
}

func stateOf(left float64, burn []BurnRate) string {
	if left < 0 {
		return ObjectiveMissed
	}
	for _, b := range burn {
		if b.Rate != nil && *b.Rate > b.Limit {
			return ObjectiveAtRisk
		}
	}
	return ObjectiveMet
}

// allowed is the part of all that may fail.
func (o *Objective) allowed() float64 { return 1 - o.Target/100 }

// rate is how many times as fast as allowed the budget burns in [start, end).
func (o *Objective) rate(t Tallies, start, end int64) *float64 {
	total, bad := t.Between(start, end)
	if total <= 0 {
		return nil
	}
	v := bad / total / o.allowed()
	return &v
}

func (o *Objective) burnRates(t Tallies, now int64) []BurnRate {
	rates := make([]BurnRate, len(BurnWindows))
	for i, w := range BurnWindows {
		rates[i] = BurnRate{BurnWindow: w, Rate: o.rate(t, now-w.Long, now)}
		if rates[i].Rate == nil {
			continue
		}
		lower := 0.0 // nothing burns while nothing is counted, as alerts see it
		if short := o.rate(t, now-w.Short, now); short != nil {
			lower = min(*short, *rates[i].Rate)
		}
		rates[i].Rate = &lower
	}
	return rates
}

func lineOf(hours Tallies, start, now int64, budget float64) []BudgetPoint {
	step := max(3600, (now-start)/lineSteps/3600*3600)
	line := []BudgetPoint{{start, 100}}
	spent := 0.0
	for at := start; at < now; at += step {
		end := min(at+step, now)
		_, bad := hours.Between(at, end)
		spent += bad
		line = append(line, BudgetPoint{end, 100 * (1 - spent/budget)})
	}
	return line
}

func daysOf(hours Tallies, now int64, zone *time.Location, n int, budget float64) []ObjectiveDay {
	list := make([]ObjectiveDay, 0, n)
	y, m, d := time.Unix(now, 0).In(zone).Date()
	for i := n - 1; i >= 0; i-- {
		begin := time.Date(y, m, d-i, 0, 0, 0, 0, zone).Unix()
		total, bad := hours.Between(begin, time.Date(y, m, d-i+1, 0, 0, 0, 0, zone).Unix())
		list = append(list, ObjectiveDay{At: begin, Total: total, Bad: bad, Spent: 100 * bad / budget})
	}
	return list
}

// Kept returns in how many of the last windows, one after another, that have
// data the objective was met.
func (o *Objective) Kept(hours Tallies, now int64, windows int) (met, of int) {
	span := int64(o.Days) * daySeconds
	for i := range int64(windows) {
		total, bad := hours.Between(now-(i+1)*span, now-i*span)
		if total <= 0 {
			continue
		}
		of++
		if bad <= o.allowed()*total {
			met++
		}
	}
	return met, of
}
