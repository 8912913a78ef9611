package notify

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
)

// The words of notifications. Text, bullets and their numbers are those of the
// original, to the letter, since people have filters on them; title and lines
// are for the kinds of service it did not have.

const testNotice = "This is a test alert notification, no action is required."

const maxSMS = 140

// text is the plain rendering of n: what mail, VictorOps and Slack's fallback
// show.
func (n Notification) text() string {
	var b strings.Builder
	if n.cleared() {
		fmt.Fprintf(&b, "# Alert %s %s %s\n\n", n.Alert.Name, n.clearedWords(), time.Unix(n.Time, 0).UTC().Format("2006-01-02 15:04:05 UTC"))
		n.writeFacts(&b)
		return b.String()
	}
	if n.Test {
		b.WriteString("# " + testNotice + "\n\n")
	}
	fmt.Fprintf(&b, "# Alert %s has triggered!\n\n", n.Alert.Name)
	n.writeFacts(&b)
	for _, stream := range n.streams() {
		fmt.Fprintf(&b, "Source `%s`:\n", stream)
		for _, v := range n.Violations[stream] {
			b.WriteString("* " + n.bullet(v, "") + "\n")
		}
		b.WriteString("\n")
	}
	if n.Omitted > 0 {
		b.WriteString(n.more() + "\n\n")
	}
	if n.Alert.RunbookURL != "" {
		b.WriteString("Runbook: " + n.Alert.RunbookURL + "\n")
	}
	return b.String()
}

// writeFacts writes the lines that say which alert this is.
func (n Notification) writeFacts(b *strings.Builder) {
	if n.Alert.Description != "" {
		b.WriteString("Description: " + n.Alert.Description + "\n\n")
	}
	if n.Account != "" {
		b.WriteString("Account: " + n.Account + "\n\n")
	}
	if n.Link != "" {
		b.WriteString("Link: " + n.Link + "\n\n")
	}
	if facts := n.facts(); facts != "" {
		b.WriteString("Severity and labels: " + facts + "\n\n")
	}
	if to := n.acknowledgeURL(); to != "" {
		b.WriteString("Acknowledge: " + to + "\n\n")
	}
	if n.Joined > 0 && n.together() != "" {
		b.WriteString(n.together() + "\n\n")
	}
}

// clearedWords says how an alert cleared, up to the time.
func (n Notification) clearedWords() string {
	switch n.Clear {
	case "auto":
		return "was automatically cleared at"
	case "manual":
		return "was manually cleared at"
	}
	return "has cleared at"
}

// bullet says what one violation was; stream is named if it is not empty.
func (n Notification) bullet(v Violation, stream string) string {
	return n.bulletWith(v, stream, plainNumber)
}

func (n Notification) bulletWith(v Violation, stream string, num func(float64) string) string {
	metric := "`" + v.Metric + "`"
	if stream != "" {
		metric += " from `" + stream + "`"
	}
	at := v.RecordedAt
	if v.End != 0 {
		at = v.End
	}
	return fmt.Sprintf("metric %s was %s recorded at %s", metric, n.was(v, num), longTime(at))
}

// was says on which side of what a violation was.
func (n Notification) was(v Violation, num func(float64) string) string {
	c := n.condition(v)
	if c.Type == tidemark.Absent {
		return fmt.Sprintf("absent for %d seconds", c.Duration)
	}
	threshold := 0.0
	if c.Threshold != nil {
		threshold = *c.Threshold
	}
	over := ""
	if v.Begin != 0 && v.End != 0 {
		over = fmt.Sprintf(" over %d seconds", v.End-v.Begin)
	}
	return fmt.Sprintf("%s threshold %s%s with value %s", c.Type, num(threshold), over, num(truncate(threshold, v.Value)))
}

// longTime writes a time as "Fri, Jan 10 2014 at 21:58:03 UTC"; a day of one
// digit has a blank before it.
func longTime(unix int64) string {
	return time.Unix(unix, 0).UTC().Format("Mon, Jan _2 2006 at 15:04:05 UTC")
}

// truncate cuts, and does not round, v to two decimals more than the
// threshold has: what reads as 10.00 must not be above a threshold of 10.
func truncate(threshold, v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	keep := decimals(threshold) + 2
	s := strconv.FormatFloat(v, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	if len(fraction) <= keep {
		return v
	}
	cut, err := strconv.ParseFloat(whole+"."+fraction[:keep], 64)
	if err != nil {
		return v
	}
	return cut
}

func decimals(v float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return len(fraction)
}

func plainNumber(v float64) string { return tidemark.Quantity(v, "") }

// groupedNumber writes 12345678.5 as 12,345,678.5.
func groupedNumber(v float64) string {
	s := plainNumber(v)
	if strings.ContainsAny(s, "eN") {
		return s
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	whole, fraction, ok := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if ok {
		whole += "." + fraction
	}
	return sign + whole
}

// bullets are all violations in one line.
func (n Notification) bullets() string {
	var all []string
	for _, stream := range n.streams() {
		for _, v := range n.Violations[stream] {
			all = append(all, n.bullet(v, stream))
		}
	}
	if n.Omitted > 0 {
		all = append(all, n.more())
	}
	return strings.Join(all, ". ")
}

// sms is n for a telephone.
func (n Notification) sms() string {
	if n.cleared() {
		return "Alert '" + n.Alert.Name + "' has cleared at " + longTime(n.Time)
	}
	if to := n.acknowledgeURL(); to != "" && len(to) < maxSMS/2 {
		return shorten(n.bullets(), maxSMS-len(to)-1) + " " + to
	}
	return shorten(n.bullets(), maxSMS)
}

// more says that streams were left out.
func (n Notification) more() string {
	if n.Omitted == 1 {
		return "and 1 more stream"
	}
	return fmt.Sprintf("and %d more streams", n.Omitted)
}

// subject is the first line of n where brevity counts: a mail's subject.
func (n Notification) subject() string {
	switch {
	case n.cleared():
		return "Alert " + n.Alert.Name + " has cleared."
	case n.Test:
		return "[Test] Alert " + n.Alert.Name + " has triggered!"
	}
	return "Alert " + n.Alert.Name + " has triggered!"
}

// title is the headline of n in chats and on telephones.
func (n Notification) title() string {
	words := map[string]string{
		"auto": "cleared automatically", "manual": "was resolved by hand",
		"inactive": "was switched off", "edited": "has new conditions, and cleared", "deleted": "was deleted",
	}
	switch {
	case n.cleared():
		if w, ok := words[n.Clear]; ok {
			return n.Alert.Name + " " + w
		}
		return n.Alert.Name + " cleared"
	case n.Test:
		return "[Test] " + n.Alert.Name + " fired"
	case n.Repeat:
		return n.Alert.Name + " is still firing"
	case n.Step > 0:
		return n.Alert.Name + " fired, and nobody has acknowledged it"
	}
	return n.Alert.Name + " fired"
}

// line says what a violation is, briefly: "checkout.latency 412.5 ms, above
// 250 ms for 5 min".
func (n Notification) line(v Violation) string {
	c := n.condition(v)
	if c.Type == tidemark.Absent {
		return v.Metric + " silent for " + tidemark.Seconds(c.Duration).String()
	}
	threshold := 0.0
	if c.Threshold != nil {
		threshold = *c.Threshold
	}
	s := fmt.Sprintf("%s %s, %s %s", v.Metric, tidemark.Quantity(truncate(threshold, v.Value), c.Unit), c.Type, tidemark.Quantity(threshold, c.Unit))
	if v.End > v.Begin && v.Begin != 0 {
		s += " for " + tidemark.Seconds(v.End-v.Begin).String()
	}
	return s
}

// lines are the violations, one a line, each with its stream.
func (n Notification) lines() []string {
	var all []string
	for _, stream := range n.streams() {
		for _, v := range n.Violations[stream] {
			all = append(all, stream+": "+n.line(v))
		}
	}
	if n.Omitted > 0 {
		all = append(all, n.more())
	}
	return all
}

// brief is the body of n in chats and on telephones: the lines, or when the
// alert cleared and after how long.
func (n Notification) brief() string {
	var parts []string
	if n.Test {
		parts = append(parts, testNotice)
	}
	switch {
	case n.cleared():
		parts = append(parts, n.clearedAfter())
	default:
		parts = append(parts, n.head()...)
		parts = append(parts, n.lines()...)
		if n.Alert.Description != "" {
			parts = append(parts, n.Alert.Description)
		}
	}
	return strings.Join(parts, "\n")
}

// clearedAfter says when n cleared, and how long the incident was.
func (n Notification) clearedAfter() string {
	s := "Cleared on " + longTime(n.Time)
	if n.TriggeredAt != 0 && n.Time > n.TriggeredAt {
		s += " after " + tidemark.Seconds(n.Time-n.TriggeredAt).String()
	}
	return s + "."
}

// shorten cuts s to at most so many characters, the last three of them dots.
func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-3]) + "..."
}

// shortenBytes cuts s to at most so many bytes, the last three of them dots,
// and not within a character.
func shortenBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := max(most-3, 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}
