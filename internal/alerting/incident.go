package alerting

import (
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// incidentLog gathers what takes part in the open incident: each stream with
// its worst value.
type incidentLog struct {
	saved *tidemark.Incident
}

// keep starts from an incident that is saved, or from none.
func (l *incidentLog) keep(saved *tidemark.Incident) { l.saved = saved }

// with returns the incident as it is after a change, or nil if the change is
// about none.
func (l *incidentLog) with(w *watch, c *tidemark.StateChange) *tidemark.Incident {
	var next tidemark.Incident
	switch {
	case c.Transition.Kind == tidemark.Triggered:
		next = tidemark.Incident{Alert: w.Alert.ID, TriggeredAt: c.Now, Violations: []tidemark.Violation{}}
	case l.saved != nil:
		next = *l.saved
		next.Violations = slices.Clone(next.Violations)
	default:
		return nil
	}
	for i := range c.State.Violations {
		w.merge(&next, &c.State.Violations[i])
	}
	if c.Transition.Kind == tidemark.Cleared {
		at, reason := c.Now, c.Transition.Reason
		next.ClearedAt, next.Clear = &at, &reason
	}
	return &next
}

// isWorse reports whether a value went beyond what was saved.
func (l *incidentLog) isWorse(w *watch, now []tidemark.Violation) bool {
	if l.saved == nil {
		return false
	}
	return slices.ContainsFunc(now, func(v tidemark.Violation) bool {
		i, r := indexOf(l.saved.Violations, &v), w.ruleOf(v.Condition)
		return i < 0 || r != nil && r.worse(v.Value, l.saved.Violations[i].Value)
	})
}

func indexOf(all []tidemark.Violation, v *tidemark.Violation) int {
	return slices.IndexFunc(all, func(o tidemark.Violation) bool { return o.Condition == v.Condition && o.Stream == v.Stream })
}

// merge adds v to what is known of an incident.
func (w *watch) merge(in *tidemark.Incident, v *tidemark.Violation) {
	r := w.ruleOf(v.Condition)
	if r == nil {
		return
	}
	if r == w.peakRule() && (in.Peak == nil || r.worse(v.Value, *in.Peak)) {
		peak := v.Value
		in.Peak = &peak
	}
	switch i := indexOf(in.Violations, v); {
	case i < 0 && len(in.Violations) < tidemark.MaxViolations:
		in.Violations = append(in.Violations, *v)
	case i >= 0 && r.worse(v.Value, in.Violations[i].Value):
		since := in.Violations[i].Since
		in.Violations[i] = *v
		in.Violations[i].Since = since
	}
}

// peakRule is the rule whose values make an incident's peak: the first that
// looks at values, since those of several have nothing in common.
func (w *watch) peakRule() *rule {
	for _, c := range w.conditions {
		if c.kind != tidemark.Absent {
			return &c.rule
		}
	}
	return nil
}

// ruleOf returns the rule of the condition with that id, or nil.
func (w *watch) ruleOf(id int64) *rule {
	for _, c := range w.conditions {
		if c.id == id {
			return &c.rule
		}
	}
	return nil
}
