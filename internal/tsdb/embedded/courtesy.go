package embedded

import "time"

// courtesy makes work in the background give way to requests, a piece at a
// time. Only to yield (runtime.Gosched) is not enough: while every processor has
// something to run, Go's scheduler runs whoever yielded before it looks for what
// came over the network, and looks there every ten milliseconds.
type courtesy struct{ since time.Time }

const (
	courtesyEvery = time.Millisecond
	courtesyFor   = 20 * time.Microsecond
)

// pause is called between pieces of work that take less than a millisecond.
func (c *courtesy) pause() {
	if time.Since(c.since) >= courtesyEvery {
		time.Sleep(courtesyFor)
		c.since = time.Now()
	}
}
