package turns

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// work starts a piece of work of org 1 that has its turn.
func (b *bench) work() *Work {
	b.Helper()
	w := b.turns.Work(1)
	if err := w.Begin(b.Context()); err != nil {
		b.Fatal(err)
	}
	return w
}

// yields has w give way in another goroutine, and returns what becomes of it.
func (b *bench) yields(ctx context.Context, w *Work) <-chan error {
	b.Helper()
	done := make(chan error, 1)
	go func() { done <- w.Yield(ctx) }()
	synctest.Wait()
	return done
}

func (b *bench) goesOn(done <-chan error, why string) {
	b.Helper()
	select {
	case err := <-done:
		if err != nil {
			b.Errorf("%s: %v", why, err)
		}
	default:
		b.Fatalf("%s: it waits", why)
	}
}

func (b *bench) stays(done <-chan error, why string) {
	b.Helper()
	select {
	case err := <-done:
		b.Fatalf("%s: it goes on (%v)", why, err)
	default:
	}
}

// TestYield: long work gives way once it has had its slice, if the processors
// do not keep up and others wait, and goes on when they have had their turn.
func TestYield(t *testing.T) {
	run(t, func(b *bench) {
		w := b.work()
		time.Sleep(2 * slice)
		b.goesOn(b.yields(b.Context(), w), "the processors keep up")
		b.turns.Overload(time.Now())
		b.goesOn(b.yields(b.Context(), w), "nobody else is here")
		begun, other := b.fill(1)
		b.goesOn(b.yields(b.Context(), w), "its slice is not over")
		time.Sleep(slice)
		done := b.yields(b.Context(), w)
		b.stays(done, "others wait")
		if !has(other) {
			b.Fatal("what waited did not get the turn")
		}
		for _, turn := range append(begun, other) {
			turn.Done()
		}
		synctest.Wait()
		b.goesOn(done, "the others are done")
		if !w.Pause() || w.Pause() || b.turns.Load() != (Load{}) {
			b.Errorf("in the end: %+v", b.turns.Load())
		}
	})
}

// TestYieldOfMany: of what was under way before the processors stopped to keep
// up, as much goes on as may; the rest waits for its turn.
func TestYieldOfMany(t *testing.T) {
	run(t, func(b *bench) {
		var all []<-chan error
		var works []*Work
		for range 10 * each * processors() {
			works = append(works, b.work())
		}
		b.turns.Overload(time.Now())
		time.Sleep(slice)
		for _, w := range works {
			all = append(all, b.yields(b.Context(), w))
		}
		goOn := 0
		for _, done := range all {
			if len(done) > 0 {
				goOn++
			}
		}
		if want := each * processors(); goOn != want || b.turns.Load().Running != want {
			b.Errorf("%d go on, and %+v", goOn, b.turns.Load())
		}
		for _, w := range works {
			w.Pause()
		}
		synctest.Wait()
		for _, done := range all {
			b.goesOn(done, "it was ended")
		}
		if b.turns.Load() != (Load{}) {
			b.Errorf("in the end: %+v", b.turns.Load())
		}
	})
}

// TestYieldOfSeveral: where several goroutines do one piece of work, all wait
// after one has given way, and all go on together.
func TestYieldOfSeveral(t *testing.T) {
	run(t, func(b *bench) {
		w := b.work()
		b.turns.Overload(time.Now())
		begun, other := b.fill(1)
		time.Sleep(slice)
		first, second := b.yields(b.Context(), w), b.yields(b.Context(), w)
		b.stays(first, "others wait")
		b.stays(second, "the work has no turn")
		for _, turn := range append(begun, other) {
			turn.Done()
		}
		synctest.Wait()
		b.goesOn(first, "its turn came")
		b.goesOn(second, "its turn came")
		w.Pause()
	})
}

// TestYieldAhead: one that has had little goes on, whatever waits.
func TestYieldAhead(t *testing.T) {
	run(t, func(b *bench) {
		b.busy() // organization 1
		little := b.turns.Work(2)
		if err := little.Begin(b.Context()); err != nil {
			b.Fatal(err)
		}
		time.Sleep(slice)
		b.goesOn(b.yields(b.Context(), little), "it has had little")
		little.Pause()
	})
}

// TestYieldEnds: work whose time is up does not wait for its turn.
func TestYieldEnds(t *testing.T) {
	run(t, func(b *bench) {
		w := b.work()
		b.turns.Overload(time.Now())
		b.fill(1)
		time.Sleep(slice)
		ctx, cancel := context.WithCancel(b.Context())
		done := b.yields(ctx, w)
		b.stays(done, "others wait")
		waiting := b.turns.waiting
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			b.Errorf("got %v", err)
		}
		w.Pause()
		if b.turns.waiting != waiting-1 {
			b.Errorf("%d wait in the end, %d before", b.turns.waiting, waiting)
		}
		if err := w.Yield(ctx); !errors.Is(err, context.Canceled) {
			b.Errorf("without a turn: %v", err)
		}
	})
}

// TestWait: work has no turn while it waits for something else, and one again
// afterwards, unless it had none before or the wait failed.
func TestWait(t *testing.T) {
	run(t, func(b *bench) {
		w := b.work()
		ctx := With(b.Context(), w)
		running := func(want int) func() error {
			return func() error {
				if got := b.turns.Load().Running; got != want {
					b.Errorf("%d have their turn, not %d", got, want)
				}
				return nil
			}
		}
		if err := Of(ctx).Wait(ctx, running(0)); err != nil {
			b.Error(err)
		}
		_ = running(1)()
		failed := errors.New("no")
		if err := w.Wait(ctx, func() error { return failed }); !errors.Is(err, failed) {
			b.Errorf("got %v", err)
		}
		_ = running(0)()
		if err := w.Wait(ctx, running(0)); err != nil {
			b.Error(err)
		}
		_ = running(0)()
	})
}

// TestNoWork: what belongs to nobody neither gives way nor waits.
func TestNoWork(t *testing.T) {
	t.Parallel()
	var none *Work
	called := false
	if err := none.Wait(t.Context(), func() error { called = true; return nil }); err != nil || !called {
		t.Errorf("%v, called %v", err, called)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Of(t.Context()).Yield(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := (*Turns)(nil).Work(1).Begin(t.Context()); err != nil {
		t.Error(err)
	}
}
