package rest

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// lookEvery is how often it is looked whether the processors keep up, and
	// lateBy how much later than it should a look must come for it to be
	// believed that they do not.
	lookEvery = 20 * time.Millisecond
	lateBy    = 20 * time.Millisecond
	// lateFor is how long requests take turns after that.
	lateFor = time.Second
	// turnsEach is how many requests are worked on for each processor while
	// requests take turns, and leastTurns how many of one organization at least.
	turnsEach  = 4
	leastTurns = 2
)

// turns divides the processors among organizations while they do not keep up:
// each may then have as many requests worked on as its share, and those beyond
// wait, so that an organization with few requests is answered as if there were no others.
type turns struct {
	late  atomic.Int64 // when requests may stop taking turns, in nanoseconds
	mu    sync.Mutex
	busy  map[tidemark.OrgID]int
	wants map[tidemark.OrgID]int // requests that wait
	freed chan struct{}          // closed when one is done
}

// Watch looks whether the processors keep up until ctx is done.
func (s *Site) Watch(ctx context.Context) error {
	tick := time.NewTimer(lookEvery)
	defer tick.Stop()
	for before := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now := time.Now()
		s.turns.look(now, now.Sub(before))
		before = now
		tick.Reset(lookEvery)
	}
}

// look takes note of how long it was since the last look.
func (t *turns) look(now time.Time, since time.Duration) {
	if since > lookEvery+lateBy {
		t.late.Store(now.Add(lateFor).UnixNano())
	}
}

// take has a request of org worked on, or returns what to wait for.
func (t *turns) take(org tidemark.OrgID, now time.Time) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy == nil {
		t.busy, t.wants, t.freed = make(map[tidemark.OrgID]int), make(map[tidemark.OrgID]int), make(chan struct{})
	}
	if now.UnixNano() < t.late.Load() && t.busy[org] >= t.share() {
		return t.freed
	}
	t.busy[org]++
	return nil
}

// share is how many requests of an organization are worked on at once.
func (t *turns) share() int {
	active := len(t.busy)
	for org := range t.wants {
		if t.busy[org] == 0 {
			active++
		}
	}
	return max(leastTurns, turnsEach*runtime.GOMAXPROCS(0)/max(active, 1))
}

// wait waits for the turn of org. No request waits longer than a round of the
// organizations that are served takes, so its own deadline is the only limit.
func (t *turns) wait(ctx context.Context, org tidemark.OrgID) error {
	freed := t.take(org, time.Now())
	if freed == nil {
		return nil
	}
	t.want(org, 1)
	defer t.want(org, -1)
	again := time.NewTicker(lateFor) // the processors may keep up meanwhile
	defer again.Stop()
	for freed != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-freed:
		case <-again.C:
		}
		freed = t.take(org, time.Now())
	}
	return nil
}

func (t *turns) want(org tidemark.OrgID, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wants[org] += n; t.wants[org] == 0 {
		delete(t.wants, org)
	}
}

func (t *turns) done(org tidemark.OrgID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[org]--; t.busy[org] == 0 {
		delete(t.busy, org)
	}
	if len(t.wants) > 0 {
		close(t.freed)
		t.freed = make(chan struct{})
	}
}
