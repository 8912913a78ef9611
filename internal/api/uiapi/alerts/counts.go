package alerts

import (
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// counts is how much of something each organization has under way.
type counts struct {
	mu sync.Mutex
	of map[tidemark.OrgID]int // guarded by mu
}

func newCounts() *counts { return &counts{of: make(map[tidemark.OrgID]int)} }

// enter counts one more of org until leave is called, or returns refused where
// there are most already.
func (c *counts) enter(org tidemark.OrgID, most int, refused error) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[org] >= most {
		return nil, refused
	}
	c.of[org]++
	return func() { c.leave(org) }, nil
}

func (c *counts) leave(org tidemark.OrgID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[org]--; c.of[org] == 0 {
		delete(c.of, org)
	}
}
