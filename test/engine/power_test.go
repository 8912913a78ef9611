package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// crew is some writers at work on one engine.
type crew struct {
	work  []workload
	begun []atomic.Int64 // steps that were tried
	acked []atomic.Int64 // steps that were acknowledged
}

func newCrew(writers int, base int64) *crew {
	c := &crew{work: make([]workload, writers), begun: make([]atomic.Int64, writers), acked: make([]atomic.Int64, writers)}
	for i := range c.work {
		c.work[i] = workload{writer: i, base: base}
	}
	return c
}

// run has all writers go on from where they are until ctx is done.
func (c *crew) run(ctx context.Context, t *testing.T, e *embedded.Engine) {
	var wg sync.WaitGroup
	for i := range c.work {
		wg.Go(func() {
			for k := c.acked[i].Load(); ctx.Err() == nil; k++ {
				c.begun[i].Store(k + 1)
				err := c.work[i].step(context.WithoutCancel(ctx), e, k)
				if err != nil && ctx.Err() == nil { // when nobody seals any more, a refusal is fair
					t.Errorf("writer %d, step %d: %v", i, k, err)
				}
				if err != nil {
					return
				}
				c.acked[i].Store(k + 1)
			}
		})
	}
	wg.Wait()
}

// TestPowerFailure cuts the power while writers, seals, merges and tiers are
// at work: what was not synced is lost, or not, or in part. Every record that
// was acknowledged before must be there afterwards, once.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	n := testdeps.Amount("TIDEMARK_POWER_CUTS", 6, 2000)
	r := draws(t, 1)
	fs, c := newDisk(), newCrew(3, weekAgo())
	cuts, steps := 0, int64(0)
	for round := range n {
		if round%20 == 19 { // a fresh start, so that runs stay short
			fs, c = newDisk(), newCrew(3, weekAgo())
		}
		fs = cutPower(t, fs, c, r)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		cuts++
		steps += c.acked[0].Load()
	}
	t.Logf("%d power cuts, %d steps of the first writer", cuts, steps)
}

// cutPower runs c on fs for a moment and returns what is left of fs.
func cutPower(t *testing.T, fs *disk, c *crew, r *rand.Rand) *disk {
	o := workOptions("data")
	o.FS = fs
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	for i := range c.work {
		low, high := c.acked[i].Load(), c.begun[i].Load()
		m, err := c.work[i].verify(t.Context(), e, low, high)
		if err != nil {
			t.Errorf("after power failure: %v", err)
			return fs
		}
		c.acked[i].Store(m)
		if err := c.work[i].prepare(t.Context(), e); err != nil {
			t.Fatalf("prepare: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { c.run(ctx, t, e) })
	wg.Go(func() {
		if err := e.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	time.Sleep(time.Duration(r.IntN(150)) * time.Millisecond) // how long the power lasts
	low := make([]int64, len(c.work))
	for i := range low {
		low[i] = c.acked[i].Load()
	}
	clone := fs.crash(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 30, 70, 100}[r.IntN(4)], RNG: r})
	cancel()
	wg.Wait()
	if err := e.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	for i := range low {
		c.acked[i].Store(low[i]) // what was acknowledged later went to the old disk
	}
	return clone
}

// TestNewDirectoryLasts cuts the power right after the first write to a
// directory that the engine has made itself.
func TestNewDirectoryLasts(t *testing.T) {
	t.Parallel()
	fs := &disk{MemFS: vfs.NewCrashableMem()}
	o := workOptions("var/lib/data")
	o.FS = fs
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	w := workload{base: weekAgo()}
	if err := errors.Join(w.prepare(t.Context(), e), w.step(t.Context(), e, 0)); err != nil {
		t.Fatal(err)
	}
	o.FS = fs.crash(vfs.CrashCloneCfg{})
	again, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := w.verifyAt(t.Context(), again, 1); err != nil {
		t.Error(err)
	}
}
