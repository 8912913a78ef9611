package alerting

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// poll is the progress of a condition that is looked at in steps.
type poll struct {
	from      int64         // start of the first step that was not evaluated yet
	evaluated int64         // the highest that from ever was: silence is counted up to here
	counts    map[int64]int // measurements that came, by start of step

	pending *evaluation // under way, nil if none is
	redo    int64       // start of a step for which more came meanwhile, 0 if none
	isSlow  bool        // it belongs into the slow pool
	// known is up to when steps were over when the past was read. Until they
	// are evaluated, what is known is older than what was known before.
	known   int64
	trouble trouble
}

// count counts a measurement of a step. One for a step that was evaluated already,
// or is just now, has that step evaluated again, if a window may still reach it.
func (c *condition) count(t, now int64) {
	step := t - t%c.step
	c.poll.counts[step]++
	if step < now-c.duration-lookback {
		return
	}
	switch p := c.poll.pending; {
	case p == nil:
		c.poll.from = min(c.poll.from, step)
	case step < p.end && (c.poll.redo == 0 || step < c.poll.redo):
		c.poll.redo = step
	}
}

// ready returns the steps that can be evaluated, as [start, end). A step is
// evaluated as soon as it is over and as many measurements came for it as for
// the one before, and after a while in any case: groups and sums are wrong
// while some of their streams are missing. Steps that no window reaches any
// more are left out, so that what could not be read for long stays readable.
func (c *condition) ready(now int64) (start, end int64, ok bool) {
	oldest := now - c.duration - lookback
	start = max(c.poll.from, oldest-oldest%c.step)
	end = start
	for end+c.step <= now && (c.isComplete(end) || now >= end+c.step+c.lag) {
		end += c.step
	}
	return start, end, end > start
}

func (c *condition) isComplete(step int64) bool {
	n := c.poll.counts[step]
	return n > 0 && n >= c.poll.counts[step-c.step]
}

// pollAll has the steps that are ready read, and evaluates what was.
func (e *Evaluator) pollAll(ctx context.Context, now int64) {
	e.finishPolls(ctx, now, e.slow.take())
	for _, c := range e.polled {
		if c.poll.pending != nil || c.watch.isSeeding() || c.poll.trouble.isWaiting(now) {
			continue
		}
		if start, end, ok := c.ready(now); ok {
			e.startPoll(ctx, c, start, end)
		}
	}
	e.waitFor(ctx, e.fast)
	e.finishPolls(ctx, now, e.fast.take())
}

// waitFor waits a moment for what is being read. That is no work of the round,
// and what is read may need the round's turn.
func (e *Evaluator) waitFor(ctx context.Context, d *desk) {
	if d.isIdle() {
		return // and keeps its turn
	}
	began := time.Now()
	_ = e.work.Wait(ctx, func() error { // fails where ctx ends, which the round finds out itself
		d.wait(ctx, e.patience)
		return nil
	})
	e.spent.Add(-int64(time.Since(began)))
}

func (e *Evaluator) startPoll(ctx context.Context, c *condition, start, end int64) {
	c.poll.pending = &evaluation{condition: c, org: c.watch.Org, source: c.source, rule: c.rule, start: start, end: end}
	if c.poll.isSlow {
		e.slow.submit(ctx, &e.Reader, c.poll.pending)
		return
	}
	e.fast.submit(ctx, &e.Reader, c.poll.pending)
}

// finishPolls takes over what was read.
func (e *Evaluator) finishPolls(ctx context.Context, now int64, finished []*evaluation) {
	for _, t := range finished {
		c := t.condition
		if c.poll.pending != t {
			continue // the clock was set meanwhile
		}
		c.poll.pending = nil
		switch {
		case e.watched[c.watch.Alert.ID] != c.watch || ctx.Err() != nil:
			// It was edited or deleted meanwhile, or we are stopping.
		case t.err == nil:
			c.poll.isSlow = t.took > e.fast.pool.deadline/2
			c.feedSteps(t, now)
			e.endReadTrouble(ctx, c)
		case t.isOverdue() && !c.poll.isSlow:
			c.poll.isSlow = true
		default:
			e.pollFailed(ctx, c, t, now)
		}
	}
}

// pollFailed has the same steps tried again, later and later.
func (e *Evaluator) pollFailed(ctx context.Context, c *condition, t *evaluation, now int64) {
	reason := reasonOf(t.err, "its measurements cannot be read; the server's log says why")
	if t.isOverdue() {
		reason = fmt.Sprintf("evaluating %s takes longer than %.0f seconds", c.rule.metric, slowDeadline.Seconds())
	}
	if c.poll.trouble.failed(now) {
		e.beginReadTrouble(ctx, c.watch.Org, c.watch.Alert.ID, c.poll.trouble.since, reason, fmt.Errorf("read %s: %w", c.source.metric, t.err))
	}
}

// beginReadTrouble makes known that an alert cannot be evaluated.
func (e *Evaluator) beginReadTrouble(ctx context.Context, org tidemark.OrgID, alert, since int64, reason string, err error) {
	if e.reading.begin(alert, org, tidemark.AlertTrouble{Since: since, Reason: reason}) {
		e.Logger.ErrorContext(ctx, "cannot evaluate alert, setting it aside", slog.Int64("org", int64(org)), slog.Int64("alert", alert), slog.Any("err", err))
	}
}

// endReadTrouble takes note that c can be read, and its alert be evaluated if
// the other conditions can be too.
func (e *Evaluator) endReadTrouble(ctx context.Context, c *condition) {
	if c.poll.trouble.failures == 0 {
		return
	}
	c.poll.trouble = trouble{}
	for _, other := range c.watch.conditions {
		if other.poll != nil && other.poll.trouble.failures > 0 {
			return
		}
	}
	if e.reading.end(c.watch.Alert.ID, c.watch.Org) {
		e.Logger.InfoContext(ctx, "alert can be evaluated again", slog.Int64("org", int64(c.watch.Org)), slog.Int64("alert", c.watch.Alert.ID))
	}
}

// feedSteps evaluates the steps that were read.
func (c *condition) feedSteps(t *evaluation, now int64) {
	for _, series := range t.series {
		s := c.signal(tidemark.StreamName(series.Tags))
		for i, at := range series.Times {
			c.feedStep(s, at, now, series.Values[i])
		}
	}
	c.poll.from = t.end
	if redo := c.poll.redo; redo != 0 {
		c.poll.from, c.poll.redo = min(redo, t.end), 0
	}
	c.poll.evaluated = max(c.poll.evaluated, c.poll.from)
	// Those of steps that may be evaluated again are kept for as long as steps
	// wait to be complete.
	for step := range c.poll.counts {
		if step < t.end-c.lag-2*c.step {
			delete(c.poll.counts, step)
		}
	}
}

// feedStep evaluates the reading of a step, as if it had come when the step was
// over: after a pause of ours, streams are not younger than they are.
func (c *condition) feedStep(s *signal, t, now int64, reading float64) {
	resolved := c.watch.State.ResolvedAt
	if resolved != 0 && s.last <= resolved && t > resolved {
		s.acknowledge()
		delete(c.bad, s)
	}
	c.feed(s, t, min(now, t+c.step), reading)
}
