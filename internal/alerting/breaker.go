package alerting

import "time"

const (
	// breakAfter is how many tries in a row must fail before a service is
	// left alone for a while.
	breakAfter = 5
	firstBreak = 15 * time.Second
	maxBreak   = 5 * time.Minute
	// breakerKept is how long a service's past is remembered.
	breakerKept = 10 * time.Minute
	// slowAnswer is what takes a service long to answer, and slowAfter how
	// many such answers in a row leave it maxToSlow attempts at once.
	slowAnswer = 3 * time.Second
	slowAfter  = 3
	maxToSlow  = 2
)

// breaker is the circuit breaker of one service. It limits concurrent attempts,
// stops them for a while after some failures in a row, then lets one through,
// and closes again when that succeeds. A service that answers slowly gets
// fewer at once.
type breaker struct {
	to       flight // where attempts go, as last seen
	busy     int
	failures int // in a row
	slow     int // answers in a row that took long
	until    time.Time
	touched  time.Time
}

// allows reports whether another attempt may be started.
func (b *breaker) allows(now time.Time) bool {
	if b.failures >= breakAfter {
		return b.busy == 0 && !now.Before(b.until)
	}
	if b.slow >= slowAfter {
		return b.busy < maxToSlow
	}
	return b.busy < maxPerService
}

func (b *breaker) isForgettable(now time.Time) bool {
	return b.busy == 0 && now.Sub(b.touched) > breakerKept
}

// done takes note of how a try ended. A refusal for good says nothing against
// the place: it answers. Nor does what kept us from asking it.
func (b *breaker) done(a Answer, now time.Time) {
	b.busy--
	b.touched = now
	if a.Own {
		return
	}
	if b.slow++; a.Duration < slowAnswer {
		b.slow = 0
	}
	if a.OK || a.Permanent {
		b.failures = 0
		return
	}
	b.failures++
	if over := b.failures - breakAfter; over >= 0 {
		b.until = now.Add(min(firstBreak<<min(over, 10), maxBreak))
	}
}
