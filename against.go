package tidemark

import (
	"slices"
	"time"
)

// Against says what the readings of a condition are compared with, where that
// is not the threshold itself. The type of such a condition is above or below
// and its threshold a number, as of any other: clients that know nothing of
// this read and write it as they do others.
type Against struct {
	Kind string `json:"kind"`
	// Period is how long ago the past is that counts, over how long a change
	// is measured, or how long the longer window of a budget is.
	Period Seconds `json:"period,omitempty"`
	// Absolute says that the threshold is a difference, not a percentage.
	Absolute bool `json:"absolute,omitempty"`

	// Of a band: of how many weeks it is learned, by which season, how far from
	// the usual value a reading must be in any case, and whether both sides
	// count.
	Weeks int      `json:"weeks,omitempty"`
	By    string   `json:"by,omitempty"`
	Least *float64 `json:"least,omitempty"`
	Both  bool     `json:"both,omitempty"`
	// Days, as 2026-12-24, are unusual: nothing is learned from them. They
	// begin and end by the clocks of Zone, or UTC.
	Days []string `json:"unusual_days,omitempty"`
	Zone string   `json:"zone,omitempty"`

	// Of a budget: the metric that counts what was good of all that the
	// condition's metric counts, and how many percent of it should be.
	Good      string   `json:"good_metric,omitempty"`
	Objective *float64 `json:"objective,omitempty"`
	// Instead of that metric: up to which value those of the condition's metric
	// are good, which is a distribution.
	Below *float64 `json:"below,omitempty"`
	// WithoutMaintenance leaves out what was counted in maintenance windows
	// that cover the alert.
	WithoutMaintenance bool `json:"without_maintenance,omitempty"`
}

// What readings are compared with.
const (
	AgainstPast   = "past"   // the reading a day or some weeks before
	AgainstBand   = "band"   // what is usual at this time of the week
	AgainstChange = "change" // the reading a while before
	AgainstBudget = "budget" // the error budget: the threshold is a burn rate
	AgainstNone   = "none"   // in changes: the threshold itself
)

// The seasons that a band is learned by.
const (
	HourOfWeek = "hour_of_week"
	HourOfDay  = "hour_of_day"
)

const (
	day         Seconds = 86400
	maxPast             = 28 * day
	maxChange           = day
	minBudget           = 600
	maxBudget           = 3 * day
	maxWeeks            = 8
	usualWeeks          = 6
	minLongWeek         = 2
	maxUnusual          = 100
)

// Season is what the band is learned by: the hour of the week unless it says
// otherwise.
func (g *Against) Season() string {
	if g.By == "" {
		return HourOfWeek
	}
	return g.By
}

// LearnedWeeks is of how many weeks a band is learned.
func (g *Against) LearnedWeeks() int {
	if g.Weeks == 0 {
		return usualWeeks
	}
	return g.Weeks
}

// IsDistance reports whether the threshold says how far on the wrong side a
// reading must be, so that more is worse whichever side that is.
func (g *Against) IsDistance() bool {
	return g.Kind == AgainstBand || g.Kind == AgainstChange || g.Kind == AgainstBudget || g.Kind == AgainstPast && g.Absolute
}

// Short is the shorter window of a budget: a twelfth of the longer, in whole
// minutes. It ends the violation soon after the errors end.
func (g *Against) Short() Seconds { return max(g.Period/12/60*60, 60) }

// Unit is that of what the condition compares with its threshold.
func (c *Condition) Unit(metric string) string {
	switch g := c.Against; {
	case g == nil:
		return metric
	case g.Kind == AgainstBand:
		return "spreads"
	case g.Kind == AgainstBudget:
		return "times"
	case g.Absolute:
		return metric
	}
	return "%"
}

// IsWorse reports whether a is further beyond the threshold than b.
func (c *Condition) IsWorse(a, b float64) bool {
	if c.Type == Below && (c.Against == nil || !c.Against.IsDistance()) {
		return a < b
	}
	return c.Type != Absent && a > b
}

// validate checks what c is compared with.
func (g *Against) validate(p *Problems, c *Condition) {
	switch g.Kind {
	case AgainstPast:
		p.Check(g.Period >= day && g.Period <= maxPast && g.Period%day == 0, "period", "must be whole days, 86400 to %d seconds", maxPast)
	case AgainstChange:
		p.Check(g.Period >= 60 && g.Period <= maxChange && g.Period%60 == 0, "period", "must be whole minutes, 60 to %d seconds", maxChange)
	case AgainstBand:
		p.Check(g.Weeks == 0 || g.Weeks >= minLongWeek && g.Weeks <= maxWeeks, "weeks", "must be %d to %d", minLongWeek, maxWeeks)
		p.Check(slices.Contains([]string{"", HourOfWeek, HourOfDay}, g.By), "by", "must be hour_of_week or hour_of_day")
		p.Check(g.Least == nil || *g.Least >= 0, "least", "must be 0 or more")
		g.validateDays(p)
	case AgainstBudget:
		g.validateBudget(p, c)
	default:
		p.Check(false, "against", "must have the kind past, band, change or budget")
	}
	p.Check(c.Type != Absent, "against", "goes with above and below only")
	if g.IsDistance() && c.Threshold != nil {
		p.Check(*c.Threshold > 0, "threshold", "must be more than 0")
	}
	f := c.Function()
	p.Check(f != "derivative" && f != "absolute_value", "summary_function", "cannot be %s here", f)
}

func (g *Against) validateDays(p *Problems) {
	p.Check(len(g.Days) <= maxUnusual, "unusual_days", "has more than %d entries", maxUnusual)
	for _, d := range g.Days {
		_, err := time.Parse(time.DateOnly, d)
		p.Check(err == nil, "unusual_days", "has %q, which is not a day such as 2026-12-24", d)
	}
	_, err := time.LoadLocation(g.Zone)
	p.Check(err == nil && g.Zone != "Local", "zone", "must be a time zone such as Europe/Berlin")
}

// UnusualTimes are the days that a band does not learn from.
func (g *Against) UnusualTimes() []Interval {
	zone, err := time.LoadLocation(g.Zone)
	if err != nil {
		zone = time.UTC
	}
	var all []Interval
	for _, d := range g.Days {
		if t, err := time.ParseInLocation(time.DateOnly, d, zone); err == nil {
			all = append(all, Interval{t.Unix(), t.AddDate(0, 0, 1).Unix()})
		}
	}
	return all
}

func (g *Against) validateBudget(p *Problems, c *Condition) {
	p.Check(c.Type == Above, "type", "must be above: the threshold is a burn rate")
	p.Check(g.Period >= minBudget && g.Period <= maxBudget && g.Period%60 == 0, "period", "must be whole minutes, %d to %d seconds", minBudget, maxBudget)
	p.Check(g.Objective != nil && *g.Objective > 0 && *g.Objective < 100, "objective", "must be a percentage between 0 and 100")
	validateGood(p, g.Good, g.Below)
}

// keepAgainst gives conditions that were written without what they are compared
// with that of the ones they replace: a client that does not know of it would
// turn "150 % of last week" into "150".
func keepAgainst(next, before []Condition) {
	used := make([]bool, len(before))
	for i := range next {
		c := &next[i]
		if c.Against == nil {
			if j := replaced(c, before, used); j >= 0 {
				used[j] = true
				c.Against = before[j].Against
			}
		}
		if c.Against != nil && c.Against.Kind == AgainstNone {
			c.Against = nil
		}
	}
}

// replaced finds the condition that c replaces: the one of its id, else the
// first on the same metric and side. -1 if there is none.
func replaced(c *Condition, before []Condition, used []bool) int {
	found := -1
	for j := range before {
		switch o := &before[j]; {
		case used[j]:
		case c.ID != 0 && c.ID == o.ID && MetricKey(c.MetricName) == MetricKey(o.MetricName):
			return j
		case found < 0 && c.ID == 0 && c.Type == o.Type && MetricKey(c.MetricName) == MetricKey(o.MetricName):
			found = j
		}
	}
	return found
}
