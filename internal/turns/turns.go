// Package turns divides the processors among organizations while there is more
// to do than they can: one with little work is served as if the others were
// not there, and those with much wait for each other.
package turns

import (
	"context"
	"runtime"
	"slices"
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
	lateBy    = 10 * time.Millisecond
	// lateFor is how long work takes turns after that, and how long an
	// organization with little work is made way for after it was last here:
	// those with much to do come in waves.
	lateFor = 10 * time.Second
	// countEvery is how often it is counted who is active.
	countEvery = time.Second
	// each is how many pieces of work are under way for each processor while
	// work takes turns and nobody is made way for.
	each = 4
	// most is the credit that an organization can save up, and least what it
	// can owe: neither an hour of rest nor one of work counts for longer.
	most  = 200 * time.Millisecond
	least = -2 * time.Second
	// ahead is how much more credit than others an organization must have for
	// them to make way, and guess what a piece of work that has just begun is
	// believed to cost.
	ahead = 50 * time.Millisecond
	guess = 10 * time.Millisecond
	// slice is how long work has its turn before it gives way, where it can.
	slice = 5 * time.Millisecond
	// countFor is how long a piece of work keeps others from beginning: one that
	// takes longer may well wait for something else than a processor.
	countFor = 3 * time.Second
	// forgetAfter is how long what an organization owes is remembered.
	forgetAfter = 20 * time.Second
)

// Turns is the order in which organizations get the processors.
//
// Every organization earns credit, an equal share of the processors but one,
// and pays with it for the time its work takes. While the processors do not
// keep up, work waits in a queue, of which the organization with most credit is
// next. One that has much more credit than those who wait does not wait, and as
// long as there is such a one, only so much is under way that a processor stays
// free for it.
//
// The zero Turns is ready to use. A nil one lets everything begin at once.
type Turns struct {
	late    atomic.Int64 // until when work takes turns, in nanoseconds since 1970
	light   atomic.Int64 // until when somebody with little work is made way for
	mu      sync.Mutex
	orgs    map[tidemark.OrgID]*account
	turns   map[*Turn]struct{} // under way, as far as they count
	waiting int
	active  int // organizations with work of late
	counted time.Time
}

// account is what is known of one organization.
type account struct {
	credit  time.Duration
	at      time.Time // when credit was last brought up to date
	seen    time.Time // when it last began, or wanted to begin, something
	running int
	queue   []*Turn // that wait
}

// Turn is a piece of work that has its turn, or waits for it.
type Turn struct {
	all   *Turns
	org   tidemark.OrgID
	began time.Time
	come  chan struct{} // closed when the turn has come; nil where it did not wait
	waits bool
	over  bool
}

// Begin waits for the turn of a piece of work of org, which lasts until Done.
// The deadline of ctx is the only limit of how long it waits.
func (t *Turns) Begin(ctx context.Context, org tidemark.OrgID) (*Turn, error) {
	if err := ctx.Err(); err != nil || t == nil {
		return nil, err
	}
	turn := t.begin(org, time.Now())
	if turn.come == nil {
		return turn, nil
	}
	select {
	case <-turn.come:
		return turn, nil
	case <-ctx.Done():
		turn.Done()
		return nil, ctx.Err()
	}
}

// begin returns a turn, without anything to wait for where work begins at once.
func (t *Turns) begin(org tidemark.OrgID, now time.Time) *Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	turn := &Turn{all: t, org: org}
	a := t.account(org, now)
	a.seen = now
	if !t.isLate(now) {
		t.start(a, turn, now)
		return turn
	}
	if first := t.isAhead(a); len(a.queue) == 0 && (first || len(t.turns) < t.width(now)) {
		if first {
			t.light.Store(now.Add(lateFor).UnixNano())
		}
		t.start(a, turn, now)
		return turn
	}
	t.enqueue(a, turn)
	return turn
}

func (t *Turns) enqueue(a *account, turn *Turn) {
	turn.come, turn.waits = make(chan struct{}), true
	a.queue = append(a.queue, turn)
	t.waiting++
}

// yield gives way to others where the turn has lasted for its slice, and waits
// for the next one.
func (turn *Turn) yield(ctx context.Context) error {
	now := time.Now()
	if !turn.all.isLate(now) {
		return ctx.Err()
	}
	if come := turn.giveWay(now); come != nil {
		select {
		case <-come:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// giveWay ends a turn that has lasted for its slice, where others should have
// theirs, and returns what is closed when it may go on; nil if at once.
func (turn *Turn) giveWay(now time.Time) <-chan struct{} {
	t := turn.all
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn.waits {
		return turn.come // another goroutine gave way
	}
	if turn.over || now.Sub(turn.began) < slice {
		return nil
	}
	turn.began = now
	a := t.account(turn.org, now)
	if !t.isWanted(a, now) {
		return nil
	}
	a.running--
	delete(t.turns, turn)
	t.enqueue(a, turn)
	t.admit(now)
	return turn.come
}

// isWanted reports whether others should have the turn of one that has a.
func (t *Turns) isWanted(a *account, now time.Time) bool {
	if t.isAhead(a) {
		return false
	}
	if len(t.turns) > t.width(now) {
		return true
	}
	return t.waiting > 0 && (len(a.queue) > 0 || t.next(now).credit > a.credit)
}

// Done ends a turn. It may be called on a nil one.
func (turn *Turn) Done() {
	if turn == nil {
		return
	}
	t := turn.all
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	a := t.account(turn.org, now)
	turn.over = true
	if turn.waits {
		t.dequeue(a, turn)
		return
	}
	a.running--
	delete(t.turns, turn)
	t.admit(now)
}

// dequeue takes back a turn that is not wanted any more. Goroutines that wait
// for it go on, and find that they have none.
func (t *Turns) dequeue(a *account, turn *Turn) {
	i := slices.Index(a.queue, turn)
	a.queue = slices.Delete(a.queue, i, i+1)
	t.waiting--
	turn.waits = false
	close(turn.come)
}

// Charge has organizations pay for work that was done for several at once, each
// for its part of the whole.
func (t *Turns) Charge(parts map[tidemark.OrgID]int64, cost time.Duration) {
	if t == nil {
		return
	}
	var whole int64
	for _, part := range parts {
		whole += part
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for org, part := range parts {
		if a := t.orgs[org]; a != nil { // else it has nothing to do, and need not pay
			t.settle(a, now)
			a.credit = max(least, a.credit-time.Duration(float64(cost)*float64(part)/float64(whole)))
		}
	}
}

// Processors is how many a piece of work may use: all, unless an organization
// with little work is made way for.
func (t *Turns) Processors() int {
	if now := time.Now(); t != nil && t.isLate(now) && now.UnixNano() < t.light.Load() {
		return spare()
	}
	return processors()
}

// Watch looks whether the processors keep up until ctx is done.
func (t *Turns) Watch(ctx context.Context) error {
	tick := time.NewTimer(lookEvery)
	defer tick.Stop()
	wide := false
	defer func() { widen(false) }()
	for before := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now := time.Now()
		t.look(now, now.Sub(before))
		before = now
		if late := t.isLate(now); late != wide {
			wide = late
			widen(wide)
		}
		tick.Reset(lookEvery)
	}
}

// processors is how many there are to divide.
var processors = sync.OnceValue(func() int { return runtime.GOMAXPROCS(0) })

// widen has the runtime use more threads than there are processors, or as many.
// It interrupts what runs for others only after 10 ms; the kernel interrupts a
// thread at once for one that has not run of late.
func widen(wide bool) {
	n := processors()
	if wide {
		n *= 2
	}
	runtime.GOMAXPROCS(n)
}

// Overload has work take turns for a while, as where the processors do not
// keep up.
func (t *Turns) Overload(now time.Time) { t.late.Store(now.Add(lateFor).UnixNano()) }

// Load is what is under way and what waits.
type Load struct{ Running, Waiting int }

// Load returns what is under way and what waits at the moment.
func (t *Turns) Load() Load {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := Load{Waiting: t.waiting}
	for _, a := range t.orgs {
		l.Running += a.running
	}
	return l
}

// look takes note of how long it was since the last look, and begins what may
// begin by now. As long as something waits, the processors do not keep up.
func (t *Turns) look(now time.Time, since time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since > lookEvery+lateBy || t.waiting > 0 && t.isLate(now) {
		t.Overload(now)
	}
	if now.Sub(t.counted) >= countEvery {
		t.count(now)
	}
	for turn := range t.turns {
		if now.Sub(turn.began) > countFor {
			delete(t.turns, turn)
		}
	}
	t.admit(now)
}

func (t *Turns) isLate(now time.Time) bool { return now.UnixNano() < t.late.Load() }

// width is how many pieces of work without credit are under way at once.
func (t *Turns) width(now time.Time) int {
	if now.UnixNano() < t.light.Load() {
		return spare()
	}
	return each * processors()
}

// spare is the processors but one, which is kept for those with little work.
func spare() int { return max(1, processors()-1) }

// account returns what is known of org, brought up to date.
func (t *Turns) account(org tidemark.OrgID, now time.Time) *account {
	a := t.orgs[org]
	if a == nil {
		if t.orgs == nil {
			t.orgs = make(map[tidemark.OrgID]*account)
		}
		a = &account{credit: most, at: now}
		t.orgs[org] = a
		t.active++
	}
	t.settle(a, now)
	return a
}

// settle adds what a has earned since it was last settled, and takes what its
// work has cost: it had as much of the processors as everything else that was
// under way.
func (t *Turns) settle(a *account, now time.Time) {
	passed := float64(now.Sub(a.at))
	a.at = now
	earned := passed * float64(spare()) / float64(max(t.active, 1))
	procs := processors()
	cost := passed * float64(a.running*procs) / float64(max(len(t.turns), procs))
	a.credit = min(most, max(least, a.credit+time.Duration(earned-cost)))
}

// isAhead reports whether a has so much more credit than another with work that
// it does not wait.
func (t *Turns) isAhead(a *account) bool {
	left := a.credit - time.Duration(a.running)*guess
	for _, other := range t.orgs {
		if other.running+len(other.queue) > 0 && left > other.credit+ahead {
			return true
		}
	}
	return false
}

func (t *Turns) start(a *account, turn *Turn, now time.Time) {
	if t.turns == nil {
		t.turns = make(map[*Turn]struct{})
	}
	t.turns[turn] = struct{}{}
	turn.began = now
	a.running++
	if turn.waits {
		turn.waits = false
		close(turn.come)
	}
}

// admit begins what waits and may: those with most credit first.
func (t *Turns) admit(now time.Time) {
	for t.waiting > 0 {
		a := t.next(now)
		if t.isLate(now) && len(t.turns) >= t.width(now) && !t.isAhead(a) {
			return
		}
		turn := a.queue[0]
		a.queue = a.queue[1:]
		t.waiting--
		t.start(a, turn, now)
	}
}

// next returns the organization with most credit of those that wait.
func (t *Turns) next(now time.Time) *account {
	var best *account
	for _, a := range t.orgs {
		if len(a.queue) == 0 {
			continue
		}
		t.settle(a, now)
		if best == nil || a.credit > best.credit {
			best = a
		}
	}
	return best
}

// count counts who is active, and forgets who has not been for long.
func (t *Turns) count(now time.Time) {
	t.counted, t.active = now, 0
	for org, a := range t.orgs {
		t.settle(a, now)
		switch {
		case a.running+len(a.queue) > 0 || now.Sub(a.seen) < countEvery:
			t.active++
		case now.Sub(a.seen) > forgetAfter:
			delete(t.orgs, org)
		}
	}
}
