package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"golang.org/x/sync/errgroup"
)

const (
	faultSteps = 60          // of the workload that faults are put into
	patience   = time.Minute // for an engine to find out that a fault is over
)

// faultOptions make every kind of work happen within faultSteps.
func faultOptions(fs vfs.FS) embedded.Options {
	o := workOptions("data")
	o.FS, o.GenerationRecords, o.WriteWait = fs, 120, 50*time.Millisecond
	return o
}

// drill runs the workload on a file system with faults, one call after the
// other, and remembers what was acknowledged.
type drill struct {
	t    *testing.T
	mem  *disk
	fs   *faultyFS
	e    *embedded.Engine
	work workload
	done int64 // steps acknowledged
	sick bool  // the last step was refused
}

func newDrill(t *testing.T, p *plan) *drill {
	mem := newDisk()
	return &drill{t: t, mem: mem, fs: &faultyFS{FS: mem, plan: p}, work: workload{base: weekAgo()}}
}

// open opens the engine, once more if the fault was in the way of the first.
func (d *drill) open() error {
	e, err := embedded.Open(d.t.Context(), faultOptions(d.fs))
	if err != nil && d.fs.plan.hits.Load() > 0 {
		d.fs.plan.clear()
		e, err = embedded.Open(d.t.Context(), faultOptions(d.fs))
	}
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	d.e = e
	return nil
}

// survive opens the engine and runs the workload. A panic is a failure.
func (d *drill) survive() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if err := d.open(); err != nil {
		return err
	}
	return d.run()
}

// run does the steps. A step that fails must have left nothing, reads must go
// on, and the next may succeed or not. After the last the fault is over, and
// the engine must get well by itself.
func (d *drill) run() error {
	ctx := d.t.Context()
	if err := d.retry("prepare", func() error { return d.work.prepare(ctx, d.e) }); err != nil {
		return err
	}
	for i := range int64(faultSteps) {
		if err := d.step(ctx); err != nil {
			return err
		}
		// These may fail; their work is tried again.
		if i%15 == 14 {
			d.e.Seal(ctx)
		}
		if i%20 == 19 {
			d.e.Maintain(ctx)
		}
	}
	if err := d.recover(ctx); err != nil {
		return err
	}
	if err := d.work.verifyAt(ctx, d.e, d.done); err != nil {
		return fmt.Errorf("after recovery: %w", err)
	}
	return d.reopen(ctx)
}

// recover ends the fault, and does all that may have been refused.
func (d *drill) recover(ctx context.Context) error {
	d.fs.plan.clear()
	for _, then := range []struct {
		name string
		do   func() error
	}{
		{"write", func() error { return d.ack(d.work.step(ctx, d.e, d.done)) }},
		{"seal", func() error { return d.e.Seal(ctx) }},
		{"maintain", func() error { return d.e.Maintain(ctx) }},
	} {
		if err := d.retry(then.name, then.do); err != nil {
			return fmt.Errorf("after the fault: %w", err)
		}
	}
	return nil
}

// step does the next step, which may be refused, but only with an error that
// tells the caller to come back.
func (d *drill) step(ctx context.Context) error {
	err := d.ack(d.work.step(ctx, d.e, d.done))
	was := d.sick
	if d.sick = err != nil; !d.sick {
		return nil
	}
	if d.fs.plan.hits.Load() == 0 {
		return fmt.Errorf("step %d refused before any fault: %w", d.done, err)
	}
	if tidemark.KindOf(err) != tidemark.Unavailable {
		return fmt.Errorf("step %d failed with kind %v, want Unavailable: %w", d.done, tidemark.KindOf(err), err)
	}
	if was {
		return nil // looked at already
	}
	if err := d.work.verifyAt(ctx, d.e, d.done); err != nil {
		return fmt.Errorf("reading after a refused step: %w", err)
	}
	return nil
}

// ack counts a step if it was acknowledged.
func (d *drill) ack(err error) error {
	if err == nil {
		d.done++
	}
	return err
}

// retry calls do until it succeeds, for as long as a client would.
func (d *drill) retry(what string, do func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := do()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: still failing: %w", what, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// reopen checks what is on disk, as a power failure and as a clean end leave
// it.
func (d *drill) reopen(ctx context.Context) error {
	clone := d.mem.crash(vfs.CrashCloneCfg{})
	if err := d.e.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	for _, fs := range []vfs.FS{clone, d.mem} {
		e, err := embedded.Open(ctx, faultOptions(fs))
		if err != nil {
			return fmt.Errorf("reopen: %w", err)
		}
		err = d.work.verifyAt(ctx, e, d.done)
		if err := errors.Join(err, e.Close()); err != nil {
			return fmt.Errorf("after reopening: %w", err)
		}
	}
	return nil
}

// fault is one way to fail.
type fault struct {
	first, length int64
	torn          bool
	err           syscall.Errno
}

func (f fault) String() string {
	return fmt.Sprintf("calls %d to %d, torn %v, %v", f.first, f.first+f.length-1, f.torn, f.err)
}

// TestFaults fails each call in turn, alone and with those after it, torn or
// not: those that write, sync, create, link, rename or remove with an I/O error
// or a full disk, and those that open, list, stat or read with an I/O error.
// Usually it takes a sample of them.
func TestFaults(t *testing.T) {
	t.Parallel()
	t.Run("writes", func(t *testing.T) {
		t.Parallel()
		tryFaults(t, false, []string{"write", "sync", "create"}, func(p *plan) error { return newDrill(t, p).survive() })
	})
	t.Run("reads", func(t *testing.T) {
		t.Parallel()
		data := dataToRead(t)
		tryFaults(t, true, []string{"open", "open directory", "list", "stat", "read"}, func(p *plan) error { return data.with(p).survive() })
	})
}

// tryFaults plays a drill once without a fault, which must make calls of some
// kinds, and then with each.
func tryFaults(t *testing.T, reads bool, kinds []string, play func(*plan) error) {
	count := newPlan(reads)
	if err := play(count); err != nil {
		t.Fatalf("without a fault: %v", err)
	}
	calls := count.tried.Load()
	for _, kind := range kinds {
		if calls < 100 || count.made[kind] == 0 {
			t.Fatalf("the workload makes only %d calls, no %s: %v", calls, kind, count.made)
		}
	}
	faults := sampleFaults(t, calls, reads, testdeps.Amount("TIDEMARK_FAULTS", 24, 1<<30)/2)
	sites := make(map[string]int)
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(8) // a drill mostly waits
	for _, f := range faults {
		g.Go(func() error {
			p := newPlan(reads)
			p.torn, p.err = f.torn, f.err
			p.fail(f.first, f.first+f.length)
			err := play(p)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("%v (%v): %v", f, p.sites, err)
			}
			for site, n := range p.sites {
				sites[site] += n
			}
			return nil
		})
	}
	g.Wait()
	t.Logf("%d calls, %d faults tried; calls that failed: %v", calls, len(faults), sites)
	if len(sites) == 0 {
		t.Error("nothing was made to fail")
	}
}

// sampleFaults returns at most n of all faults.
func sampleFaults(t *testing.T, calls int64, reads bool, n int) []fault {
	t.Helper()
	var all []fault
	for first := range calls {
		for _, length := range []int64{1, 3, 12} {
			all = append(all, fault{first, length, first%2 == 0, syscall.EIO})
			if !reads { // a full disk can be read
				all = append(all, fault{first, length, first%2 == 1, syscall.ENOSPC})
			}
		}
	}
	r := draws(t, 3)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// TestFaultsUnderLoad has faults come and go while writers and the work in
// the background are busy. Refused steps are tried again, as clients do.
func TestFaultsUnderLoad(t *testing.T) {
	t.Parallel()
	r := draws(t, 4)
	for round := range testdeps.Amount("TIDEMARK_FAULT_ROUNDS", 3, 500) {
		if err := loadWithFaults(t, r); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

func loadWithFaults(t *testing.T, r *rand.Rand) error {
	mem := newDisk()
	p := newPlan(false)
	p.torn, p.err = r.IntN(2) == 0, []syscall.Errno{syscall.EIO, syscall.ENOSPC}[r.IntN(2)]
	o := faultOptions(&faultyFS{FS: mem, plan: p})
	o.GenerationRecords = 1000
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		return err
	}
	c := newCrew(3, weekAgo())
	for i := range c.work {
		if err := c.work[i].prepare(t.Context(), e); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() { e.Run(ctx) })
	for i := range c.work {
		wg.Go(func() { c.insist(ctx, t, e, i) })
	}
	for range 5 {
		time.Sleep(time.Duration(5+r.IntN(30)) * time.Millisecond) // good times
		n := p.calls.Load()
		p.fail(n, n+1+int64(r.IntN(40)))
		time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond) // bad times
		p.clear()
	}
	cancel()
	wg.Wait()
	return c.settle(t, mem, e)
}

// insist has one writer try each step until it is acknowledged.
func (c *crew) insist(ctx context.Context, t *testing.T, e *embedded.Engine, i int) {
	for ctx.Err() == nil {
		k := c.acked[i].Load()
		err := c.work[i].step(context.WithoutCancel(ctx), e, k)
		if err == nil {
			c.acked[i].Store(k + 1)
			continue
		}
		if tidemark.KindOf(err) != tidemark.Unavailable {
			t.Errorf("writer %d, step %d: kind %v, want Unavailable: %v", i, k, tidemark.KindOf(err), err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// settle checks that e gets well and that everything acknowledged is there,
// now and after reopening.
func (c *crew) settle(t *testing.T, mem *disk, e *embedded.Engine) error {
	for i := range c.work {
		d := &drill{t: t, e: e, work: c.work[i], done: c.acked[i].Load()}
		if err := d.retry("write", func() error { return d.ack(d.work.step(t.Context(), e, d.done)) }); err != nil {
			return err
		}
		c.acked[i].Store(d.done)
		if err := d.work.verifyAt(t.Context(), e, d.done); err != nil {
			return err
		}
	}
	clone := mem.crash(vfs.CrashCloneCfg{})
	if err := e.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	for _, fs := range []vfs.FS{clone, mem} {
		e, err := embedded.Open(t.Context(), faultOptions(fs))
		if err != nil {
			return fmt.Errorf("reopen: %w", err)
		}
		for i := range c.work {
			err = errors.Join(err, c.work[i].verifyAt(t.Context(), e, c.acked[i].Load()))
		}
		if err := errors.Join(err, e.Close()); err != nil {
			return fmt.Errorf("after reopening: %w", err)
		}
	}
	return nil
}
