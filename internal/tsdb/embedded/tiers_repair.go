package embedded

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// repairAtOnce is how many blocks are computed in one atomic step.
const repairAtOnce = 4000

// repair recomputes the blocks that late writes have marked, once they have
// stopped: a block that is marked again with each seal is read from raw records
// in any case. Blocks that keep raw records from expiring do not wait.
func (e *Engine) repair(ctx context.Context) error { return e.repairMarked(ctx, e.rested()) }

// repairMarked is repair for blocks that were marked at a time or before.
func (e *Engine) repairMarked(ctx context.Context, rested int64) error {
	total := 0
	old := e.expiry(raw) + 2*bucketLen[raw]
	for tier := byte(minutes); tier <= hours; tier++ {
		todo := e.tiers.list(tier, 1<<62, func(d *dirtyMark, at int64) bool {
			return at <= rested || d.block < old/blockSpan[tier]
		})
		for len(todo) > 0 {
			n := min(repairAtOnce, len(todo))
			if err := e.repairSome(ctx, todo[:n]); err != nil {
				return fmt.Errorf("repair tiers: %w", err)
			}
			total += n
			todo = todo[n:]
		}
	}
	if total > 0 {
		e.o.Hooks.Repaired(total)
	}
	return nil
}

func (e *Engine) repairSome(ctx context.Context, todo []dirtyMark) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	r, err := e.newReader()
	if err != nil {
		return err
	}
	var changes []tables.Change
	var u chunk.Rollup
	var requests courtesy
	for i := range todo {
		requests.pause()
		if err := ctx.Err(); err != nil {
			return closeAfter(r, err)
		}
		changes = e.recompute(changes, r, &todo[i], &u)
	}
	return e.saveRepairs(ctx, r, todo, changes)
}

// saveRepairs closes what was read to compute changes, writes them, and takes
// the marks that they were made for.
func (e *Engine) saveRepairs(ctx context.Context, r *reader, marks []dirtyMark, changes []tables.Change) error {
	if err := r.close(); err != nil {
		return err
	}
	if err := e.tables.Apply(ctx, false, func(w *tables.Writer) error { return w.Write(changes) }); err != nil {
		return err
	}
	e.tiers.finish(marks)
	return nil
}

// quiet is how long ago the last generation with late writes must have begun,
// in seconds, for its blocks to be recomputed. Where generations are short,
// because much is written, blocks that are written to wait; where they are
// long there are few of them, and each is worth the work.
const quiet = 300

// recompute appends the changes that make one block right. u is scratch.
func (e *Engine) recompute(dst []tables.Change, r *reader, d *dirtyMark, u *chunk.Rollup) []tables.Change {
	dst = append(dst, tables.Change{Key: d.key()})
	start := int64(d.block) * int64(blockSpan[d.tier])
	m := e.ownerOf(d.stream)
	if m == nil || start < int64(r.s.frozen) {
		return dst
	}
	u.Reset()
	u.Window = window[d.tier]
	end := start + int64(blockSpan[d.tier])
	r.begin(m.ID, d.stream, start, end)
	for done := false; !done; done = u.Done() {
		r.raw(start, end, u)
	}
	block := tables.Change{Key: tierKey(d.tier, m.ID, d.stream, uint32(start))}
	if len(u.T) > 0 {
		block.Value = u.AppendTo(nil, uint32(start), 0, len(u.T))
	}
	return append(dst, block)
}

func (e *Engine) ownerOf(stream uint32) *catalog.Metric {
	c := e.catalog.View()
	defer c.Close()
	return c.Owner(stream)
}
