package alerting

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	// fastDeadline bounds an evaluation in the fast pool. One that takes
	// longer is moved to the slow pool, so that no evaluation waits longer for a slot.
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

	// Of the past of an alert.
	watch   *watch
	seeding *seeding
	past    func(ctx context.Context) error

	series []*tsdb.Series
	err    error
	took   time.Duration

	desk *desk
	run  func()
}

// read reads what the evaluation is about.
func (t *evaluation) read(ctx context.Context, r *Reader, deadline time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	work := r.Turns.Work(t.org)
	if t.err = work.Begin(ctx); t.err != nil {
		return
	}
	defer work.Pause()
	ctx = turns.With(ctx, work)
	began := time.Now()
	if t.past != nil {
		t.err, t.took = t.past(ctx), time.Since(began)
		return
	}
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
// of each: no organization fills the pool. Where the processors do not keep up,
// an evaluation in a slot waits for its turn at them, too.
type pool struct {
	slots    int
	deadline time.Duration

	mu      sync.Mutex
	waiting map[tidemark.OrgID][]*evaluation
	turns   []tidemark.OrgID // those with waiting ones, the next first
	busy    map[tidemark.OrgID]int
	running int
}

func newPool(slots int, deadline time.Duration) *pool {
	return &pool{slots: slots, deadline: deadline, waiting: make(map[tidemark.OrgID][]*evaluation), busy: make(map[tidemark.OrgID]int)}
}

// desk is where one evaluator hands evaluations to a pool and gets them back.
type desk struct {
	pool  *pool
	spent *atomic.Int64 // nanoseconds that evaluations took

	pending  int           // guarded by pool.mu
	finished []*evaluation // guarded by pool.mu
	idle     chan struct{} // closed when nothing is left to do; nil without waiters
	group    sync.WaitGroup
}

// submit has t run as soon as there is a slot for it.
func (d *desk) submit(ctx context.Context, r *Reader, t *evaluation) {
	p := d.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	t.desk, t.run = d, func() { t.read(ctx, r, p.deadline) }
	d.pending++
	if len(p.waiting[t.org]) == 0 {
		p.turns = append(p.turns, t.org)
	}
	p.waiting[t.org] = append(p.waiting[t.org], t)
	p.fill()
}

// fill starts what there is room for.
func (p *pool) fill() {
	for p.running < p.slots {
		t := p.next()
		if t == nil {
			return
		}
		p.running++
		p.busy[t.org]++
		t.desk.group.Go(func() {
			t.run()
			p.done(t)
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

func (p *pool) done(t *evaluation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if p.busy[t.org]--; p.busy[t.org] == 0 {
		delete(p.busy, t.org)
	}
	d := t.desk
	d.spent.Add(int64(t.took))
	d.finished = append(d.finished, t)
	p.fill()
	if d.pending--; d.pending == 0 && d.idle != nil {
		close(d.idle)
		d.idle = nil
	}
}

// isIdle reports whether nothing that was submitted is left to do.
func (d *desk) isIdle() bool {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	return d.pending == 0
}

// wait returns when all that was submitted is done, or after patience.
func (d *desk) wait(ctx context.Context, patience time.Duration) {
	d.pool.mu.Lock()
	if d.pending == 0 {
		d.pool.mu.Unlock()
		return
	}
	if d.idle == nil {
		d.idle = make(chan struct{})
	}
	idle := d.idle
	d.pool.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// take returns what has finished since the last time.
func (d *desk) take() []*evaluation {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	finished := d.finished
	d.finished = nil
	return finished
}

// close leaves out what has not begun, and waits for what has.
func (d *desk) close() {
	p := d.pool
	p.mu.Lock()
	for org, list := range p.waiting {
		if p.waiting[org] = slices.DeleteFunc(list, func(t *evaluation) bool { return t.desk == d }); len(p.waiting[org]) == 0 {
			delete(p.waiting, org)
			p.turns = slices.DeleteFunc(p.turns, func(o tidemark.OrgID) bool { return o == org })
		}
	}
	p.mu.Unlock()
	d.group.Wait()
}
