package embedded

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// expireStreams takes the streams out of the catalogue of which no tier keeps
// anything: those that were found to be so the last time, and still are.
func (e *Engine) expireStreams(ctx context.Context) error {
	e.changes.one.Lock()
	defer e.changes.one.Unlock()
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	to := int64(e.expiry(hours))
	expired := func(stream uint32) bool {
		last := e.head.lastSeen(stream)
		return last >= 0 && last < to
	}
	c := e.catalog.View()
	retired, all := c.Retired(), c.AllStreams()
	c.Close()
	var gone, back []uint32
	for _, id := range retired {
		if expired(id) {
			gone = append(gone, id)
		} else {
			back = append(back, id)
		}
	}
	if err := e.removeStreams(ctx, gone); err != nil {
		return fmt.Errorf("expire streams: %w", err)
	}
	next := slices.DeleteFunc(all, func(id uint32) bool { return !expired(id) })
	cat := e.catalog.Edit()
	defer cat.Close()
	cat.Unretire(back)
	cat.Retire(next)
	return nil
}

// rowsOf returns the keys of streams, in order.
func (e *Engine) rowsOf(streams []uint32) [][]byte {
	c := e.catalog.View()
	defer c.Close()
	var rows [][]byte
	for _, id := range streams {
		if m := c.Owner(id); m != nil {
			rows = append(rows, streamKey(m.ID, id))
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// removeStreams takes streams out, on disk first: one that is only gone from
// memory would be back after a restart.
func (e *Engine) removeStreams(ctx context.Context, streams []uint32) error {
	if len(streams) == 0 {
		return nil
	}
	err := e.tables.Apply(ctx, true, func(w *tables.Writer) error {
		for _, key := range e.rowsOf(streams) {
			if err := w.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.tiers.forget(streams)
	c := e.catalog.Edit()
	defer c.Close()
	c.Remove(streams)
	e.head.streamCount.Store(int64(c.Count()))
	return nil
}
