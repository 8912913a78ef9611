package embedded

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Seal moves everything that is in memory into Pebble.
func (e *Engine) Seal(ctx context.Context) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	e.rotate()
	return e.sealClosed(ctx)
}

// rotate closes the generation that is being filled.
func (e *Engine) rotate() {
	e.log.Locked(func() { e.head.cutNow = true })
	e.log.Flush()
}

// sealClosed seals the generations that are closed, oldest first.
func (e *Engine) sealClosed(ctx context.Context) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	return e.sealLocked(ctx)
}

// sealLocked is sealClosed for those who hold background.
func (e *Engine) sealLocked(ctx context.Context) error {
	for {
		err := e.tables.Mend()
		gens := e.state.Load().closedGenerations()
		if err == nil && len(gens) > 0 {
			err = e.seal(ctx, gens[0])
		}
		e.stats.setSealError(err)
		if err != nil || len(gens) == 0 {
			return err
		}
	}
}

// sealInline seals what is closed if no Run does.
func (e *Engine) sealInline(ctx context.Context) {
	if e.upkeep.running.Load() > 0 || len(e.state.Load().gens) < 2 {
		return
	}
	if err := e.sealClosed(ctx); err != nil && ctx.Err() == nil {
		e.o.Hooks.BackgroundError("seal", err)
	}
}

// Maintain does all work that is due now: sealing by age, purges, repairs,
// tiers, retention, merges. Run does the same, bit by bit.
func (e *Engine) Maintain(ctx context.Context) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	var errs []error
	for _, c := range chores {
		if err := c.do(e, ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Settle does at once what would otherwise be done in the hour after much old
// data was written: it seals, merges, makes the summaries of what came late, and adds
// what came later still to them. Queries over long times are then as fast as
// on data that came in time. It does not wait until writes have stopped:
// it is for whoever knows that they have.
func (e *Engine) Settle(ctx context.Context) error {
	if err := e.Seal(ctx); err != nil {
		return err
	}
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	for _, do := range []func(context.Context) error{
		e.purge,
		func(ctx context.Context) error { return e.mergeRested(ctx, e.now()) },
		func(ctx context.Context) error { return e.repairMarked(ctx, e.now()) },
		e.buildTiers, e.expire, e.foldOverdue,
	} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// chore is one kind of work in the background.
type chore struct {
	name  string
	every time.Duration
	do    func(e *Engine, ctx context.Context) error
}

// chores is all of it, in the order that lets each find what it needs done.
var chores = []chore{
	{"take writes again", time.Second, func(e *Engine, _ context.Context) error { return e.log.Probe() }},
	{"seal by age", 10 * time.Second, (*Engine).sealOld},
	{"seal", time.Second, (*Engine).sealClosed},
	// The first three are urgent.
	{"purge", 10 * time.Second, (*Engine).purge},
	{"merge", 5 * time.Second, (*Engine).mergeDue}, // what follows reads less then
	{"repair", 15 * time.Second, (*Engine).repair}, // often: what is marked is read from raw records
	{"build tiers", time.Minute, (*Engine).buildTiers},
	{"expire", 10 * time.Minute, (*Engine).expire},
	{"expire streams", 10 * time.Minute, (*Engine).expireStreams},
	{"fold", 15 * time.Second, (*Engine).foldOverdue}, // often, too: overdue records are read one by one
	{"quarantine", time.Minute, (*Engine).moveAside},
	{"give back names", time.Minute, (*Engine).collect},
}

const urgent = 3

const (
	tick     = time.Second
	maxPause = time.Minute
)

// Run does the work in the background (sealing, merging, tiers, retention)
// until ctx is done. Without it the writer that fills a generation seals it,
// and nothing else happens by itself; see Maintain. What fails is reported
// and tried again later.
func (e *Engine) Run(ctx context.Context) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	e.upkeep.running.Add(1)
	var wg sync.WaitGroup
	// Sealing goes beside the rest: writers may be waiting for it.
	wg.Go(func() { e.loop(ctx, chores[:urgent], e.head.sealNow) })
	wg.Go(func() { e.loop(ctx, chores[urgent:], nil) })
	wg.Wait()
	e.upkeep.running.Add(-1)
	e.state.change(func(*state) {}) // wakes writers that wait for a seal: they must do it now
	return nil
}

// loop does chores, each when it is due, and all when hurry says so.
func (e *Engine) loop(ctx context.Context, list []chore, hurry <-chan struct{}) {
	next := make([]time.Time, len(list))
	pause := make([]time.Duration, len(list))
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		all := false
		select {
		case <-ctx.Done():
			return
		case <-hurry:
			all = true
		case <-t.C:
		}
		for i, c := range list {
			if time.Now().Before(next[i]) && !(all && pause[i] == 0) {
				continue
			}
			err := c.do(e, ctx)
			if ctx.Err() != nil {
				return
			}
			pause[i] = backOff(pause[i], err)
			next[i] = time.Now().Add(max(c.every, pause[i]))
			if err != nil {
				e.o.Hooks.BackgroundError(c.name, err)
			}
		}
	}
}

// backOff returns how long to leave a chore alone after err.
func backOff(last time.Duration, err error) time.Duration {
	if err == nil {
		return 0
	}
	return min(maxPause, max(100*time.Millisecond, 2*last))
}
