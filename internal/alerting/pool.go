package alerting

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// fastDeadline bounds an evaluation in the fast pool. One that takes
	// longer is moved to the slow pool, so that nobody waits longer for a slot.
	fastDeadline = 500 * time.Millisecond
	fastSlots    = 4
	// slowDeadline bounds any evaluation; an alert that takes longer is set
	// aside.
	slowDeadline = 20 * time.Second
	slowSlots    = 2
	// pollPatience is how long a round waits for the fast pool. What takes
	// longer is fed to its alert in a later round.
	pollPatience = 200 * time.Millisecond
)

// evaluation is the reading of some steps of one condition. It holds copies of
// what it needs, since the condition belongs to the evaluator's loop.
type evaluation struct {
	condition  *condition
	org        tidemark.OrgID
	source     source
	rule       rule
	start, end int64

	series []*tsdb.Series
	err    error
	took   time.Duration
}

// read reads what the evaluation is about.
func (t *evaluation) read(ctx context.Context, r *Reader, deadline time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	began := time.Now()
	for series, err := range r.readings(ctx, t.org, &t.source, &t.rule, t.start, t.end, t.source.step) {
		if err != nil {
			t.err = err
			break
		}
		t.series = append(t.series, series.Clone())
	}
	t.took = time.Since(began)
	if err := ctx.Err(); err != nil && t.err != nil {
		t.err = err // whatever words the engine has for it
	}
}

// isOverdue reports whether it did not finish before its deadline.
func (t *evaluation) isOverdue() bool { return errors.Is(t.err, context.DeadlineExceeded) }

// pool runs evaluations of all organizations, a bounded number at a time.
// Organizations take turns, and while others may want one, a slot is kept free
// of each: no organization fills the pool.
type pool struct {
	slots    int
	deadline time.Duration

	mu       sync.Mutex
	waiting  map[tidemark.OrgID][]*evaluation
	turns    []tidemark.OrgID // those with waiting ones, the next first
	busy     map[tidemark.OrgID]int
	running  int
	finished []*evaluation
	idle     chan struct{} // closed when nothing is left to do; nil if nobody waits
	group    sync.WaitGroup
}

func newPool(slots int, deadline time.Duration) *pool {
	return &pool{slots: slots, deadline: deadline, waiting: make(map[tidemark.OrgID][]*evaluation), busy: make(map[tidemark.OrgID]int)}
}

// submit has t run as soon as there is a slot for it.
func (p *pool) submit(ctx context.Context, r *Reader, t *evaluation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting[t.org]) == 0 {
		p.turns = append(p.turns, t.org)
	}
	p.waiting[t.org] = append(p.waiting[t.org], t)
	p.fill(ctx, r)
}

// fill starts what there is room for.
func (p *pool) fill(ctx context.Context, r *Reader) {
	for p.running < p.slots {
		t := p.next()
		if t == nil {
			return
		}
		p.running++
		p.busy[t.org]++
		p.group.Go(func() {
			t.read(ctx, r, p.deadline)
			p.done(ctx, r, t)
		})
	}
}

// next takes the next evaluation of the organization whose turn it is.
func (p *pool) next() *evaluation {
	for i, org := range p.turns {
		if p.busy[org] >= p.slots-1 {
			continue
		}
		t := p.waiting[org][0]
		p.turns = append(p.turns[:i], p.turns[i+1:]...)
		if p.waiting[org] = p.waiting[org][1:]; len(p.waiting[org]) > 0 {
			p.turns = append(p.turns, org)
		} else {
			delete(p.waiting, org)
		}
		return t
	}
	return nil
}

func (p *pool) done(ctx context.Context, r *Reader, t *evaluation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if p.busy[t.org]--; p.busy[t.org] == 0 {
		delete(p.busy, t.org)
	}
	p.finished = append(p.finished, t)
	p.fill(ctx, r)
	if p.running == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// wait returns when all is done, or after d.
func (p *pool) wait(ctx context.Context, d time.Duration) {
	p.mu.Lock()
	if p.running == 0 {
		p.mu.Unlock()
		return
	}
	if p.idle == nil {
		p.idle = make(chan struct{})
	}
	idle := p.idle
	p.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// take returns what has finished since the last time.
func (p *pool) take() []*evaluation {
	p.mu.Lock()
	defer p.mu.Unlock()
	finished := p.finished
	p.finished = nil
	return finished
}
