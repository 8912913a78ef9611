package tidemark

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	latency := Condition{Type: Above, MetricName: "checkout.latency.p99", Threshold: new(250.0), SummaryFunction: new("max"), Duration: new(Seconds(300)),
		Tags: []TagFilter{{Name: "region", Grouped: new(true)}}}
	tests := []struct {
		name  string
		alert Alert
		want  string
	}{
		{"nothing", Alert{}, "no conditions: it never fires"},
		{"grouped", Alert{Conditions: []Condition{latency}}, "checkout.latency.p99 max above 250 ms for 5 min, per region"},
		{"at once", Alert{Conditions: []Condition{{Type: Below, MetricName: "free", Threshold: new(0.5)}}}, "free below 0.5"},
		{"average goes without saying", Alert{Conditions: []Condition{{Type: Below, MetricName: "free", Threshold: new(1e9), SummaryFunction: new("average")}}}, "free below 1000000000"},
		{"rate", Alert{Conditions: []Condition{{Type: Above, MetricName: "jobs", Threshold: new(20.0)}}}, "jobs above 20/min"},
		{"absent", Alert{Conditions: []Condition{{Type: Absent, MetricName: "beat", Threshold: new(0.0), Duration: new(Seconds(5400))}}}, "beat absent for 1 h 30 min"},
		{"values", Alert{Conditions: []Condition{{Type: Above, MetricName: "cpu", Threshold: new(90.0),
			Tags: []TagFilter{{Name: "env", Values: []string{"prod*", "stage"}}, {Name: "host", Values: []string{"!web1"}}, {Name: "az", Values: []string{"*"}}}}}},
			"cpu above 90, env prod* or stage, host not web1"},
		{"two", Alert{Conditions: []Condition{latency, {Type: Above, MetricName: "Errors", Threshold: new(3.0), SummaryFunction: new("absolute_value")}}},
			"checkout.latency.p99 max above 250 ms for 5 min, per region, and Errors absolute value above 3 %"},
		{"past", compared(Above, 150, Against{Kind: AgainstPast, Period: 7 * 86400}), "jobs above 150 % of the same time last week"},
		{"difference", compared(Below, 20, Against{Kind: AgainstPast, Period: 86400, Absolute: true}), "jobs more than 20/min below the same time the day before"},
		{"band", compared(Below, 3, Against{Kind: AgainstBand, Least: new(10.0)}), "jobs falls below its usual band of 3 spreads, at least 10, learned from 6 weeks by hour of the week"},
		{"an unusual day", compared(Above, 3, Against{Kind: AgainstBand, Days: []string{"2026-12-24"}}), "jobs rises above its usual band of 3 spreads, learned from 6 weeks by hour of the week without an unusual day"},
		{"unusual days", compared(Above, 3, Against{Kind: AgainstBand, Days: []string{"2026-12-24", "2026-12-25"}}), "jobs rises above its usual band of 3 spreads, learned from 6 weeks by hour of the week without 2 unusual days"},
		{"both sides", compared(Above, 2.5, Against{Kind: AgainstBand, Both: true, Weeks: 4, By: HourOfDay}), "jobs leaves its usual band of 2.5 spreads, learned from 4 weeks by hour of the day"},
		{"change", compared(Below, 50, Against{Kind: AgainstChange, Period: 600}), "jobs falls by more than 50 % within 10 min"},
		{"budget", compared(Above, 14, Against{Kind: AgainstBudget, Period: 3600, Good: "jobs.good", Objective: new(99.9)}), "jobs burns its error budget more than 14 times as fast as allowed over 1 h and 5 min, 99.9 % are to be jobs.good"},
		{"budget of a distribution", compared(Above, 14, Against{Kind: AgainstBudget, Period: 3600, Below: new(300.0), Objective: new(99.0), WithoutMaintenance: true}), "jobs burns its error budget more than 14 times as fast as allowed over 1 h and 5 min, 99 % are to be at most 300/min, without maintenance"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			units := map[string]string{"checkout.latency.p99": "ms", "errors": "%", "jobs": "/min"}
			if got := tt.alert.Sentence(units).String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestSecondsString(t *testing.T) {
	t.Parallel()
	for s, want := range map[Seconds]string{0: "0 s", 45: "45 s", 60: "1 min", 3660: "1 h 1 min", 90000: "1 d 1 h"} {
		if got := s.String(); got != want {
			t.Errorf("%d = %q, want %q", int64(s), got, want)
		}
	}
}

// TestSentenceParts: numbers come apart from the words around them.
func TestSentenceParts(t *testing.T) {
	t.Parallel()
	c := Condition{Type: Above, MetricName: "jobs.queued", Threshold: new(5000.0), SummaryFunction: new("max"), Duration: new(Seconds(300))}
	a := Alert{Conditions: []Condition{c, {Type: Absent, MetricName: "beat"}}}
	want := Sentence{
		{Kind: PartMetric, Text: "jobs.queued"}, {Kind: PartWords, Text: " max "}, {Kind: PartVerb, Text: "above"}, {Kind: PartWords, Text: " "},
		{Kind: PartQuantity, Text: "5000 jobs", Value: new(5000.0), Unit: "jobs"}, {Kind: PartWords, Text: " for 5 min, and "}, {Kind: PartMetric, Text: "beat"}, {Kind: PartWords, Text: " "}, {Kind: PartVerb, Text: "absent"},
	}
	if diff := cmp.Diff(want, a.Sentence(map[string]string{"jobs.queued": "jobs"})); diff != "" {
		t.Error(diff)
	}
}

// compared is an alert that compares jobs with something.
func compared(side string, threshold float64, g Against) Alert {
	return Alert{Conditions: []Condition{{Type: side, MetricName: "jobs", Threshold: &threshold, Against: &g}}}
}
