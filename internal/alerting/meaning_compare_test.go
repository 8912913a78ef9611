package alerting

import (
	"time"

	"github.com/tidemark-metrics/tidemark"
	"pgregory.net/rapid"
)

// drawAgainst has a condition compare with something.
func drawAgainst(t *rapid.T, kind string, c *tidemark.Condition) {
	g := &tidemark.Against{Kind: kind, Absolute: rapid.Bool().Draw(t, "absolute")}
	c.Against, c.SummaryFunction = g, new(rapid.SampledFrom([]string{"average", "min", "max", "sum", "last"}).Draw(t, "function"))
	c.Threshold = new(float64(rapid.IntRange(1, 6).Draw(t, "far")) * 0.7)
	switch kind {
	case tidemark.AgainstPast:
		g.Period = rapid.SampledFrom([]tidemark.Seconds{86400, 7 * 86400}).Draw(t, "period")
	case tidemark.AgainstChange:
		g.Period = tidemark.Seconds(60 * rapid.IntRange(1, 5).Draw(t, "period"))
	case tidemark.AgainstBand:
		g.Absolute, g.Weeks, g.Both = false, 2, rapid.Bool().Draw(t, "both")
		g.By = rapid.SampledFrom([]string{"", tidemark.HourOfDay}).Draw(t, "by")
		g.Least = new(float64(rapid.IntRange(0, 3).Draw(t, "least")))
	case tidemark.AgainstBudget:
		drawBudget(t, c)
	}
	if !g.Absolute && (kind == tidemark.AgainstPast || kind == tidemark.AgainstChange) {
		c.Threshold = new(float64(rapid.IntRange(1, 6).Draw(t, "percent")) * 40)
	}
	if rapid.Bool().Draw(t, "grouped") {
		c.Tags = append(c.Tags, tidemark.TagFilter{Name: "dc", Grouped: new(true)})
	}
}

// drawCompared has what is compared be looked at in steps of a minute.
func (h *history) drawCompared(*rapid.T) {
	if h.alert.Conditions[0].Against != nil {
		h.step = minute
	}
}

// drawPast draws what was stored before, where the condition compares with it,
// and what was good of what is sent.
func (h *history) drawPast(t *rapid.T) {
	g := h.alert.Conditions[0].Against
	if g == nil {
		return
	}
	value := rapid.IntRange(-3, 12)
	before := func(back int64) {
		from := h.start - back
		for n := rapid.IntRange(0, 25).Draw(t, "measurements"); n > 0; n-- {
			at := from + rapid.Int64Range(-600, 1500).Draw(t, "at")
			host := rapid.SampledFrom([]string{"eu-1", "eu-2", "us-1"}).Draw(t, "host")
			h.past = append(h.past, arrival{at: at, time: at, host: host, values: []float64{float64(value.Draw(t, "value"))}})
		}
	}
	switch g.Kind {
	case tidemark.AgainstPast:
		before(int64(g.Period))
		h.drawSuspendedPast(t, int64(g.Period))
	case tidemark.AgainstBand:
		for _, days := range []int64{14, 7, 3, 2, 1} {
			before(days * 24 * 3600)
			h.drawSuspendedPast(t, days*24*3600)
			h.drawUnusual(t, g, days)
		}
	case tidemark.AgainstBudget:
		h.drawSpending(t)
	}
}

// drawUnusual draws whether somebody marked the day that is so many days
// before, by clocks whose midnight may be within what is learned.
func (h *history) drawUnusual(t *rapid.T, g *tidemark.Against, days int64) {
	if rapid.IntRange(0, 3).Draw(t, "unusual") != 0 {
		return
	}
	g.Zone = rapid.SampledFrom([]string{"", "Europe/Berlin", "Asia/Kolkata", "Pacific/Auckland"}).Draw(t, "zone")
	zone, _ := time.LoadLocation(g.Zone)
	g.Days = append(g.Days, time.Unix(h.start-days*24*3600, 0).In(zone).Format(time.DateOnly))
}

// drawSuspendedPast draws whether maintenance suspended the alert in a part of
// what it learns from.
func (h *history) drawSuspendedPast(t *rapid.T, back int64) {
	if len(h.jumps) > 0 || rapid.IntRange(0, 3).Draw(t, "suspended then") != 0 {
		return
	}
	from := h.start - back + rapid.Int64Range(-3600, 1500).Draw(t, "from")
	h.suspended = append(h.suspended, tidemark.Interval{from, from + rapid.Int64Range(1, 3600).Draw(t, "length")})
}

// remember takes note of what came before the alert was written.
func (o *oracle) remember(past []arrival) {
	for _, c := range o.conditions {
		for _, a := range past {
			if c.picks(a) {
				c.arrivals = append(c.arrivals, a)
			}
		}
	}
}
