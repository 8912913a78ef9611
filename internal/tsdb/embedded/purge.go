package embedded

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// purge removes the data of deleted metrics. They are out of reach already.
func (e *Engine) purge(ctx context.Context) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	metrics := e.changes.unpurged()
	if len(metrics) == 0 {
		return nil
	}
	ranges, err := e.chunkRanges()
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	err = e.tables.Apply(ctx, true, func(w *tables.Writer) error {
		for _, prefix := range ranges {
			for _, m := range metrics {
				if err := w.DeleteRange(tables.Span{From: withNumber(prefix, m), To: withNumber(prefix, m+1)}); err != nil {
					return err
				}
			}
		}
		for _, letter := range []byte{keyMetric, keyStream, keyDropped} {
			for _, m := range metrics {
				if err := w.DeleteRange(tables.Span{From: numberKey(letter, m), To: numberKey(letter, m+1)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	e.changes.purged(metrics)
	return nil
}

// collect gives back the memory of names and tags that no stream has any
// longer.
func (e *Engine) collect(context.Context) error {
	c := e.catalog.Edit()
	defer c.Close()
	c.Collect()
	return nil
}

func withNumber(prefix []byte, n uint32) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(prefix), n)
}

// chunkRanges returns, in order, what keys of chunks start with up to the
// metric, for every tier, level and bucket that has any.
func (e *Engine) chunkRanges() ([][]byte, error) {
	it, err := e.tables.Iter([]byte{keyChunk}, []byte{keyChunk + 1})
	if err != nil {
		return nil, err
	}
	var found [][]byte
	for ok := it.First(); ok; {
		prefix := slices.Clone(it.Key()[:streamPos-4])
		found = append(found, prefix)
		ok = it.Seek(following(prefix))
	}
	return found, it.Close()
}
