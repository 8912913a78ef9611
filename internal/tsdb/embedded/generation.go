package embedded

import (
	"bytes"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// generation is a span of the log whose records are still in memory. It is
// filled by one shard at a time under the shard's lock, and sealed as a whole.
type generation struct {
	no     uint64
	shards []headShard

	// Set when it is closed, with the log locked.
	closed bool
	end    uint64 // last record's number in the log
	defs   int    // definitions that its log, or one before it, holds

	records atomic.Int64 // handed to it; they may not be in the shards yet
	memory  atomic.Int64 // bytes of its shards
	past    atomic.Int64 // records that came late or overdue
	pastOf  atomic.Int64 // how many streams those are of, about
	started int64        // when its first record came, in seconds; set with the log locked

	samplesMu sync.Mutex
	samples   map[tidemark.OrgID]int64
}

// headShard holds the records of every n-th stream: an arena of blocks,
// chained for each stream, without a pointer for the garbage collector to
// follow. The in-order chain of a stream only ascends; what comes late is in a
// chain of its own, in order of arrival, so that it does not spoil the rest.
// So is everything that came when a tier reached past it already: a reader of
// a tier finds there what the tier may lack.
type headShard struct {
	mu          sync.RWMutex
	tail        []uint32 // by stream: its chain
	late        []uint32
	pages       []*headPage
	blocks      uint32
	sums        []tsdb.Summary
	overdue     map[uint32][]chunk.Overdue
	overdueSize int64
	sketches    map[int][]byte // by position in sums
	sketchSize  int64
	records     int
	past        int    // of those, how many came late or overdue
	pastOf      int    // and of how many streams; twice where there are both
	oldest      uint32 // smallest time of any record that is not overdue
}

// A chain is the number of its last block + 1 and, in the low bits, how many
// records that has - 1; or 0. So adding a record only writes to the block,
// which need not be waited for.
type headBlock struct {
	op [headLen]uint8
	t  [headLen]uint32
	v  [headLen]float64 // or a position in sums
}

// headPage is some blocks, and the chain before each of them. Those lie close
// together: whoever follows a chain waits for one of them before the next can be
// looked up, while blocks can be fetched several at a time.
type headPage struct {
	prev   [pageLen]uint32
	blocks [pageLen]headBlock
}

const (
	headBits = 3
	headLen  = 1 << headBits
	pageBits = 10
	pageLen  = 1 << pageBits
)

// Sizes in memory.
var (
	blockSize   = int64(reflect.TypeFor[headPage]().Size()) / pageLen
	summarySize = int64(reflect.TypeFor[tsdb.Summary]().Size())
	overdueSize = int64(reflect.TypeFor[chunk.Overdue]().Size())
)

func newGeneration(no uint64, shards int) *generation {
	g := &generation{no: no, shards: make([]headShard, shards), samples: make(map[tidemark.OrgID]int64)}
	for i := range g.shards {
		g.shards[i].oldest = 1<<32 - 1
	}
	return g
}

// oldest returns the smallest time of any record in g that is not overdue.
func (g *generation) oldest() uint32 {
	t := uint32(1<<32 - 1)
	for i := range g.shards {
		h := &g.shards[i]
		h.mu.RLock()
		t = min(t, h.oldest)
		h.mu.RUnlock()
	}
	return t
}

func (g *generation) count(org tidemark.OrgID, n int) {
	g.samplesMu.Lock()
	g.samples[org] += int64(n)
	g.samplesMu.Unlock()
}

// size returns how much memory h takes.
func (h *headShard) size() int64 {
	return int64(h.blocks)*blockSize + int64(len(h.sums))*summarySize +
		4*int64(len(h.tail)+len(h.late)) + h.overdueSize + h.sketchSize
}

// appendOverdue adds a record that is kept apart, in order of arrival; to the
// one before where it may.
func (h *headShard) appendOverdue(local uint32, r *record, sum *tsdb.Summary, sketch []byte, join bool) {
	if h.overdue == nil {
		h.overdue = make(map[uint32][]chunk.Overdue)
	}
	o := chunk.Overdue{T: r.t, Sum: tsdb.Single(r.v)}
	if r.op&chunk.OpSummary != 0 {
		o.Sum, o.Sketch = *sum, bytes.Clone(sketch)
	}
	h.records++
	h.past++
	list := h.overdue[local]
	if len(list) == 0 {
		h.pastOf++
	}
	if n := len(list); join && n > 0 && list[n-1].Join(&o, window[minutes]) {
		return
	}
	h.overdueSize += 2*overdueSize + int64(len(sketch))
	h.overdue[local] = append(list, o)
}

// last returns the last block of a chain, which has one, and the position of
// the last record in it.
func (h *headShard) last(chain uint32) (*headBlock, int) {
	i := chain>>headBits - 1
	return &h.pages[i>>pageBits].blocks[i&(pageLen-1)], int(chain & (headLen - 1))
}

// before returns what comes before the last block of a chain, which is full.
func (h *headShard) before(chain uint32) uint32 {
	i := chain>>headBits - 1
	return h.pages[i>>pageBits].prev[i&(pageLen-1)]
}

// reach makes the chains long enough for a stream.
func reach(chain []uint32, local uint32) []uint32 {
	if int(local) < len(chain) {
		return chain
	}
	return append(chain, make([]uint32, int(local)+1-len(chain)+len(chain)/4)...)
}

// order is what is known of a record before the records of its stream are
// looked at.
type order uint8

const (
	unknown order = iota
	newest        // later than all of its stream
	late          // older than what a tier covers
)

// append adds a record; v is a position in sums if op says so.
func (h *headShard) append(local, t uint32, v float64, op uint8, o order) {
	h.records++
	h.oldest = min(h.oldest, t)
	if o == late {
		h.appendLate(local, t, v, op)
		return
	}
	h.tail = reach(h.tail, local)
	if chain := h.tail[local]; chain != 0 && o != newest {
		b, k := h.last(chain)
		switch last := b.t[k]; {
		case t == last:
			h.combine(b, k, v, op)
			return
		case t < last:
			h.appendLate(local, t, v, op)
			return
		}
	}
	h.tail[local] = h.link(h.tail[local], t, v, op)
}

func (h *headShard) appendLate(local, t uint32, v float64, op uint8) {
	h.late = reach(h.late, local)
	if chain := h.late[local]; chain != 0 && op&chunk.OpFold != 0 { // else it can wait until it is read
		if b, k := h.last(chain); b.t[k] == t {
			h.combine(b, k, v, op)
			return
		}
	}
	h.past++
	if h.late[local] == 0 {
		h.pastOf++
	}
	h.late[local] = h.link(h.late[local], t, v, op)
}

// link appends a record to a chain and returns that.
func (h *headShard) link(chain, t uint32, v float64, op uint8) uint32 {
	if chain == 0 || chain&(headLen-1) == headLen-1 {
		if h.blocks>>pageBits == uint32(len(h.pages)) {
			h.pages = append(h.pages, new(headPage))
		}
		h.pages[h.blocks>>pageBits].prev[h.blocks&(pageLen-1)] = chain
		h.blocks++
		chain = h.blocks << headBits
	} else {
		chain++
	}
	b, k := h.last(chain)
	b.t[k], b.v[k], b.op[k] = t, v, op
	return chain
}

// combine applies a record to record k of b, which is of the same second.
func (h *headShard) combine(b *headBlock, k int, v float64, op uint8) {
	if op&chunk.OpFold == 0 {
		b.v[k], b.op[k] = v, op
		return
	}
	if b.op[k]&chunk.OpSummary == 0 {
		h.sums = append(h.sums, tsdb.Single(b.v[k]))
		b.v[k] = float64(len(h.sums) - 1)
		b.op[k] |= chunk.OpSummary
	}
	s := tsdb.Single(v)
	if op&chunk.OpSummary != 0 {
		s = h.sums[int(v)]
	}
	if len(h.sketches) > 0 {
		h.foldSketch(int(b.v[k]), &s, v, op)
	}
	h.sums[int(b.v[k])].Merge(&s)
}

// readChain appends the records of a chain in order of arrival, and reports
// whether there are any. The caller holds the shard's lock.
func (h *headShard) readChain(chain []uint32, local uint32, r *chunk.Run) bool {
	if int(local) >= len(chain) || chain[local] == 0 {
		return false
	}
	last := chain[local]
	b, k := h.last(last)
	n := k + 1
	for c := h.before(last); c != 0; c = h.before(c) {
		n += headLen
	}
	from := len(r.T)
	end := from + n
	r.T, r.V, r.Op = slices.Grow(r.T, n)[:end], slices.Grow(r.V, n)[:end], slices.Grow(r.Op, n)[:end]
	end -= k + 1
	copy(r.T[end:], b.t[:k+1])
	copy(r.V[end:], b.v[:k+1])
	copy(r.Op[end:], b.op[:k+1])
	plain := b.op == [headLen]uint8{}
	for c := h.before(last); c != 0; c = h.before(c) {
		b, _ := h.last(c)
		end -= headLen
		*(*[headLen]uint32)(r.T[end:]) = b.t
		*(*[headLen]float64)(r.V[end:]) = b.v
		*(*[headLen]uint8)(r.Op[end:]) = b.op
		plain = plain && b.op == [headLen]uint8{}
	}
	switch {
	case !plain:
		h.readSums(r, from)
	case r.Has:
		r.Widen()
	}
	return true
}

// readSums gives the records from the given one on their summaries.
func (h *headShard) readSums(r *chunk.Run, from int) {
	r.Widen() // positions in sums become wrong summaries, which are replaced
	for i := from; i < len(r.T); i++ {
		if r.Op[i]&chunk.OpSummary != 0 {
			r.Sum[i] = h.sums[int(r.V[i])]
			if len(h.sketches) > 0 {
				r.SetSketch(i, h.sketches[int(r.V[i])])
			}
			r.V[i] = r.Sum[i].Sum
		}
	}
}

// read puts the records of a stream over those in r, resolved; of what came
// late, where that is not in order, only those in [lo, hi). It returns the time
// from which on they came in order, and the times of what came late, valid until
// r or a changes. a and b are scratch.
func (h *headShard) read(local uint32, lo, hi int64, r, a, b *chunk.Run) (inOrder uint32, late []uint32) {
	from := len(r.T)
	if h.readChain(h.tail, local, r) {
		if inOrder = r.T[from]; !r.AscendsFrom(from) {
			r.Move(from, a)
			r.Overlay(a, b)
		}
	}
	from = len(r.T)
	if !h.readChain(h.late, local, r) {
		return inOrder, nil
	}
	if r.AscendsFrom(from) { // a history, as a rule
		return inOrder, r.T[from:]
	}
	r.Move(from, a)
	a.Keep(lo, hi)
	a.Resolve(b)
	r.Overlay(a, b)
	return inOrder, a.T
}

// has reports whether there are records of a stream that are not overdue.
func (h *headShard) has(local uint32) bool {
	return int(local) < len(h.tail) && h.tail[local] != 0 || int(local) < len(h.late) && h.late[local] != 0
}
