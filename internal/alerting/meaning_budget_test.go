package alerting

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"pgregory.net/rapid"
)

// drawBudget has a condition watch an error budget, at a limit that what
// drawSpending draws crosses often. The first two objectives leave a budget
// that is exact in binary, so that rates are at the limit exactly at times;
// those of the others never are.
func drawBudget(t *rapid.T, c *tidemark.Condition) {
	limits := map[float64][]float64{75: {0.5, 1, 2, 3}, 50: {0.25, 0.5, 1, 1.5}, 90: {1.37, 4.37}, 99: {14.37, 50.37}}
	periods := []tidemark.Seconds{600, 1440, 2220, 3600}
	g := c.Against
	g.Absolute, g.Good = false, "good"
	g.Period = rapid.SampledFrom(periods).Draw(t, "period")
	g.Objective = new(rapid.SampledFrom([]float64{75, 50, 90, 99}).Draw(t, "objective"))
	c.Threshold = new(rapid.SampledFrom(limits[*g.Objective]).Draw(t, "limit"))
	c.Type, c.SummaryFunction = tidemark.Above, nil
	g.WithoutMaintenance = rapid.Bool().Draw(t, "without maintenance")
	if rapid.Bool().Draw(t, "a distribution") {
		g.Good, g.Below = "", new(300.0)
	}
}

// drawWindows draws maintenance, of which some has to do with the alert.
func (h *history) drawWindows(t *rapid.T) {
	h.alert.Labels = map[string]string{"team": "a"}
	for n := rapid.IntRange(0, 3).Draw(t, "windows"); n > 0; n-- {
		from := h.start + rapid.Int64Range(-3600, 900).Draw(t, "from")
		to := from + rapid.Int64Range(1, 900).Draw(t, "lasts")
		covers := rapid.SampledFrom([]tidemark.Covers{
			{All: true}, {Labels: map[string]string{"team": "a"}}, {Labels: map[string]string{"team": "b"}},
			{Tags: map[string]string{"dc": "EU"}}, {Tags: map[string]string{"dc": "us"}, Labels: map[string]string{"team": "a"}}, {Alerts: []int64{77}},
		}).Draw(t, "covers")
		h.windows = append(h.windows, &tidemark.Maintenance{StartsAt: from, EndsAt: &to, Covers: covers})
	}
}

// spending is how much is counted of a host in a while, and how much of it is
// bad.
type spending struct{ until, total, bad int64 }

// drawSpending draws what was good of what is sent: whiles in which the budget
// is spent fast, slowly or not at all take turns, so that what was before the
// shorter window and what is in it differ, from one longer window before the
// alert was written.
func (h *history) drawSpending(t *rapid.T) {
	h.drawWindows(t)
	period := int64(h.alert.Conditions[0].Against.Period)
	from, to := h.start-period-300, h.start+int64(len(h.slots)+100)*slot
	whiles := map[string][]spending{}
	for _, host := range []string{"eu-1", "eu-2", "us-1"} {
		whiles[host] = drawWhiles(t, from, to)
		if rapid.Bool().Draw(t, "from the start") {
			continue
		}
		for at := from - from%minute; at < h.start; at += minute {
			a := arrival{at: at, time: at, host: host}
			h.past = append(h.past, h.spend(a, whiles[host])...)
		}
	}
	for i, came := range h.slots {
		h.slots[i] = nil
		for _, a := range came {
			h.slots[i] = append(h.slots[i], h.spend(a, whiles[a.host])...)
		}
	}
}

func drawWhiles(t *rapid.T, from, to int64) (all []spending) {
	for at := from; at < to; {
		at += 30 * rapid.Int64Range(1, 30).Draw(t, "lasts")
		w := spending{until: at, total: rapid.SampledFrom([]int64{0, 1, 4, 8, 8, 16, 100}).Draw(t, "total")}
		if w.total > 0 {
			w.bad = w.total * rapid.SampledFrom([]int64{0, 0, 0, 1, 2, 4, 8, -1}).Draw(t, "bad") / 8
		}
		all = append(all, w)
	}
	return all
}

// spend counts a for both metrics, as the while says that it is in. Where all
// is bad nothing is counted as good.
func (h *history) spend(a arrival, whiles []spending) []arrival {
	i := slices.IndexFunc(whiles, func(w spending) bool { return a.time < w.until })
	if i < 0 {
		i = len(whiles) - 1
	}
	w := whiles[i]
	if limit := h.alert.Conditions[0].Against.Below; limit != nil {
		return a.values300(w)
	}
	a.values = []float64{float64(w.total)}
	if w.total == w.bad {
		return []arrival{a}
	}
	good := a
	good.metric, good.values = h.alert.Conditions[0].Against.Good, []float64{float64(w.total - w.bad)}
	return []arrival{a, good}
}

// values300 has a be as many values as the while counts, but for the hundreds,
// those that are bad far above 300 and the others at 300 or below.
func (a arrival) values300(w spending) []arrival {
	a.values = nil
	for i := range w.total % 100 {
		v := 300.0 - 50*float64(i%3)
		if i < w.bad {
			v = 450 + float64(i)
		}
		a.values = append(a.values, v)
	}
	if len(a.values) == 0 {
		return nil
	}
	return []arrival{a}
}

// TestBurnRates: of every step of a drawn history the rate is that of the
// oracle, and there is one where the oracle has one; whatever part of it is
// read at once.
func TestBurnRates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, tidemark.AgainstBudget)
		l := &live{t: t, h: h, engine: memory.New(), store: &recorded{model: newModel()}}
		l.restart()
		o := newOracle(h.alert, h.step, false, h.start)
		o.conditions[0].windows = h.allWindows()
		for _, came := range append([][]arrival{h.past}, h.slots...) {
			l.write(came)
			o.remember(came)
		}
		c := &h.alert.Conditions[0]
		s, err := l.eval.Reader.sourceOf(t.Context(), 1, h.alert, c)
		if err != nil {
			t.Fatal(err)
		}
		from := h.start - h.start%minute + minute*rapid.Int64Range(-5, 10).Draw(t, "from")
		to := from + minute*rapid.Int64Range(1, 30).Draw(t, "steps")
		got, want := map[string]map[int64]float64{}, map[string]map[int64]float64{}
		for series, err := range l.eval.Reader.readings(t.Context(), 1, &s, new(newRule(c)), from, to, minute) {
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range series.Times {
				put(got, tidemark.StreamName(series.Tags), at, series.Values[i])
			}
		}
		for at := from; at < to; at += minute {
			for group, rate := range o.conditions[0].burn(at) {
				put(want, group, at, rate)
			}
		}
		if diff := gocmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Fatalf("%s\n%s\nrates of the oracle and of the reader:\n%s", h.alert.Sentence(nil), h, diff)
		}
	})
}

func put(all map[string]map[int64]float64, group string, at int64, v float64) {
	if all[group] == nil {
		all[group] = map[int64]float64{}
	}
	all[group][at] = v
}
