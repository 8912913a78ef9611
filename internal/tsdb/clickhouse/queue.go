package clickhouse

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// maxCommit is how many rows one commit has at least room for: from there
	// on, larger ones cost ClickHouse no less a row.
	maxCommit = 100_000
	// maxQueued is how many rows wait at most; what comes then is refused.
	maxQueued = 500_000
	// maxBatch is how many records one commit can number.
	maxBatch = 1 << seqBits
)

// pending is a batch that waits to be committed.
type pending struct {
	ctx   context.Context // the caller's
	org   tidemark.OrgID
	batch *tsdb.Batch
	// streams are those of the records that were known when it came.
	streams []*stream
	rows    int           // of batch, which is the caller's again after built
	built   chan struct{} // closed once the batch is no longer needed
	done    chan error    // has room for one
}

// queue is what waits to be committed.
type queue struct {
	mu     sync.Mutex
	closed bool
	all    []*pending
	rows   int
	wake   chan struct{} // has room for one
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// add puts a batch into the queue, or refuses it.
func (q *queue) add(p *pending) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := p.rows
	switch {
	case q.closed:
		return errClosed
	case q.rows > 0 && q.rows+n > maxQueued:
		return tidemark.Errorf(tidemark.Unavailable, "measurements cannot be stored at present: more come in than can be stored")
	}
	q.all, q.rows = append(q.all, p), q.rows+n
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

// remove takes a batch out of the queue and reports whether it was in it.
func (q *queue) remove(p *pending) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.all, p)
	if i < 0 {
		return false
	}
	q.all = slices.Delete(q.all, i, i+1)
	q.rows -= p.rows
	return true
}

// take returns the batches of one commit, in the order in which they came.
func (q *queue) take() []*pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, rows := 0, 0
	for n < len(q.all) && (n == 0 || rows+q.all[n].rows <= maxCommit) {
		rows += q.all[n].rows
		n++
	}
	group := slices.Clone(q.all[:n])
	q.all, q.rows = slices.Delete(q.all, 0, n), q.rows-rows
	return group
}

// full reports whether a commit would have as many rows as are worth waiting for.
func (q *queue) full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rows >= maxCommit
}

func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all) == 0
}

// close refuses what waits, and all that comes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, p := range q.all {
		close(p.built)
		p.done <- errClosed
	}
	q.all, q.rows = nil, 0
}

// pace decides when the next commit starts. Each commit makes a part in
// ClickHouse that has to be merged, so that many small ones cost more than few
// large ones: a few are made at once, then one an interval, with all that came
// meanwhile. While little comes no write waits.
//
// The interval is so long that no more than a quarter of the time a commit of
// this server is under way, within limits: a ClickHouse that is done soon has
// time for smaller ones, which are acknowledged earlier. Where it is not, and
// that is where much comes, commits are as large as they can be.
type pace struct {
	longest  time.Duration // while ClickHouse copes; half of it is the shortest
	interval time.Duration
	usual    time.Duration // what a commit takes
	tokens   float64
	last     time.Time
}

const (
	// slowest is how long the interval may get while ClickHouse has too many parts.
	slowest = time.Second
	// burst is how many commits are made at once after a rest.
	burst = 10
	// share is how many times as long as a commit the interval is.
	share = 4
)

// wait returns how long the next commit has to wait.
func (p *pace) wait(now time.Time) time.Duration {
	if p.interval == 0 {
		p.interval, p.tokens, p.last = p.longest, burst, now
	}
	p.tokens = min(burst, p.tokens+now.Sub(p.last).Seconds()/p.interval.Seconds())
	p.last = now
	if p.tokens >= 1 {
		return 0
	}
	return time.Duration((1 - p.tokens) * float64(p.interval))
}

// committed notes a commit: how long it took, and how ClickHouse coped with it.
func (p *pace) committed(took time.Duration, err error) {
	p.tokens--
	if code(err) == codeTooManyParts {
		p.interval = min(2*p.interval, slowest)
		return
	}
	p.usual += (took - p.usual) / burst
	p.interval = max(p.interval*9/10, p.longest/2, min(share*p.usual, p.longest))
}

// commitLoop commits what is in the queue until ctx is done.
func (e *Engine) commitLoop(ctx context.Context) {
	p := pace{longest: e.o.CommitInterval}
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.queue.wake:
		}
		for !e.queue.empty() {
			e.waitForMore(ctx, &p)
			if group := e.queue.take(); len(group) > 0 {
				began := time.Now()
				err := e.commit(group)
				p.committed(time.Since(began), err)
			}
		}
	}
}

// waitForMore waits until the next commit is due, or there is enough for one.
func (e *Engine) waitForMore(ctx context.Context, p *pace) {
	wait := p.wait(time.Now())
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for !e.queue.full() {
		select {
		case <-timer.C:
			p.wait(time.Now())
			return
		case <-ctx.Done():
			return
		case <-e.queue.wake:
		}
	}
}
