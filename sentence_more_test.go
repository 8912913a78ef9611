package tidemark

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestConditionSentences: what a condition leaves out or says twice does not
// make its sentence wrong.
func TestConditionSentences(t *testing.T) {
	t.Parallel()
	grouped := new(true)
	for _, tt := range []struct {
		name string
		c    Condition
		unit string
		want string
	}{
		{"no threshold yet", Condition{Type: Above, MetricName: "cpu"}, "%", "cpu above"},
		{"mean is the average", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), SummaryFunction: new("mean")}, "", "cpu above 1"},
		{"an empty function is the average", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), SummaryFunction: new("")}, "", "cpu above 1"},
		{"a percentile", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), SummaryFunction: new("p99")}, "s", "cpu p99 above 1 s"},
		{"a duration of 0 is none", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), Duration: new(Seconds(0))}, "", "cpu above 1"},
		{"what is absent has no function", Condition{Type: Absent, MetricName: "cpu", SummaryFunction: new("max"), Duration: new(Seconds(60))}, "", "cpu absent for 1 min"},
		{"some but not others", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), Tags: []TagFilter{{Name: "host", Values: []string{"web*", "db*", "!web1", "!web2"}}}}, "",
			"cpu above 1, host web* or db* but not web1 nor web2"},
		{"none of these", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), Tags: []TagFilter{{Name: "host", Values: []string{"!web1", "!web2"}}}}, "", "cpu above 1, host not web1 nor web2"},
		{"grouped by two", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), Tags: []TagFilter{{Name: "host", Grouped: grouped}, {Name: "env", Values: []string{"prod"}}, {Name: "zone", Grouped: grouped}}}, "",
			"cpu above 1, env prod, per host and zone"},
		{"any value, not grouped", Condition{Type: Above, MetricName: "cpu", Threshold: new(1.0), Tags: []TagFilter{{Name: "host"}, {Name: "env", Grouped: new(false)}}}, "", "cpu above 1"},
		{"three days before", Condition{Type: Above, MetricName: "cpu", Threshold: new(2.0), Against: &Against{Kind: AgainstPast, Period: 3 * day}}, "ms", "cpu above 2 % of the same time 3 d before"},
		{"rises", Condition{Type: Above, MetricName: "cpu", Threshold: new(2.0), Against: &Against{Kind: AgainstChange, Period: 3600, Absolute: true}}, "ms", "cpu rises by more than 2 ms within 1 h"},
		{"above a band", Condition{Type: Above, MetricName: "cpu", Threshold: new(3.0), Against: &Against{Kind: AgainstBand, Least: new(0.0)}}, "ms",
			"cpu rises above its usual band of 3 spreads, learned from 6 weeks by hour of the week"},
		{"a budget without an objective", Condition{Type: Above, MetricName: "all", Threshold: new(6.0), Against: &Against{Kind: AgainstBudget, Period: 6 * 3600, Good: "good"}}, "",
			"all burns its error budget more than 6 times as fast as allowed over 6 h and 30 min, all are to be good"},
	} {
		if got := tt.c.Sentence(tt.unit).String(); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestQuantity: numbers are written out where people would, with a rate's unit
// close to them.
func TestQuantity(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		v    float64
		unit string
		want string
	}{
		{0, "", "0"}, {math.Copysign(0, -1), "ms", "0 ms"}, {-2.5, "ms", "-2.5 ms"}, {20, "/min", "20/min"}, {99.9, "%", "99.9 %"},
		{999_999_999_999_999, "B", "999999999999999 B"}, {1e15, "B", "1e+15 B"}, {-1e15, "", "-1e+15"}, {1e-6, "s", "0.000001 s"}, {9e-7, "s", "9e-07 s"},
		{math.Inf(1), "", "+Inf"}, {math.NaN(), "ms", "NaN ms"},
	} {
		if got := Quantity(tt.v, tt.unit); got != tt.want {
			t.Errorf("%v of %q is %q, want %q", tt.v, tt.unit, got, tt.want)
		}
	}
}

// TestSecondsAddUp: the parts of a written duration add up to it, largest first,
// and none is zero or as large as the next unit.
func TestSecondsAddUp(t *testing.T) {
	t.Parallel()
	length := map[string]int64{"d": 86400, "h": 3600, "min": 60, "s": 1}
	rapid.Check(t, func(t *rapid.T) {
		s := Seconds(rapid.Int64Range(1, 1<<40).Draw(t, "seconds"))
		words := strings.Fields(s.String())
		sum, before := int64(0), int64(math.MaxInt64)
		for i := 0; i+1 < len(words); i += 2 {
			n, unit := int64(0), length[words[i+1]]
			for _, digit := range words[i] {
				n = n*10 + int64(digit-'0')
			}
			if n == 0 || unit == 0 || n*unit >= before {
				t.Fatalf("%q has a part that does not belong", s)
			}
			sum, before = sum+n*unit, unit
		}
		if sum != int64(s) {
			t.Fatalf("%d is written %q", int64(s), s)
		}
	})
}

// TestCutKeepsCharacters: what is cut has as many characters as may be, begins
// as the text does and is still text.
func TestCutKeepsCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune{'a', 'ä', '界', '🌊', ' '})).Draw(t, "text")
		most := rapid.IntRange(1, 12).Draw(t, "most")
		got := cut(text, most)
		if utf8.RuneCountInString(text) <= most {
			if got != text {
				t.Fatalf("%q became %q", text, got)
			}
			return
		}
		kept, cutOff := strings.CutSuffix(got, "…")
		if !cutOff || utf8.RuneCountInString(got) != most || !strings.HasPrefix(text, kept) || !utf8.ValidString(got) {
			t.Fatalf("%q cut to %d is %q", text, most, got)
		}
	})
}

// TestSentenceIsItsParts: the thresholds of a sentence can be taken out of it
// and written by somebody else, since words never hold them.
func TestSentenceIsItsParts(t *testing.T) {
	t.Parallel()
	for _, g := range []*Against{nil, {Kind: AgainstPast, Period: day}, {Kind: AgainstPast, Period: day, Absolute: true}, {Kind: AgainstBand}, {Kind: AgainstChange, Period: 60},
		{Kind: AgainstBudget, Period: 3600, Good: "good", Objective: new(99.0)}} {
		c := Condition{Type: Above, MetricName: "cpu", Threshold: new(1234.5), Against: g, Duration: new(Seconds(60))}
		s := c.Sentence("ms")
		quantities := 0
		for i, p := range s {
			switch {
			case p.Kind == PartQuantity:
				quantities++
				if *p.Value != 1234.5 || p.Unit != c.Unit("ms") || p.Text != Quantity(*p.Value, p.Unit) {
					t.Errorf("%s: the threshold is %+v", s, p)
				}
			case p.Value != nil || p.Unit != "" || strings.Contains(p.Text, "1234"):
				t.Errorf("%s: %q has a threshold in it", s, p.Text)
			case p.Kind == PartWords && i > 0 && s[i-1].Kind == PartWords:
				t.Errorf("%s: words follow words as parts of their own", s)
			}
		}
		if quantities != 1 {
			t.Errorf("%s has %d thresholds", s, quantities)
		}
	}
}
