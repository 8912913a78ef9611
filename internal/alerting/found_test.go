package alerting

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestFound plays histories on which the evaluator, the backtest and the
// oracle once disagreed.
func TestFound(t *testing.T) {
	t.Parallel()
	minute := new(tidemark.Seconds(60))
	group := []tidemark.TagFilter{{Name: "dc", Grouped: new(true)}}
	for name, h := range map[string]*history{
		// The alert was looked at before its first measurement came, and then
		// not for ten minutes.
		"absent, written before the stream": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Absent, MetricName: "cpu", Duration: minute}),
			slots: slots(20, "eu-1", 0, 1, 1),
		},
		// A late reading that is as it should be did not break the window.
		"a window with a late break": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Above, MetricName: "cpu", Threshold: new(5.0), Duration: minute}),
			slots: append(slots(8, "eu-1", 0, 9, 8), []arrival{{host: "eu-1", time: 1_700_000_000 - 1_700_000_000%3600 + 45, values: []float64{1}}}, nil, nil),
		},
		// After a restart a group went back to older steps than it had evaluated
		// before.
		"a group over a restart": {
			alert:    alertOn(tidemark.Condition{Type: tidemark.Above, MetricName: "cpu", Threshold: new(5.0), Tags: group}),
			slots:    append(slots(10, "eu-1", 0, 9, 10), slots(4, "eu-1", 0, 1, 4)...),
			restarts: map[int]bool{13: true},
		},
		// Silence of a group was counted before its last step was evaluated.
		"a silent group that is incomplete": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Absent, MetricName: "cpu", Duration: minute, Tags: group}),
			slots: bothHosts(30), step: 60,
		},
		// A late measurement ended a silence that had lasted beyond it.
		"a silent group that is heard of late": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Absent, MetricName: "cpu", Duration: minute, Tags: group}),
			slots: mix(slots(40, "eu-1", 0, 1, 40), slots(40, "eu-2", 0, 1, 40), slots(40, "us-1", 0, 1, 3),
				[][]arrival{18: {{host: "us-1", time: base - base%3600 + 110, values: []float64{1}}}}),
			step: 60,
		},
		// Of two silent streams only the first was saved; when it came back, a
		// restart ended the incident.
		"silence over a restart": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Absent, MetricName: "cpu", Duration: minute}),
			slots: mix(slots(30, "eu-1", 0, 1, 5), slots(30, "us-1", 0, 1, 8), slots(30, "eu-1", 15, 1, 15)), restarts: map[int]bool{16: true},
		},
		// A restart brought back a violation whose measurement had been replaced.
		"a replaced measurement over a restart": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Above, MetricName: "cpu", Threshold: new(5.0)}),
			slots: mix(slots(20, "eu-1", 2, 9, 1), slots(20, "us-1", 3, 9, 5), slots(20, "us-1", 8, 1, 5),
				[][]arrival{5: {{host: "eu-1", time: base - base%3600 + 30, values: []float64{1}}}}),
			restarts: map[int]bool{7: true},
		},
		// A reminder waited for a time that the clock had shown before it was
		// set back.
		"reminders after the clock was set back": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Above, MetricName: "cpu", Threshold: new(5.0)}),
			slots: slots(150, "eu-1", 0, 9, 150), jumps: map[int]int64{3: -600},
		},
		// The clock was set back to before what the group still remembered, so
		// that a late measurement joined two violations with a break between them.
		"a group that forgot a break, and the clock set back": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Above, MetricName: "cpu", SummaryFunction: new("max"), Threshold: new(5.0), Duration: minute, Tags: group}),
			slots: mix(slots(80, "eu-1", 0, 1, 24), slots(80, "eu-1", 24, 9, 38), slots(80, "eu-1", 63, 9, 17),
				[][]arrival{63: {{host: "eu-1", time: base - base%3600 + 130, values: []float64{9}}}}),
			step: 60, jumps: map[int]int64{63: -453},
		},
		// A backtest compared a minute that was not over with as many seconds of
		// the day before, and not with the whole minute.
		"the day before, in the middle of a minute": {
			alert: alertOn(tidemark.Condition{Type: tidemark.Below, MetricName: "cpu", SummaryFunction: new("max"), Threshold: new(50.0),
				Against: &tidemark.Against{Kind: tidemark.AgainstPast, Period: 86400}}),
			slots: slots(9, "eu-1", 0, 1, 9), step: 60, ordered: true,
			past: []arrival{{host: "eu-1", time: base - base%3600 - 86400 + 115, values: []float64{10}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.start = base - base%3600
			if h.step == 0 {
				h.step = 10
			}
			h.metric = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge, Period: &h.step}
			for i := range h.slots {
				for j := range h.slots[i] {
					a := &h.slots[i][j]
					if a.at = h.now(i); a.time == 0 {
						a.time = a.at
					}
				}
			}
			h.check(t)
		})
	}
}

func alertOn(c tidemark.Condition) *tidemark.Alert {
	if c.Tags == nil {
		c.Tags = []tidemark.TagFilter{}
	}
	a := tidemark.NewAlert()
	a.Name, a.Conditions = "a", []tidemark.Condition{c}
	return a
}

// slots are n of them, with count values of a host from the given one on.
func slots(n int, host string, from int, value float64, count int) [][]arrival {
	all := make([][]arrival, n)
	for i := from; i < from+count; i++ {
		all[i] = []arrival{{host: host, values: []float64{value}}}
	}
	return all
}

// mix puts histories on top of each other, as long as the first.
func mix(first [][]arrival, others ...[][]arrival) [][]arrival {
	for _, other := range others {
		for i, came := range other {
			first[i] = append(first[i], came...)
		}
	}
	return first
}

// bothHosts has two hosts of a group report every minute, but for one that
// stays away at the end.
func bothHosts(n int) [][]arrival {
	all := make([][]arrival, n)
	for i := 0; i < n; i += 6 {
		all[i] = append(all[i], arrival{host: "eu-1", values: []float64{1}})
		if i < n/2 {
			all[i] = append(all[i], arrival{host: "eu-2", values: []float64{1}})
		}
	}
	return all
}
