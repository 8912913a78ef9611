package tidemark

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

func TestSentence(t *testing.T) {
	t.Parallel()
	latency := Condition{Type: Above, MetricName: "checkout.latency.p99", Threshold: ptr(250.0), SummaryFunction: ptr("max"), Duration: ptr(Seconds(300)),
		Tags: []TagFilter{{Name: "region", Grouped: ptr(true)}}}
	tests := []struct {
		name  string
		alert Alert
		want  string
	}{
		{"nothing", Alert{}, "no conditions: it never fires"},
		{"grouped", Alert{Conditions: []Condition{latency}}, "checkout.latency.p99 max above 250 ms for 5 min, per region"},
		{"at once", Alert{Conditions: []Condition{{Type: Below, MetricName: "free", Threshold: ptr(0.5)}}}, "free below 0.5"},
		{"average goes without saying", Alert{Conditions: []Condition{{Type: Below, MetricName: "free", Threshold: ptr(1e9), SummaryFunction: ptr("average")}}}, "free below 1000000000"},
		{"rate", Alert{Conditions: []Condition{{Type: Above, MetricName: "jobs", Threshold: ptr(20.0)}}}, "jobs above 20/min"},
		{"absent", Alert{Conditions: []Condition{{Type: Absent, MetricName: "beat", Threshold: ptr(0.0), Duration: ptr(Seconds(5400))}}}, "beat absent for 1 h 30 min"},
		{"values", Alert{Conditions: []Condition{{Type: Above, MetricName: "cpu", Threshold: ptr(90.0),
			Tags: []TagFilter{{Name: "env", Values: []string{"prod*", "stage"}}, {Name: "host", Values: []string{"!web1"}}, {Name: "az", Values: []string{"*"}}}}}},
			"cpu above 90, env prod* or stage, host not web1"},
		{"two", Alert{Conditions: []Condition{latency, {Type: Above, MetricName: "Errors", Threshold: ptr(3.0), SummaryFunction: ptr("absolute_value")}}},
			"checkout.latency.p99 max above 250 ms for 5 min, per region, and Errors absolute value above 3 %"},
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
	c := Condition{Type: Above, MetricName: "jobs.queued", Threshold: ptr(5000.0), SummaryFunction: ptr("max"), Duration: ptr(Seconds(300))}
	a := Alert{Conditions: []Condition{c, {Type: Absent, MetricName: "beat"}}}
	want := Sentence{
		{Kind: PartMetric, Text: "jobs.queued"}, {Kind: PartWords, Text: " max "}, {Kind: PartVerb, Text: "above"}, {Kind: PartWords, Text: " "},
		{Kind: PartQuantity, Text: "5000 jobs", Value: ptr(5000.0), Unit: "jobs"}, {Kind: PartWords, Text: " for 5 min, and "}, {Kind: PartMetric, Text: "beat"}, {Kind: PartWords, Text: " "}, {Kind: PartVerb, Text: "absent"},
	}
	if diff := cmp.Diff(want, a.Sentence(map[string]string{"jobs.queued": "jobs"})); diff != "" {
		t.Error(diff)
	}
}
