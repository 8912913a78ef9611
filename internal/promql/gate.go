package promql

import (
	"context"

	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// gate bounds how many queries are evaluated at once.
type gate chan struct{}

func newGate(n int) gate { return make(gate, n) }

// GetMaxConcurrent returns the bound.
func (g gate) GetMaxConcurrent() int { return cap(g) }

// Insert waits for a place, without a turn, or until ctx ends.
func (g gate) Insert(ctx context.Context, _ string) (int, error) {
	return 0, turns.Of(ctx).Wait(ctx, func() error {
		select {
		case g <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// Delete gives a place back.
func (g gate) Delete(int) { <-g }

// Close does nothing: there is nothing to write down.
func (g gate) Close() error { return nil }
