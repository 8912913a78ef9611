package alerting

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// addNotice adds what services are told of a change, if they are.
func (e *Evaluator) addNotice(ctx context.Context, w *watch, c *tidemark.StateChange) {
	if !c.Event.Tell {
		return
	}
	n := tidemark.NewNotice(c.Org, w.Alert, e.Reader.Units(ctx, c.Org, w.Alert))
	n.Time = c.Now
	n.TriggeredAt = c.Now
	if c.Incident != nil {
		n.TriggeredAt = c.Incident.TriggeredAt
		n.IncidentKey = c.Incident.Key
	}
	switch c.Event.Kind {
	case tidemark.Triggered:
		n.Kind = tidemark.NoticeTrigger
	case tidemark.Reminded:
		n.Kind = tidemark.NoticeReminder
	case tidemark.Cleared:
		n.Kind, n.Clear = tidemark.NoticeClear, c.Event.Reason
	}
	violations := c.State.Violations
	if c.Event.Kind == tidemark.Cleared {
		violations = w.State.Violations
	}
	for _, v := range violations {
		if c.Event.Signals == nil || slices.Contains(c.Event.Signals, v.Stream) {
			n.Violations = append(n.Violations, v)
		}
	}
	c.Notice = n
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
