package embedded

import (
	"bytes"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// queue holds the commits that one shard has not applied yet, in the order of
// the log. Draining applies all that are durable: so memory has the
// order of the log, replay gives the same result, and nothing is visible
// before it is durable.
type queue struct {
	mu      sync.Mutex
	waiting []*commit
	last    []uint32      // by stream: time of the latest record + 1
	streams atomic.Uint32 // len(last)
}

func (q *queue) push(c *commit) {
	q.mu.Lock()
	q.waiting = append(q.waiting, c)
	q.mu.Unlock()
}

// remove takes out the commits that were refused.
func (q *queue) remove(after, upto uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	kept := q.waiting[:0]
	for _, c := range q.waiting {
		if c.seq <= after || c.seq > upto {
			kept = append(kept, c)
		}
	}
	clear(q.waiting[len(kept):])
	q.waiting = kept
}

// head is what is not sealed: the generations being filled and the way into
// them.
type head struct {
	queues    []queue // one for each shard
	shardBits uint
	catalog   *catalog.Catalog
	tiers     *tierState
	sketched  *atomic.Bool // the engine's

	streamCount atomic.Int64  // streams that are known
	frozen      atomic.Uint32 // raw records before it are overdue, whatever the clock says
	sealNow     chan struct{} // a generation was closed

	// With the log locked.
	active      *generation
	logged      int  // definitions appended to the log
	loggedTaken int  // of those, in the group that is being written, or before
	loggedSafe  int  // of those, in groups before
	cutNow      bool // close the generation with the next group
}

func (h *head) init(shards int, c *catalog.Catalog, t *tierState, sketched *atomic.Bool) {
	h.queues, h.shardBits = make([]queue, shards), uint(bits.Len(uint(shards-1)))
	h.catalog, h.tiers, h.sketched, h.sealNow = c, t, sketched, make(chan struct{}, 1)
}

// place returns the shard of a stream and its position there.
func (h *head) place(stream uint32) (shard, local uint32) {
	return stream & uint32(len(h.queues)-1), stream >> h.shardBits
}

// stream returns the stream at a position of a shard.
func (h *head) stream(shard, local uint32) uint32 { return local<<h.shardBits | shard }

// drain applies every commit up to seq, which is durable.
func (h *head) drain(seq uint64) {
	for i := range h.queues {
		shard := (i + int(seq)) & (len(h.queues) - 1) // writers start at different ones
		h.drainShard(shard, seq)
	}
}

func (h *head) drainShard(shard int, seq uint64) {
	q := &h.queues[shard]
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.waiting) && q.waiting[n].seq <= seq {
		h.apply(q, shard, q.waiting[n])
		n++
	}
	if n > 0 {
		rest := copy(q.waiting, q.waiting[n:])
		clear(q.waiting[rest:])
		q.waiting = q.waiting[:rest]
	}
}

// apply puts those records of c that belong to a shard into memory.
func (h *head) apply(q *queue, shard int, c *commit) {
	s := &c.gen.shards[shard]
	mask := uint32(len(h.queues) - 1)
	s.mu.Lock()
	before, past, pastOf := s.size(), s.past, s.pastOf
	// Read with the shard locked: code that moves one of these afterwards and
	// then looks at the shard sees these records.
	dirty, frozen := h.tiers.top.Load(), h.frozen.Load()
	for i := range c.recs {
		if r := &c.recs[i]; r.id&mask == uint32(shard) {
			sum, sketch := c.summary(r)
			h.put(q, s, r, sum, sketch, dirty, frozen)
		}
	}
	c.gen.memory.Add(s.size() - before)
	if s.past > past {
		c.gen.past.Add(int64(s.past - past))
		c.gen.pastOf.Add(int64(s.pastOf - pastOf))
	}
	s.mu.Unlock()
	if shard == 0 {
		c.gen.count(c.org, len(c.recs))
	}
}

// put puts one record into memory, with queue and shard locked.
func (h *head) put(q *queue, s *headShard, r *record, sum *tsdb.Summary, sketch []byte, dirty, frozen uint32) {
	local := r.id >> h.shardBits
	if int(local) >= len(q.last) {
		q.last = reach(q.last, local)
		q.streams.Store(uint32(len(q.last)))
	}
	o := unknown
	if last := q.last[local]; last <= r.t {
		if last == 0 {
			h.catalog.Saw(r.id)
		}
		if q.last[local] = min(r.t, math.MaxUint32-1) + 1; r.t < math.MaxUint32 {
			o = newest
		}
	}
	if r.t < dirty {
		o = late
	}
	if r.op&opOverdue != 0 || r.t < frozen {
		// A single value counts in the sketch of its window, several made one do not.
		s.appendOverdue(local, r, sum, sketch, !h.sketched.Load())
		return
	}
	v := r.v
	if r.op&chunk.OpSummary != 0 {
		s.sums = append(s.sums, *sum)
		v = float64(len(s.sums) - 1)
		if sketch != nil {
			s.setSketch(len(s.sums)-1, bytes.Clone(sketch))
		}
	}
	s.append(local, r.t, v, r.op, o)
}

// lastSeen returns the time of a stream's latest record, or -1.
func (h *head) lastSeen(stream uint32) int64 {
	q := &h.queues[stream&uint32(len(h.queues)-1)]
	q.mu.Lock()
	defer q.mu.Unlock()
	if local := stream >> h.shardBits; int(local) < len(q.last) {
		return int64(q.last[local]) - 1
	}
	return -1
}

// seen reports whether a stream has records.
func (h *head) seen(stream uint32) bool { return h.lastSeen(stream) >= 0 }

// end returns the time from which on a stream has nothing, so that a window
// without end does not have to be searched through.
func (h *head) end(stream uint32) int64 {
	last := h.lastSeen(stream)
	if last < 0 || last >= math.MaxUint32-1 {
		return math.MaxUint32 + 1
	}
	return last + 1
}
