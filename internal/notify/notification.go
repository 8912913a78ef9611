package notify

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Notification says that an alert triggered, that it still fires, or that it
// cleared.
type Notification struct {
	Org         tidemark.OrgID
	Account     string // the owner's e-mail, by which receivers know the organization; may be empty
	IncidentKey string // the same for all notifications of one incident
	Incident    int64  // 0 of a test
	DedupKey    string // the same for every attempt to deliver one notification
	Alert       Alert
	Sentence    string // when the alert fires, in words
	Time        int64  // when it triggered or cleared, in seconds since 1970
	TriggeredAt int64  // when the incident began; 0 if not known
	Conditions  []Condition

	// Violations are the violating streams by name, "tag=value,tag2=value2".
	// A notification that an alert cleared holds those it had.
	Violations map[string][]Violation
	Omitted    int // streams that were left out: only the worst are kept, and messages are small

	Test   bool   // somebody tries the service out; nothing happened
	Repeat bool   // a reminder: services were notified before
	Clear  string // why it cleared: normal, manual or auto; empty unless it did

	Step   int // of the escalation, from 1; 0 of everything else
	Joined int // streams that did not violate yet when services were last notified of the incident

	Link string // the alert's page
	// Acknowledge is the page that asks whether to acknowledge the incident,
	// and needs no sign-in; it may be empty.
	Acknowledge string
	Image       *Image // a chart of the violating streams, if there is one

	// Report is what a picture of a space is about, which is sent by a schedule;
	// nil of everything about alerts, of which it has nothing.
	Report *tidemark.ReportNotice
}

// Alert is what a notification says about the alert itself.
type Alert struct {
	ID          int64
	Name        string
	Description string // may be empty
	RunbookURL  string // may be empty
	Severity    string // critical, warning or info; empty if it is not set
	Labels      map[string]string
}

// Condition is one condition of the alert.
type Condition struct {
	ID              int64
	Type            string   // above, below or absent
	Threshold       *float64 // nil for absent
	Duration        int64    // in seconds, 0 if there is none
	SummaryFunction string   // empty if not set
	Unit            string   // of the metric, may be empty
}

// Violation is one measurement, or window of them, on the wrong side.
type Violation struct {
	Metric     string
	Value      float64
	RecordedAt int64
	Condition  int64 // the id of the condition violated

	// For conditions with a duration: the window and how many measurements
	// it held. Zero otherwise.
	Count      int
	Begin, End int64
}

// Image is a picture of what happened.
type Image struct {
	PNG []byte // uploaded where the destination takes files; may be nil
	URL string // a link that anybody may open for a while; may be empty
	Alt string // what it shows, in words
}

// FromNotice returns the notification of n. The caller adds what only the server as a
// whole knows: the account, the deduplication key, the link, the picture.
// Units are those of the metrics by MetricKey.
func FromNotice(n *tidemark.Notice, units map[string]string) Notification {
	out := Notification{
		Org: n.Org, IncidentKey: n.IncidentKey, Sentence: n.Sentence, Time: n.Time, TriggeredAt: n.TriggeredAt, Clear: n.Clear,
		Alert:  Alert{ID: n.Alert, Name: n.Name, Description: n.Description, RunbookURL: n.RunbookURL, Severity: n.Severity, Labels: n.Labels},
		Test:   n.Kind == tidemark.NoticeTest,
		Repeat: n.Kind == tidemark.NoticeReminder, Step: n.Step, Joined: n.Joined, Omitted: n.Omitted, Report: n.Report,
	}
	if n.Kind == tidemark.NoticeClear && out.Clear == "" {
		out.Clear = "normal"
	}
	for i := range n.Conditions {
		out.Conditions = append(out.Conditions, fromCondition(&n.Conditions[i], units))
	}
	if len(n.Violations) > 0 {
		out.Violations = make(map[string][]Violation)
	}
	for _, v := range n.Violations {
		out.Violations[v.Stream] = append(out.Violations[v.Stream], Violation{
			Metric: v.Metric, Value: v.Value, RecordedAt: v.RecordedAt, Condition: v.Condition, Count: v.Count, Begin: v.Begin, End: v.End,
		})
	}
	return out
}

func fromCondition(c *tidemark.Condition, units map[string]string) Condition {
	out := Condition{ID: c.ID, Type: c.Type, Unit: c.Unit(units[tidemark.MetricKey(c.MetricName)])}
	if c.Type != tidemark.Absent {
		out.Threshold = c.Threshold
	}
	if c.Duration != nil {
		out.Duration = int64(*c.Duration)
	}
	if c.SummaryFunction != nil {
		out.SummaryFunction = *c.SummaryFunction
	}
	return out
}

// Sample returns a notification for trying a service out when there is no
// alert at hand.
func Sample(org tidemark.OrgID, account string, now time.Time) Notification {
	threshold := 250.0
	at := now.Unix()
	return Notification{
		Org: org, Account: account, IncidentKey: tidemark.IncidentKey(0, 0), DedupKey: fmt.Sprintf("tidemark-test-%d", now.UnixNano()),
		Alert:    Alert{Name: "example.latency.high", Description: "An example, to see whether notifications arrive."},
		Sentence: "example.latency max above 250 ms for 5 min", Time: at, TriggeredAt: at, Test: true,
		Conditions: []Condition{{ID: 1, Type: tidemark.Above, Threshold: &threshold, Duration: 300, SummaryFunction: "max", Unit: "ms"}},
		Violations: map[string][]Violation{"host=web-01": {
			{Metric: "example.latency", Value: 312.5, RecordedAt: at, Condition: 1, Count: 5, Begin: at - 300, End: at},
		}},
	}
}

// complete fills in the link and makes an alert without a name nameable.
func (n Notification) complete(baseURL string) Notification {
	switch {
	case n.Link != "" || baseURL == "":
	case n.Report != nil:
		n.Link = reportLink(baseURL, n.Org, n.Report)
	default:
		n.Link = AlertLink(baseURL, n.Org, n.Alert.ID)
	}
	return n
}

// AlertLink returns the address of an alert's page, in the form that receivers
// of the original's notifications know.
func AlertLink(baseURL string, org tidemark.OrgID, alert int64) string {
	return fmt.Sprintf("%s/o/%d/alerts/%d", strings.TrimRight(baseURL, "/"), org, alert)
}

// cut returns n with at most so many streams, whose violations take about so
// many bytes: at least one, and the first ones by name, so that every message
// of an incident names the same streams. The description takes no more than
// them all.
func (n Notification) cut(streams, bytes int) Notification {
	n.Alert.Description = shortenBytes(n.Alert.Description, bytes)
	kept := make(map[string][]Violation)
	for i, stream := range n.streams() {
		list := n.Violations[stream]
		bytes -= len(stream)
		for _, v := range list {
			bytes -= len(v.Metric) + violationBytes
		}
		if i > 0 && (i >= streams || bytes < 0) {
			n.Omitted += len(n.Violations) - i
			break
		}
		kept[stream] = list
	}
	if n.Violations != nil {
		n.Violations = kept
	}
	return n
}

// violationBytes is what a violation takes in a message beside its metric's
// name, about.
const violationBytes = 120

// streams returns the names of the violating streams in order.
func (n Notification) streams() []string { return slices.Sorted(maps.Keys(n.Violations)) }

// condition returns the condition that v violates.
func (n Notification) condition(v Violation) Condition {
	i := slices.IndexFunc(n.Conditions, func(c Condition) bool { return c.ID == v.Condition })
	if i < 0 {
		return Condition{Type: "beyond"} // the condition was deleted meanwhile
	}
	return n.Conditions[i]
}

// cleared reports whether n says that the incident is over.
func (n Notification) cleared() bool { return n.Clear != "" }

// state is what happened, in a word.
func (n Notification) state() string {
	switch {
	case n.cleared():
		return "cleared"
	case n.Test:
		return "test"
	case n.Repeat:
		return "reminder"
	case n.Step > 0:
		return "escalated"
	}
	return "triggered"
}

// dedup returns the deduplication key, or the next best thing.
func (n Notification) dedup() string {
	if n.DedupKey != "" {
		return n.DedupKey
	}
	return fmt.Sprintf("%s-%s-%d", n.IncidentKey, n.state(), n.Time)
}

// number is a float in JSON: what is none is null, since JSON has no word for it.
type number float64

func (f number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return []byte("null"), nil
	}
	return marshal(float64(f))
}
