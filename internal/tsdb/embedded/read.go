package embedded

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// reader reads streams from memory and from Pebble as of one moment, without
// gap and without double: it takes the state, then opens its iterator, and
// takes both again if the state has changed meanwhile. Whoever moves data
// moves it in Pebble first and in the state after.
type reader struct {
	e     *Engine
	s     *state
	it    *iterator
	epoch uint64 // of the tiers' marks, taken before the iterator was opened

	// The stream that is being read.
	id, metric uint32
	head       run // its records in memory
	a, b       run // scratch

	parts  []part
	data   []byte // of parts
	over   run    // what lies over the parts that are fed as they are
	rank   []uint32
	c      chunk
	sc     scratch
	prefix []byte
	seek   []byte
	limit  []byte // where the chunks that are wanted end
	marks  []uint32
}

// part is one encoded chunk.
type part struct {
	start, end uint32
	gen        uint32
	op, level  byte
	h          chunkHeader
	off, stop  int
}

// sink takes the records of one stream in order of time: chunks still
// encoded, or records. It drops what is outside the bounds it was given.
type sink interface {
	bounds(lo, hi int64)
	chunk(b []byte, t0 uint32, h *chunkHeader) error
	run(r *run, i, j int)
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
		it, err := e.store.iter([]byte{keyChunk}, []byte{keyChunk + 1})
		if err != nil {
			return err
		}
		if e.state.Load() == s {
			r.e, r.s, r.it, r.epoch = e, s, it, epoch
			return nil
		}
		if err := it.close(); err != nil {
			return err
		}
	}
}

// close lets go of the engine; only memory to use again is kept.
func (r *reader) close() error {
	err := r.it.close()
	r.e, r.s, r.it = nil, nil, nil
	return err
}

// begin goes to a stream.
func (r *reader) begin(metric, id uint32) {
	r.metric, r.id = metric, id
	r.head.reset()
	shard, local := id&uint32(len(r.e.queues)-1), id>>r.e.shardBits
	for _, g := range r.s.gens {
		h := &g.shards[shard]
		h.mu.RLock()
		h.read(local, &r.head, &r.a, &r.b)
		h.mu.RUnlock()
	}
}

// raw feeds the records in [lo, hi).
func (r *reader) raw(lo, hi int64, s sink) {
	s.bounds(lo, hi)
	span := int64(bucketLen[raw])
	if hi-lo > 2*span { // else looking costs more than it can save
		hi = min(hi, r.e.end(r.id))
	}
	for lo < hi {
		end := min(hi, (lo/span+1)*span)
		r.bucket(uint32(lo/span), lo, end, s)
		lo = end
	}
}

// bucket feeds the records of one bucket in [lo, hi).
func (r *reader) bucket(bucket uint32, lo, hi int64, s sink) {
	r.parts, r.data = r.parts[:0], r.data[:0]
	if lo >= int64(r.s.frozen) {
		r.gather(bucket, merged, lo, hi)
		if r.s.fresh[bucket] {
			r.gather(bucket, fresh, lo, hi)
			slices.SortStableFunc(r.parts, func(a, b part) int { return int(int64(a.start) - int64(b.start)) })
		}
	}
	i, j := r.head.find(uint32(lo)), len(r.head.t)
	if hi <= 1<<32-1 {
		j = r.head.find(uint32(hi))
	}
	if r.overlaps() {
		r.split(i, j)
		r.feed(&r.over, r.rank, 0, len(r.over.t), s)
		return
	}
	r.feed(&r.head, nil, i, j, s)
}

// gather reads the chunks of the stream in one level that touch [lo, hi).
func (r *reader) gather(bucket uint32, level byte, lo, hi int64) {
	r.prefix = appendPrefix(r.prefix[:0], raw, bucket, level, r.metric, r.id)
	inMemory := uint32(r.s.gens[0].no) // generations from here on are read from memory
	r.bound(hi)
	for st := r.it.SeekGEWithLimit(r.prefix, r.limit); st == pebble.IterValid; st = r.it.NextWithLimit(r.limit) {
		k := r.it.Key()
		if !bytes.HasPrefix(k, r.prefix) {
			break
		}
		p := part{start: binary.BigEndian.Uint32(k[15:]), gen: binary.BigEndian.Uint32(k[19:]), op: k[23], level: level}
		if int64(p.start) >= hi {
			break
		}
		if p.gen >= inMemory {
			continue
		}
		v, err := r.it.ValueAndErr()
		if err == nil {
			p.h, _, err = readHeader(v)
		}
		if err != nil {
			r.e.setAside(k, err)
			continue
		}
		p.end = p.start + p.h.span
		if int64(p.end) < lo {
			continue
		}
		p.off = len(r.data)
		r.data = append(r.data, v...)
		p.stop = len(r.data)
		r.parts = append(r.parts, p)
	}
	if err := r.it.Error(); err != nil {
		r.e.setAside(r.prefix, err)
	}
}

// overlaps reports whether chunks lie over one another.
func (r *reader) overlaps() bool {
	for i := 1; i < len(r.parts); i++ {
		if r.parts[i].start <= r.parts[i-1].end {
			return true
		}
	}
	return false
}

// split keeps as parts the largest chunks that do not overlap, and puts the
// records of the others, which are few and late as a rule, over them; those
// of memory from i to j come last.
func (r *reader) split(i, j int) {
	all := slices.Clone(r.parts)
	slices.SortStableFunc(all, func(a, b part) int { return b.h.n - a.h.n })
	r.parts = r.parts[:0]
	var late []part
	for _, p := range all {
		if slices.ContainsFunc(r.parts, func(o part) bool { return p.start <= o.end && o.start <= p.end }) {
			late = append(late, p)
		} else {
			r.parts = append(r.parts, p)
		}
	}
	slices.SortFunc(r.parts, func(a, b part) int { return int(int64(a.start) - int64(b.start)) })
	slices.SortStableFunc(late, func(a, b part) int { return int(int64(a.gen) - int64(b.gen)) })
	r.a.reset()
	r.rank = r.rank[:0]
	for k := range late {
		if r.decode(&late[k]) {
			r.a.pushChunk(&r.c, late[k].op)
			r.rank = append(r.rank, slices.Repeat([]uint32{late[k].gen}, len(r.c.t))...)
		}
	}
	r.a.pushAll(&r.head, i, j)
	r.rank = append(r.rank, slices.Repeat([]uint32{1<<32 - 1}, j-i)...)
	r.sortOver()
}

// sortOver makes of r.a, in order of arrival, r.over in order of time.
func (r *reader) sortOver() {
	keys := r.over.keys[:0]
	for i, t := range r.a.t {
		keys = append(keys, uint64(t)<<32|uint64(i))
	}
	slices.Sort(keys)
	r.over.reset()
	rank := make([]uint32, 0, len(keys))
	for _, key := range keys {
		i := int(uint32(key))
		r.over.push(&r.a, i)
		rank = append(rank, r.rank[i])
	}
	r.rank, r.over.keys = rank, keys
}

// decode decodes a part; a damaged one is set aside and left out.
func (r *reader) decode(p *part) bool {
	if err := r.c.read(r.data[p.off:p.stop], p.start, &r.sc, true); err != nil {
		r.aside(p, err)
		return false
	}
	return true
}

func (r *reader) aside(p *part, err error) {
	k := chunkKey{tier: raw, bucket: p.start / bucketLen[raw], level: p.level, metric: r.metric, stream: r.id, start: p.start, gen: p.gen, op: p.op}
	r.e.setAside(k.append(nil), err)
}

// feed gives s the parts, with the records i to j of over, which are in order
// of time, put over them. A part under which nothing lies is fed as it is.
func (r *reader) feed(over *run, rank []uint32, i, j int, s sink) {
	for n := range r.parts {
		p := &r.parts[n]
		k := i
		for k < j && over.t[k] < p.start {
			k++
		}
		r.flush(over, rank, i, k, s)
		for i = k; k < j && over.t[k] <= p.end; k++ {
		}
		if i == k {
			if err := s.chunk(r.data[p.off:p.stop], p.start, &p.h); err != nil {
				r.aside(p, err)
			}
			continue
		}
		if r.decode(p) {
			r.weave(p, over, rank, i, k)
			s.run(&r.b, 0, len(r.b.t))
		} else {
			r.flush(over, rank, i, k, s)
		}
		i = k
	}
	r.flush(over, rank, i, j, s)
}

// flush gives s records below which there is nothing.
func (r *reader) flush(over *run, rank []uint32, i, j int, s sink) {
	if i >= j {
		return
	}
	if rank == nil { // one a second already
		s.run(over, i, j)
		return
	}
	r.b.reset()
	for ; i < j; i++ {
		r.b.add(over, i)
	}
	s.run(&r.b, 0, len(r.b.t))
}

// weave puts the records i to j of over and the decoded part p together, in
// order of time and for each second in order of arrival.
func (r *reader) weave(p *part, over *run, rank []uint32, i, j int) {
	r.a.reset()
	r.a.pushChunk(&r.c, p.op)
	base := &r.a
	r.b.reset()
	k := 0
	for ; i < j; i++ {
		from := k
		for k < len(base.t) && base.t[k] < over.t[i] {
			k++
		}
		if from < k {
			r.b.add(base, from) // it may be of the second pushed last
			r.b.pushAll(base, from+1, k)
		}
		if k < len(base.t) && base.t[k] == over.t[i] && (rank == nil || rank[i] > p.gen) {
			r.b.add(base, k)
			k++
		}
		r.b.add(over, i)
	}
	for ; k < len(base.t); k++ {
		r.b.add(base, k)
	}
}
