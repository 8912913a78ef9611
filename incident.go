package tidemark

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxViolations is how many violations of one incident are kept and sent.
const MaxViolations = 1000

// Violation is a stream that violates a condition.
type Violation struct {
	// Stream is what tells the stream from the others of its metric: its tags
	// as "a=1,b=2", or UnassignedName where it has none.
	Stream     string  `json:"stream"`
	Metric     string  `json:"metric"`
	Value      float64 `json:"value"` // of a stream that is absent: its last
	RecordedAt int64   `json:"recorded_at"`
	Condition  int64   `json:"condition_violated"`
	Since      int64   `json:"since"`   // when it began
	SeenAt     int64   `json:"seen_at"` // when the last such measurement came; now, for one that is absent

	// Of conditions with a duration: the window, and the measurements in it.
	Count int   `json:"count,omitempty"`
	Begin int64 `json:"begin,omitempty"`
	End   int64 `json:"end,omitempty"`
}

// StreamName returns the name of a stream in violations.
func StreamName(tags Tags) string {
	if len(tags) == 0 {
		return UnassignedName
	}
	return tags.String()
}

// Incident is the time from the triggering of an alert to its end.
type Incident struct {
	ID          int64   `json:"id"`
	Alert       int64   `json:"alert_id"`
	Key         string  `json:"incident_key"`
	TriggeredAt int64   `json:"triggered_at"`
	ClearedAt   *int64  `json:"cleared_at"` // null while it is open
	Clear       *string `json:"clear"`      // why it ended
	ClearedBy   *string `json:"cleared_by"` // who ended it by hand
	// Peak is the worst value of any stream, nil if only silence was watched.
	Peak *float64 `json:"peak"`
	// Violations are all that took part, each with its worst value.
	Violations []Violation `json:"violations"`
	// Notes are what people said of it, and that they acknowledged it.
	Notes []IncidentNote `json:"notes,omitempty"`
}

// The kinds of notes on incidents.
const (
	NoteAcknowledged = "acknowledged" // somebody takes the incident on
	NoteComment      = "comment"      // said later
	// NoteReopened is that an acknowledgement was taken back.
	NoteReopened = "reopened"
	// A maintenance window, whose name and end the text says, begins or ends
	// to keep people from being notified.
	NoteMaintenance     = "maintenance"
	NoteMaintenanceOver = "maintenance over"
)

// MaxIncidentNotes is how many notes of an incident are kept: the latest.
const MaxIncidentNotes = 1000

const (
	// MaxIncidentComments is how many comments an incident has at most. It is
	// lower than MaxIncidentNotes: whoever may only comment pushes out nothing
	// that others did.
	MaxIncidentComments = 500
	// MaxComment is how many characters a comment has at most.
	MaxComment = 4000
	// CommentEditTime is for how long people can change what they said.
	CommentEditTime Seconds = 600
)

// IncidentNote is what somebody said of an incident.
type IncidentNote struct {
	ID       int64  `json:"-"`
	At       int64  `json:"at"`
	Kind     string `json:"kind"`
	By       string `json:"by"`
	Text     string `json:"text"`
	EditedAt int64  `json:"edited_at,omitempty"` // when a comment was last changed
}

// Validate reports what is wrong with n, or nil.
func (n *IncidentNote) Validate() error {
	var p Problems
	p.Text("text", n.Text, 0, maxText)
	return p.Err()
}

// ValidateComment reports what is wrong with n as a comment, or nil. Space
// around the text goes.
func (n *IncidentNote) ValidateComment() error {
	var p Problems
	n.Text = strings.TrimSpace(n.Text)
	p.Text("text", n.Text, 1, MaxComment)
	return p.Err()
}

// IncidentKey is how an incident is named outside: the same in everything
// that is notified of it.
func IncidentKey(alert, incident int64) string {
	return fmt.Sprintf("tidemark-%d-%d", alert, incident)
}

// ResourceID is the last segment of the incident's URL.
func (i *Incident) ResourceID() string { return strconv.FormatInt(i.ID, 10) }

// WatchedAlert is an alert with its memory, as the evaluator needs it.
type WatchedAlert struct {
	Org      OrgID
	Alert    *Alert
	State    AlertState
	Incident *Incident // the open one, or nil
	Snoozes  []Snooze
	// Windows have to do with it and are not over; those that suspend it stay
	// for SuspendedBack.
	Windows []*Maintenance
	// Unreadable is why not all of it can be read; "" if all can.
	Unreadable string
}

// AlertTrouble is why an alert cannot be evaluated, or what happens to it not
// be saved. It is tried again; until then the alert stays as it was, and nobody
// is notified.
type AlertTrouble struct {
	Since  int64  `json:"since"`
	Reason string `json:"reason"`
}

// StateChange is what an evaluation leaves behind: all of it is saved, or
// nothing.
type StateChange struct {
	Org        OrgID
	Alert      *Alert
	State      AlertState // Revision is that of the state it replaces
	Transition AlertTransition
	Now        int64
	By         string // who did it, if somebody did
	// Violating is all that violates, of which State keeps the worst.
	Violating []Violation

	// Incident is the open incident as it is now; saving a transition to Triggered
	// gives it its id and key. It is nil where there is none.
	Incident *Incident
	// Notice is the notification, if there is one.
	Notice *Notice
	// Escalations are the notifications of further steps.
	Escalations []Escalation
	// Notes are added to those of the incident.
	Notes []IncidentNote
	// Delivered records the notice as already delivered (imported history).
	// If nil, deliveries are queued.
	Delivered *Attempt
	// Saved says that it was saved; what is not was overtaken by another
	// writer, or its alert is gone.
	Saved bool
}

// Snooze is a time in which nobody is notified of an alert, though it is evaluated
// and its incidents are kept: a nap that starts now, or a window for
// maintenance that starts later.
type Snooze struct {
	ID       int64  `json:"id"`
	StartsAt int64  `json:"starts_at"`
	EndsAt   *int64 `json:"until"` // null is until somebody resumes
	By       string `json:"by"`
	Note     string `json:"note"`
}

const maxSnooze = 366 * 24 * 3600

// MaxSnoozes is how many snoozes an alert has at most.
const MaxSnoozes = 50

// Covers reports whether s is on at now.
func (s *Snooze) Covers(now int64) bool {
	return s.StartsAt <= now && (s.EndsAt == nil || now < *s.EndsAt)
}

// Validate reports what is wrong with s, or nil.
func (s *Snooze) Validate() error {
	var p Problems
	p.Check(s.StartsAt >= 0 && s.StartsAt < maxTime, "start", "is not a time in seconds since 1970")
	if s.EndsAt != nil {
		p.Check(*s.EndsAt > s.StartsAt, "until", "is not after the start")
		p.Check(*s.EndsAt-s.StartsAt <= maxSnooze, "until", "is more than a year after the start")
	}
	p.Text("note", s.Note, 0, maxTitle)
	p.Text("by", s.By, 0, maxTitle)
	return p.Err()
}

// IsSnoozed reports whether one of snoozes is on at now.
func IsSnoozed(snoozes []Snooze, now int64) bool {
	for i := range snoozes {
		if snoozes[i].Covers(now) {
			return true
		}
	}
	return false
}

// SnoozeAt returns the snooze that is on at now, nil if none is. Snoozes, which
// are in order of their starts, are one where no time is between them: that
// which ends last, from the start of the first.
func SnoozeAt(snoozes []Snooze, now int64) *Snooze {
	var on *Snooze
	for _, s := range snoozes {
		switch {
		case on == nil || on.EndsAt != nil && *on.EndsAt < s.StartsAt:
			if on != nil && on.Covers(now) {
				return on
			}
			on = &s
		case on.EndsAt != nil && (s.EndsAt == nil || *s.EndsAt > *on.EndsAt):
			s.StartsAt = on.StartsAt
			on = &s
		}
	}
	if on == nil || !on.Covers(now) {
		return nil
	}
	return on
}
