package embedded

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// grace is how long after its end a stretch of time is taken to be complete.
// What comes later marks its block.
const grace = 600

// stretch is how much of a tier is built at a time: whole blocks of minutes; a
// quarter of a block of hours, so that little of a day is read from raw records.
var stretch = [hours + 1]int64{minutes: 6 * 3600, hours: 6 * 3600}

// due returns the time that a tier should reach by now.
func (e *Engine) due(tier int) int64 {
	t := e.now() - grace
	if tier == minutes {
		t = e.now() - int64(e.o.MinuteLag/time.Second)
	}
	return max(0, t/stretch[tier]*stretch[tier])
}

// buildTiers makes the tiers reach as far as they should.
func (e *Engine) buildTiers(ctx context.Context) error {
	for tier := minutes; tier <= hours; tier++ {
		for {
			more, err := e.buildTier(ctx, tier)
			if err != nil {
				return fmt.Errorf("build tier of %d s: %w", window[tier], err)
			}
			if !more {
				break
			}
		}
	}
	return nil
}

// buildTier builds the next stretches of a tier, within one of its buckets,
// and reports whether there is more to do.
func (e *Engine) buildTier(ctx context.Context, tier int) (more bool, err error) {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	due := e.due(tier)
	from := int64(e.state.Load().done[tier])
	if from >= due {
		return false, nil
	}
	from = max(from, e.oldest()/stretch[tier]*stretch[tier])
	span := int64(bucketLen[tier])
	to := min(due, max(from, 0)/span*span+span, from+4*stretch[tier])
	if from >= due {
		to, from = due, due // there is nothing before
	}
	began := time.Now()
	// Whatever is written before to from here on is late.
	e.tiers.setMark(tier, uint32(to))
	b := builder{e: e, tier: tier, u: chunk.Rollup{Window: window[tier]}}
	if err := e.tables.Apply(ctx, false, func(w *tables.Writer) error { return b.fill(ctx, w, from, to) }); err != nil {
		return false, err
	}
	e.state.change(func(s *state) { s.done[tier] = uint32(to) })
	e.o.Hooks.TierBuilt(TierInfo{Window: int64(window[tier]), To: time.Unix(to, 0), Blocks: b.blocks, Took: time.Since(began)})
	return to < due, nil
}

// oldest returns the start of the first day that has raw records.
func (e *Engine) oldest() int64 {
	first := int64(1 << 40)
	for b := range e.upkeep.buckets {
		first = min(first, int64(b)*int64(bucketLen[raw]))
	}
	for _, g := range e.state.Load().gens {
		if t := g.oldest(); t < 1<<32-1 {
			first = min(first, int64(t)/int64(bucketLen[raw])*int64(bucketLen[raw]))
		}
	}
	return first
}

// builder computes blocks of a tier.
type builder struct {
	e      *Engine
	tier   int
	r      *reader
	u      chunk.Rollup
	buf    []byte
	blocks int64
}

// fill writes the blocks of [from, to), which lie in one bucket, stream by
// stream: that is the order of keys, so nothing has to be sorted.
func (b *builder) fill(ctx context.Context, w *tables.Writer, from, to int64) error {
	if from < to {
		r, err := b.e.newReader()
		if err != nil {
			return err
		}
		b.r = r
		r.it.PerPrefix(placeLen)
		var requests courtesy
		for _, pair := range b.e.seenSince(from) {
			if err := ctx.Err(); err != nil {
				return closeAfter(r, err)
			}
			requests.pause()
			if err := b.stream(w, uint32(pair>>32), uint32(pair), from, to); err != nil {
				return closeAfter(r, err)
			}
		}
		if err := r.close(); err != nil {
			return err
		}
	}
	return w.Set([]byte{keyTier, byte(b.tier)}, binary.BigEndian.AppendUint32(nil, uint32(to)))
}

func closeAfter(r *reader, err error) error {
	_ = r.close() // err says more
	return err
}

func (b *builder) stream(w *tables.Writer, metric, id uint32, from, to int64) error {
	span := blockSpan[b.tier]
	from = from / int64(span) * int64(span)
	b.r.begin(metric, id, from, to)
	b.u.Reset()
	// All blocks in one go: late data makes reading a day four times expensive.
	// What the tier has of the first one already is read from it.
	for done := false; !done; done = b.u.Done() {
		b.r.region(region{b.tier, from, to}, &b.u)
	}
	for i := 0; i < len(b.u.T); {
		block := b.u.T[i] / span
		j := i + 1
		for j < len(b.u.T) && b.u.T[j]/span == block {
			j++
		}
		b.blocks++
		b.buf = b.u.AppendTo(b.buf[:0], block*span, i, j)
		if err := w.Set(tierKey(byte(b.tier), metric, id, block*span), b.buf); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// seenSince returns the streams that have records at or after t, as
// metric<<32|stream, in order.
func (e *Engine) seenSince(t int64) []uint64 {
	var list []uint64
	for shard := range e.head.queues {
		q := &e.head.queues[shard]
		q.mu.Lock()
		last := slices.Clone(q.last)
		q.mu.Unlock()
		c := e.catalog.View()
		for local, seen := range last {
			id := e.head.stream(uint32(shard), uint32(local))
			if int64(seen) > t {
				if m := c.Owner(id); m != nil {
					list = append(list, uint64(m.ID)<<32|uint64(id))
				}
			}
		}
		c.Close()
	}
	slices.Sort(list)
	return list
}
