package turns

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// bench has pieces of work begin.
type bench struct {
	*testing.T
	turns Turns
}

// try begins a piece of work of org, and reports whether it had to wait.
func (b *bench) try(org tidemark.OrgID) (turn *Turn, waits bool) {
	b.Helper()
	turn = b.turns.begin(org, time.Now())
	return turn, turn.come != nil
}

// fill begins as many pieces of work of org as begin at once, and one more.
func (b *bench) fill(org tidemark.OrgID) (begun []*Turn, waits *Turn) {
	b.Helper()
	for range 1000 {
		turn, waiting := b.try(org)
		if waiting {
			return begun, turn
		}
		begun = append(begun, turn)
	}
	b.Fatal("nothing ever waits")
	return nil, nil
}

func has(turn *Turn) bool {
	select {
	case <-turn.come:
		return true
	default:
		return false
	}
}

func run(t *testing.T, f func(b *bench)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(&bench{T: t}) })
}

// TestKeepsUp: while the processors keep up, everything begins at once.
func TestKeepsUp(t *testing.T) {
	run(t, func(b *bench) {
		for range 100 {
			if turn, waits := b.try(1); waits {
				b.Fatal("work waits for nothing")
			} else {
				defer turn.Done()
			}
		}
		b.turns.look(time.Now(), lookEvery+lateBy)
		if _, waits := b.try(1); waits {
			b.Error("work waits because a look came as late as it may")
		}
		b.turns.Overload(time.Now())
		if _, waits := b.try(1); !waits {
			b.Error("work begins though the processors do not keep up")
		}
	})
}

// TestWaitingEnds: what waits begins when the processors keep up again, and as
// long as something waits they are not believed to.
func TestWaitingEnds(t *testing.T) {
	run(t, func(b *bench) {
		b.turns.Overload(time.Now())
		begun, waits := b.fill(1)
		if len(begun) != each*processors() {
			b.Errorf("%d pieces of work of the only organization begin", len(begun))
		}
		for range 3 {
			time.Sleep(countFor / 4)
			b.turns.look(time.Now(), lookEvery)
		}
		if has(waits) {
			b.Error("work began beside as much as may be under way")
		}
		begun[0].Done()
		if !has(waits) {
			b.Error("the next piece of work did not begin after one was done")
		}
		time.Sleep(2 * lateFor)
		b.turns.look(time.Now(), lookEvery)
		if _, waits := b.try(1); waits {
			b.Error("work waits though nothing waited for long")
		}
	})
}

// busy has organization 1 work as much as it may until it owes something.
func (b *bench) busy() (begun []*Turn, waits *Turn) {
	b.turns.Overload(time.Now())
	begun, waits = b.fill(1)
	time.Sleep(most + lookEvery)
	b.turns.look(time.Now(), time.Second)
	return begun, waits
}

// TestLittleWork: an organization with little work does not wait for one with
// much, which leaves it a processor from then on.
func TestLittleWork(t *testing.T) {
	run(t, func(b *bench) {
		begun, more := b.busy()
		little, waits := b.try(2)
		if waits {
			b.Fatal("an organization with little work waits for another")
		}
		if got := b.turns.Processors(); got != spare() {
			b.Errorf("work may use %d processors while somebody is made way for", got)
		}
		little.Done()
		for _, turn := range begun {
			if has(more) {
				b.Fatal("one with much work has as many under way as before")
			}
			turn.Done()
		}
		if !has(more) {
			b.Error("one with much work never has its turn")
		}
		time.Sleep(2 * lateFor)
		b.turns.Overload(time.Now())
		if got := b.turns.Processors(); got != processors() {
			b.Errorf("work may use %d processors after nobody with little work came for long", got)
		}
	})
}

// TestManyOfOne: an organization is made way for until what it has under way
// is as much as its credit is worth.
func TestManyOfOne(t *testing.T) {
	run(t, func(b *bench) {
		b.busy()
		begun, _ := b.fill(2)
		if n := len(begun); n == 0 || n > int((most-least)/guess) {
			b.Errorf("%d pieces of work of one organization begin at once", n)
		}
	})
}

// TestMostCreditFirst: of those who wait, the one that has had least is next.
func TestMostCreditFirst(t *testing.T) {
	run(t, func(b *bench) {
		b.turns.Overload(time.Now())
		begun, first := b.fill(1)
		time.Sleep(ahead / 2) // what 1 has had by now is not so much that others do not wait
		second, waits := b.try(2)
		if !waits {
			b.Fatal("no credit worth speaking of, and it does not wait")
		}
		begun[0].Done()
		if has(first) || !has(second) {
			b.Error("the one that had most was next")
		}
	})
}

// TestCharge: who caused more of the work that was done for several has its
// turn later, and one without any work pays nothing.
func TestCharge(t *testing.T) {
	run(t, func(b *bench) {
		b.turns.Overload(time.Now())
		begun, waits := b.fill(3)
		_, least := b.fill(1)
		_, most := b.fill(2)
		b.turns.Charge(map[tidemark.OrgID]int64{1: 3, 2: 97, 4: 900}, 2*time.Second)
		begun[0].Done()
		begun[1].Done()
		if !has(least) && !has(waits) || has(most) {
			b.Error("the one that caused most work was next")
		}
		if n := len(b.turns.orgs); n != 3 {
			b.Errorf("%d organizations are remembered, 3 have work", n)
		}
	})
}

// TestGoesAway: what does not want its turn any more leaves nothing behind,
// whether it still waited or not.
func TestGoesAway(t *testing.T) {
	run(t, func(b *bench) {
		b.turns.Overload(time.Now())
		begun, _ := b.fill(1)
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error)
		go func() {
			_, err := b.turns.Begin(ctx, 1)
			ended <- err
		}()
		synctest.Wait()
		waiting := b.turns.waiting
		cancel()
		if err := <-ended; err == nil || b.turns.waiting != waiting-1 {
			b.Errorf("%v, and %d of %d wait", err, b.turns.waiting, waiting)
		}
		turn, _ := b.try(1)
		for _, turn := range begun {
			turn.Done()
		}
		if !has(turn) {
			b.Fatal("it never had its turn")
		}
		under := len(b.turns.turns)
		turn.Done()
		if len(b.turns.turns) != under-1 {
			b.Error("a turn that came too late is still counted")
		}
	})
}

// TestLongWork: what takes very long keeps nobody from beginning.
func TestLongWork(t *testing.T) {
	run(t, func(b *bench) {
		b.turns.Overload(time.Now())
		_, waits := b.fill(1)
		for passed := time.Duration(0); passed <= countFor; passed += countEvery / 2 {
			if has(waits) {
				b.Fatalf("it began after %v", passed)
			}
			time.Sleep(countEvery / 2)
			b.turns.look(time.Now(), time.Second)
		}
		if !has(waits) {
			b.Error("it waits for work that takes very long")
		}
	})
}

// TestFiveAndOne lets five organizations have all the work they can, in pieces
// of 50 ms, and a sixth little: the sixth waits for nobody, once the five have
// had more than it, and each of the five has its turn.
func TestFiveAndOne(t *testing.T) {
	run(t, func(b *bench) {
		ctx, cancel := context.WithTimeout(b.Context(), 20*time.Second)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		wg.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(lookEvery)
				b.turns.look(time.Now(), lookEvery)
			}
		})
		b.turns.Overload(time.Now())
		var had [5]atomic.Int64
		for org := range had {
			for range 20 {
				wg.Go(func() {
					for {
						turn, err := b.turns.Begin(ctx, tidemark.OrgID(org))
						if err != nil {
							return
						}
						time.Sleep(50 * time.Millisecond)
						had[org].Add(1)
						turn.Done()
					}
				})
			}
		}
		time.Sleep(time.Second)
		for ctx.Err() == nil {
			began := time.Now()
			turn, err := b.turns.Begin(ctx, 6)
			if err != nil {
				break
			}
			if waited := time.Since(began); waited > 0 {
				b.Fatalf("it waited %v", waited)
			}
			time.Sleep(2 * time.Millisecond)
			turn.Done()
			time.Sleep(20 * time.Millisecond)
		}
		wg.Wait()
		first := had[0].Load()
		for org := range had {
			if n := had[org].Load(); n < first*8/10 || n > first*12/10 {
				b.Errorf("one had %d turns, another %d", n, first)
			}
		}
		if b.turns.waiting != 0 || len(b.turns.turns) != 0 {
			b.Errorf("in the end %d wait and %d are under way", b.turns.waiting, len(b.turns.turns))
		}
	})
}

// TestForgets: an organization that was not here for long is forgotten, one
// that still works is not.
func TestForgets(t *testing.T) {
	run(t, func(b *bench) {
		gone, _ := b.try(1)
		gone.Done()
		stays, _ := b.try(2)
		time.Sleep(forgetAfter + time.Second)
		b.turns.look(time.Now(), lookEvery)
		if b.turns.orgs[1] != nil || b.turns.orgs[2] == nil || b.turns.active != 1 {
			b.Errorf("known: %v, %d active", b.turns.orgs, b.turns.active)
		}
		stays.Done()
	})
}

// TestNone: without Turns everything begins at once.
func TestNone(t *testing.T) {
	t.Parallel()
	var none *Turns
	turn, err := none.Begin(t.Context(), 1)
	if err != nil {
		t.Error(err)
	}
	turn.Done()
	none.Charge(map[tidemark.OrgID]int64{1: 1}, time.Second)
	if got := none.Processors(); got != processors() {
		t.Errorf("work may use %d processors", got)
	}
}
