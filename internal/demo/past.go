package demo

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// longLived is how long an incident lasts, in seconds, that somebody ends by
// hand.
const longLived = 4000

// remember saves the incidents that an alert would have had, as the evaluator
// would have done, and what services were notified of them. Peaks are those of
// the streams of each incident.
func (d *demo) remember(ctx context.Context, id int64, would *tidemark.Backtest, peaks []map[string]float64) error {
	a, err := d.Store.Alert(ctx, d.Org, id)
	if err != nil {
		return err
	}
	units, err := d.Store.AlertUnits(ctx, d.Org, a)
	if err != nil {
		return err
	}
	evaluated := tidemark.Fingerprint(a.Conditions)
	m := &memory{org: d.Org, alert: a, units: units, state: tidemark.AlertState{Conditions: evaluated, ChangedAt: would.Start}}
	if d.Evaluated {
		m.state.Conditions = "" // an alert that is off was never evaluated
	}
	for i := range would.Incidents {
		m.peaks = peaks[i]
		if d.Evaluated && would.Incidents[i].ClearedAt == nil {
			m.state.Conditions = evaluated // what goes on now is for others to end
		}
		if err := m.live(ctx, d.Store, &would.Incidents[i]); err != nil {
			return err
		}
	}
	return nil
}

// memory is what is made up of one alert's life.
type memory struct {
	org   tidemark.OrgID
	alert *tidemark.Alert
	units map[string]string
	peaks map[string]float64 // of the streams of the incident
	state tidemark.AlertState
}

// live saves the beginning of an incident, and its end if it has one. What is
// over was sent long ago: no notification is queued.
func (m *memory) live(ctx context.Context, st *store.Store, b *tidemark.BacktestIncident) error {
	in := &tidemark.Incident{Alert: m.alert.ID, TriggeredAt: b.TriggeredAt, Peak: b.Peak, Violations: m.violations(b)}
	m.state.Firing, m.state.TriggeredAt, m.state.LastNotifiedAt, m.state.Violations = true, b.TriggeredAt, b.TriggeredAt, in.Violations
	began := m.change(in, tidemark.AlertTransition{Kind: tidemark.Triggered, Notify: true}, b.TriggeredAt, tidemark.NoticeTrigger)
	if b.ClearedAt != nil {
		began.Delivered = m.answer(b.TriggeredAt)
	}
	if err := m.save(ctx, st, began); err != nil || b.ClearedAt == nil {
		return err
	}
	reason := tidemark.ClearNormal
	if *b.ClearedAt-b.TriggeredAt > longLived {
		reason = tidemark.ClearManual
	}
	var transition tidemark.AlertTransition
	m.state, transition = m.state.Clear(reason, *b.ClearedAt)
	m.state.ResolvedAt = 0 // what violates now has done so for itself
	ended := *began.Incident
	ended.ClearedAt, ended.Clear = b.ClearedAt, &reason
	over := m.change(&ended, transition, *b.ClearedAt, tidemark.NoticeClear)
	over.Delivered = m.answer(*b.ClearedAt)
	return m.save(ctx, st, over)
}

// violations are those of an incident: where the worst value of a stream is
// not known, that of the incident stands for it.
func (m *memory) violations(b *tidemark.BacktestIncident) []tidemark.Violation {
	var all []tidemark.Violation
	c := &m.alert.Conditions[0]
	duration := int64(0)
	if c.Duration != nil {
		duration = int64(*c.Duration)
	}
	for _, s := range b.Streams {
		v := tidemark.Violation{
			Stream: s, Metric: c.MetricName, Condition: c.ID, RecordedAt: b.TriggeredAt, Since: b.TriggeredAt - duration, SeenAt: b.TriggeredAt,
		}
		if b.Peak != nil {
			v.Value = *b.Peak
		}
		if peak, ok := m.peaks[s]; ok {
			v.Value = peak
		}
		if c.Type == tidemark.Absent {
			v.Value, v.RecordedAt = 1, b.TriggeredAt-duration
		}
		all = append(all, v)
	}
	return all
}

func (m *memory) change(in *tidemark.Incident, transition tidemark.AlertTransition, at int64, kind string) *tidemark.StateChange {
	n := tidemark.NewNotice(m.org, m.alert, m.units)
	n.Kind, n.Time, n.TriggeredAt, n.Violations = kind, at, in.TriggeredAt, in.Violations
	if kind == tidemark.NoticeClear {
		n.Clear = *in.Clear
	}
	return &tidemark.StateChange{Org: m.org, Alert: m.alert, State: m.state, Transition: transition, Now: at, Incident: in, Notice: n}
}

func (m *memory) save(ctx context.Context, st *store.Store, c *tidemark.StateChange) error {
	if err := st.SaveStates(ctx, []*tidemark.StateChange{c}); err != nil {
		return err
	}
	if !c.Saved {
		return fmt.Errorf("the incident of %d was not saved", c.Now)
	}
	m.state = c.State
	return nil
}

// answer is the outcome of a notification at a time.
func (m *memory) answer(at int64) *tidemark.Attempt {
	return &tidemark.Attempt{At: at + 1, Duration: 60 + (at/60+m.alert.ID*37)%140, OK: true, Answer: "200 OK"}
}
