package alerting

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
)

// poll is the progress of a condition that is looked at in steps.
type poll struct {
	from   int64         // start of the first step that was not evaluated yet
	counts map[int64]int // measurements that came, by start of step
}

// heard takes note of a measurement. One for a step that was evaluated already
// has that step evaluated again, if a window may still reach it.
func (c *condition) heard(t, now int64) {
	step := t - t%c.step
	c.poll.counts[step]++
	if step < c.poll.from && step >= now-c.duration-lookback {
		c.poll.from = step
	}
}

// ready returns the steps that can be evaluated, as [start, end). A step is
// evaluated as soon as it is over and as many measurements came for it as for
// the one before, and after a while in any case: groups and sums are wrong
// while some of their streams are missing.
func (c *condition) ready(now int64) (start, end int64, ok bool) {
	start = c.poll.from
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

// pollAll evaluates the steps that are ready.
func (e *Evaluator) pollAll(ctx context.Context, now int64) {
	for _, c := range e.polled {
		start, end, ok := c.ready(now)
		if !ok {
			continue
		}
		if err := e.pollOne(ctx, c, start, end, now); err != nil {
			e.logTrouble(ctx, c.watch, fmt.Errorf("read %s: %w", c.source.metric, err))
		}
	}
}

// pollOne evaluates [start, end) of c. After an error the same steps are tried
// again.
func (e *Evaluator) pollOne(ctx context.Context, c *condition, start, end, now int64) error {
	for series, err := range e.Reader.readings(ctx, c.watch.Org, &c.source, &c.rule, start, end, c.step) {
		if err != nil {
			return err
		}
		s := c.signal(tidemark.StreamName(series.Tags))
		for i, t := range series.Times {
			c.feedStep(s, t, now, series.Values[i])
		}
	}
	c.poll.from = end
	for step := range c.poll.counts {
		if step < end-c.step {
			delete(c.poll.counts, step)
		}
	}
	return nil
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
