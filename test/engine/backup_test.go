package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestCheckpoint copies an engine between writes. The copy, and what is
// restored from it, hold every step, and answer alike byte by byte.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	copyEngine(t, false)
}

// TestCheckpointUnderLoad copies an engine while writers are at work. The
// copy must hold a whole number of steps of each.
func TestCheckpointUnderLoad(t *testing.T) {
	rounds := 1
	if os.Getenv("TIDEMARK_SOAK") != "" {
		rounds = 20
	}
	for range rounds {
		copyEngine(t, true)
	}
}

// copyEngine copies an engine three times, while writers are at work or not.
func copyEngine(t *testing.T, busy bool) {
	dir := t.TempDir()
	e, err := embedded.Open(t.Context(), workOptions(filepath.Join(dir, "data")))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := newCrew(3, weekAgo())
	for i := range c.work {
		if err := c.work[i].prepare(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { e.Run(ctx) })
	for n := range 3 {
		stop := c.start(ctx, t, e, int64(n+1)*200)
		if !busy {
			stop()
		}
		c.checkpoint(t, e, filepath.Join(dir, fmt.Sprint(n)), stop)
		t.Logf("copy %d: %d steps", n, c.acked[0].Load())
	}
}

// start has the writers go on, and returns once the first has done some
// steps. The function it returns stops them.
func (c *crew) start(ctx context.Context, t *testing.T, e *embedded.Engine, steps int64) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { c.run(ctx, t, e) })
	for c.acked[0].Load() < steps && !t.Failed() {
		time.Sleep(time.Millisecond)
	}
	return func() { cancel(); wg.Wait() }
}

// checkpoint copies e, has the writers stop, restores the copy, and checks
// both. Writers that went on through the checks would have more for the next
// copy the slower a check is, without end.
func (c *crew) checkpoint(t *testing.T, e *embedded.Engine, dir string, stop func()) {
	low, high := make([]int64, len(c.work)), make([]int64, len(c.work))
	for i := range low {
		low[i] = c.acked[i].Load()
	}
	progress := int64(-1)
	copied, restored := filepath.Join(dir, "copy"), filepath.Join(dir, "restored")
	err := e.Checkpoint(t.Context(), copied, func(done, total int64) {
		if done < progress || done > total {
			t.Errorf("progress goes from %d to %d of %d", progress, done, total)
		}
		progress = done
	})
	if err != nil {
		t.Fatalf("checkpoint: %v", err)
	}
	for i := range high {
		high[i] = c.begun[i].Load()
	}
	stop()
	if progress < 0 {
		t.Error("progress was never told")
	}
	if err := os.CopyFS(restored, os.DirFS(copied)); err != nil {
		t.Fatalf("restore: %v", err)
	}
	if !bytes.Equal(c.answers(t, copied, low, high), c.answers(t, restored, low, high)) {
		t.Error("what is restored answers otherwise than what was copied")
	}
}

// answers verifies the engine in dir and returns all it has to say.
func (c *crew) answers(t *testing.T, dir string, low, high []int64) []byte {
	e, err := embedded.Open(t.Context(), workOptions(dir))
	if err != nil {
		t.Fatalf("open %s: %v", filepath.Base(dir), err)
	}
	defer e.Close()
	for i := range c.work {
		if _, err := c.work[i].verify(t.Context(), e, low[i], high[i]); err != nil {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
	var all bytes.Buffer
	for _, step := range []int64{1, minute, hour} {
		for s, err := range e.Select(t.Context(), tenant, &tsdb.Query{Metric: "*", End: tsdb.MaxTime, Step: step, Function: tsdb.All}) {
			if err != nil {
				t.Fatal(err)
			}
			if err := json.NewEncoder(&all).Encode(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all.Bytes()
}

func TestSecondOpenerIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := embedded.Open(t.Context(), workOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	if second, err := embedded.Open(t.Context(), workOptions(dir)); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("second Open gives %v, %v, want an Unavailable error", second, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := embedded.Open(t.Context(), workOptions(dir))
	if err != nil {
		t.Fatalf("Open after Close: %v", err)
	}
	again.Close()
}
