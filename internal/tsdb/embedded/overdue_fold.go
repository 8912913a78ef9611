package embedded

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// foldOverdue adds overdue records of days whose raw records are gone to the
// summaries of those days. Before that the days might still be recomputed
// from raw records, and they would be lost.
func (e *Engine) foldOverdue(ctx context.Context) error {
	frozen := e.head.frozen.Load()
	todo := e.tiers.list(overdue, 1<<62, func(d *dirtyMark, _ int64) bool {
		return uint64(d.block+1)*uint64(bucketLen[overdue]) <= uint64(frozen)
	})
	for len(todo) > 0 {
		n := min(repairAtOnce, len(todo))
		if err := e.foldSome(ctx, todo[:n]); err != nil {
			return fmt.Errorf("fold overdue records: %w", err)
		}
		todo = todo[n:]
	}
	return nil
}

func (e *Engine) foldSome(ctx context.Context, todo []dirtyMark) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	if uint64(todo[len(todo)-1].block+1)*uint64(bucketLen[overdue]) > uint64(e.state.Load().frozen) {
		return nil // not committed yet
	}
	r, err := e.newReader()
	if err != nil {
		return err
	}
	var changes []tables.Change
	var requests courtesy
	for i := range todo {
		requests.pause()
		if err := ctx.Err(); err != nil {
			return closeAfter(r, err)
		}
		d := &todo[i]
		changes = append(changes, tables.Change{Key: d.key()})
		if m := e.ownerOf(d.stream); m != nil {
			changes = append(changes, e.foldDay(r, m.ID, d)...)
		}
	}
	return e.saveRepairs(ctx, r, todo, changes)
}

// foldDay returns the changes that add the sealed overdue records of one
// stream and day to its tiers. Those in memory stay where they are.
func (e *Engine) foldDay(r *reader, metric uint32, d *dirtyMark) []tables.Change {
	r.begin(metric, d.stream, 0, 0) // of the rest nothing is asked
	list := r.overdueDay(d.block, fresh, nil)
	var changes []tables.Change
	inMemory := uint32(r.s.gens[0].no)
	for _, level := range []byte{merged, fresh} {
		r.prefix = appendPrefix(r.prefix[:0], overdue, d.block, level, metric, d.stream)
		for ok := r.it.Seek(r.prefix); ok && bytes.HasPrefix(r.it.Key(), r.prefix); ok = r.it.Next() {
			if k, ok := parseChunkKey(r.it.Key()); ok && k.gen < inMemory {
				changes = append(changes, tables.Change{Key: slices.Clone(r.it.Key())})
			}
		}
		r.stopped()
	}
	day := int64(d.block) * int64(bucketLen[overdue])
	for tier := minutes; tier <= hours; tier++ {
		if day+int64(bucketLen[overdue]) <= e.now()-e.retention(tier) {
			continue // gone, or about to be
		}
		changes = append(changes, e.foldTier(r, metric, d.stream, tier, day, list)...)
	}
	return changes
}

func (e *Engine) foldTier(r *reader, metric, stream uint32, tier int, day int64, list []chunk.Overdue) []tables.Change {
	var changes []tables.Change
	span := int64(blockSpan[tier])
	for start := day; start < day+int64(bucketLen[overdue]); start += span {
		own := slices.DeleteFunc(slices.Clone(list), func(o chunk.Overdue) bool {
			return int64(o.T) < start || int64(o.T) >= start+span
		})
		if len(own) == 0 {
			continue
		}
		u := chunk.Rollup{Window: window[tier]}
		for done := false; !done; done = u.Done() {
			r.tier(tier, start, start+span, &u)
		}
		u.Absorb(own)
		changes = append(changes, tables.Change{Key: tierKey(byte(tier), metric, stream, uint32(start)), Value: u.AppendTo(nil, uint32(start), 0, len(u.T))})
	}
	return changes
}
