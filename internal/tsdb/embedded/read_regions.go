package embedded

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// region is a part of a query's window that one tier can answer.
type region struct {
	tier   int
	lo, hi int64
}

// regions cuts the window of q: each part goes to the coarsest tier whose
// windows fit its steps and that keeps it, and the edges to finer ones.
func (e *Engine) regions(q *tsdb.Query) []region {
	now := e.now()
	lo, hi := max(q.Start, 0), min(q.End, tsdb.MaxTime+1)
	return e.cover(nil, hours, lo, hi, q.Step, now)
}

func (e *Engine) cover(dst []region, tier int, lo, hi, step, now int64) []region {
	if lo >= hi || tier < raw {
		return dst
	}
	w := int64(window[tier])
	a, b := (max(lo, now-e.retention(tier))+w-1)/w*w, hi/w*w
	if step%w != 0 || a >= b {
		return e.cover(dst, tier-1, lo, hi, step, now)
	}
	dst = e.cover(dst, tier-1, lo, a, step, now)
	dst = append(dst, region{tier, a, b})
	return e.cover(dst, tier-1, b, hi, step, now)
}

// stream feeds what the regions cover of the stream that r is at, and returns
// the overdue records among it, valid until the next stream.
func (r *reader) stream(regions []region, s chunk.Sink) []chunk.Overdue {
	late := r.overdues[:0]
	for _, g := range regions {
		if g.tier == raw {
			r.raw(g.lo, g.hi, s)
			continue
		}
		r.region(g, s)
		late = r.overdue(g, late)
	}
	r.overdues = late
	return late
}

// region feeds a region from its tier where that is complete and clean, and
// from raw records elsewhere.
func (r *reader) region(g region, s chunk.Sink) {
	done := min(g.hi, int64(r.s.done[g.tier]))
	lo := g.lo
	r.marks = r.marked(g.tier)
	if r.e.tiers.epoch.Load() != r.epoch {
		// Marks were cleared since the iterator was opened: it may show tier
		// chunks from before. Raw records are right in any case.
		done = min(done, int64(r.s.frozen))
	}
	for _, m := range r.marks {
		span := int64(blockSpan[g.tier])
		a, b := max(lo, int64(m)*span), min(done, int64(m+1)*span)
		if a >= b || a < int64(r.s.frozen) {
			continue
		}
		r.tier(g.tier, lo, a, s)
		r.raw(a, b, s)
		lo = b
	}
	if lo < done {
		r.tier(g.tier, lo, done, s)
		lo = done
	}
	r.raw(lo, g.hi, s)
}

// marked returns the blocks of a tier that may lack something, in order: those
// that are marked, and those of which late records are in memory, which will be
// marked when they are sealed.
func (r *reader) marked(tier int) []uint32 {
	marks := r.e.tiers.blocks(tier, r.id, r.marks[:0])
	if len(r.lately) == 0 {
		return marks
	}
	for _, b := range r.lately {
		marks = append(marks, b/(blockSpan[tier]/blockSpan[minutes]))
	}
	slices.Sort(marks)
	return slices.Compact(marks)
}

// tier feeds [lo, hi) from the chunks of a tier.
func (r *reader) tier(tier int, lo, hi int64, s chunk.Sink) {
	if lo >= hi {
		return
	}
	s.Bounds(lo, hi)
	span, block := int64(bucketLen[tier]), int64(blockSpan[tier])
	for bucket := lo / span; bucket <= (hi-1)/span; bucket++ {
		r.prefix = appendPrefix(r.prefix[:0], byte(tier), uint32(bucket), merged, r.metric, r.id)
		first := max(lo/block*block, bucket*span)
		r.seek = binary.BigEndian.AppendUint32(append(r.seek[:0], r.prefix...), uint32(first))
		r.bound(hi)
		for ok := r.it.SeekWithin(r.seek, r.limit); ok; ok = r.it.NextWithin(r.limit) {
			k := r.it.Key()
			if !bytes.HasPrefix(k, r.prefix) {
				break
			}
			start := binary.BigEndian.Uint32(k[15:])
			if int64(start) >= hi {
				break
			}
			v, ok := r.value()
			if !ok {
				continue
			}
			r.data.Reset()
			if err := feedTierChunk(&r.data, v, start, s); err != nil {
				r.e.setAside(k, err)
			}
		}
		r.stopped()
	}
}

// bound sets where the chunks under r.prefix that start before hi end. Without
// it the iterator looks for the key that follows, past whatever was deleted on
// the way, only for us to throw it away: that was most of a long query.
func (r *reader) bound(hi int64) {
	r.limit = append(r.limit[:0], r.prefix...)
	if hi > math.MaxUint32 { // the last second's chunks too, whatever follows in their keys
		r.limit = binary.BigEndian.AppendUint64(r.limit, math.MaxUint64)
		return
	}
	r.limit = binary.BigEndian.AppendUint32(r.limit, uint32(hi))
}

// feedTierChunk feeds uvarint(first window - start) and a chunk.
func feedTierChunk(buf *chunk.Buffer, v []byte, start uint32, s chunk.Sink) error {
	d, k := binary.Uvarint(v)
	if k <= 0 || d > 1<<31 {
		return chunk.ErrDamaged
	}
	h, err := chunk.HeaderOf(v[k:])
	if err != nil {
		return err
	}
	return s.Chunk(&chunk.Piece{Data: buf.Add(v[k:]), Header: h, Start: start + uint32(d)})
}

// overdue appends the overdue records of the stream in a region, made one where
// they are of one window of its tier.
func (r *reader) overdue(g region, dst []chunk.Overdue) []chunk.Overdue {
	joins := !r.e.head.sketched.Load() // else it would not be known which of them were single values
	from := len(dst)
	take := func(list []chunk.Overdue) {
		for i := range list {
			o := &list[i]
			if int64(o.T) < g.lo || int64(o.T) >= g.hi {
				continue
			}
			if n := len(dst); !joins || n == from || !dst[n-1].Join(o, window[g.tier]) {
				dst = append(dst, *o)
			}
		}
	}
	r.overdueDays(g, joins && g.tier == hours)
	for level, days := range [...][]uint32{merged: r.summed, fresh: r.days} {
		for _, d := range days {
			r.day = r.overdueDay(d, byte(level), r.day[:0])
			take(r.day)
		}
	}
	shard, local := r.e.head.place(r.id)
	for _, gen := range r.s.gens {
		h := &gen.shards[shard]
		h.mu.RLock()
		take(h.overdue[local])
		h.mu.RUnlock()
	}
	return dst
}

// overdueDays finds the days of a region of which there are overdue records in
// Pebble: r.days, and r.summed of which sums will do, if they may.
func (r *reader) overdueDays(g region, sums bool) {
	r.days, r.summed = r.e.tiers.overdueDays(r.id, sums, r.days[:0], r.summed[:0])
	span := int64(bucketLen[overdue])
	if r.e.tiers.epoch.Load() != r.epoch { // any day may have some
		r.days, r.summed = r.days[:0], r.summed[:0]
		for d := g.lo / span; d <= (min(g.hi, r.e.head.end(r.id))-1)/span; d++ {
			r.days = append(r.days, uint32(d))
		}
		return
	}
	outside := func(d uint32) bool { return int64(d+1)*span <= g.lo || int64(d)*span >= g.hi }
	r.days, r.summed = slices.DeleteFunc(r.days, outside), slices.DeleteFunc(r.summed, outside)
}

// overdueDay appends the overdue records of one day that are in Pebble, or with
// the merged level their sums.
func (r *reader) overdueDay(d uint32, level byte, dst []chunk.Overdue) []chunk.Overdue {
	r.prefix = appendPrefix(r.prefix[:0], overdue, d, level, r.metric, r.id)
	inMemory := uint32(r.s.gens[0].no)
	r.bound(int64(d+1) * int64(bucketLen[overdue]))
	for ok := r.it.SeekWithin(r.prefix, r.limit); ok; ok = r.it.NextWithin(r.limit) {
		k := r.it.Key()
		if binary.BigEndian.Uint32(k[19:]) >= inMemory {
			continue
		}
		v, ok := r.value()
		if !ok {
			continue
		}
		var err error
		if dst, err = chunk.ReadOverdue(v, binary.BigEndian.Uint32(k[15:]), bucketLen[overdue], dst); err != nil {
			r.e.setAside(k, err)
		}
	}
	r.stopped()
	return dst
}
