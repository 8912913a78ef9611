package embedded

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// reader reads streams from memory and from Pebble as of one moment, without
// gap and without double: it takes the state, then opens its iterator, and
// takes both again if the state has changed meanwhile. Data is moved
// in Pebble first and in the state after.
type reader struct {
	e     *Engine
	s     *state
	it    *tables.Iterator
	epoch uint64 // of the tiers' marks, taken before the iterator was opened
	err   error  // why something could not be read that is not damaged; then nothing that was read counts

	// The stream that is being read.
	id, metric uint32
	head       chunk.Run // its records in memory
	lately     []uint32  // blocks of minutes that have late ones among them
	a, b       chunk.Run // scratch

	parts  []part
	data   chunk.Buffer // of parts
	over   chunk.Upper  // what lies over the parts that are fed as they are
	late   []part       // scratch of split
	weave  chunk.Weaver
	prefix []byte
	seek   []byte
	limit  []byte // where the chunks that are wanted end
	marks  []uint32

	overdues     []chunk.Overdue // of the stream
	day          []chunk.Overdue // scratch of overdue
	days, summed []uint32        // and those that it reads
}

// part is one chunk of the stream.
type part struct {
	chunk.Piece
	end   uint32 // time of its last record
	level byte
}

func (e *Engine) newReader() (*reader, error) {
	r := &reader{}
	return r, r.open(e)
}

// open makes r see the engine as it is now.
func (r *reader) open(e *Engine) error {
	for {
		epoch := e.tiers.epoch.Load()
		s := e.state.Load()
		it, err := e.tables.Iter([]byte{keyChunk}, []byte{keyChunk + 1})
		if err != nil {
			return err
		}
		if e.state.Load() == s {
			r.e, r.s, r.it, r.epoch, r.err = e, s, it, epoch, nil
			return nil
		}
		if err := it.Close(); err != nil {
			return err
		}
	}
}

// close lets go of the engine; only memory to use again is kept. It returns why
// not all could be read, or nil.
func (r *reader) close() error {
	_ = r.it.Close() // it would only say again what was noted
	r.e, r.s, r.it = nil, nil, nil
	return r.err
}

// unreadable notes that what is at a key cannot be read. What is damaged is set
// aside, and the rest counts without it. An error of the disk may be over the
// next time: then all of it is there again.
func (r *reader) unreadable(key []byte, err error) {
	switch {
	case tables.IsDamage(err):
		r.e.setAside(key, err)
	case r.err == nil:
		r.err = err
	}
}

// value returns what the iterator is at, or false if it cannot be read.
func (r *reader) value() ([]byte, bool) {
	v, err := r.it.Value()
	if err != nil {
		r.unreadable(r.it.Key(), err)
	}
	return v, err == nil
}

// stopped is called when the iterator has found no more under r.prefix.
func (r *reader) stopped() {
	if err := r.it.Err(); err != nil {
		r.unreadable(r.prefix, err)
	}
}

// begin goes to a stream, of which only [lo, hi) will be asked for.
func (r *reader) begin(metric, id uint32, lo, hi int64) {
	r.metric, r.id = metric, id
	r.head.Reset()
	r.lately = r.lately[:0]
	shard, local := r.e.head.place(id)
	for _, g := range r.s.gens {
		h := &g.shards[shard]
		h.mu.RLock()
		_, late := h.read(local, lo, hi, &r.head, &r.a, &r.b)
		h.mu.RUnlock()
		r.lately = appendBlocks(r.lately, late, blockSpan[minutes])
	}
}

// raw feeds the records in [lo, hi).
func (r *reader) raw(lo, hi int64, s chunk.Sink) {
	s.Bounds(lo, hi)
	span := int64(bucketLen[raw])
	if hi-lo > 2*span { // else looking costs more than it can save
		hi = min(hi, r.e.head.end(r.id))
	}
	for lo < hi {
		end := min(hi, (lo/span+1)*span)
		r.bucket(uint32(lo/span), lo, end, s)
		lo = end
	}
}

// bucket feeds the records of one bucket in [lo, hi).
func (r *reader) bucket(bucket uint32, lo, hi int64, s chunk.Sink) {
	r.parts = r.parts[:0]
	r.data.Reset()
	if lo >= int64(r.s.frozen) {
		has := r.s.levels[bucket]
		if has&hasMerged != 0 {
			r.gather(bucket, merged, lo, hi)
		}
		if has&hasFresh != 0 {
			r.gather(bucket, fresh, lo, hi)
			r.sortParts()
		}
	}
	i, j := r.head.Find(uint32(lo)), len(r.head.T)
	if hi <= 1<<32-1 {
		j = r.head.Find(uint32(hi))
	}
	if !r.overlaps() {
		r.feed(&r.head, nil, i, j, s)
		return
	}
	// Most of what is in memory is later than all chunks.
	k := max(i, min(j, r.head.After(r.lastOfParts())))
	r.split(i, k)
	r.feed(&r.over.Run, r.over.Rank, 0, len(r.over.T), s)
	r.weave.Flush(&r.head, k, j, s)
}

// sortParts puts the chunks of both levels in order of start; each level is.
func (r *reader) sortParts() {
	byStart := func(a, b part) int { return int(int64(a.Start) - int64(b.Start)) }
	if !slices.IsSortedFunc(r.parts, byStart) {
		slices.SortStableFunc(r.parts, byStart)
	}
}

func (r *reader) lastOfParts() uint32 {
	last := uint32(0)
	for i := range r.parts {
		last = max(last, r.parts[i].end)
	}
	return last
}

// gather reads the chunks of the stream in one level that touch [lo, hi).
func (r *reader) gather(bucket uint32, level byte, lo, hi int64) {
	r.prefix = appendPrefix(r.prefix[:0], raw, bucket, level, r.metric, r.id)
	inMemory := uint32(r.s.gens[0].no) // generations from here on are read from memory
	r.bound(hi)
	for ok := r.it.SeekWithin(r.prefix, r.limit); ok; ok = r.it.NextWithin(r.limit) {
		k := r.it.Key()
		if !bytes.HasPrefix(k, r.prefix) {
			break
		}
		p := part{Piece: chunk.Piece{Start: binary.BigEndian.Uint32(k[15:]), Gen: binary.BigEndian.Uint32(k[19:]), Op: k[23]}, level: level}
		if int64(p.Start) >= hi {
			break
		}
		if p.Gen >= inMemory {
			continue
		}
		v, ok := r.value()
		if !ok {
			continue
		}
		var err error
		if p.Header, err = chunk.HeaderOf(v); err != nil {
			r.e.setAside(k, err)
			continue
		}
		p.end = p.Start + p.Header.Span
		if int64(p.end) < lo {
			continue
		}
		p.Data = r.data.Add(v)
		r.parts = append(r.parts, p)
	}
	r.stopped()
}

// overlaps reports whether chunks lie over one another.
func (r *reader) overlaps() bool {
	for i := 1; i < len(r.parts); i++ {
		if r.parts[i].Start <= r.parts[i-1].end {
			return true
		}
	}
	return false
}

func (r *reader) aside(p *part, err error) {
	k := chunkKey{tier: raw, bucket: p.Start / bucketLen[raw], level: p.level, metric: r.metric, stream: r.id, start: p.Start, gen: p.Gen, op: p.Op}
	r.e.setAside(k.append(nil), err)
}
