package alerting

import "time"

const (
	// breakAfter is how many tries in a row must fail before a service is
	// left alone for a while.
	breakAfter = 5
	firstBreak = 15 * time.Second
	maxBreak   = 5 * time.Minute
	// placeKept is how long a service's past is remembered.
	placeKept = 10 * time.Minute
)

// place is what is known of a service as a destination: how many tries are
// under way, and whether it is any use to try. It is a breaker: after some
// failures in a row it closes for a while, then lets one try through, and
// opens for all when that succeeds.
type place struct {
	busy     int
	failures int // in a row
	until    time.Time
	touched  time.Time
}

// isOpen reports whether another try may be started.
func (p *place) isOpen(now time.Time) bool {
	if p.failures >= breakAfter {
		return p.busy == 0 && !now.Before(p.until)
	}
	return p.busy < maxPerService
}

func (p *place) isForgettable(now time.Time) bool {
	return p.busy == 0 && now.Sub(p.touched) > placeKept
}

// done takes note of how a try ended. A refusal for good says nothing against
// the place: it answers.
func (p *place) done(a Answer, now time.Time) {
	p.busy--
	p.touched = now
	if a.OK || a.Permanent {
		p.failures = 0
		return
	}
	p.failures++
	if over := p.failures - breakAfter; over >= 0 {
		p.until = now.Add(min(firstBreak<<min(over, 10), maxBreak))
	}
}
