package objectives

import "sync"

const (
	// countsFresh is for how many seconds what was counted more than three days
	// ago is not read again: it hardly changes.
	countsFresh = 600
	// maxCounts bounds how many numbers are kept, at some 40 bytes each, and
	// maxCountsOfOne how many one read may add to them.
	maxCounts      = 500_000
	maxCountsOfOne = maxCounts / 5
)

// countCache keeps what objectives counted in the past. The zero countCache is
// empty and ready.
type countCache struct {
	mu   sync.Mutex
	kept map[countKey]*counted
	size int
}

// find returns what was read not long before now, or nil.
func (c *countCache) find(k countKey, now int64) *counted {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.kept[k]; v != nil && v.read > now-countsFresh && v.read <= now {
		return v
	}
	return nil
}

// keep keeps v, and lets the oldest go where there are too many.
func (c *countCache) keep(k countKey, v *counted) {
	if v.size() > maxCountsOfOne {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = make(map[countKey]*counted)
	}
	c.drop(k)
	c.kept[k], c.size = v, c.size+v.size()
	for c.size > maxCounts {
		oldest := k
		for other, kept := range c.kept {
			if kept.read < c.kept[oldest].read || oldest == k {
				oldest = other
			}
		}
		c.drop(oldest)
	}
	for other, kept := range c.kept {
		if kept.read <= v.read-countsFresh {
			c.drop(other)
		}
	}
}

func (c *countCache) drop(k countKey) {
	if v := c.kept[k]; v != nil {
		c.size -= v.size()
		delete(c.kept, k)
	}
}

// size is how many numbers c holds; a series that is empty counts as well.
func (c *counted) size() int {
	n := 1
	for _, steps := range c.all {
		n += 1 + len(steps)
	}
	for _, steps := range c.upTo {
		n += 1 + len(steps)
	}
	return n
}
