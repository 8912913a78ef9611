package embedded

import (
	"context"
	"fmt"
)

// repairAtOnce is how many blocks are computed in one atomic step.
const repairAtOnce = 1000

// repair computes anew the blocks that late writes have marked.
func (e *Engine) repair(ctx context.Context) error {
	total := 0
	for tier := byte(minutes); tier <= hours; tier++ {
		todo := e.tiers.list(tier, 1<<62, func(*dirtyMark) bool { return true })
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
		e.o.Events.Repaired(total)
	}
	return nil
}

func (e *Engine) repairSome(ctx context.Context, todo []dirtyMark) error {
	e.background.Lock()
	defer e.background.Unlock()
	e.tiers.begin(todo)
	r, err := e.newReader()
	if err != nil {
		return err
	}
	var changes []change
	for i := range todo {
		if err := ctx.Err(); err != nil {
			return closeAfter(r, err)
		}
		changes = append(changes, e.recompute(r, &todo[i])...)
	}
	if err := r.close(); err != nil {
		return err
	}
	err = e.store.apply(ctx, false, func(w *tableWriter) error { return writeChanges(w, changes) })
	if err != nil {
		return err
	}
	e.tiers.finish(todo)
	return nil
}

// recompute returns the changes that make one block right.
func (e *Engine) recompute(r *reader, d *dirtyMark) []change {
	unmark := change{key: d.key()}
	start := int64(d.block) * int64(blockSpan[d.tier])
	m := e.ownerOf(d.stream)
	if m == nil || start < int64(r.s.frozen) {
		return []change{unmark}
	}
	u := rollup{window: window[d.tier]}
	end := start + int64(blockSpan[d.tier])
	r.begin(m.id, d.stream, start, end)
	r.raw(start, end, &u)
	u.flush()
	block := change{key: tierKey(d.tier, m.id, d.stream, uint32(start))}
	if len(u.t) > 0 {
		block.value = u.appendTo(nil, uint32(start), 0, len(u.t))
	}
	return []change{block, unmark}
}

func (e *Engine) ownerOf(stream uint32) *metric {
	e.cat.mu.RLock()
	defer e.cat.mu.RUnlock()
	return e.cat.owner(stream)
}
