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
	// calmAfter is how many good answers in a row it takes until a service
	// that asked to wait gets more than one attempt at once again.
	calmAfter = 5
	// minPause is how long a service is left alone that asks for it and does
	// not say for how long. That, and one that does not keep to what it says,
	// is left alone for twice as long each time, up to maxPause.
	minPause = time.Second
	maxPause = time.Minute
)

// breaker is the circuit breaker of one service. It limits concurrent attempts,
// stops them for a while after some failures in a row, then lets one through,
// and closes again when that succeeds. A service that answers slowly gets
// fewer at once, and one that takes only so many in some time gets one after the
// other, as soon as it is ready.
type breaker struct {
	to       flight // where attempts go, as last seen
	busy     int
	failures int       // in a row
	slow     int       // answers in a row that took long
	pauses   int       // in a row, without a good answer in between
	wary     int       // good answers that are missing until it gets more at once
	paused   time.Time // until when it asked to be left alone
	until    time.Time
	touched  time.Time
}

// allows reports whether another attempt may be started.
func (b *breaker) allows(now time.Time) bool {
	if now.Before(b.paused) {
		return false
	}
	if b.failures >= breakAfter {
		return b.busy == 0 && !now.Before(b.until)
	}
	if b.wary > 0 {
		return b.busy == 0
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
	if a.Throttled {
		b.pause(a.RetryAfter, now)
		return
	}
	if a.OK || a.Permanent {
		b.failures, b.pauses, b.wary = 0, 0, max(b.wary-1, 0)
		return
	}
	b.failures++
	if over := b.failures - breakAfter; over >= 0 {
		b.until = now.Add(min(firstBreak<<min(over, 10), maxBreak))
	}
}

// pause leaves the service alone for as long as it asks. The attempts of one
// burst are told the same: they count once.
func (b *breaker) pause(asked time.Duration, now time.Time) {
	if !now.Before(b.paused) {
		b.pauses++
	}
	wait := asked
	if asked == 0 || b.pauses > breakAfter {
		wait = max(wait, min(minPause<<min(b.pauses-1, 10), maxPause))
	}
	if until := now.Add(wait); until.After(b.paused) {
		b.paused = until
	}
	b.wary = calmAfter
}
