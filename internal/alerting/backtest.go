package alerting

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// maxBacktest is the longest stretch that is tried out.
const maxBacktest = 366 * 24 * 3600

// Backtest tries an alert out on what is stored of [start, end): the same
// evaluating as of alerts that run, as if every measurement had come at its
// time. The alert need not be saved, nor valid in more than its conditions.
func (r *Reader) Backtest(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end, now int64) (*tidemark.Backtest, error) {
	if end > now {
		end = now + 1
	}
	switch {
	case start >= end:
		return nil, tidemark.InvalidField("start", "is not before the end")
	case end-start > maxBacktest:
		return nil, tidemark.InvalidField("start", "is more than a year before the end")
	}
	t := &backtest{reader: r, org: org, alert: a, start: start, end: end, now: now}
	if err := t.suspend(ctx); err != nil {
		return nil, err
	}
	if err := t.read(ctx); err != nil {
		return nil, err
	}
	words, err := r.Spellings.Of(ctx, org)
	if err != nil {
		return nil, err
	}
	b, err := t.evaluate(ctx)
	if err != nil {
		return nil, err
	}
	words.Backtest(b)
	return b, nil
}

// backtest is a backtest under way.
type backtest struct {
	reader     *Reader
	org        tidemark.OrgID
	alert      *tidemark.Alert
	start, end int64
	now        int64
	conditions []*backtestCondition
	suspended  intervals // when maintenance kept it from being evaluated
}

// backtestCondition is a condition with all that it looks at.
type backtestCondition struct {
	rule     rule
	source   source
	streams  []*streamHistory
	coarse   int64   // before when summaries are evaluated, 0 if none are
	summary  int64   // what the finest of them span
	verdicts verdict // by the rule itself
}

// streamHistory is what is stored of one stream.
type streamHistory struct {
	stream string
	times  []int64
	values []float64

	// Of the readings since the start; mixed says that those before it go
	// beyond.
	highest, lowest float64
	mixed           bool
}

// verdict is when the streams of a condition violate it.
type verdict struct {
	streams         []intervals // one a stream
	any             intervals
	highest, lowest float64
}

// evaluate runs the backtest.
func (t *backtest) evaluate(ctx context.Context) (*tidemark.Backtest, error) {
	b := &tidemark.Backtest{
		Start: t.start, End: t.end, Incidents: []tidemark.BacktestIncident{}, Conditions: []tidemark.BacktestCondition{},
		Thresholds: []tidemark.BacktestThreshold{},
	}
	for _, c := range t.conditions {
		c.verdicts = c.evaluate(c.rule, t.start, t.end)
		if c.coarse > b.SummariesUntil {
			b.SummariesUntil, b.SummarySeconds = c.coarse, c.summary
		}
	}
	t.fires(b)
	if err := t.describe(ctx, b); err != nil {
		return nil, err
	}
	if c := t.first(); c != nil {
		if c.verdicts.lowest <= c.verdicts.highest {
			b.Highest, b.Lowest = &c.verdicts.highest, &c.verdicts.lowest
		}
		b.Thresholds = t.otherThresholds(c)
		err := t.bands(ctx, c, b.Incidents)
		if err != nil {
			return nil, err
		}
		if b.Fixed, err = t.fixedThreshold(ctx, c); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// first returns the first condition with a threshold, or nil.
func (t *backtest) first() *backtestCondition {
	i := slices.IndexFunc(t.conditions, func(c *backtestCondition) bool { return c.rule.kind != tidemark.Absent })
	if i < 0 {
		return nil
	}
	return t.conditions[i]
}

// met returns when all conditions hold, with another verdict in place of that
// of one of them.
func (t *backtest) met(instead *backtestCondition, v *verdict) intervals {
	if len(t.conditions) == 0 {
		return nil
	}
	all := intervals{{t.start, t.end}}
	for _, c := range t.conditions {
		if c == instead {
			all = intersection(all, v.any)
			continue
		}
		all = intersection(all, c.verdicts.any)
	}
	return all.hold(t.suspended).clip(t.start, t.end)
}

// suspend finds out when maintenance would have kept the alert from being
// evaluated.
func (t *backtest) suspend(ctx context.Context) error {
	var err error
	t.suspended, err = t.reader.suspended(ctx, t.org, t.alert, t.start-tidemark.SuspendedBack, t.end)
	return err
}

// fires lets the alert live through the stretch.
func (t *backtest) fires(b *tidemark.Backtest) {
	met := t.met(nil, nil)
	b.Total, b.Longest = met.total()
	b.IsAlways = b.Total == t.end-t.start
	life := &backtestLife{rearm: t.alert.RearmSeconds, state: tidemark.AlertState{Conditions: backtestConditions}}
	for _, i := range met {
		if life.step(i[0], true) != tidemark.Triggered {
			continue
		}
		b.Notifications += t.remindersOf(i, int64(max(t.alert.RearmSeconds, tidemark.MinRearm)))
		in := tidemark.BacktestIncident{TriggeredAt: i[0]}
		if end := i[1]; end < t.end {
			in.ClearedAt = &end
			life.step(end, false)
		}
		b.Incidents = append(b.Incidents, in)
	}
	b.Fired = len(b.Incidents)
	b.Notifications += life.notified
	b.Incidents = b.Incidents[max(0, len(b.Incidents)-tidemark.MaxBacktestIncidents):]
	for i := range b.Incidents {
		t.fill(&b.Incidents[i])
	}
}

// backtestConditions stands for the fingerprint of the conditions.
const backtestConditions = "backtest"

// backtestLife is the alert's state as time passes, and how often services
// were notified.
type backtestLife struct {
	state    tidemark.AlertState
	rearm    tidemark.Seconds
	notified int
}

func (l *backtestLife) step(now int64, met bool) tidemark.AlertTransitionKind {
	e := tidemark.Evaluation{Now: now, Active: true, Conditions: backtestConditions, Met: met, Rearm: l.rearm}
	if met {
		e.Violations = []tidemark.Violation{{SeenAt: now}}
	}
	next, transition := l.state.Next(e)
	l.state = next
	if transition.Notify {
		l.notified++
	}
	return transition.Kind
}

// remindersOf counts how often services are notified of an incident after its
// trigger: in none of the times in which it is not evaluated, and at the end of
// each.
func (t *backtest) remindersOf(incident tidemark.Interval, rearm int64) int {
	n := -1 // the trigger is counted already
	for _, part := range t.suspended.without(incident) {
		n += 1 + t.reminders(part, rearm)
	}
	return n
}

// reminders counts how often services are notified of an incident after its trigger.
func (t *backtest) reminders(incident tidemark.Interval, rearm int64) int {
	if !t.alert.RearmPerSignal {
		return int((incident[1] - incident[0] - 1) / rearm) // each a rearm time after the last
	}
	byStream := make(map[string][]intervals)
	for _, c := range t.conditions {
		for i, v := range c.verdicts.streams {
			if part := v.clip(incident[0], incident[1]); len(part) > 0 {
				byStream[c.streams[i].stream] = append(byStream[c.streams[i].stream], part)
			}
		}
	}
	notified := map[int64]struct{}{incident[0]: {}} // streams that are due at once share a notification
	for _, parts := range byStream {
		next := int64(0)
		for _, i := range union(parts) {
			for next = max(next, i[0]); next < i[1]; next += rearm {
				notified[next] = struct{}{}
			}
		}
	}
	return len(notified) - 1
}
