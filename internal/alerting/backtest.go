package alerting

import (
	"context"
	"math"
	"slices"
	"sync"

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
	if err := t.read(ctx); err != nil {
		return nil, err
	}
	return t.judge(ctx), nil
}

// backtest is a backtest under way.
type backtest struct {
	reader     *Reader
	org        tidemark.OrgID
	alert      *tidemark.Alert
	start, end int64
	now        int64
	conditions []*backtestCondition
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
	streams         []intervals // one a tape
	any             intervals
	highest, lowest float64
}

// evaluate runs the backtest.
func (t *backtest) judge(ctx context.Context) *tidemark.Backtest {
	b := &tidemark.Backtest{
		Start: t.start, End: t.end, Incidents: []tidemark.BacktestIncident{}, Conditions: []tidemark.BacktestCondition{},
		Thresholds: []tidemark.BacktestThreshold{},
	}
	for _, c := range t.conditions {
		c.verdicts = c.judge(c.rule, t.start, t.end)
		if c.coarse > b.SummariesUntil {
			b.SummariesUntil, b.SummarySeconds = c.coarse, c.summary
		}
	}
	t.fires(b)
	t.describe(ctx, b)
	if c := t.first(); c != nil {
		if c.verdicts.lowest <= c.verdicts.highest {
			b.Highest, b.Lowest = &c.verdicts.highest, &c.verdicts.lowest
		}
		b.Thresholds = t.otherThresholds(c)
	}
	return b
}

// first returns the first condition with a threshold, or nil.
func (t *backtest) first() *backtestCondition {
	i := slices.IndexFunc(t.conditions, func(c *backtestCondition) bool { return c.rule.kind != tidemark.Absent })
	if i < 0 {
		return nil
	}
	return t.conditions[i]
}

// evaluate replays the histories of the streams against a rule.
func (c *backtestCondition) judge(r rule, start, end int64) verdict {
	v := verdict{streams: make([]intervals, len(c.streams)), highest: math.Inf(-1), lowest: math.Inf(1)}
	for i, tape := range c.streams {
		if tape.isHarmless(&r) {
			v.highest, v.lowest = max(v.highest, tape.highest), min(v.lowest, tape.lowest)
			continue
		}
		found, high, low := tape.play(&r, start, end)
		v.streams[i] = found
		v.highest, v.lowest = max(v.highest, high), min(v.lowest, low)
	}
	v.any = union(v.streams)
	return v
}

// isHarmless reports whether no reading at all is beyond the threshold: most
// streams of most alerts are not worth playing.
func (t *streamHistory) isHarmless(r *rule) bool {
	if r.function == "derivative" || r.function == "absolute_value" || t.mixed {
		return false // a value is not what was read
	}
	return r.kind == tidemark.Above && t.highest <= r.threshold || r.kind == tidemark.Below && t.lowest >= r.threshold
}

// measure finds the highest and lowest readings. Those before start count
// only for what may violate, so a tape on which they stand out is played.
func (t *streamHistory) measure(start int64) {
	t.highest, t.lowest = math.Inf(-1), math.Inf(1)
	high, low := t.highest, t.lowest
	for i, v := range t.values {
		if t.times[i] < start {
			high, low = max(high, v), min(low, v)
			continue
		}
		t.highest, t.lowest = max(t.highest, v), min(t.lowest, v)
	}
	t.mixed = high > t.highest || low < t.lowest
}

// play returns when a stream violates r between start and end, and the
// highest and lowest of what r looks at there.
func (t *streamHistory) play(r *rule, start, end int64) (found intervals, highest, lowest float64) {
	s := signal{}
	highest, lowest = math.Inf(-1), math.Inf(1)
	from := int64(0) // since when it violates
	turn := func(at int64) {
		switch {
		case s.violating && from == 0:
			from = max(at, 1)
		case !s.violating && from != 0:
			found = append(found, tidemark.Interval{from, at})
			from = 0
		}
	}
	for i, at := range t.times {
		if s.last != 0 && s.isExpired(at) {
			if s.advance(r, at); s.violating && from == 0 {
				from = s.since
			}
			s.violating = false
			turn(s.seen + int64(tidemark.AutoClear))
			s = signal{}
		}
		if r.kind == tidemark.Absent {
			if s.advance(r, at); s.violating {
				turn(s.since)
			}
		}
		s.add(r, at, at, t.values[i])
		if s.violating != (from != 0) {
			turn(at)
		}
		if at >= start && (s.hasBase || r.function != "derivative") {
			highest, lowest = max(highest, s.value), min(lowest, s.value)
		}
	}
	if s.advance(r, end); s.violating && from == 0 {
		from = s.since
	}
	if from != 0 {
		found = append(found, tidemark.Interval{from, min(end, max(s.seen+int64(tidemark.AutoClear), from))})
	}
	return found.clip(start, end), highest, lowest
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
	return all
}

// fires lets the alert live through the stretch.
func (t *backtest) fires(b *tidemark.Backtest) {
	met := t.met(nil, nil)
	b.Total, b.Longest = met.total()
	b.IsAlways = b.Total == t.end-t.start
	state := tidemark.AlertState{Conditions: "trial"}
	step := func(now int64, holds bool) tidemark.AlertEvent {
		e := tidemark.Evaluation{Now: now, Active: true, Conditions: "trial", Met: holds, Rearm: t.alert.RearmSeconds}
		if holds {
			e.Violations = []tidemark.Violation{{SeenAt: now}}
		}
		next, event := state.Next(e)
		state = next
		if event.Tell {
			b.Told++
		}
		return event
	}
	rearm := int64(max(t.alert.RearmSeconds, tidemark.MinRearm))
	for _, i := range met {
		if step(i[0], true).Kind != tidemark.Triggered {
			continue
		}
		b.Fired++
		b.Told += t.reminders(i, rearm)
		in := tidemark.BacktestIncident{TriggeredAt: i[0]}
		if i[1] < t.end {
			end := i[1]
			in.ClearedAt = &end
			step(end, false)
		}
		b.Incidents = append(b.Incidents, in)
	}
	if n := len(b.Incidents) - tidemark.MaxBacktestIncidents; n > 0 {
		b.Incidents = b.Incidents[n:]
	}
	for i := range b.Incidents {
		t.fill(&b.Incidents[i])
	}
}

// reminders counts how often an incident is told after its trigger.
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
	told := map[int64]struct{}{incident[0]: {}} // streams that are due at once are told of at once
	for _, parts := range byStream {
		next := int64(0)
		for _, i := range union(parts) {
			for next = max(next, i[0]); next < i[1]; next += rearm {
				told[next] = struct{}{}
			}
		}
	}
	return len(told) - 1
}

// otherThresholds counts how often the alert would have fired with others in
// place of c's.
func (t *backtest) otherThresholds(c *backtestCondition) []tidemark.BacktestThreshold {
	values := nearby(c.rule.threshold, c.verdicts.highest-c.verdicts.lowest)
	found := make([]tidemark.BacktestThreshold, len(values))
	var wg sync.WaitGroup
	for i, value := range values {
		wg.Go(func() {
			v := c.verdicts
			if value != c.rule.threshold {
				other := c.rule
				other.threshold = value
				v = c.judge(other, t.start, t.end)
			}
			met := t.met(c, &v)
			total, _ := met.total()
			found[i] = tidemark.BacktestThreshold{Value: value, Fired: len(met), Total: total}
		})
	}
	wg.Wait()
	return found
}

// nearby returns five thresholds around one, a round step apart.
func nearby(threshold, spread float64) []float64 {
	size := math.Abs(threshold) / 10
	if size == 0 && spread > 0 && !math.IsInf(spread, 0) {
		size = spread / 20
	}
	if size == 0 || math.IsInf(size, 0) {
		size = 1
	}
	step := round125(size)
	var all []float64
	for k := -2.0; k <= 2; k++ {
		v := threshold + k*step
		// Without the dust that sums leave behind.
		digits := math.Pow(10, math.Ceil(-math.Log10(step))+2)
		if rounded := math.Round(v*digits) / digits; k != 0 && !math.IsInf(rounded, 0) && !math.IsNaN(rounded) {
			v = rounded
		}
		all = append(all, v)
	}
	return all
}

// round125 returns the nearest 1, 2 or 5 times a power of ten.
func round125(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	switch f := v / power; {
	case f < 1.5:
		return power
	case f < 3.5:
		return 2 * power
	case f < 7.5:
		return 5 * power
	}
	return 10 * power
}
