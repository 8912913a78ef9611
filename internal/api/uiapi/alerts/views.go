package alerts

import "github.com/tidemark-metrics/tidemark"

// alertList is the alerts of an organization: firing ones first.
type alertList struct {
	Alerts      []alertSummary `json:"alerts"`
	EvaluatedAt int64          `json:"evaluated_at"` // when all alerts were last evaluated
	Firing      int            `json:"firing"`
	Late        int64          `json:"late"` // seconds that evaluation is behind
}

// alertSummary is an alert as the interface's lists show it.
type alertSummary struct {
	ID           int64               `json:"id"`
	Name         string              `json:"name"`
	Words        tidemark.Sentence   `json:"words"`
	State        string              `json:"state" wire:"ok|firing|snoozed|inactive"`
	Since        int64               `json:"since"`
	SnoozedUntil int64               `json:"snoozed_until,omitempty"` // unless somebody must resume it
	LastFiredAt  int64               `json:"last_fired_at"`
	Strip        []tidemark.Interval `json:"strip"`              // when it fired in the last 24 hours
	Unjudged     []tidemark.Interval `json:"unjudged,omitempty"` // when it was not evaluated: no measurements, or no such alert yet. Missing while that is not known
	// When maintenance covered it in the same time, and in what part of that it
	// was not evaluated.
	Maintained []tidemark.Interval `json:"maintained"`
	Suspended  []tidemark.Interval `json:"suspended"`
	Worst      *worstStream        `json:"worst,omitempty"`
	Threshold  *float64            `json:"threshold"`
	Services   []serviceSummary    `json:"services"`
	// When somebody took its open incident on; nobody is reminded of it since.
	AcknowledgedAt int64  `json:"acknowledged_at,omitempty"`
	AcknowledgedBy string `json:"acknowledged_by,omitempty"`

	Severity    string            `json:"severity" wire:"critical|warning|info|"`
	Labels      map[string]string `json:"labels"`
	Steps       int               `json:"steps"`                 // of its escalation
	Maintenance *maintenanceNow   `json:"maintenance,omitempty"` // that keeps people from being notified of it
	// Why it cannot be evaluated or saved; until then nobody is notified.
	Trouble *tidemark.AlertTrouble `json:"trouble,omitempty"`
}

// worstStream is the stream that is furthest beyond the threshold.
type worstStream struct {
	Stream string  `json:"stream"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
}

// serviceSummary is a service that an alert notifies.
type serviceSummary struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
}

// alertDetail is all that the page of one alert shows of its state.
type alertDetail struct {
	alertSummary
	Alert       tidemark.Alert    `json:"alert"` // as in /v1
	Violating   []violatingStream `json:"violating"`
	Snooze      *tidemark.Snooze  `json:"snooze,omitempty"` // the one that holds now; those that follow each other are one
	Snoozes     []tidemark.Snooze `json:"snoozes"`
	IncidentKey string            `json:"incident_key"` // empty where it does not fire
	MaxTries    int               `json:"max_tries"`    // how often a notification is tried at most, about

	Incident   int64              `json:"incident_id"` // the open one, 0 where it does not fire
	NotifiedAt int64              `json:"notified_at"` // when services were first notified of it, 0 if they were not
	Escalation []stepView         `json:"escalation"`
	Next       []nextNotification `json:"next"` // who is notified next while it goes on like this, by time
	Late       int64              `json:"late"` // seconds that evaluation is behind
}

// maintenanceNow is a maintenance window that is on.
type maintenanceNow struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Until int64  `json:"until"`
	// Suspended says that the alert is not evaluated meanwhile.
	Suspended bool `json:"suspended,omitempty"`
}

// stepView is a step of an escalation.
type stepView struct {
	After    tidemark.Seconds `json:"after_seconds"`
	Services []serviceSummary `json:"services"`
	At       int64            `json:"at"` // when it is or was due, 0 where the alert does not fire
	Taken    bool             `json:"taken"`
}

// nextNotification is who is notified when.
type nextNotification struct {
	At       int64            `json:"at"`
	Kind     string           `json:"kind" wire:"reminder|escalation|maintenance over|snooze over"`
	Step     int              `json:"step,omitempty"`
	Services []serviceSummary `json:"services"`
}

// violatingStream is a stream that violates a condition of an alert.
type violatingStream struct {
	Stream     string  `json:"stream"`
	Metric     string  `json:"metric"`
	Value      float64 `json:"value"`
	Unit       string  `json:"unit"`
	Since      int64   `json:"since"`
	RecordedAt int64   `json:"recorded_at"` // of one that is absent: when it was last seen
	Condition  int64   `json:"condition_id"`
	Peak       float64 `json:"peak"`             // its worst value in this incident
	Joined     bool    `json:"joined,omitempty"` // it began to violate after the alert fired
}

// firingCount is how many alerts fire.
type firingCount struct {
	Count int `json:"count"`
}

// deliveryDetail is a delivery and the message that the service is sent.
type deliveryDetail struct {
	*tidemark.Delivery
	Message message `json:"message"`
}

// message is what a service is sent, for people to read; secrets are masked.
type message struct {
	Type    string `json:"content_type"`
	Body    string `json:"body"`
	Subject string `json:"subject,omitempty"`
	Problem string `json:"problem,omitempty"` // why there is no body
}

// testResultList is how each service of an alert took a test.
type testResultList struct {
	Results []tidemark.TestResult `json:"results"`
}
