// Package clock tells the time to whatever deletes data or takes it for
// complete: a clock that is set ahead by mistake must not make data look old.
package clock

import (
	"sync"
	"time"
)

const (
	// slack is how far ahead of where it should be a clock may be and be
	// believed: clocks are corrected by little.
	slack = 10 * time.Minute
	// trust is how long a clock must stay ahead to be believed.
	trust = time.Hour
	// startSlack is how long the server may have been off for its clock to be
	// believed at once.
	startSlack = 48 * time.Hour
)

// Steady is a clock that does not jump ahead: one that is set ahead while the
// server runs, or was set ahead when it starts, is believed after an hour. One
// that is set back is believed at once, since that deletes nothing. It is safe
// for concurrent use.
type Steady struct {
	wall func() time.Time
	even func() time.Duration

	mu     sync.Mutex
	known  time.Time     // the time, as of at
	at     time.Duration // of even
	ahead  time.Duration // of even: since when the clock is ahead
	isFar  bool          // it is
	begins bool          // known is of the last time the server ran
}

// New returns a clock over that of the machine.
func New() *Steady { return Over(time.Now, Elapsed()) }

// Over returns a clock over wall. Even runs evenly, whatever wall says; without
// it wall is believed.
func Over(wall func() time.Time, even func() time.Duration) *Steady {
	return &Steady{wall: wall, even: even}
}

// Elapsed returns a clock that runs evenly, whatever that of the machine says.
func Elapsed() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// Start has the clock go on from when the server last ran, if that is known.
func (c *Steady) Start(last time.Time) {
	if c.even == nil || last.Unix() <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known, c.at, c.begins = last, c.even(), true
}

// Now returns the time.
func (c *Steady) Now() time.Time {
	if c.even == nil {
		return c.wall()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, even := c.wall(), c.even()
	should, most := c.known.Add(even-c.at), slack
	if c.begins {
		most = startSlack
	}
	if !c.known.IsZero() && wall.Sub(should) > most && !c.hasLasted(even) {
		return should
	}
	c.known, c.at, c.isFar, c.begins = wall, even, false, false
	return wall
}

// hasLasted takes note that the clock is ahead, and reports whether it has
// been for long.
func (c *Steady) hasLasted(even time.Duration) bool {
	if !c.isFar {
		c.ahead, c.isFar = even, true
	}
	return even-c.ahead >= trust
}
