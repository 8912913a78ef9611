package alerting

import (
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// watch is an alert that is evaluated.
type watch struct {
	tidemark.WatchedAlert
	fingerprint string
	conditions  []*condition
	dirty       bool  // something happened since it was last looked at
	due         int64 // when to look again though nothing happens
	savedAt     int64 // when its state was last saved
	expireAt    int64 // when to look for streams to forget
	forgot      bool  // some were forgotten
	joins       int64 // until when saves for streams that join are spent
	incident    incidentLog
	trouble     trouble   // with saving it
	seeding     *seeding  // while its past is being read
	suspended   intervals // when maintenance keeps it from being evaluated
	waited      bool      // with a notification, for alerts to be loaded again
}

const (
	quietLook   = 10 * minute // how often an alert is looked at where nothing happens
	firingLook  = minute
	expireEvery = 10 * minute
	saveEvery   = minute // how often the violations of an incident are saved while it lasts

	// Streams that join an incident are saved at once: joinBurst times, and once
	// every joinEvery seconds from then on, however many they are.
	joinEvery = 12
	joinBurst = 5
)

// isCatchingUp reports whether a condition has not evaluated all steps again
// that were over when the past was read: the alert would go back in time.
func (w *watch) isCatchingUp() bool {
	return slices.ContainsFunc(w.conditions, func(c *condition) bool { return c.poll != nil && c.poll.from < c.poll.known })
}

// evaluate looks at w and returns what to save, or nil.
func (w *watch) evaluate(now int64) *tidemark.StateChange {
	if w.isSeeding() || w.isCatchingUp() {
		return nil // it stays dirty
	}
	w.dirty = false
	w.advance(now)
	e := tidemark.Evaluation{
		Now: now, Active: w.Alert.Active, Conditions: w.fingerprint, WrittenAt: w.Alert.UpdatedAt,
		Snoozed: tidemark.IsSnoozed(w.Snoozes, now), Rearm: w.Alert.RearmSeconds, PerSignal: w.Alert.RearmPerSignal,
	}
	e.Met, e.Expired = w.isMet()
	if e.Met {
		e.Violations = w.violations(now)
		e.Kept, e.Omitted = w.keep(e.Violations)
	}
	if w.suspended.has(now) {
		e.Suspended, e.Violations = true, w.State.Violations
		e.Kept, e.Omitted = w.State.Violations, w.State.Omitted
	}
	maintenance := w.addWork(&e)
	next, transition := w.State.Next(e)
	change := &tidemark.StateChange{Org: w.Org, Alert: w.Alert, State: next, Transition: transition, Now: now, Violating: e.Violations}
	w.noteMaintenance(change, maintenance)
	w.plan(now)
	if !w.isWorthSaving(change) {
		if w.hasJoined(change) {
			w.due = min(w.due, w.nextJoin(now))
		}
		// Whom to notify again is decided alike, whether or not something else
		// was worth saving meanwhile.
		next.Violations = w.State.Violations
		w.State = next
		return nil
	}
	change.Incident = w.incident.with(w, change)
	return change
}

// waitsWith reports whether a change that notifies waits for the next round,
// which loads what is outdated. It waits once: whoever changes alerts all the
// time would never be notified.
func (w *watch) waitsWith(c *tidemark.StateChange, outdated func() bool) bool {
	w.waited = c != nil && c.Transition.Notify && !w.waited && outdated()
	w.dirty = w.dirty || w.waited
	return w.waited
}

// advance lets time advance.
func (w *watch) advance(now int64) {
	if now >= w.expireAt {
		w.expireAt = now + expireEvery
		for _, c := range w.conditions {
			c.expire(now)
		}
	}
	for _, c := range w.conditions {
		c.advance(now)
	}
	w.dirty = false
}

// isMet reports whether every condition is violated by a stream, and if not,
// whether that is for want of measurements alone.
func (w *watch) isMet() (met, silenced bool) {
	met = len(w.conditions) > 0
	for _, c := range w.conditions {
		if len(c.bad) == 0 {
			met = false
			silenced = silenced || c.silenced
		}
	}
	return met, silenced
}

// violations lists all that violates now.
func (w *watch) violations(now int64) []tidemark.Violation {
	var all []tidemark.Violation
	for _, c := range w.conditions {
		all = append(all, c.violations(now)...)
	}
	return all
}

// isWorthSaving reports whether a change must outlive this process.
func (w *watch) isWorthSaving(c *tidemark.StateChange) bool {
	switch {
	case !c.Transition.IsNothing(), c.State.Conditions != w.State.Conditions:
		return true
	case c.State.Firing && w.wouldForgetSilence():
		return true
	case !c.State.Firing:
		return false
	case w.nextJoin(c.Now) <= c.Now && w.hasJoined(c):
		return true
	case c.Now-w.savedAt < saveEvery:
		return false
	}
	return !sameStreams(c.State.Violations, w.State.Violations) || w.incident.isWorse(w, c.State.Violations)
}

// hasJoined reports whether a stream violates in the open incident that did not
// when it was last saved.
func (w *watch) hasJoined(c *tidemark.StateChange) bool {
	if !w.State.Firing || !c.State.Firing || sameStreams(c.State.Violations, w.State.Violations) {
		return false
	}
	type key struct {
		condition int64
		stream    string
	}
	known := make(map[key]bool, len(w.State.Violations))
	for i := range w.State.Violations {
		known[key{w.State.Violations[i].Condition, w.State.Violations[i].Stream}] = true
	}
	return slices.ContainsFunc(c.State.Violations, func(v tidemark.Violation) bool { return !known[key{v.Condition, v.Stream}] })
}

// nextJoin is from when on a stream that joins may be saved at once.
func (w *watch) nextJoin(now int64) int64 { return w.spentJoins(now) + joinEvery }

// spentJoins is until when such saves are spent: each takes joinEvery of the
// time since joinBurst of them before now.
func (w *watch) spentJoins(now int64) int64 {
	if w.joins > now+joinEvery {
		return now - joinBurst*joinEvery // the clock was set back
	}
	return max(w.joins, now-joinBurst*joinEvery)
}

// wouldForgetSilence reports whether a process that started now would take a
// condition about absence for fulfilled: none of the streams that were saved
// as silent still is. What violates a threshold is in the measurements.
func (w *watch) wouldForgetSilence() bool {
	return slices.ContainsFunc(w.conditions, func(c *condition) bool {
		return c.kind == tidemark.Absent && len(c.bad) > 0 && !slices.ContainsFunc(w.State.Violations, func(v tidemark.Violation) bool {
			s := c.signals[v.Stream]
			return v.Condition == c.id && s != nil && s.violating
		})
	})
}

func sameStreams(a, b []tidemark.Violation) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Stream != b[i].Stream || a[i].Condition != b[i].Condition {
			return false
		}
	}
	return true
}

// saved takes over a change that was saved.
func (w *watch) saved(c *tidemark.StateChange) {
	w.dirty = w.dirty || c.State.Conditions != w.State.Conditions // what was found before then waits
	if w.hasJoined(c) {
		w.joins = min(w.spentJoins(c.Now), c.Now) + joinEvery
	}
	w.State = c.State
	w.savedAt = c.Now
	w.Incident = nil
	if c.State.Firing {
		w.Incident = c.Incident
	}
	w.incident.keep(w.Incident)
	w.plan(c.Now)
}

// plan decides when to look again though nothing happens.
func (w *watch) plan(now int64) {
	look := now + quietLook
	if w.State.Firing {
		look = now + firingLook
	}
	sooner := func(t int64) {
		if t > now && t < look {
			look = t
		}
	}
	rearm := int64(max(w.Alert.RearmSeconds, tidemark.MinRearm))
	if w.State.Firing && w.State.LastNotifiedAt != 0 {
		sooner(w.State.LastNotifiedAt + rearm)
	}
	for _, notified := range w.State.LastNotified {
		sooner(notified + rearm)
	}
	for _, c := range w.conditions {
		if c.due != 0 {
			sooner(max(c.due, now+1))
		}
	}
	for i := range w.Snoozes {
		if w.Snoozes[i].EndsAt != nil {
			sooner(*w.Snoozes[i].EndsAt)
		}
	}
	w.planWork(now, sooner)
	w.due = look
}
