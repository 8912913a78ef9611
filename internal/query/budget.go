package query

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/tidemark-metrics/tidemark"
)

// budget is what all queries together may hold in memory, in points. Each
// takes from it as it goes; what one cannot have it waits for, briefly.
type budget struct {
	free *semaphore.Weighted
	size int64
	wait time.Duration
}

func newBudget(points int, wait time.Duration) *budget {
	return &budget{free: semaphore.NewWeighted(int64(points)), size: int64(points), wait: wait}
}

// take waits for n points.
func (b *budget) take(ctx context.Context, n int64) error {
	if b.free.TryAcquire(n) {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	if err := b.free.Acquire(waiting, n); err == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return tidemark.Errorf(tidemark.Unavailable,
		"the queries under way hold as many points in memory as all may together, %d: try again soon, or ask for less at once", b.size)
}

// share is what one query has taken.
type share struct {
	*budget
	ctx  context.Context // of the query; a share does not outlive it
	mu   sync.Mutex
	have int64
}

// shareStep is how many points are taken at a time: few enough not to matter,
// and enough not to take for every series.
const shareStep = 1 << 14

// cover makes sure that the share is enough for points. A nil share is enough
// for everything.
func (s *share) cover(points int64) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if points <= s.have {
		return nil
	}
	n := min(points-s.have+shareStep, s.size-s.have)
	if err := s.take(s.ctx, n); err != nil {
		return err
	}
	s.have += n
	return nil
}

// giveBack returns all of it.
func (s *share) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free.Release(s.have)
	s.have = 0
}
