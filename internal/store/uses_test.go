package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestMetricUses: what would be without data if a metric went is listed: spaces
// with charts of it or of composites that name it, and alerts that look at it
// or count it as good.
func TestMetricUses(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		addMetrics(t, s, org, "cpu", "cpu2", "good", "all")
		addMetrics(t, s, other, "cpu")
		wall, text, none := addSpace(t, s, org, "Wall"), addSpace(t, s, org, "in a text"), addSpace(t, s, org, "none")
		addChart(t, s, org, wall.ID, tidemark.ChartStream{Metric: "CPU"})
		addChart(t, s, org, text.ID, tidemark.ChartStream{Metric: "cpu2"})
		addChart(t, s, org, text.ID, tidemark.ChartStream{Composite: `sum(s('Cpu', "*"))`})
		addChart(t, s, org, wall.ID, tidemark.ChartStream{Composite: `s("Good", "*")`})
		addChart(t, s, org, none.ID, tidemark.ChartStream{Metric: "cpu2"}, tidemark.ChartStream{Composite: `s("cpu2", "*")`})
		theirs := addSpace(t, s, other, "theirs")
		addChart(t, s, other, theirs.ID, tidemark.ChartStream{Metric: "cpu"})
		addAlert(t, s, org, "both", above("cpu2", 1), above("Cpu", 2))
		target := 99.9
		budget := above("all", 14)
		budget.Against = &tidemark.Against{Kind: tidemark.AgainstBudget, Period: 3600, Good: "good", Objective: &target}
		addAlert(t, s, org, "burns", budget)
		for metric, want := range map[string][2][]string{
			"cPU":  {{"in a text", "Wall"}, {"both"}},
			"cpu2": {{"in a text", "none"}, {"both"}},
			"all":  {{}, {"burns"}},
			"Good": {{"Wall"}, {"burns"}},
			"gone": {{}, {}},
		} {
			spaces, alerts, err := s.MetricUses(ctx, org, metric)
			ok(t, err)
			for i, list := range [][]*store.Use{spaces, alerts} {
				names := []string{}
				for _, u := range list {
					names = append(names, *u.Name)
				}
				same(t, "uses of "+metric, want[i], names)
			}
		}
	})
}

// TestPagesOfEvents: a page ends before what would make it too large, between
// two seconds where that is possible, and the next begins there.
func TestPagesOfEvents(t *testing.T) {
	t.Parallel()
	third := string(make([]byte, 3<<20))
	for name, tt := range map[string]struct {
		times []int64 // latest first
		want  int
		next  int64
	}{
		"none":                      {nil, 0, 0},
		"all":                       {[]int64{9, 8}, 2, 0},
		"between seconds":           {[]int64{9, 8, 7, 6}, 2, 7},
		"within a second":           {[]int64{9, 8, 8}, 1, 8},
		"all of one second":         {[]int64{9, 9, 9}, 2, 8},
		"all of the first second":   {[]int64{0, 0, 0}, 2, 0},
		"the second that goes over": {[]int64{9, 9, 8}, 2, 8},
	} {
		found, next, err := store.PageOfEvents(func(yield func(*tidemark.AnnotationEvent, error) bool) {
			for _, at := range tt.times {
				if !yield(&tidemark.AnnotationEvent{Title: third, StartTime: at}, nil) {
					return
				}
			}
		})
		if err != nil || len(found) != tt.want || next != tt.next {
			t.Errorf("%s: %d events and then %d, %v, want %d and %d", name, len(found), next, err, tt.want, tt.next)
		}
	}
}
