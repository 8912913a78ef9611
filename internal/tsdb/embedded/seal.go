package embedded

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// seal moves a closed generation into Pebble: its chunks, the streams that
// were new in it, the marks it set and the fact that it is there are one
// atomic step, so that replay after a crash happens exactly once. The caller
// holds background.
func (e *Engine) seal(ctx context.Context, g *generation) error {
	began := time.Now()
	e.log.Settle(g.end)
	e.head.drain(g.end)
	p := &sealing{g: g, e: e}
	p.collect()
	p.chunks.sort()
	e.changes.applying.Lock() // all that the generation's log says of metrics is in memory
	p.prepare()
	e.changes.applying.Unlock()
	err := e.tables.Apply(ctx, false, p.write)
	if err != nil {
		return fmt.Errorf("seal: %w", err)
	}
	p.finish()
	e.o.Hooks.Sealed(SealInfo{
		Generation: g.no, Records: p.records, Chunks: int64(len(p.chunks.refs)), Bytes: int64(len(p.chunks.buf)), Took: time.Since(began),
		Owners: g.samples, // nobody adds to a generation that was sealed
	})
	if err := e.log.Remove(g.no); err != nil {
		e.o.Hooks.BackgroundError("remove log", err) // the next seal tries again
	}
	return nil
}

// sealing is one seal under way.
type sealing struct {
	e       *Engine
	g       *generation
	chunks  chunkList
	overdue []overdueChunk
	records int64
	pages   map[uint32]struct{} // of last-seen times

	buckets map[uint32]*bucketState
	marks   []dirtyMark
	samples map[tidemark.OrgID]int64
	names   sealedNames
}

// collect encodes what the generation holds, stream by stream.
func (p *sealing) collect() {
	e := p.e
	p.pages = make(map[uint32]struct{})
	var r, a, b chunk.Run
	var requests courtesy
	// Growing it bit by bit would copy all of it several times over.
	p.chunks.buf = make([]byte, 0, 2*p.g.records.Load())
	for _, pair := range p.order() {
		metric, id := uint32(pair>>32), uint32(pair)
		shard, local := e.head.place(id)
		h := &p.g.shards[shard]
		p.pages[id/lastPage] = struct{}{}
		r.Reset()
		h.mu.RLock()
		inOrder, late := h.read(local, 0, 1<<32, &r, &a, &b)
		overdue := h.overdue[local]
		h.mu.RUnlock()
		if len(late) > 0 {
			e.tiers.touch(id, late, p.g.started)
		}
		p.chunks.add(&r, metric, id, inOrder)
		p.overdue = appendOverdueChunks(p.overdue, overdue, metric, id, !e.head.sketched.Load())
		p.records += int64(len(r.T) + len(overdue))
		requests.pause()
	}
}

// order returns the streams in the generation as metric<<32|stream, in order.
// Those of deleted metrics are left out.
func (p *sealing) order() []uint64 {
	e := p.e
	var list []uint64
	c := e.catalog.View()
	for shard := range p.g.shards {
		h := &p.g.shards[shard]
		add := func(local int) {
			id := e.head.stream(uint32(shard), uint32(local))
			if m := c.Owner(id); m != nil {
				list = append(list, uint64(m.ID)<<32|uint64(id))
			}
		}
		h.mu.RLock()
		for local := range max(len(h.tail), len(h.late)) {
			if h.has(uint32(local)) {
				add(local)
			}
		}
		for local := range h.overdue {
			if !h.has(local) {
				add(int(local))
			}
		}
		h.mu.RUnlock()
	}
	c.Close()
	slices.Sort(list)
	return list
}

// prepare gathers what is saved beside the chunks.
func (p *sealing) prepare() {
	e := p.e
	p.buckets = make(map[uint32]*bucketState)
	for i := range p.chunks.refs {
		r := &p.chunks.refs[i]
		b := p.buckets[r.bucket]
		if b == nil {
			b = &bucketState{}
			if old := e.upkeep.buckets[r.bucket]; old != nil {
				*b = *old
			}
			b.freshGens++
			b.written = p.g.started
			p.buckets[r.bucket] = b
		}
		b.freshRecords += uint64(r.records)
	}
	e.tiers.mu.Lock()
	for i := range p.overdue {
		o := &p.overdue[i]
		e.tiers.add(dirtyMark{overdue, o.key.bucket, o.key.stream}, blockMark{sums: o.sums != nil})
	}
	e.tiers.mu.Unlock()
	p.marks = e.tiers.unsaved()
	p.names.prepare(e, p.g)
	p.samples = e.stats.withSealed(p.g)
}

// write writes everything in order of keys.
func (p *sealing) write(w *tables.Writer) error {
	for _, b := range slices.Sorted(maps.Keys(p.buckets)) {
		if err := w.Set(numberKey(keyBucket, b), p.buckets[b].encode()); err != nil {
			return err
		}
	}
	if err := p.chunks.writeFresh(w, uint32(p.g.no)); err != nil {
		return err
	}
	if err := writeOverdue(w, p.overdue, uint32(p.g.no)); err != nil {
		return err
	}
	for i := range p.marks {
		if err := w.Set(p.marks[i].key(), nil); err != nil {
			return err
		}
	}
	if err := w.Set([]byte{keyCheckpoint}, p.e.withFormat(encodeCheckpoint(p.g.no, p.names.next))); err != nil {
		return err
	}
	for _, page := range slices.Sorted(maps.Keys(p.pages)) {
		if err := w.Set(numberKey(keyLast, page), p.e.head.encodeLast(page)); err != nil {
			return err
		}
	}
	if err := p.names.write(w); err != nil {
		return err
	}
	if err := p.writeSamples(w); err != nil {
		return err
	}
	return p.names.writeDropped(w)
}

func (p *sealing) writeSamples(w *tables.Writer) error {
	for _, org := range slices.Sorted(maps.Keys(p.samples)) {
		if err := w.Set(orgKey(org), binary.BigEndian.AppendUint64(nil, uint64(p.samples[org]))); err != nil {
			return err
		}
	}
	return nil
}

// finish lets readers find in Pebble what was in the generation.
func (p *sealing) finish() {
	e := p.e
	maps.Copy(e.upkeep.buckets, p.buckets)
	e.tiers.savedAll(p.marks)
	e.stats.setSealed(p.samples, p.g.no)
	e.state.change(func(s *state) {
		s.gens = slices.DeleteFunc(s.gens, func(g *generation) bool { return g == p.g })
		s.levels = maps.Clone(s.levels)
		for b := range p.buckets {
			s.levels[b] |= hasFresh
		}
	})
	c := e.catalog.Edit()
	c.Saved(len(p.names.defs))
	c.Close()
	e.changes.saved(p.names.metrics, p.names.dropped)
}
