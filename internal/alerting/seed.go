package alerting

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// seedBack is how much of the past is read beyond a condition's window, so
// that streams of few measurements are known again after a restart.
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
// been watched all the time.
func (e *Evaluator) seed(ctx context.Context, w *watch, now int64) error {
	p := pastOf(w, now)
	for _, c := range w.conditions {
		var err error
		switch {
		case c.poll != nil:
			from := max(p.changed, now-c.duration-lookback)
			c.poll.from = from - from%c.step
			if w.State.Conditions == w.fingerprint {
				c.poll.known = now - now%c.step
			}
		case c.kind == tidemark.Absent:
			err = e.seedAbsent(ctx, c, p)
		default:
			err = e.seedReadings(ctx, c, max(p.changed, c.seedFrom(now)), math.MaxInt64, 1, p)
		}
		if err == nil && w.State.Conditions == w.fingerprint {
			err = e.restore(ctx, c, p)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", c.source.metric, err)
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
// now: without an evaluator nothing is known about it.
func (e *Evaluator) seedAbsent(ctx context.Context, c *condition, p past) error {
	for s, err := range e.Reader.Engine.Streams(ctx, c.watch.Org, c.source.metric, c.filter) {
		if err != nil {
			return err
		}
		alive := s.LastSeen >= p.changed-c.duration && s.LastSeen > p.resolved && p.now-s.LastSeen < int64(tidemark.AutoClear)
		if s.LastSeen == 0 || !alive {
			continue
		}
		sig := c.signal(tidemark.StreamName(s.Tags))
		sig.last, sig.seen = s.LastSeen, p.now
		c.planFor(sig)
	}
	return nil
}

// seedReadings evaluates what is stored of [from, until).
func (e *Evaluator) seedReadings(ctx context.Context, c *condition, from, until, step int64, p past) error {
	end := min(until, p.now+tidemark.MaxTimeAhead+1)
	if from >= end {
		return nil
	}
	for series, err := range e.Reader.readings(ctx, c.watch.Org, &c.source, &c.rule, from, end, step) {
		if err != nil {
			return err
		}
		c.replay(series, p)
	}
	return nil
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
func (e *Evaluator) restore(ctx context.Context, c *condition, p past) error {
	oldest := int64(math.MaxInt64)
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
		oldest = min(oldest, recorded)
	}
	if oldest == math.MaxInt64 || c.poll != nil || c.kind == tidemark.Absent {
		return nil
	}
	// Between the violation and what was read already there may be more: a
	// minute at a time will do.
	return e.seedReadings(ctx, c, oldest+1, c.seedFrom(p.now), minute, p)
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
