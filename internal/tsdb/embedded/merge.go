package embedded

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Chunks are merged on two levels. What was sealed is fresh; when eight
// generations of it have gathered in a bucket they are merged among
// themselves and move to the merged level, as one more layer; two are enough
// when writing has come to rest. All layers are
// merged into one when the day is over, and again when late data has piled up
// several. So a record is rewritten twice or so, however many generations a
// day has.
//
// A merged chunk takes the highest generation that went into it. That is
// right, since all fresh chunks of a stream go into it, and they are later
// than all merged ones.
const mergePiece = 8 << 20 // bytes of chunks that are merged in one atomic step

// mergeDue merges the buckets that are due.
func (e *Engine) mergeDue(ctx context.Context) error { return e.mergeRested(ctx, e.rested()) }

// mergeRested is mergeDue that takes a bucket to be at rest where nothing was
// sealed into it after a time.
func (e *Engine) mergeRested(ctx context.Context, rested int64) error {
	e.upkeep.mu.Lock()
	list := slices.Sorted(maps.Keys(e.upkeep.buckets))
	e.upkeep.mu.Unlock()
	for _, b := range list {
		for range 2 { // fresh chunks first, then all, if need be
			kind := e.planMerge(b, rested)
			if kind == mergeNone {
				break
			}
			if err := e.merge(ctx, b, kind == mergeAll); err != nil {
				return fmt.Errorf("merge: %w", err)
			}
		}
	}
	return nil
}

// planMerge decides what to merge of a bucket now.
func (e *Engine) planMerge(bucket uint32, rested int64) mergeKind {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	b := e.upkeep.buckets[bucket]
	if b == nil || e.upkeep.mergeHolds[bucket].holds(e.o.Now()) {
		return mergeNone
	}
	end := int64(bucket+1) * int64(bucketLen[raw])
	return b.planMerge(end+margin < e.now(), b.written <= rested, rested > e.now()-quiet)
}

// mergeHold keeps a bucket from being merged after a merge of it failed.
type mergeHold struct {
	damaged bool          // it has blocks that cannot be read: until the next start
	until   time.Time     // else it is tried again then
	pause   time.Duration // and this was how long that is
}

const (
	minMergePause = 5 * time.Second
	maxMergePause = 5 * time.Minute
)

func (h mergeHold) holds(now time.Time) bool { return h.damaged || now.Before(h.until) }

// after returns the hold that follows from h when a merge fails with err.
func (h mergeHold) after(err error, now time.Time) mergeHold {
	h.damaged = tables.IsDamage(err)
	h.pause = min(maxMergePause, max(minMergePause, 2*h.pause))
	h.until = now.Add(h.pause)
	return h
}

// merge merges a bucket: its fresh chunks, or all. Seals are held up for the
// length of a piece only.
func (e *Engine) merge(ctx context.Context, bucket uint32, full bool) error {
	m := &merger{e: e, bucket: bucket, full: full, began: time.Now(), owners: make(Owners)}
	e.upkeep.mu.Lock()
	b := e.upkeep.buckets[bucket]
	if b == nil {
		e.upkeep.mu.Unlock()
		return nil
	}
	gens, records := b.freshGens, b.freshRecords
	m.counts.high = b.high
	if !full || gens > 0 || !b.good() { // something may have been sealed just now
		m.next = make([]byte, 8)        // the first metric and stream
		e.state.change(func(s *state) { // before there is anything
			s.setLevels(bucket, func(l levels) levels { return l | hasMerged })
		})
	}
	e.upkeep.mu.Unlock()
	for m.next != nil {
		if err := e.mergePiece(ctx, m); err != nil {
			return e.mergeFailed(bucket, err)
		}
	}
	if err := e.merged(ctx, m, gens, records); err != nil {
		return e.mergeFailed(bucket, err)
	}
	return nil
}

// mergeFailed holds merges of the bucket back for a while, so that others go
// on, unless the merge was only interrupted. It returns err.
func (e *Engine) mergeFailed(bucket uint32, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	e.upkeep.mergeHolds[bucket] = e.upkeep.mergeHolds[bucket].after(err, e.o.Now())
	return err
}

func (e *Engine) mergePiece(ctx context.Context, m *merger) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.piece(ctx)
}

// merged notes what a merge has done.
func (e *Engine) merged(ctx context.Context, m *merger, gens, records uint64) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	b := e.upkeep.buckets[m.bucket]
	if b == nil {
		return nil // expired meanwhile
	}
	after := *b
	after.freshGens -= min(gens, after.freshGens)
	after.freshRecords -= min(records, after.freshRecords)
	switch {
	case m.full:
		after.settled, after.layers, after.layerRecords = true, 0, 0
		if m.counts.in > 0 {
			after.records, after.chunks, after.overlaps = m.counts.records, m.counts.out, 0
		}
	default:
		after.overlaps += m.counts.overlaps
		after.layers++
		after.layerRecords += m.counts.records
		after.records += m.counts.records
		after.chunks += m.counts.out
	}
	after.high = max(after.high, m.counts.last)
	err := e.tables.Apply(ctx, false, func(w *tables.Writer) error {
		return w.Set(numberKey(keyBucket, m.bucket), after.encode())
	})
	if err != nil {
		return err
	}
	*b = after
	delete(e.upkeep.mergeHolds, m.bucket)
	if after.freshGens == 0 {
		e.state.change(func(s *state) {
			s.setLevels(m.bucket, func(l levels) levels { return l &^ hasFresh })
		})
		e.reclaim(ctx, m.span(fresh, nil, nil))
	}
	start := time.Unix(int64(m.bucket)*int64(bucketLen[raw]), 0).UTC()
	e.o.Hooks.Merged(MergeInfo{Day: start, Full: m.full, ChunksIn: int64(m.counts.in), Out: int64(m.counts.out), Took: time.Since(m.began), Owners: m.owners})
	return nil
}
