package embedded

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// queue holds the commits that one shard has not applied yet, in the order of
// the log. Whoever drains it applies all that are durable: so memory has the
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

// drain applies every commit up to seq, which is durable.
func (e *Engine) drain(seq uint64) {
	for i := range e.queues {
		shard := (i + int(seq)) & (len(e.queues) - 1) // writers start at different ones
		e.drainShard(shard, seq)
	}
}

func (e *Engine) drainShard(shard int, seq uint64) {
	q := &e.queues[shard]
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.waiting) && q.waiting[n].seq <= seq {
		e.apply(q, shard, q.waiting[n])
		n++
	}
	if n > 0 {
		rest := copy(q.waiting, q.waiting[n:])
		clear(q.waiting[rest:])
		q.waiting = q.waiting[:rest]
	}
}

// apply puts those records of c that belong to a shard into memory.
func (e *Engine) apply(q *queue, shard int, c *commit) {
	h := &c.gen.shards[shard]
	mask := uint32(len(e.queues) - 1)
	h.mu.Lock()
	before := h.size()
	// Read with the shard locked: whoever moves one of these afterwards and
	// then looks at the shard sees these records.
	dirty, frozen := e.tiers.top.Load(), e.frozen.Load()
	for i := range c.recs {
		if r := &c.recs[i]; r.id&mask == uint32(shard) {
			var sum *tsdb.Summary
			if r.op&chunk.OpSummary != 0 {
				sum = &c.sums[int(r.v)]
			}
			e.put(q, h, r, sum, dirty, frozen)
		}
	}
	c.gen.memory.Add(h.size() - before)
	h.mu.Unlock()
	if shard == 0 {
		c.gen.count(c.org, len(c.recs))
	}
}

// put puts one record into memory, with queue and shard locked.
func (e *Engine) put(q *queue, h *headShard, r *record, sum *tsdb.Summary, dirty, frozen uint32) {
	local := r.id >> e.shardBits
	if int(local) >= len(q.last) {
		q.last = reach(q.last, local)
		q.streams.Store(uint32(len(q.last)))
	}
	o := unknown
	if last := q.last[local]; last <= r.t {
		if last == 0 {
			e.cat.Saw(r.id)
		}
		if q.last[local] = min(r.t, math.MaxUint32-1) + 1; r.t < math.MaxUint32 {
			o = newest
		}
	}
	if r.t < dirty {
		o = late
	}
	if r.op&opOverdue != 0 || r.t < frozen {
		h.appendOverdue(local, r, sum)
		return
	}
	v := r.v
	if r.op&chunk.OpSummary != 0 {
		h.sums = append(h.sums, *sum)
		v = float64(len(h.sums) - 1)
	}
	h.append(local, r.t, v, r.op, o)
}

// lastSeen returns the time of a stream's latest record, or -1.
func (e *Engine) lastSeen(stream uint32) int64 {
	q := &e.queues[stream&uint32(len(e.queues)-1)]
	q.mu.Lock()
	defer q.mu.Unlock()
	if local := stream >> e.shardBits; int(local) < len(q.last) {
		return int64(q.last[local]) - 1
	}
	return -1
}

// seen reports whether a stream has records.
func (e *Engine) seen(stream uint32) bool { return e.lastSeen(stream) >= 0 }

// end returns the time from which on a stream has nothing, so that a window
// without end does not have to be searched through.
func (e *Engine) end(stream uint32) int64 {
	last := e.lastSeen(stream)
	if last < 0 || last >= math.MaxUint32-1 {
		return math.MaxUint32 + 1
	}
	return last + 1
}
