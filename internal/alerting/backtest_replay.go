package alerting

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// evaluate replays the histories of the streams against a rule.
func (c *backtestCondition) evaluate(r rule, start, end int64) verdict {
	v := verdict{streams: make([]intervals, len(c.streams)), highest: math.Inf(-1), lowest: math.Inf(1)}
	for i, history := range c.streams {
		if history.isHarmless(&r) {
			v.highest, v.lowest = max(v.highest, history.highest), min(v.lowest, history.lowest)
			continue
		}
		found, high, low := history.replay(&r, start, end)
		v.streams[i] = found
		v.highest, v.lowest = max(v.highest, high), min(v.lowest, low)
	}
	v.any = union(v.streams)
	return v
}

// isHarmless reports whether no reading at all is beyond the threshold: most
// streams of most alerts are not worth replaying.
func (t *streamHistory) isHarmless(r *rule) bool {
	if r.function == "derivative" || r.function == "absolute_value" || t.mixed {
		return false // a value is not what was read
	}
	return r.kind == tidemark.Above && t.highest <= r.threshold || r.kind == tidemark.Below && t.lowest >= r.threshold
}

// measure finds the highest and lowest readings. Those before start count
// only for what may violate, so a history in which they stand out is replayed.
func (t *streamHistory) measure(start int64) {
	first, _ := slices.BinarySearch(t.times, start)
	high, low := extremes(t.values[:first])
	t.highest, t.lowest = extremes(t.values[first:])
	t.mixed = high > t.highest || low < t.lowest
}

// extremes returns the highest and the lowest of values. NaN violates nothing
// and is passed over, so that comparing is enough: max and min take longer.
func extremes(values []float64) (highest, lowest float64) {
	highest, lowest = math.Inf(-1), math.Inf(1)
	for _, v := range values {
		highest, lowest = widen(highest, lowest, v)
	}
	return highest, lowest
}

func widen(highest, lowest, v float64) (float64, float64) {
	if v > highest {
		highest = v
	}
	if v < lowest {
		lowest = v
	}
	return highest, lowest
}

// replay returns when a stream violates r between start and end, and the
// highest and lowest of what r looks at there.
func (t *streamHistory) replay(r *rule, start, end int64) (found intervals, highest, lowest float64) {
	highest, lowest = math.Inf(-1), math.Inf(1)
	if r.kind == tidemark.Absent {
		found = t.silences(r, end)
	} else {
		found, highest, lowest = t.violations(r, start, end)
	}
	return found.clip(start, end), highest, lowest
}

// roomForRecent is for so many readings that those which no window looks at
// any more are seldom dropped. A signal that lives on has less, to save memory.
const roomForRecent = 128

// violations replays a rule with a threshold.
func (t *streamHistory) violations(r *rule, start, end int64) (found intervals, highest, lowest float64) {
	highest, lowest = math.Inf(-1), math.Inf(1)
	var e episodes
	s := signal{recent: make([]point, 0, roomForRecent)}
	for i, at := range t.times {
		if r.leavesOut(at) {
			continue
		}
		if s.last != 0 && s.isExpired(at) {
			e.close(s.seen + int64(tidemark.AutoClear))
			s = signal{recent: s.recent[:0]}
		}
		s.add(r, at, at, t.values[i])
		e.follow(s.violating, at)
		if at >= start && (s.hasBase || r.function != "derivative") {
			highest, lowest = widen(highest, lowest, s.value)
		}
	}
	e.close(min(end, s.seen+int64(tidemark.AutoClear)))
	return e.found, highest, lowest
}

// silences returns the times in which the stream was silent for longer than
// the duration, until it reported again or was forgotten.
func (t *streamHistory) silences(r *rule, end int64) intervals {
	var e episodes
	for i, at := range t.times {
		next := end
		if i+1 < len(t.times) {
			next = t.times[i+1]
		}
		// A stream is heard of when a step is over, and steps are dated by their
		// start.
		from := r.silentAt(at+r.heardAfter()) - r.heardAfter()
		if until := min(next, at+int64(tidemark.AutoClear)); until > from {
			e.open(from)
			e.close(until)
		}
	}
	return e.found
}

// episodes collects the times in which a stream violates.
type episodes struct {
	found  intervals
	from   int64
	isOpen bool
}

// follow opens or closes an episode at a time, as the verdict wants it.
func (e *episodes) follow(violating bool, at int64) {
	if violating {
		e.open(at)
		return
	}
	e.close(at)
}

// open begins an episode, unless one is open.
func (e *episodes) open(at int64) {
	if !e.isOpen {
		e.from, e.isOpen = at, true
	}
}

// close ends the open episode, if there is one.
func (e *episodes) close(at int64) {
	if e.isOpen {
		e.found, e.isOpen = append(e.found, tidemark.Interval{e.from, at}), false
	}
}
