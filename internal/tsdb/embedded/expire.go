package embedded

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// margin is how long data stays after its retention is over. Queries do not see it;
// it keeps writes that are under way from racing with the deletion.
const margin = 3600

// expire drops data whose retention is over, whole buckets at a time.
func (e *Engine) expire(ctx context.Context) error {
	if err := e.expireRaw(ctx); err != nil {
		return fmt.Errorf("expire records: %w", err)
	}
	for tier := minutes; tier <= hours; tier++ {
		if err := e.expireTier(ctx, tier); err != nil {
			return fmt.Errorf("expire tier of %d s: %w", window[tier], err)
		}
	}
	return nil
}

// expiry returns the start of the first bucket of a tier that is still needed.
func (e *Engine) expiry(tier int) uint32 {
	t := e.now() - e.retention(tier) - margin
	return uint32(max(0, t/int64(bucketLen[tier])*int64(bucketLen[tier])))
}

// expireRaw drops raw records, once the tiers hold all of them.
func (e *Engine) expireRaw(ctx context.Context) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	to := e.expiry(raw)
	s := e.state.Load()
	for tier := minutes; tier <= hours; tier++ {
		to = min(to, s.done[tier]/bucketLen[raw]*bucketLen[raw])
	}
	if to <= s.frozen {
		return nil
	}
	// From here on a record before to is overdue. What was written before
	// that may be in memory or marked: then it is not time yet.
	e.head.frozen.Store(to)
	if !e.settledBefore(to) {
		return nil
	}
	err := e.tables.Apply(ctx, true, func(w *tables.Writer) error {
		for _, b := range slices.Sorted(maps.Keys(e.upkeep.buckets)) {
			if b < to/bucketLen[raw] {
				if err := w.Delete(numberKey(keyBucket, b)); err != nil {
					return err
				}
			}
		}
		if err := w.Set([]byte{keyFrozen}, binary.BigEndian.AppendUint32(nil, to)); err != nil {
			return err
		}
		for level := byte(merged); level <= fresh; level++ {
			if err := w.DeleteRange(bucketsBefore(raw, level, to/bucketLen[raw])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	maps.DeleteFunc(e.upkeep.buckets, func(b uint32, _ *bucketState) bool { return b < to/bucketLen[raw] })
	maps.DeleteFunc(e.upkeep.mergeHolds, func(b uint32, _ mergeHold) bool { return b < to/bucketLen[raw] })
	e.state.change(func(s *state) {
		s.frozen = to
		s.levels = maps.Clone(s.levels)
		maps.DeleteFunc(s.levels, func(b uint32, _ levels) bool { return b < to/bucketLen[raw] })
	})
	for level := byte(merged); level <= fresh; level++ {
		e.reclaim(ctx, bucketsBefore(raw, level, to/bucketLen[raw]))
	}
	e.o.Hooks.Expired(1, time.Unix(int64(to), 0))
	return nil
}

// reclaim gives back the space of keys that were all deleted. If that fails
// Pebble does it later.
func (e *Engine) reclaim(ctx context.Context, x tables.Span) {
	if err := e.tables.Excise(ctx, x); err != nil {
		e.o.Hooks.BackgroundError("reclaim space", err)
	}
}

// settledBefore reports whether the tiers hold every record before t.
func (e *Engine) settledBefore(t uint32) bool {
	for _, g := range e.state.Load().gens {
		if g.oldest() < t {
			return false
		}
	}
	for tier := byte(minutes); tier <= hours; tier++ {
		if len(e.tiers.list(tier, 1, func(d *dirtyMark, _ int64) bool { return d.block < t/blockSpan[tier] })) > 0 {
			return false
		}
	}
	return true
}

func (e *Engine) expireTier(ctx context.Context, tier int) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	to := e.expiry(tier)
	if to <= e.upkeep.expired[tier] {
		return nil
	}
	gone := bucketsBefore(byte(tier), merged, to/bucketLen[tier])
	err := e.tables.Apply(ctx, true, func(w *tables.Writer) error { return w.DeleteRange(gone) })
	if err != nil {
		return err
	}
	e.upkeep.expired[tier] = to
	e.reclaim(ctx, gone)
	e.o.Hooks.Expired(int64(window[tier]), time.Unix(int64(to), 0))
	return nil
}
