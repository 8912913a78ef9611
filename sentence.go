package tidemark

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Sentence says when an alert fires: "checkout.latency max above 250 ms for
// 5 min, per region". It is kept in parts, so that a client writes the
// numbers as its reader does; the words are the same everywhere.
type Sentence []Part

// Part is a piece of a sentence, with the blanks around it.
type Part struct {
	Kind  PartKind `json:"kind" wire:"metric|verb|quantity|words"`
	Text  string   `json:"text"`            // of a quantity: as String writes it
	Value *float64 `json:"value,omitempty"` // of a quantity, with its unit
	Unit  string   `json:"unit,omitempty"`
}

// PartKind says what a part of a sentence is about.
type PartKind string

// The kinds of parts.
const (
	PartMetric   PartKind = "metric"   // the name of a metric
	PartVerb     PartKind = "verb"     // above, below or absent
	PartQuantity PartKind = "quantity" // a threshold
	PartWords    PartKind = "words"    // everything between them
)

// String writes the sentence for lists, logs and notifications.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
	}
	return b.String()
}

// maxSentence is how many characters of a sentence are written: one may name
// thousands of hosts.
const maxSentence = 2000

// Short is String, cut where it is longer than anybody would read.
func (s Sentence) Short() string { return cut(s.String(), maxSentence) }

// cut returns s with at most that many characters, the last of them an
// ellipsis where something was left out.
func cut(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	end := 0
	for range most - 1 {
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	return s[:end] + "…"
}

// say adds to s; words follow words as one part.
func (s Sentence) say(kind PartKind, text string) Sentence {
	if last := len(s) - 1; last >= 0 && kind == PartWords && s[last].Kind == PartWords {
		s[last].Text += text
		return s
	}
	return append(s, Part{Kind: kind, Text: text})
}

// Sentence says when a fires. Units are those of the metrics by MetricKey;
// metrics without one are left out.
func (a *Alert) Sentence(units map[string]string) Sentence {
	if len(a.Conditions) == 0 {
		return Sentence{}.say(PartWords, "no conditions: it never fires")
	}
	var s Sentence
	for i := range a.Conditions {
		if i > 0 {
			s = s.say(PartWords, ", and ")
		}
		c := &a.Conditions[i]
		s = append(s, c.Sentence(units[MetricKey(c.MetricName)])...)
	}
	return s
}

// Sentence says when c holds. Unit is the metric's, or "".
func (c *Condition) Sentence(unit string) Sentence {
	s := Sentence{}.say(PartMetric, c.MetricName).say(PartWords, " ")
	if f := c.Function(); f != "average" && c.Type != Absent {
		s = s.say(PartWords, strings.ReplaceAll(f, "_", " ")+" ")
	}
	s = c.compares(s, unit)
	if c.Duration != nil && *c.Duration > 0 {
		s = s.say(PartWords, " for "+(*c.Duration).String())
	}
	var groups []string
	for i := range c.Tags {
		f := &c.Tags[i]
		if f.IsGrouped() {
			groups = append(groups, f.Name)
		}
		if words := f.sentence(); words != "" {
			s = s.say(PartWords, ", "+words)
		}
	}
	if len(groups) > 0 {
		s = s.say(PartWords, ", per "+strings.Join(groups, " and "))
	}
	return s
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

// FilterSentence says what tags narrow a space to, and what it has a line for
// each of: "environment production, per region"; "" if nothing.
func FilterSentence(tags []TagFilter) string {
	var parts []string
	for i := range tags {
		if words := tags[i].sentence(); words != "" {
			parts = append(parts, words)
		}
	}
	for i := range tags {
		if tags[i].IsGrouped() {
			parts = append(parts, "per "+tags[i].Name)
		}
	}
	return strings.Join(parts, ", ")
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
