package turns

import (
	"context"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// Work is something that an organization has the server do, such as a request.
// It has a turn while it needs a processor, and gives it back while it waits.
// Several goroutines may do it.
type Work struct {
	turns *Turns
	org   tidemark.OrgID
	mu    sync.Mutex
	turn  *Turn
}

// Work returns a piece of work of org that has no turn yet.
func (t *Turns) Work(org tidemark.OrgID) *Work { return &Work{turns: t, org: org} }

// Begin waits for a turn, unless the work has one.
func (w *Work) Begin(ctx context.Context) error {
	if w.current() != nil {
		return nil
	}
	turn, err := w.turns.Begin(ctx, w.org)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turn = turn
	return nil
}

// Pause gives the turn back, and reports whether there was one.
func (w *Work) Pause() bool {
	w.mu.Lock()
	turn := w.turn
	w.turn = nil
	w.mu.Unlock()
	turn.Done()
	return turn != nil
}

func (w *Work) current() *Turn {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.turn
}

// Yield gives way to others where the work has had its slice, and waits until
// it may go on. It fails where ctx has ended. Nobody may call it who holds what
// work of others waits for. A nil Work gives way to nobody.
func (w *Work) Yield(ctx context.Context) error {
	if turn := w.current(); turn != nil {
		return turn.yield(ctx)
	}
	return ctx.Err()
}

// Wait calls wait, which waits for something other than a processor, and has
// no turn meanwhile.
func (w *Work) Wait(ctx context.Context, wait func() error) error {
	if w == nil || !w.Pause() {
		return wait()
	}
	if err := wait(); err != nil {
		return err
	}
	return w.Begin(ctx)
}

type key struct{}

// With returns a context whose Of is w.
func With(ctx context.Context, w *Work) context.Context { return context.WithValue(ctx, key{}, w) }

// Of returns the work that ctx belongs to; nil if it is none.
func Of(ctx context.Context) *Work {
	w, _ := ctx.Value(key{}).(*Work)
	return w
}
