package alerting

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// addNotice adds the notification about a change, if there is one.
func (e *Evaluator) addNotice(ctx context.Context, w *watch, c *tidemark.StateChange) {
	if !c.Transition.Notify && len(c.Transition.Steps) == 0 {
		return
	}
	units := e.Reader.Units(ctx, c.Org, w.Alert)
	for _, step := range c.Transition.Steps {
		c.Escalations = append(c.Escalations, w.escalation(c, units, step))
	}
	if !c.Transition.Notify {
		return
	}
	n := w.newNotice(c, units)
	switch c.Transition.Kind {
	case tidemark.Triggered:
		n.Kind = tidemark.NoticeTrigger
	case tidemark.Reminded:
		n.Kind = tidemark.NoticeReminder
		if w.State.NotifiedAt == 0 { // it began in maintenance or a snooze: nobody knows of it yet
			n.Kind = tidemark.NoticeTrigger
		}
	case tidemark.Cleared:
		n.Kind, n.Clear = tidemark.NoticeClear, c.Transition.Reason
	}
	if c.Transition.Kind == tidemark.Cleared {
		n.Violations, n.Omitted = append(n.Violations, w.State.Violations...), w.State.Omitted
	} else {
		told := ofStreams(c.Violating, c.Transition.Signals)
		w.tell(n, told)
		if c.Transition.Kind == tidemark.Reminded {
			n.Joined = joinedSince(told, w.State.LastNotifiedAt)
		}
	}
	c.Notice = n
}

// tell has n say what violates, as far as there is room for it.
func (w *watch) tell(n *tidemark.Notice, violating []tidemark.Violation) {
	kept, omitted := w.keep(violating)
	n.Violations, n.Omitted = append(n.Violations, kept...), omitted
}

// ofStreams returns the violations of some streams; nil is all.
func ofStreams(all []tidemark.Violation, streams []string) []tidemark.Violation {
	if streams == nil {
		return all
	}
	wanted := make(map[string]bool, len(streams))
	for _, name := range streams {
		wanted[name] = true
	}
	var found []tidemark.Violation
	for i := range all {
		if wanted[all[i].Stream] {
			found = append(found, all[i])
		}
	}
	return found
}

// newNotice returns a notice of what happens to w, without what happened.
func (w *watch) newNotice(c *tidemark.StateChange, units map[string]string) *tidemark.Notice {
	n := tidemark.NewNotice(c.Org, w.Alert, units)
	n.Time, n.TriggeredAt = c.Now, c.Now
	if c.Incident != nil {
		n.TriggeredAt, n.IncidentKey = c.Incident.TriggeredAt, c.Incident.Key
	}
	return n
}

// escalation is the notification of the services of a step, counted from 0.
func (w *watch) escalation(c *tidemark.StateChange, units map[string]string, step int) tidemark.Escalation {
	n := w.newNotice(c, units)
	n.Kind, n.Step = tidemark.NoticeEscalation, step+1
	w.tell(n, c.Violating)
	n.Joined = joinedSince(c.Violating, c.State.NotifiedAt)
	return tidemark.Escalation{Step: step + 1, Services: w.Alert.Escalation[step].Services, Notice: n}
}

// joinedSince counts the streams that began to violate after services were
// notified; 0 if they were not.
func joinedSince(violations []tidemark.Violation, notified int64) int {
	if notified == 0 {
		return 0
	}
	streams := make(map[string]bool)
	for i := range violations {
		if violations[i].Since > notified {
			streams[violations[i].Stream] = true
		}
	}
	return len(streams)
}

// Units returns the units of the metrics that an alert looks at, as
// Alert.Sentence wants them.
func (r *Reader) Units(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert) map[string]string {
	units := make(map[string]string)
	for i := range a.Conditions {
		m, err := r.Metrics.Metric(ctx, org, a.Conditions[i].MetricName)
		if err != nil {
			continue // a sentence without units is better than none
		}
		if unit := m.Unit(); unit != "" {
			units[tidemark.MetricKey(m.Name)] = unit
		}
	}
	return units
}
