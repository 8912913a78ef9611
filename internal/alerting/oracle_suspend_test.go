package alerting

import "github.com/tidemark-metrics/tidemark"

// suspend has the oracle not evaluate the alert at some times.
func (o *oracle) suspend(when []tidemark.Interval) {
	o.suspended = when
	for _, c := range o.conditions {
		c.suspended = when
	}
}

func meetsAny(all []tidemark.Interval, start, end int64) bool {
	for _, i := range all {
		if i[0] < end && start < i[1] {
			return true
		}
	}
	return false
}

// endsIn reports whether one of all ends after a, and no later than b.
func endsIn(all []tidemark.Interval, a, b int64) bool {
	for _, i := range all {
		if a < i[1] && i[1] <= b {
			return true
		}
	}
	return false
}

// read has a stream hear of a reading. Of a time that is suspended nothing
// counts, but that the stream was heard of. After it what violated does so until
// a reading says otherwise; the rest begins anew.
func (c *oracleCondition) read(stream string, t, now int64, v float64) {
	s := c.stream(stream)
	s.latest = max(s.latest, t)
	if c.cond.Type != tidemark.Absent {
		if meetsAny(c.suspended, t, t+max(c.step, 1)) {
			return
		}
		if t < s.last && endsIn(c.suspended, t, s.last) { // too late to count
			s.seen = max(s.seen, now)
			return
		}
		if s.last != 0 && endsIn(c.suspended, s.last, t) {
			s.hasRaw, s.base = false, nil
			if !s.violating {
				clear(s.bad)
			}
		}
	}
	s.read(&c.cond, t, now, v)
}

// isSilent reports whether a stream that was heard of at seen has been silent
// for long enough at a time. Silence is not counted through a time that is
// suspended.
func (c *oracleCondition) isSilent(seen, until int64) bool {
	for from := seen; from+int64(*c.cond.Duration) <= until; from++ {
		if (from == seen && !meetsAny(c.suspended, from, from+1) || endsIn(c.suspended, from-1, from)) &&
			!meetsAny(c.suspended, from, from+int64(*c.cond.Duration)) {
			return true
		}
	}
	return false
}
