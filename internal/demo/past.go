package demo

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
)

// Past is what a demo asks of the store itself, since no client can: to
// remember what happened before anybody was there to judge it.
type Past interface {
	WatchedAlert(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.WatchedAlert, error)
	Alert(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Alert, error)
	SaveStates(ctx context.Context, changes []*tidemark.StateChange) error
	AlertDeliveries(ctx context.Context, org tidemark.OrgID, alert int64, p tidemark.Page) ([]*tidemark.Delivery, tidemark.Counts, error)
	Finish(ctx context.Context, o *tidemark.Outcome) error
	SaveLayout(ctx context.Context, org tidemark.OrgID, space int64, v *tidemark.Layout) error
	AlertUnits(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert) (map[string]string, error)
	SetPins(ctx context.Context, org tidemark.OrgID, user int64, spaces []int64) error
	AgeToken(ctx context.Context, org tidemark.OrgID, id, createdAt int64) error
	AddSenders(ctx context.Context, senders []*tidemark.Sender) error
	AddTokenUses(ctx context.Context, uses []*tidemark.TokenUse) error
	TouchTokens(ctx context.Context, lastUsed map[int64]int64) error
}

// longLived is how long an incident lasts, in seconds, that somebody ends by
// hand.
const longLived = 4000

// remember saves the incidents that an alert would have had, as the evaluator
// would have done, and what services were told of them; tell attaches those to
// the alert where it has none yet. Peaks are those of the streams of each
// incident.
func (d *demo) remember(ctx context.Context, id int64, tell func() error, would *tidemark.Backtest, peaks []map[string]float64) error {
	a, err := d.Past.Alert(ctx, d.Org, id)
	if err != nil {
		return err
	}
	units, err := d.Past.AlertUnits(ctx, d.Org, a)
	if err != nil {
		return err
	}
	judged := tidemark.Fingerprint(a.Conditions)
	m := &memory{org: d.Org, alert: a, units: units, state: tidemark.AlertState{Conditions: judged, ChangedAt: would.Start}}
	if d.Judged {
		m.state.Conditions = "" // nobody looks at an alert that is off and was never judged
	}
	for i := range would.Incidents {
		m.peaks = peaks[i]
		if d.Judged && would.Incidents[i].ClearedAt == nil {
			m.state.Conditions = judged // what goes on now is for others to end
			if err := tell(); err != nil {
				return err
			}
		}
		if err := m.live(ctx, d.Past, &would.Incidents[i]); err != nil {
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

// live saves the beginning of an incident, and its end if it has one.
func (m *memory) live(ctx context.Context, past Past, b *tidemark.BacktestIncident) error {
	in := &tidemark.Incident{Alert: m.alert.ID, TriggeredAt: b.TriggeredAt, Peak: b.Peak, Violations: m.violations(b)}
	m.state.Firing, m.state.TriggeredAt, m.state.ToldAt, m.state.Violations = true, b.TriggeredAt, b.TriggeredAt, in.Violations
	began := m.change(in, tidemark.AlertEvent{Kind: tidemark.Triggered, Tell: true}, b.TriggeredAt, tidemark.NoticeTrigger)
	if err := m.save(ctx, past, began); err != nil || b.ClearedAt == nil {
		return err
	}
	if err := m.deliver(ctx, past, b.TriggeredAt); err != nil {
		return err
	}
	reason := tidemark.ClearNormal
	if *b.ClearedAt-b.TriggeredAt > longLived {
		reason = tidemark.ClearManual
	}
	var event tidemark.AlertEvent
	m.state, event = m.state.Clear(reason, *b.ClearedAt)
	m.state.ResolvedAt = 0 // what violates now has done so for itself
	ended := *began.Incident
	ended.ClearedAt, ended.Clear = b.ClearedAt, &reason
	if err := m.save(ctx, past, m.change(&ended, event, *b.ClearedAt, tidemark.NoticeClear)); err != nil {
		return err
	}
	return m.deliver(ctx, past, *b.ClearedAt)
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

func (m *memory) change(in *tidemark.Incident, event tidemark.AlertEvent, at int64, kind string) *tidemark.StateChange {
	n := tidemark.NewNotice(m.org, m.alert, m.units)
	n.Kind, n.Time, n.TriggeredAt, n.Violations = kind, at, in.TriggeredAt, in.Violations
	if kind == tidemark.NoticeClear {
		n.Clear = *in.Clear
	}
	return &tidemark.StateChange{Org: m.org, Alert: m.alert, State: m.state, Event: event, Now: at, Incident: in, Notice: n}
}

func (m *memory) save(ctx context.Context, past Past, c *tidemark.StateChange) error {
	if err := past.SaveStates(ctx, []*tidemark.StateChange{c}); err != nil {
		return err
	}
	if !c.Saved {
		return fmt.Errorf("the incident of %d was not saved", c.Now)
	}
	m.state = c.State
	return nil
}

// deliver says of everything that waits that it was delivered at once.
func (m *memory) deliver(ctx context.Context, past Past, at int64) error {
	waiting, _, err := past.AlertDeliveries(ctx, m.org, m.alert.ID, tidemark.Page{Length: 100})
	if err != nil {
		return err
	}
	for _, w := range waiting {
		if w.Status != tidemark.DeliveryWaiting {
			continue
		}
		took := 60 + (w.ID*37)%140
		err := past.Finish(ctx, &tidemark.Outcome{
			Delivery: w.ID, Status: tidemark.DeliveryDelivered, Attempt: tidemark.Attempt{At: at + 1, Duration: took, OK: true, Answer: "200 OK"},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
