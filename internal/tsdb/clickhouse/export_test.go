package clickhouse

import (
	"context"

	"github.com/tidemark-metrics/tidemark/internal/store"
)

// Upkeep does at once what Run does in the course of a minute.
func (e *Engine) Upkeep(ctx context.Context) error {
	u := &upkeep{e: e, lease: store.Lease{Name: upkeepLease, Fence: 1}}
	for range 2 {
		if err := u.round(ctx); err != nil {
			return err
		}
	}
	return e.refresh(ctx)
}

// Follow learns at once what others changed.
func (e *Engine) Follow(ctx context.Context) error { return e.refresh(ctx) }

// RawFrom is the time before which there may be no records.
func (e *Engine) RawFrom() int64 {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.marks.rawFrom
}

// Count returns what a question counts.
func (e *Engine) Count(ctx context.Context, sql string) (int64, error) {
	found, err := e.client.numbersOf(ctx, sql)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// Spare is of how many commits there is memory to be used again.
func (e *Engine) Spare() int { return e.spare.Len() }

// SetUnknown has f told of errors that have no words of their own.
func (e *Engine) SetUnknown(f func(code int, err error)) { e.o.Unknown = f }
