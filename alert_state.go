package tidemark

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
)

// MinRearm is the shortest time between two notifications of one incident,
// whatever the alert asks for: the alerts' clock is not finer.
const MinRearm Seconds = 60

// AlertState is what is remembered of an alert between two evaluations. Times
// are seconds since 1970; 0 is never.
type AlertState struct {
	Firing      bool
	TriggeredAt int64 // when the open incident began
	ClearedAt   int64 // when the last one ended
	Incident    int64 // the open incident's id

	// LastNotifiedAt is when services were last notified of the open incident; with rearm
	// per signal, LastNotified says it for each stream.
	LastNotifiedAt int64
	LastNotified   map[string]int64

	// AcknowledgedAt is when somebody took the open incident on: from then on
	// nobody is reminded of it. 0 if nobody has.
	AcknowledgedAt int64
	AcknowledgedBy string

	// NotifiedAt is when services were first notified of the open incident: from
	// then on the steps of its escalation count. Escalated is how many of them
	// were taken.
	NotifiedAt int64
	Escalated  int

	// Window is the maintenance window that keeps the open incident from
	// being notified of, 0 if none does.
	Window int64

	// Conditions is the fingerprint of the conditions that are evaluated, ""
	// while none are. ChangedAt is since when: measurements that came before
	// do not count. ResolvedAt is when an incident was last ended by hand or
	// by the passing of time: what violated until then must do so again.
	Conditions string
	ChangedAt  int64
	ResolvedAt int64

	// Violations are those of the open incident when it was last saved, the
	// worst MaxViolations of them. Omitted is how many more streams violate; it
	// is not stored, the next evaluation finds it again.
	Violations []Violation
	Omitted    int

	// Revision counts the saved states, so that of two writers one notices.
	Revision int64
}

// Evaluation is what one look at an alert finds.
type Evaluation struct {
	Now        int64
	Active     bool
	Conditions string      // Fingerprint of the alert's conditions
	WrittenAt  int64       // when the alert was last written
	Met        bool        // every condition has a stream that violates it
	Expired    bool        // not met, for want of measurements alone
	Violations []Violation // if met: all, which decide
	Kept       []Violation // of these, what is kept
	Omitted    int         // how many streams are not
	Snoozed    bool
	Rearm      Seconds
	PerSignal  bool

	// Escalation is after how long each step is taken, earliest first.
	Escalation []Seconds
	// Window is the maintenance window that covers all that violates, or 0.
	// Windows are all that are on and have to do with the alert, and Muted the
	// violating streams that one of them covers.
	Window  int64
	Windows []int64
	Muted   map[string]bool
	// Suspended says that Window keeps the alert from being evaluated.
	Suspended bool
}

// AlertTransitionKind is how an alert changes.
type AlertTransitionKind uint8

const (
	Nothing   AlertTransitionKind = iota
	Triggered                     // an incident begins
	Reminded                      // it goes on, and it is time to say so
	Cleared                       // it ends
)

// Why an incident ended.
const (
	ClearNormal   = "normal"   // the measurements are as they should be
	ClearManual   = "manual"   // somebody resolved it
	ClearAuto     = "auto"     // no measurements came for AutoClear
	ClearEdited   = "edited"   // the conditions changed
	ClearInactive = "inactive" // the alert was switched off
	ClearDeleted  = "deleted"  // the alert was deleted
)

// AutoClear is how long a violation lasts without any measurement of its
// stream.
const AutoClear Seconds = 10 * 24 * 3600

// AlertTransition is what an evaluation makes known.
type AlertTransition struct {
	Kind   AlertTransitionKind
	Reason string // of Cleared
	Notify bool   // services are notified
	// Signals are the streams to tell of, with rearm per signal; nil is all.
	Signals []string
	// Steps are those of the escalation that are taken now, counted from 0.
	Steps []int
	// Resumed says that a maintenance window ended, and that services are notified now
	// though they may have been shortly before.
	Resumed bool
	// Window says that a maintenance window began or ended to keep the
	// incident from being notified of.
	Window bool
}

// IsNothing reports whether there is nothing to make known or to keep.
func (e *AlertTransition) IsNothing() bool {
	return e.Kind == Nothing && len(e.Steps) == 0 && !e.Window
}

// Next returns the state after an evaluation and what to make known.
//
// Next is the whole life of an alert: it reads no clock and keeps nothing.
func (s AlertState) Next(e Evaluation) (AlertState, AlertTransition) {
	s = s.notAfter(e.Now)
	switch {
	case !e.Active:
		next, transition := s.Clear(ClearInactive, e.Now)
		next.Conditions = ""
		return next, transition
	case e.Conditions != s.Conditions:
		next, transition := s.Clear(ClearEdited, e.Now)
		next.Conditions, next.ChangedAt, next.ResolvedAt = e.Conditions, e.WrittenAt, 0
		return next, transition
	case e.Suspended:
		return s, s.suspend(e)
	case e.Met && !s.Firing:
		s.Firing, s.TriggeredAt = true, e.Now
		s.Violations, s.Omitted = e.Kept, e.Omitted
		transition := s.inform(e)
		transition.Kind = Triggered
		return s, transition
	case e.Met:
		s.Violations, s.Omitted = e.Kept, e.Omitted
		transition := s.inform(e)
		if transition.Notify {
			transition.Kind = Reminded
		}
		return s, transition
	case s.Firing && e.Expired:
		return s.Clear(ClearAuto, e.Now)
	case s.Firing:
		return s.Clear(ClearNormal, e.Now)
	}
	return s, AlertTransition{}
}

// notAfter returns s with no time after now. There is one only if the clock
// was ahead, and waiting for it to come would keep services from being
// notified.
func (s AlertState) notAfter(now int64) AlertState {
	for _, t := range []*int64{&s.TriggeredAt, &s.ClearedAt, &s.LastNotifiedAt, &s.ChangedAt, &s.ResolvedAt, &s.NotifiedAt} {
		*t = min(*t, now)
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(s.LastNotified)), func(at int64) bool { return at > now }) {
		return s
	}
	s.LastNotified = maps.Clone(s.LastNotified)
	for signal, at := range s.LastNotified {
		s.LastNotified[signal] = min(at, now)
	}
	return s
}

// Clear ends the open incident, if there is one. Services hear of the end of
// what they were notified of, even while the alert is snoozed: it closes what is
// open elsewhere, and disturbs nobody.
func (s AlertState) Clear(reason string, now int64) (AlertState, AlertTransition) {
	if !s.Firing {
		return s, AlertTransition{}
	}
	notified := s.LastNotifiedAt != 0
	s = s.end(now)
	if reason != ClearNormal {
		s.ResolvedAt = now
	}
	return s, AlertTransition{Kind: Cleared, Reason: reason, Notify: notified}
}

// end returns s without an open incident.
func (s AlertState) end(now int64) AlertState {
	if s.Firing {
		s.ClearedAt = now
	}
	s.Firing, s.TriggeredAt, s.LastNotifiedAt, s.LastNotified, s.Violations, s.Omitted, s.AcknowledgedAt = false, 0, 0, nil, nil, 0, 0
	s.AcknowledgedBy, s.NotifiedAt, s.Escalated, s.Window = "", 0, 0, 0
	return s
}

// inform decides who hears of e now: the alert's services, those of the steps
// of its escalation, or nobody because of maintenance.
func (s *AlertState) inform(e Evaluation) AlertTransition {
	resumed := s.Window != 0 && !slices.Contains(e.Windows, s.Window)
	transition := AlertTransition{Window: s.Window != e.Window}
	s.Window = e.Window
	transition.Notify, transition.Signals = s.notify(e, resumed)
	transition.Resumed = transition.Notify && resumed
	if transition.Notify && s.NotifiedAt == 0 {
		s.NotifiedAt = e.Now
	}
	transition.Steps = s.escalate(e)
	return transition
}

// suspend keeps s as it is: in a window that suspends it an alert neither
// fires nor clears, and nobody is notified.
func (s *AlertState) suspend(e Evaluation) AlertTransition {
	if !s.Firing {
		return AlertTransition{}
	}
	transition := AlertTransition{Window: s.Window != e.Window}
	s.Window = e.Window
	return transition
}

// isQuiet reports whether nobody is notified of what goes on.
func (s *AlertState) isQuiet(e Evaluation) bool {
	return e.Snoozed || e.Window != 0 || s.AcknowledgedAt != 0
}

// escalate takes the steps whose time has come: several, if that could not be
// done before.
func (s *AlertState) escalate(e Evaluation) (steps []int) {
	if s.isQuiet(e) || s.NotifiedAt == 0 {
		return nil
	}
	for s.Escalated < len(e.Escalation) && e.Now >= s.NotifiedAt+int64(e.Escalation[s.Escalated]) {
		steps = append(steps, s.Escalated)
		s.Escalated++
	}
	return steps
}

// tell decides whether services hear of e now, and of which streams, and
// remembers that they did. Services are notified of an incident once; then again each time
// that the rearm time is over and something has violated since.
//
// What violates still when a maintenance window ends, which is what resumed
// says, is notified of then, whenever that was done before.
func (s *AlertState) notify(e Evaluation, resumed bool) (bool, []string) {
	if s.isQuiet(e) {
		return false, nil
	}
	if e.PerSignal {
		return s.tellSignals(e, resumed)
	}
	if s.LastNotifiedAt != 0 && !resumed && !(isDue(s.LastNotifiedAt, e) && slices.ContainsFunc(e.Violations, func(v Violation) bool { return v.SeenAt > s.LastNotifiedAt })) {
		return false, nil
	}
	s.LastNotifiedAt = e.Now
	return true, nil
}

func (s *AlertState) tellSignals(e Evaluation, resumed bool) (bool, []string) {
	notified := make(map[string]int64)
	var signals []string
	for _, v := range e.Violations {
		if _, again := notified[v.Stream]; again {
			continue
		}
		at := s.notifiedOf(&v)
		if e.Muted[v.Stream] {
			if at != 0 && len(notified) < MaxNotified {
				notified[v.Stream] = at
			}
			continue
		}
		if at == 0 || resumed || isDue(at, e) && v.SeenAt > at {
			at = e.Now
			signals = append(signals, v.Stream)
		}
		if len(notified) < MaxNotified {
			notified[v.Stream] = at
		}
	}
	s.keepNotified(notified, e)
	s.LastNotified = notified
	if len(signals) == 0 {
		return false, nil
	}
	s.LastNotifiedAt = e.Now
	return true, signals
}

// MaxNotified is how many streams an alert remembers to have notified of: those
// that violate, then those that did before. Of more, services were notified
// when they last were, unless the stream began to violate since.
const MaxNotified = 10 * MaxViolations

// notifiedOf is when services were notified of a stream; 0 if they were not.
func (s *AlertState) notifiedOf(v *Violation) int64 {
	at, known := s.LastNotified[v.Stream]
	if !known && len(s.LastNotified) >= MaxNotified && v.Since <= s.LastNotifiedAt {
		return s.LastNotifiedAt
	}
	return at
}

// keepNotified adds the streams that do not violate now: one that comes
// back within the rearm time stays notified of. Where there are too many, the latest
// are kept; the others are notified of again should they come back.
func (s *AlertState) keepNotified(notified map[string]int64, e Evaluation) {
	var gone []string
	for signal, at := range s.LastNotified {
		if _, there := notified[signal]; !there && !isDue(at, e) {
			gone = append(gone, signal)
		}
	}
	if room := MaxNotified - len(notified); len(gone) > room {
		slices.SortFunc(gone, func(a, b string) int {
			return cmp.Or(cmp.Compare(s.LastNotified[b], s.LastNotified[a]), cmp.Compare(a, b))
		})
		gone = gone[:max(room, 0)]
	}
	for _, signal := range gone {
		notified[signal] = s.LastNotified[signal]
	}
}

func isDue(notified int64, e Evaluation) bool { return e.Now-notified >= int64(max(e.Rearm, MinRearm)) }

// Fingerprint tells conditions apart by what they say. The conditions' ids do
// not matter: clients that write an alert back as they read it change nothing.
// Nor do the places that a check left: the silence of the others goes on.
func Fingerprint(conditions []Condition) string {
	plain := slices.Clone(conditions)
	for i := range plain {
		plain[i].ID = 0
		if left, out := leftOut(plain[i].Tags); len(out) > 0 && plain[i].isSilenceOfPlaces() {
			plain[i].Tags = left
		}
	}
	b, err := json.Marshal(plain)
	if err != nil {
		panic("tidemark: conditions cannot be written as JSON: " + err.Error())
	}
	h := fnv.New64a()
	h.Write(b)
	return strconv.FormatUint(h.Sum64(), 16) + "-" + strconv.Itoa(len(plain))
}
