package tidemark

import (
	"maps"
	"slices"
	"strconv"
)

// The kinds of notification.
const (
	NoticeTrigger  = "trigger"
	NoticeReminder = "reminder" // the same words as a trigger, later
	NoticeClear    = "clear"
	// NoticeEscalation tells further services of an incident that nobody has
	// acknowledged.
	NoticeEscalation = "escalation"
	NoticeTest       = "test" // a trigger that says it is a test
	// NoticeReport brings a picture of a space, and is about no alert.
	NoticeReport = "report"
)

// Notice is a notification about an alert: everything a message needs, frozen when
// it happened, so that a late delivery still tells the truth.
type Notice struct {
	Kind        string      `json:"kind"`
	Org         OrgID       `json:"org_id"`
	Alert       int64       `json:"alert_id"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	RunbookURL  string      `json:"runbook_url"`
	Sentence    string      `json:"sentence"`
	IncidentKey string      `json:"incident_key"`
	Time        int64       `json:"time"` // of triggering, or of clearing
	TriggeredAt int64       `json:"triggered_at"`
	Clear       string      `json:"clear,omitempty"`
	Conditions  []Condition `json:"conditions"`
	Violations  []Violation `json:"violations"` // of a clear: those there were
	// Omitted is how many more streams violate.
	Omitted int `json:"omitted,omitempty"`
	// Units are those of the metrics, by MetricKey.
	Units map[string]string `json:"units,omitempty"`

	Severity string            `json:"severity,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	// Step is that of the escalation, from 1; 0 of everything else.
	Step int `json:"step,omitempty"`
	// Joined is how many streams violate that did not when services were last
	// notified of the incident; 0 of the first notice.
	Joined int `json:"joined,omitempty"`
	// Report is what a report is about; nil of everything else.
	Report *ReportNotice `json:"report,omitempty"`
}

// NewNotice returns a notice about a, without what happened to it. Units are
// those of its metrics, by MetricKey.
func NewNotice(org OrgID, a *Alert, units map[string]string) *Notice {
	n := &Notice{
		Org: org, Alert: a.ID, Name: a.Name, RunbookURL: a.RunbookURL(), Sentence: a.Sentence(units).Short(),
		Conditions: slices.Clone(a.Conditions), Violations: []Violation{}, Units: units,
		Severity: a.Severity, Labels: maps.Clone(a.Labels),
	}
	if a.Description != nil {
		n.Description = *a.Description
	}
	return n
}

// The states of a delivery.
const (
	DeliveryWaiting   = "waiting"
	DeliveryDelivered = "delivered"
	DeliveryFailed    = "failed"    // given up
	DeliveryCancelled = "cancelled" // somebody acknowledged the incident before it was delivered; or, in earlier versions, it ended
	// DeliverySuperseded was not sent, or not again, since the service was
	// notified of a later incident of the alert first: it would take the news
	// for those of that one.
	DeliverySuperseded = "superseded"
)

// Delivery is one notice on its way to one service.
type Delivery struct {
	ID       int64 `json:"id"`
	Org      OrgID `json:"-"`
	Alert    int64 `json:"alert_id"`
	Incident int64 `json:"incident_id"` // 0 of a test
	Service  int64 `json:"service_id"`
	// To is the title of the service, or whose device it is; "" where that is
	// gone.
	To         string `json:"service_title"`
	Kind       string `json:"kind"`
	Key        string `json:"key"` // the same in every try
	Status     string `json:"status"`
	Tries      int    `json:"tries"`
	CreatedAt  int64  `json:"created_at"`
	StartedAt  int64  `json:"-"` // since when it is tried; a manual retry starts again
	DueAt      int64  `json:"due_at"`
	FinishedAt int64  `json:"finished_at"`
	// FallbackOf is the delivery that this one stands in for, or 0.
	FallbackOf int64     `json:"fallback_of"`
	Notice     *Notice   `json:"notice"`
	Attempts   []Attempt `json:"attempts"`
	// Unreadable is why the notice cannot be read, which is empty then; "" of
	// almost all. Such a delivery fails, and holds up no other.
	Unreadable string `json:"-"`
}

// ResourceID is the last segment of the delivery's URL.
func (d *Delivery) ResourceID() string { return strconv.FormatInt(d.ID, 10) }

// Attempt is one try to deliver.
type Attempt struct {
	At       int64  `json:"at"`
	Duration int64  `json:"duration_ms"`
	OK       bool   `json:"ok"`
	Answer   string `json:"answer"` // in the service's words; never a secret
}

// DeliveryBacklog is what waits to be delivered.
type DeliveryBacklog struct {
	Waiting  int64
	Retrying int64 // of them: those that have failed already
	Oldest   int64 // when the oldest began to wait; 0 if none does
}

// DueQuery says which waiting deliveries are to be taken.
type DueQuery struct {
	Now   int64
	Until int64 // when they are due again, should nobody finish them
	Limit int
	// Services and Orgs are those whose deliveries are left alone.
	Services []int64
	Orgs     []OrgID
}

// Outcome is how one try went and what follows from it.
type Outcome struct {
	Delivery int64
	Attempt  Attempt
	Status   string // DeliveryWaiting: try again at DueAt
	DueAt    int64
	// Uncounted says that the service was not ready to take anything: the try
	// is on record, and no failed one.
	Uncounted bool
	// Fallback is the service that is notified instead, now that this one is
	// given up, or 0.
	Fallback int64
}

// FallbackSetting is the setting of any service that names the service to
// notify when this one cannot be reached.
const FallbackSetting = "fallback_service_id"

// Fallback returns the id of the service that is notified when s cannot be, or 0.
func (s *Service) Fallback() int64 {
	id, err := strconv.ParseInt(s.Settings[FallbackSetting], 10, 64)
	if err != nil || id <= 0 || id == s.ID {
		return 0
	}
	return id
}

// maxDeferral is how much later than wanted a reminder may come.
const maxDeferral = 60

// ReminderDue returns when a service is due a reminder that is wanted now, by
// what it was notified of before. There is none while an earlier
// notice waits, since it says the same, nor where the last one came so late
// that the reminder would follow it too soon: a service is never notified twice
// within the rearm time.
func ReminderDue(earlier []*Delivery, rearm Seconds, now int64) (due int64, ok bool) {
	due = now
	for _, d := range earlier {
		switch d.Status {
		case DeliveryWaiting:
			return 0, false
		case DeliveryDelivered:
			due = max(due, d.FinishedAt+int64(max(rearm, MinRearm)))
		}
	}
	return due, due-now <= maxDeferral
}

// DeliveryKey is a deduplication key: one incident event, one service.
func DeliveryKey(incidentKey, kind string, at int64) string {
	return incidentKey + "-" + kind + "-" + strconv.FormatInt(at, 10)
}

// EscalationKey is the deduplication key of a step of an escalation: each is
// taken once.
func EscalationKey(incidentKey string, step int) string {
	return incidentKey + "-" + NoticeEscalation + "-" + strconv.Itoa(step)
}

// TestResult is how a test notification to one service went.
type TestResult struct {
	Service  int64  `json:"service_id"`
	Title    string `json:"title"`
	OK       bool   `json:"ok"`
	Answer   string `json:"answer"`
	Duration int64  `json:"duration_ms"`
}
