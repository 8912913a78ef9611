package embedded

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/clock"
)

// TestLoop: chores are done when they are due, and at once when there is a
// hurry; one that fails waits longer each time, whatever the hurry.
func TestLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var fine, failing, reported atomic.Int64
		e := &Engine{}
		e.o.Hooks.BackgroundError = func(string, error) { reported.Add(1) }
		list := []chore{
			{name: "fine", every: time.Hour, do: func(*Engine, context.Context) error { fine.Add(1); return nil }},
			{name: "failing", every: time.Second, do: func(*Engine, context.Context) error { failing.Add(1); return errors.New("no") }},
		}
		hurry := make(chan struct{})
		go e.loop(ctx, list, hurry)
		time.Sleep(tick + time.Millisecond)
		synctest.Wait()
		if fine.Load() != 1 || failing.Load() != 1 {
			t.Fatalf("at first: %d and %d times", fine.Load(), failing.Load())
		}
		hurry <- struct{}{}
		synctest.Wait()
		if fine.Load() != 2 || failing.Load() != 1 {
			t.Errorf("in a hurry: %d and %d times", fine.Load(), failing.Load())
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if fine.Load() != 2 {
			t.Errorf("not due, but done %d times", fine.Load())
		}
		if n := failing.Load(); n < 10 || n > 25 || reported.Load() != n {
			t.Errorf("tried %d times in ten minutes, reported %d", n, reported.Load())
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if fine.Load() != 3 {
			t.Errorf("after an hour: %d times", fine.Load())
		}
	})
}

// TestFullGeneration: a generation is sealed when it has as many records, as
// much memory or as great an age as it may have, and not before.
func TestFullGeneration(t *testing.T) {
	t.Parallel()
	const records, memory, age = 1000, 1 << 20, 60
	tests := []struct {
		name                 string
		records, memory, age int64
		want                 bool
	}{
		{"a new one", 0, 0, 0, false},
		{"just below all limits", records - 1, memory - 1, age - 1, false},
		{"records", records, 0, 0, true},
		{"memory", 0, memory, 0, true},
		{"age", 0, 0, age, true},
	}
	for _, tt := range tests {
		e := engineAt(10_000)
		e.o.GenerationRecords, e.o.MemoryBytes, e.o.GenerationAge = records, memory*maxGenerations, age*time.Second
		g := &generation{started: 10_000 - tt.age}
		g.memory.Store(tt.memory)
		if got := e.isFull(g, tt.records); got != tt.want {
			t.Errorf("%s: full is %v", tt.name, got)
		}
	}
}

// TestGenerationGrows: without a setting, a generation has room for some
// records of each stream.
func TestGenerationGrows(t *testing.T) {
	t.Parallel()
	e := engineAt(0)
	e.o.MemoryBytes, e.o.GenerationAge = 1<<40, time.Hour
	g := &generation{}
	for streams, limit := range map[int64]int64{0: defaultGeneration, 1000: defaultGeneration, 1 << 20: 32 << 20} {
		e.head.streamCount.Store(streams)
		if e.isFull(g, limit-1) || !e.isFull(g, limit) {
			t.Errorf("%d streams: the limit is not %d records", streams, limit)
		}
	}
}

// engineAt is an engine without data whose clock stands still.
func engineAt(seconds int64) *Engine {
	return &Engine{clock: clock.Over(func() time.Time { return time.Unix(seconds, 0) }, func() time.Duration { return 0 })}
}
