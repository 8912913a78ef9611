package alerting

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// Where the processors do not keep up, an evaluation in a pool waits for its
// organization's turn, and the round that waits for it has none meanwhile.
func TestEvaluationsTakeTurns(t *testing.T) {
	t.Parallel()
	const org = tidemark.OrgID(1)
	order := &turns.Turns{}
	order.Overload(time.Now())
	e := newEvaluator(Options{Store: newModel(), Reader: Reader{Turns: order}}, newPools())
	e.work = order.Work(org)
	e.patience = time.Minute
	if err := e.work.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	others := fillTurns(t, order, org)

	var began atomic.Bool
	e.seeds.submit(t.Context(), &e.Reader, &evaluation{org: org, past: func(context.Context) error {
		began.Store(true)
		return nil
	}})
	until(t, "the evaluation waits", func() bool { return order.Load().Waiting == 1 })
	if began.Load() {
		t.Error("it began without a turn")
	}
	e.waitFor(t.Context(), e.seeds) // its turn is what the evaluation gets
	if done := e.seeds.take(); len(done) != 1 || done[0].err != nil || !began.Load() {
		t.Errorf("evaluated %v, began %v", done, began.Load())
	}
	e.work.Pause()
	for _, turn := range others {
		turn.Done()
	}
	if load := order.Load(); load != (turns.Load{}) {
		t.Errorf("at the end there is %+v", load)
	}
}

// fillTurns takes all turns that are left.
func fillTurns(t *testing.T, order *turns.Turns, org tidemark.OrgID) (taken []*turns.Turn) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		turn, err := order.Begin(ctx, org)
		cancel()
		if err != nil {
			return taken
		}
		taken = append(taken, turn)
	}
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}
