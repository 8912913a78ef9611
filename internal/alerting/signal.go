package alerting

import (
	"slices"
	"sort"

	"github.com/tidemark-metrics/tidemark"
)

// signal is what is known of one stream, or one group of streams, under one
// rule. Readings go in by add, time passes by advance, and violating is the
// verdict. It is the only evaluate there is: alerts that run and alerts that are
// tried out on stored data use it alike.
type signal struct {
	stream string

	last  int64   // time of the latest reading; 0 before the first
	seen  int64   // when it came
	value float64 // what the rule looks at

	// For derivatives: the latest reading and the one before it, if known.
	read, base       float64
	hasRead, hasBase bool

	violating bool
	since     int64 // when that began
	muted     bool  // nothing counts before the next reading

	// Of rules with a duration: the first reading of the violating ones in a
	// row, and all of the recent ones.
	run    int64
	recent []point
}

// point is a reading that was evaluated: its time, and in the lowest bit whether
// it violates.
type point int64

func makePoint(t int64, violates bool) point {
	if violates {
		return point(t<<1 | 1)
	}
	return point(t << 1)
}

func (p point) time() int64    { return int64(p) >> 1 }
func (p point) violates() bool { return p&1 == 1 }

// add evaluates a reading of time t that came at seen. A later reading of the
// same time replaces the earlier. One that is older than the latest counts
// only in the windows of rules with a duration.
func (s *signal) add(r *rule, t, seen int64, reading float64) {
	if r.leavesOut(t) {
		return
	}
	s.seen = max(s.seen, seen)
	if r.kind == tidemark.Absent {
		s.violating, s.muted = false, false
		if t >= s.last {
			s.last, s.value = t, reading
		}
		return
	}
	if t < s.last {
		if r.isWindowed() && r.function != "derivative" {
			s.addLate(r, t, reading)
		}
		return
	}
	if len(r.suspended) > 0 && s.last != 0 && r.suspended.between(s.last, t) {
		s.resume()
	}
	replaces := t == s.last && s.last != 0
	v, ok := s.valueOf(r, reading, replaces)
	s.last = t
	if !ok {
		return
	}
	s.value = v
	bad := r.violates(v)
	if r.isWindowed() {
		s.evaluateWindow(r, makePoint(t, bad), replaces)
		return
	}
	s.set(bad, t)
}

// valueOf makes of a reading what the rule looks at. The first reading of a
// derivative is nothing yet.
func (s *signal) valueOf(r *rule, reading float64, replaces bool) (float64, bool) {
	switch r.function {
	case "absolute_value":
		return absolute(reading), true
	case "derivative":
		if !replaces {
			s.base, s.hasBase = s.read, s.hasRead
		}
		s.read, s.hasRead = reading, true
		if !s.hasBase {
			return 0, false
		}
		if reading < s.base && r.reset {
			return 0, true
		}
		return reading - s.base, true
	}
	return reading, true
}

// evaluateWindow adds a point at the end and evaluates the window that ends there.
func (s *signal) evaluateWindow(r *rule, p point, replaces bool) {
	if replaces && len(s.recent) > 0 && s.recent[len(s.recent)-1].time() == p.time() {
		s.recent[len(s.recent)-1] = p
		s.recount()
	} else {
		s.keep(r, p)
		s.count(p)
	}
	s.evaluateLast(r)
}

func (s *signal) evaluateLast(r *rule) { s.set(s.run != 0 && s.isLongEnough(r), s.last) }

// isLongEnough reports whether the stream has violated without a break for the
// duration: what was not read does not count, so the run itself must be as
// long, from its first reading to the latest.
func (s *signal) isLongEnough(r *rule) bool { return s.last-s.run >= r.duration }

// windowOf returns the window that notifications name: from one whole minute
// to another, the duration apart, of which the second is the minute of the
// latest reading. Where the stream began to violate within the first of them,
// the window ends with the latest reading instead: it holds violations alone.
func (s *signal) windowOf(r *rule) (begin, end int64) {
	end = s.last - s.last%minute
	if s.run > end-r.duration {
		end = s.last
	}
	return end - r.duration, end
}

// count takes a point at the end into account.
func (s *signal) count(p point) {
	switch {
	case !p.violates():
		s.run = 0
	case s.run == 0:
		s.run = p.time()
	}
}

// recount does it for all recent points, after one has changed in the middle.
// What is known from before them stays.
func (s *signal) recount() {
	first := s.recent[0].time()
	if s.run >= first {
		s.run = 0
	}
	for _, p := range s.recent {
		s.count(p)
	}
}

// keep appends p to the recent points, first dropping those that no window
// will look at again, where that saves memory. The last before the window
// stays: should a point be replaced, it says how the window begins.
func (s *signal) keep(r *rule, p point) {
	if len(s.recent) == cap(s.recent) {
		oldest := p.time() - r.duration - minute
		i := sort.Search(len(s.recent), func(i int) bool { return s.recent[i].time() >= oldest })
		if i > 1 {
			s.recent = append(s.recent[:0], s.recent[i-1:]...)
		}
	}
	s.recent = append(s.recent, p)
}

// addLate puts a reading among the recent ones.
func (s *signal) addLate(r *rule, t int64, reading float64) {
	if len(s.recent) == 0 || t < s.last-r.duration-minute || r.suspended.between(t, s.last) {
		return
	}
	if r.function == "absolute_value" {
		reading = absolute(reading)
	}
	p := makePoint(t, r.violates(reading))
	i, there := slices.BinarySearchFunc(s.recent, t, func(p point, t int64) int { return int(p.time() - t) })
	if there {
		s.recent[i] = p
	} else {
		s.recent = slices.Insert(s.recent, i, p)
	}
	s.recount()
	s.evaluateLast(r)
}

func (s *signal) set(violating bool, at int64) {
	if violating && !s.violating {
		s.since = at
	}
	s.violating = violating
}

// advance lets time pass: streams that stay away violate rules about absence.
func (s *signal) advance(r *rule, now int64) {
	if r.kind == tidemark.Absent && !s.violating && !s.muted && s.seen != 0 && now >= r.silentAt(s.seen) {
		s.set(true, r.silentAt(s.seen))
	}
}

// due is when advance may change the verdict, or 0 if it will not.
func (s *signal) due(r *rule) int64 {
	if r.kind != tidemark.Absent || s.violating || s.muted || s.seen == 0 {
		return 0
	}
	return r.silentAt(s.seen)
}

// isExpired reports whether the stream has been silent for so long that it is
// forgotten, violating or not.
func (s *signal) isExpired(now int64) bool { return now-s.seen >= int64(tidemark.AutoClear) }

// acknowledge makes the verdict wait for the next reading, after somebody
// has resolved the incident. What is known of the past stays: a window that
// violates as a whole needs but one more such reading.
func (s *signal) acknowledge() {
	s.violating, s.since, s.muted = false, 0, true
}

// violation describes a signal that violates.
func (s *signal) violation(r *rule, now int64) tidemark.Violation {
	v := tidemark.Violation{
		Stream: s.stream, Metric: r.metric, Value: s.value, RecordedAt: s.last, Condition: r.id, Since: s.since, SeenAt: s.seen,
	}
	if r.kind == tidemark.Absent {
		v.SeenAt = now // absence goes on without measurements
	}
	if r.isWindowed() {
		v.Begin, v.End = s.windowOf(r)
		from := sort.Search(len(s.recent), func(i int) bool { return s.recent[i].time() >= v.Begin })
		to := sort.Search(len(s.recent), func(i int) bool { return s.recent[i].time() > v.End })
		v.Count = max(1, to-from) // streams of few measurements may have none just there
	}
	return v
}
