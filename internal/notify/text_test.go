package notify

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

func TestText(t *testing.T) {
	t.Parallel()
	ten := 10.0
	n := Notification{
		Alert: Alert{ID: 1, Name: "my.alert"}, Account: "owner@example.org", Link: "https://tidemark.example.org/alerts/1/details/1", Time: 12321123,
		Conditions: []Condition{{ID: 1, Type: "above", Threshold: &ten}, {ID: 2, Type: "absent", Duration: 600}},
		Violations: map[string][]Violation{
			"foo.bar":                {{Metric: "metric.name", Value: 100, RecordedAt: 1389391083, Condition: 1}},
			"baz=1,tag=with a blank": {{Metric: "other", Value: 10.5312345, RecordedAt: 1388700003, Condition: 1, Begin: 1388699913, End: 1388700003, Count: 3}},
			"unassigned":             {{Metric: "gone", RecordedAt: 1388700003, Condition: 2}},
		},
	}
	want := "# Alert my.alert has triggered!\n" +
		"\nAccount: owner@example.org\n" +
		"\nLink: https://tidemark.example.org/alerts/1/details/1\n" +
		"\nSource `baz=1,tag=with a blank`:\n" +
		"* metric `other` was above threshold 10 over 90 seconds with value 10.53 recorded at Thu, Jan  2 2014 at 22:00:03 UTC\n" +
		"\nSource `foo.bar`:\n" +
		"* metric `metric.name` was above threshold 10 with value 100 recorded at Fri, Jan 10 2014 at 21:58:03 UTC\n" +
		"\nSource `unassigned`:\n" +
		"* metric `gone` was absent for 600 seconds recorded at Thu, Jan  2 2014 at 22:00:03 UTC\n\n"
	if diff := cmp.Diff(want, n.text()); diff != "" {
		t.Error(diff)
	}
	n.Alert.RunbookURL, n.Alert.Description, n.Test = "https://runbook.example.org", "What to do", true
	got := n.text()
	if !strings.HasPrefix(got, "# This is a test alert notification, no action is required.\n\n# Alert my.alert has triggered!\n\nDescription: What to do\n\nAccount: ") ||
		!strings.HasSuffix(got, "\n\nRunbook: https://runbook.example.org\n") {
		t.Error(got)
	}
	for clear, words := range map[string]string{"normal": "has cleared at", "manual": "was manually cleared at", "auto": "was automatically cleared at", "unknown": "has cleared at"} {
		n.Clear = clear
		want := "# Alert my.alert " + words + " 1970-05-23 14:32:03 UTC\n\nDescription: What to do\n\nAccount: owner@example.org\n\nLink: https://tidemark.example.org/alerts/1/details/1\n\n"
		if diff := cmp.Diff(want, n.text()); diff != "" {
			t.Errorf("%s: %s", clear, diff)
		}
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	f := func(threshold, v float64, want string) {
		t.Helper()
		if got := plainNumber(truncate(threshold, v)); got != want {
			t.Errorf("truncate(%v, %v) = %s, want %s", threshold, v, got, want)
		}
	}
	f(10, 10.53, "10.53")
	f(10.53, 10.53, "10.53")
	f(10.53, 10.5312345, "10.5312")
	f(10, 10.5312345, "10.53")
	f(0, 0.5312345, "0.53")
	f(0.12, 0.5312345, "0.5312")
	f(10, 100, "100")
	f(10, 9.999999, "9.99") // not 10
	f(-10, -10.5367, "-10.53")
	f(10, 12345678.98765, "12345678.98")
	f(1, 1e300, "1e+300")
	f(10, math.Inf(1), "+Inf")
	f(10, math.NaN(), "NaN")
}

func TestGroupedNumber(t *testing.T) {
	t.Parallel()
	f := func(v float64, want string) {
		t.Helper()
		if got := groupedNumber(v); got != want {
			t.Errorf("groupedNumber(%v) = %s, want %s", v, got, want)
		}
	}
	f(0, "0")
	f(999, "999")
	f(1000, "1,000")
	f(12345678, "12,345,678")
	f(-12345678.25, "-12,345,678.25")
	f(0.0001, "0.0001")
	f(math.NaN(), "NaN")
}

func TestSMS(t *testing.T) {
	t.Parallel()
	n := stories()["1 trigger"]
	if got := n.sms(); len(got) != 140 || !strings.HasSuffix(got, "...") || !strings.HasPrefix(got, "metric `checkout.latency` from `environment=prod,host=web1` was above") {
		t.Errorf("%d: %q", len(got), got)
	}
	n.Violations = map[string][]Violation{"a=1": {{Metric: "m", Condition: 90211, RecordedAt: 0}}, "b=2": {{Metric: "m", Condition: 90211, RecordedAt: 0}}}
	n.Conditions = []Condition{{ID: 90211, Type: "absent", Duration: 60}}
	want := "metric `m` from `a=1` was absent for 60 seconds recorded at Thu, Jan  1 1970 at 00:00:00 UTC. metric `m` from `b=2` was absent for 60 sec..."
	if got := n.sms(); got != want {
		t.Errorf("%q", got)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	n := Notification{Violations: map[string][]Violation{"a": {{}}, "b": {{}}, "c": {{}}, "d": {{}}}}
	f := func(streams, bytes int, want string, omitted int) {
		t.Helper()
		got := n.cut(streams, bytes)
		if strings.Join(got.streams(), "") != want || got.Omitted != omitted {
			t.Errorf("cut(%d, %d) = %v and %d more", streams, bytes, got.streams(), got.Omitted)
		}
	}
	f(10, 1000, "abcd", 0)
	f(3, 1000, "abc", 1)
	f(10, 250, "ab", 2)
	f(10, 1, "a", 3) // one is always told
	if len(n.Violations) != 4 {
		t.Error("cut changed the original")
	}
}

func TestFromNotice(t *testing.T) {
	t.Parallel()
	threshold, duration, f := 5.0, tidemark.Seconds(300), "max"
	notice := &tidemark.Notice{
		Kind: tidemark.NoticeReminder, Org: 3, Alert: 9, Name: "n", Description: "d", RunbookURL: "r", Sentence: "s", IncidentKey: "k", Time: 20, TriggeredAt: 10,
		Conditions: []tidemark.Condition{
			{ID: 1, Type: "above", MetricName: "CPU", Threshold: &threshold, Duration: &duration, SummaryFunction: &f},
			{ID: 2, Type: "absent", MetricName: "beat", Threshold: new(float64), Duration: &duration},
		},
		Violations: []tidemark.Violation{
			{Stream: "a=1", Metric: "CPU", Value: 6, RecordedAt: 19, Condition: 1, Count: 2, Begin: 1, End: 2}, {Stream: "a=1", Metric: "beat", Condition: 2},
		},
	}
	want := Notification{
		Org: 3, IncidentKey: "k", Alert: Alert{ID: 9, Name: "n", Description: "d", RunbookURL: "r"}, Sentence: "s", Time: 20, TriggeredAt: 10, Repeat: true,
		Conditions: []Condition{
			{ID: 1, Type: "above", Threshold: &threshold, Duration: 300, SummaryFunction: "max", Unit: "%"}, {ID: 2, Type: "absent", Duration: 300},
		},
		Violations: map[string][]Violation{"a=1": {
			{Metric: "CPU", Value: 6, RecordedAt: 19, Condition: 1, Count: 2, Begin: 1, End: 2}, {Metric: "beat", Condition: 2},
		}},
	}
	if diff := cmp.Diff(want, FromNotice(notice, map[string]string{"cpu": "%"})); diff != "" {
		t.Error(diff)
	}
	notice.Kind = tidemark.NoticeClear
	if n := FromNotice(notice, nil); n.Clear != "normal" || n.Repeat {
		t.Errorf("%+v", n)
	}
	notice.Kind = tidemark.NoticeTest
	if n := FromNotice(notice, nil); !n.Test {
		t.Errorf("%+v", n)
	}
}
