package alerting

import (
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// condition is a condition of a watched alert, with what it knows of each of
// its streams.
type condition struct {
	rule
	source
	watch   *watch
	signals map[string]*signal // by name of stream
	bad     map[*signal]struct{}
	due     int64 // when a signal may change by the passing of time alone; 0 never
	// silenced says that the last violation went away for want of
	// measurements.
	silenced bool
	poll     *poll // nil if direct
}

func newCondition(w *watch, c *tidemark.Condition, s source) *condition {
	v := &condition{rule: newRule(c), source: s, watch: w, signals: make(map[string]*signal), bad: make(map[*signal]struct{})}
	if !s.isDirect() {
		v.poll = &poll{counts: make(map[int64]int)}
	}
	return v
}

// signal returns what is known of a stream, from now on.
func (c *condition) signal(stream string) *signal {
	s, ok := c.signals[stream]
	if !ok {
		s = &signal{stream: stream}
		c.signals[stream] = s
	}
	return s
}

// feed evaluates a reading that came at seen. An alert with nothing new to say
// is not looked at again.
func (c *condition) feed(s *signal, t, seen int64, reading float64) {
	if t > seen+minute {
		t = seen // a clock that is ahead would make all that follows look late
	}
	s.add(&c.rule, t, seen, reading)
	if c.poll != nil {
		s.advance(&c.rule, c.poll.evaluated) // a late step ends no silence that lasted beyond it
	}
	c.note(s)
	c.planFor(s)
}

// planFor has the alert looked at when a signal may change by the passing of
// time alone.
func (c *condition) planFor(s *signal) {
	due := s.due(&c.rule)
	if due == 0 || c.due != 0 && due >= c.due {
		return
	}
	c.due = due
	c.watch.due = min(c.watch.due, due)
}

// note keeps count of the signals that violate.
func (c *condition) note(s *signal) {
	_, was := c.bad[s]
	switch {
	case s.violating:
		c.bad[s] = struct{}{}
		c.silenced = false
		c.watch.dirty = true
	case was:
		delete(c.bad, s)
		c.silenced = false
		c.watch.dirty = true
	}
}

// advance lets time pass for all signals.
func (c *condition) advance(now int64) {
	if c.poll != nil {
		now = c.poll.evaluated // of later steps nothing is known yet
	}
	if c.due == 0 || now < c.due {
		return
	}
	c.due = 0
	for _, s := range c.signals {
		s.advance(&c.rule, now)
		c.note(s)
		c.planFor(s)
	}
}

// expire forgets the streams that have been silent for too long.
func (c *condition) expire(now int64) {
	for name, s := range c.signals {
		if !s.isExpired(now) {
			continue
		}
		delete(c.signals, name)
		c.watch.forgot = true
		if _, was := c.bad[s]; was {
			delete(c.bad, s)
			c.silenced = len(c.bad) == 0
			c.watch.dirty = true
		}
	}
}

// acknowledge makes all verdicts wait for new readings.
func (c *condition) acknowledge() {
	for _, s := range c.signals {
		s.acknowledge()
	}
	clear(c.bad)
	c.silenced = false
}

// violations describes the streams that violate, in order.
func (c *condition) violations(now int64) []tidemark.Violation {
	found := make([]tidemark.Violation, 0, len(c.bad))
	for s := range c.bad {
		found = append(found, s.violation(&c.rule, now))
	}
	slices.SortFunc(found, func(a, b tidemark.Violation) int { return strings.Compare(a.Stream, b.Stream) })
	return found
}
