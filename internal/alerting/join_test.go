package alerting

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// counted is a store that counts the changes that it is given to save.
type counted struct {
	Store
	saves int
}

func (c *counted) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	c.saves += len(changes)
	return c.Store.SaveStates(ctx, changes)
}

// TestJoins: a stream that joins an incident is in what is saved of it as soon
// as that is decided; where one after another joins, they are saved together.
func TestJoins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		store := &counted{Store: b.store}
		b.eval.Store = store
		a := b.add(cpuAbove(5))
		b.pass()
		time.Sleep(time.Second)
		b.write("cpu", "first", 9)
		if !b.firing(a) {
			t.Fatal("does not fire")
		}
		saved := func() int { return len(b.store.alerts[a.ID].State.Violations) }
		for i := range joinBurst {
			time.Sleep(time.Second)
			b.write("cpu", fmt.Sprintf("early%d", i), 9)
			b.pass()
			if got, want := saved(), i+2; got != want {
				t.Fatalf("%d streams are saved when %d violate", got, want)
			}
		}
		before := store.saves
		const more = 120
		for i := range more {
			time.Sleep(500 * time.Millisecond)
			b.write("cpu", fmt.Sprintf("late%d", i), 9)
			b.pass()
		}
		if n := store.saves - before; n < 2 || n > more/2/joinEvery+1 {
			t.Errorf("%d saves for %d streams in %d s", n, more, more/2)
		}
		// The rest is saved though nothing else happens.
		for range joinEvery {
			time.Sleep(time.Second)
			b.pass()
		}
		if got, want := saved(), 1+joinBurst+more; got != want {
			t.Errorf("%d streams are saved in the end, want %d", got, want)
		}
		before = store.saves
		for range minute {
			time.Sleep(500 * time.Millisecond)
			b.write("cpu", "first", 9)
			b.pass()
		}
		if n := store.saves - before; n > 1 {
			t.Errorf("%d saves where nothing changes", n)
		}
	})
}

// TestJoinsAfterClockStep: a clock that was ahead and is set back does not keep
// streams from being saved that join.
func TestJoinsAfterClockStep(t *testing.T) {
	t.Parallel()
	w := &watch{joins: 1_000_000}
	if next := w.nextJoin(900_000); next > 900_000 {
		t.Errorf("the next join is saved %d s from now", next-900_000)
	}
}
