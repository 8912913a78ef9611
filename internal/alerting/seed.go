package alerting

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// seedBack is how much of the past is read of all streams beyond a condition's
// window. Of those that were silent for longer the latest reading is looked up.
const seedBack = 3600

// past is how far back an alert's memory reaches.
type past struct {
	changed  int64 // measurements before do not count
	resolved int64 // what violated until then must do so again
	now      int64
}

// pastOf returns how far back w's memory reaches. Of conditions that were
// never evaluated as they are now, nothing before their writing counts.
func pastOf(w *watch, now int64) past {
	if w.State.Conditions != w.fingerprint {
		return past{changed: min(w.Alert.UpdatedAt, now), now: now}
	}
	// None of it is ahead, but by a clock that was set back.
	return past{changed: min(w.State.ChangedAt, now), resolved: min(w.State.ResolvedAt, now), now: now}
}

// seed gives a new watch its memory back, from stored measurements and from
// the violations that were saved: after it, w knows what it would know had it
// been watched all the time. Silence alone counts from now: while nobody
// listened, nothing is known about it.
func (e *Evaluator) seed(ctx context.Context, w *watch, now int64, with *shared) error {
	p := pastOf(w, now)
	for _, c := range w.conditions {
		var err error
		switch {
		case c.kind == tidemark.Absent:
			err = e.seedAbsent(ctx, c, p, with)
		case c.poll != nil:
			err = e.seedSteps(ctx, c, p, with)
		default:
			err = e.seedReadings(ctx, c, p, with)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", c.source.metric, err)
		}
		if w.State.Conditions == w.fingerprint {
			c.restore(p)
		}
	}
	w.dirty = true
	return nil
}

// seedFrom is since when the past is read: as much of it before a time in
// which the alert was not evaluated as otherwise before now.
func (c *condition) seedFrom(now int64) int64 {
	from := now - c.duration - seedBack
	for i := len(c.suspended) - 1; i >= 0 && c.suspended[i][1] > from; i-- {
		if c.suspended[i][0] < now {
			from = min(from, c.suspended[i][0]-c.duration-seedBack)
		}
	}
	return from
}

// seedAbsent finds the streams that were alive. Their silence counts from
// now, and of the steps before only those are looked at again that may have
// been waiting to be complete.
func (e *Evaluator) seedAbsent(ctx context.Context, c *condition, p past, with *shared) error {
	waiting := p.now + 1
	if c.poll != nil {
		c.startSteps(max(p.changed, p.now-c.lag-c.step), p)
		waiting = c.poll.from
	}
	alive, err := e.heard(ctx, c, max(p.changed-c.duration, p.resolved+1), p.now, with)
	for _, h := range alive {
		s := c.signal(h.name)
		if s.seen = p.now; h.last < waiting {
			s.last = h.last - h.last%c.step
		}
		c.planFor(s)
	}
	return err
}

// startSteps has steps evaluated from the one of a time on.
func (c *condition) startSteps(from int64, p past) {
	c.poll.from = from - from%c.step
	if c.watch.State.Conditions == c.watch.fingerprint {
		c.poll.known = p.now - p.now%c.step
	}
}

// seedReadings evaluates what single measurements are stored: all recent ones,
// and of streams that have none, or too few, the latest.
func (e *Evaluator) seedReadings(ctx context.Context, c *condition, p past, with *shared) error {
	from, end := max(p.changed, c.seedFrom(p.now)), p.now+tidemark.MaxTimeAhead+1
	var lacking []heard
	if from > p.changed {
		var err error
		if lacking, err = e.seedQuiet(ctx, c, from, p, with); err != nil {
			return err
		}
	}
	recent, err := e.seedRange(ctx, c, from, end, p)
	if err != nil || from == p.changed {
		return err
	}
	return e.deepen(ctx, c, append(lacking, recent...), end, p)
}

// seedSteps evaluates what is stored of the steps before those that are read
// one by one from now on.
func (e *Evaluator) seedSteps(ctx context.Context, c *condition, p past, with *shared) error {
	c.startSteps(max(p.changed, p.now-c.duration-lookback), p)
	from := c.poll.from
	if from <= p.changed {
		return nil
	}
	known, err := e.heard(ctx, c, p.changed, p.now, with)
	if err != nil {
		return err
	}
	var quiet []heard
	for name, h := range known {
		if h.last -= h.last % c.step; h.last < from {
			quiet = append(quiet, h)
			delete(known, name)
		}
	}
	lacking, err := e.seedHeard(ctx, c, quiet, p, func(*tsdb.Series) {})
	// Comparing days of steps to find one reading would take too long.
	if err != nil || c.against != nil || !c.needsHistory() {
		return err
	}
	more, err := e.seedRange(ctx, c, max(p.changed, from-c.duration-seedBack), from, p)
	if err != nil {
		return err
	}
	for name, h := range known {
		if c.signals[name] == nil {
			lacking = append(lacking, heard{name, h.tags, from})
		}
	}
	return e.deepen(ctx, c, append(lacking, more...), from, p)
}

// seedRange evaluates what is stored of [from, end). It returns the streams of
// which readings before may matter.
func (e *Evaluator) seedRange(ctx context.Context, c *condition, from, end int64, p past) (lacking []heard, err error) {
	from -= from % c.step
	for series, err := range e.Reader.readings(ctx, c.watch.Org, &c.source, &c.rule, from, end, c.step) {
		if err != nil {
			return nil, err
		}
		c.replay(series, p)
		if name := tidemark.StreamName(series.Tags); c.lacks(c.signal(name)) {
			lacking = append(lacking, heard{name, slices.Clone(series.Tags), series.Times[0]})
		}
	}
	return lacking, nil
}

// replay evaluates a stored series in its order.
func (c *condition) replay(series *tsdb.Series, p past) {
	s := c.signal(tidemark.StreamName(series.Tags))
	for i, t := range series.Times {
		if p.resolved != 0 && t > p.resolved && s.last <= p.resolved && s.last != 0 {
			s.acknowledge()
			c.note(s)
		}
		c.feed(s, t, min(t, p.now), series.Values[i])
	}
	if p.resolved != 0 && s.last <= p.resolved {
		s.acknowledge()
		c.note(s)
	}
}

// restore brings back the violations of the open incident whose streams were
// not measured since: what violates does so until a measurement says
// otherwise.
func (c *condition) restore(p past) {
	for i := range c.watch.State.Violations {
		v := &c.watch.State.Violations[i]
		if v.Condition != c.id || c.leavesOut(v.Stream) {
			continue
		}
		s := c.signal(v.Stream)
		// What a clock recorded that was ahead would make all that follows look
		// late.
		recorded, since := min(v.RecordedAt, p.now), min(v.Since, p.now)
		if s.last > recorded || c.wasReplaced(s, recorded) {
			continue
		}
		s.last, s.seen, s.value = recorded, recorded, v.Value
		s.violating, s.since = true, since
		if c.isWindowed() && s.run == 0 {
			s.run = since - c.duration
		}
		c.note(s)
	}
}

// leavesOut reports whether c does not look at a stream any more.
func (c *condition) leavesOut(stream string) bool {
	return slices.ContainsFunc(c.watch.Alert.Conditions, func(of tidemark.Condition) bool { return of.ID == c.id && of.LeavesOut(stream) })
}

// wasReplaced reports whether the measurement that violated, recorded at a
// time, was written again since, and is as it should be.
func (c *condition) wasReplaced(s *signal, recorded int64) bool {
	if c.kind == tidemark.Absent || c.poll != nil || s.last != recorded || c.function == "derivative" && !s.hasBase {
		return false
	}
	return !c.violates(s.value)
}

// catchUp reads back what did not fit into the inbox.
func (e *Evaluator) catchUp(ctx context.Context, now int64) {
	for _, g := range e.inbox.missed() {
		for _, c := range g.topic.polled {
			c.count(g.since, now)
		}
		for _, c := range g.topic.direct {
			if err := e.reread(ctx, c, g.since, now); err != nil {
				e.logTrouble(ctx, c.watch, fmt.Errorf("read %s: %w", g.topic.metric, err))
				e.inbox.mu.Lock()
				e.inbox.miss(g.topic, g.since)
				e.inbox.mu.Unlock()
			}
		}
	}
}

func (e *Evaluator) reread(ctx context.Context, c *condition, since, now int64) error {
	for series, err := range e.Reader.readings(ctx, c.watch.Org, &c.source, &c.rule, since, now+tidemark.MaxTimeAhead+1, 1) {
		if err != nil {
			return err
		}
		s := c.signal(tidemark.StreamName(series.Tags))
		for i, t := range series.Times {
			c.feed(s, t, now, series.Values[i])
		}
	}
	return nil
}
