package tidemark

import (
	"math"
	"strconv"
	"strings"
)

// Sentence says in words when a fires, for lists, pages and notifications
// alike: "checkout.latency max above 250 ms for 5 min, per region". Units are
// those of the metrics by MetricKey; metrics without one are left out.
func (a *Alert) Sentence(units map[string]string) string {
	if len(a.Conditions) == 0 {
		return "no conditions: it never fires"
	}
	parts := make([]string, len(a.Conditions))
	for i := range a.Conditions {
		c := &a.Conditions[i]
		parts[i] = c.Sentence(units[MetricKey(c.MetricName)])
	}
	return strings.Join(parts, ", and ")
}

// Sentence says in words when c holds. Unit is the metric's, or "".
func (c *Condition) Sentence(unit string) string {
	var b strings.Builder
	b.WriteString(c.MetricName)
	if f := c.Function(); f != "average" && c.Type != Absent {
		b.WriteString(" " + strings.ReplaceAll(f, "_", " "))
	}
	b.WriteString(" " + c.Type)
	if c.Type != Absent && c.Threshold != nil {
		b.WriteString(" " + Quantity(*c.Threshold, unit))
	}
	if c.Duration != nil && *c.Duration > 0 {
		b.WriteString(" for " + (*c.Duration).String())
	}
	var groups []string
	for i := range c.Tags {
		f := &c.Tags[i]
		if f.IsGrouped() {
			groups = append(groups, f.Name)
		}
		if words := f.sentence(); words != "" {
			b.WriteString(", " + words)
		}
	}
	if len(groups) > 0 {
		b.WriteString(", per " + strings.Join(groups, " and "))
	}
	return b.String()
}

// sentence says which values of the tag are meant, or "" if any will do.
func (f *TagFilter) sentence() string {
	if len(f.Values) == 0 || len(f.Values) == 1 && f.Values[0] == "*" {
		return ""
	}
	var is, not []string
	for _, v := range f.Values {
		if n, negated := strings.CutPrefix(v, "!"); negated {
			not = append(not, n)
		} else {
			is = append(is, v)
		}
	}
	switch {
	case len(not) == 0:
		return f.Name + " " + strings.Join(is, " or ")
	case len(is) == 0:
		return f.Name + " not " + strings.Join(not, " nor ")
	}
	return f.Name + " " + strings.Join(is, " or ") + " but not " + strings.Join(not, " nor ")
}

// Function is the summary function that c looks at: what it names, or the
// average. "average" and "mean" are one.
func (c *Condition) Function() string {
	if c.SummaryFunction == nil || *c.SummaryFunction == "" || *c.SummaryFunction == "mean" {
		return "average"
	}
	return *c.SummaryFunction
}

// DetectsReset reports whether a drop counts as the restart of a counter, as
// it does unless c says otherwise.
func (c *Condition) DetectsReset() bool { return c.DetectReset == nil || *c.DetectReset }

// Quantity writes a value with its unit, as people do: "250 ms", "20/min".
func Quantity(v float64, unit string) string {
	if v == 0 {
		v = 0 // not -0
	}
	format := byte('f')
	if a := math.Abs(v); a >= 1e15 || a != 0 && a < 1e-6 {
		format = 'g'
	}
	s := strconv.FormatFloat(v, format, -1, 64)
	if unit == "" || strings.HasPrefix(unit, "/") {
		return s + unit
	}
	return s + " " + unit
}

// String writes s as people do: "5 min", "1 h 30 min", "45 s".
func (s Seconds) String() string {
	var parts []string
	for _, u := range []struct {
		name string
		n    Seconds
	}{{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}} {
		if n := s / u.n; n != 0 {
			parts = append(parts, strconv.FormatInt(int64(n), 10)+" "+u.name)
			s %= u.n
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}
