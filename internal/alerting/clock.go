package alerting

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// clockTolerance is how far, in seconds, the clock of the machine may be set
// before that is taken for a step.
const clockTolerance = 5

// clock notices that the clock of the machine was set.
type clock struct {
	elapsed func() time.Duration // runs evenly, whatever the clock says
	wall    int64                // at the last look; 0 before the first
	even    time.Duration
}

func newClock() clock {
	start := time.Now()
	return clock{elapsed: func() time.Duration { return time.Since(start) }}
}

// step returns by how many seconds the clock was set since the last look:
// negative if back, 0 if within the tolerance.
func (c *clock) step(now int64) int64 {
	even := c.elapsed()
	step := now - c.wall - int64((even - c.even).Seconds())
	first := c.wall == 0
	c.wall, c.even = now, even
	if first || step >= -clockTolerance && step <= clockTolerance {
		return 0
	}
	return step
}

// followClock sets what is remembered right after the clock was set.
func (e *Evaluator) followClock(ctx context.Context, at time.Time) {
	now := at.Unix()
	step := e.clock.step(now)
	if step == 0 {
		return
	}
	e.Logger.WarnContext(ctx, "the clock was set", slog.Int64("seconds", step))
	e.loadedAt, e.retryAt = time.Time{}, time.Time{}
	for _, w := range e.watched {
		w.followClock(now, step)
	}
	e.restartSeedings(ctx, now)
}

// followClock makes sure that nothing waits for a time that is over, or far
// ahead, by a clock that was wrong.
func (w *watch) followClock(now, step int64) {
	w.dirty, w.trouble.retryAt = true, min(w.trouble.retryAt, now)
	w.savedAt, w.expireAt = min(w.savedAt, now), min(w.expireAt, now+expireEvery)
	for _, c := range w.conditions {
		c.followClock(now, step)
	}
}

func (c *condition) followClock(now, step int64) {
	c.due = 0
	for _, s := range c.signals {
		switch {
		case step < 0:
			s.rewind(&c.rule, now)
		case c.kind == tidemark.Absent && !s.violating:
			s.seen = now // that the clock was set is no silence
		}
		c.planFor(s)
	}
	if c.poll != nil && step < 0 {
		c.poll.from = min(c.poll.from, now-now%c.step-c.step)
		c.poll.evaluated = min(c.poll.evaluated, c.poll.from)
		c.poll.trouble.retryAt = min(c.poll.trouble.retryAt, now)
		c.poll.pending = nil // what is being read is of another time
		clear(c.poll.counts)
	}
}

// rewind forgets that readings came after now: those that come now would look
// older than they are.
func (s *signal) rewind(r *rule, now int64) {
	s.seen, s.since = min(s.seen, now), min(s.since, now)
	if s.last <= now {
		return
	}
	if len(s.recent) > 0 {
		s.rewindRecent(r, now)
	}
	s.last = now
}

// rewindRecent makes one reading of now of all that are known: the latest. What
// was before now is not fully known any more, since no window would have looked
// at it again. A stream that has violated for long enough goes on; any other
// begins to.
func (s *signal) rewindRecent(r *rule, now int64) {
	latest, goesOn := s.recent[len(s.recent)-1].violates(), s.run != 0 && s.isLongEnough(r)
	s.run, s.recent = 0, s.recent[:0]
	if goesOn {
		s.recent = append(s.recent, makePoint(now-r.duration, true))
	}
	s.recent = append(s.recent, makePoint(now, latest))
	s.recount()
}
