package embedded

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Records are sealed when there are many (write.go), when they are old, and
// when writing comes to rest with enough of them for each stream: after a
// history was moved in, and when the server stops. Few records a stream would
// make chunks that are larger than the log is, and must be merged soon.
const (
	lullAfter  = 20   // seconds
	lullGrowth = 1000 // a generation that grows by less than one in so many rests
	sealDense  = 60   // records a stream that are worth a seal
)

// sealOld closes the generation that is being filled if it is old, if records
// in it are all that keeps older ones from expiring, or if writing has come to
// rest.
func (e *Engine) sealOld(context.Context) error {
	gens := e.state.Load().gens
	g := gens[len(gens)-1]
	if g.records.Load() == 0 {
		return nil
	}
	started := int64(0)
	e.log.Locked(func() { started = g.started })
	lull := e.upkeep.lull.look(g, e.now()) && g.dense()
	if lull {
		e.upkeep.lull.settled.Store(e.now() + settling)
	}
	if lull || e.now()-started >= int64(e.o.GenerationAge/time.Second) || g.oldest() < e.expiry(raw) {
		e.rotate()
	}
	return nil
}

// settling is how long after a lull, in seconds, merges and repairs do not
// wait for data to rest: it does.
const settling = 120

// rested returns the time up to which what was written is taken to rest.
func (e *Engine) rested() int64 {
	if now := e.now(); now < e.upkeep.lull.settled.Load() {
		return now
	}
	return e.now() - quiet
}

// lull is when a generation last grew.
type lull struct {
	mu      sync.Mutex
	no      uint64
	records int64
	since   int64

	settled atomic.Int64 // until when there is no need to wait
}

// look reports whether g has hardly grown for a while.
func (l *lull) look(g *generation, now int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := g.records.Load(); g.no != l.no || n-l.records > n/lullGrowth || now < l.since {
		l.no, l.records, l.since = g.no, n, now
	}
	return now-l.since >= lullAfter
}

// dense reports whether a seal of g would give chunks of good length.
func (g *generation) dense() bool {
	var streams, records int
	for i := range g.shards {
		h := &g.shards[i]
		h.mu.RLock()
		streams, records = streams+h.streams(), records+h.records
		h.mu.RUnlock()
	}
	return records > 0 && records >= sealDense*streams
}

// A history that is moved in is sealed while more of it comes: its chunks are
// as long as they will be, and until its summaries are made, which begins with
// the seal, questions over long times read all of it.
const (
	historyRecords = 256 << 10
	historyDense   = 512 // records a stream
)

// hasHistory reports whether there is enough of the past in g for a seal.
func (g *generation) hasHistory() bool {
	past := g.past.Load()
	return past >= historyRecords && past >= historyDense*g.pastOf.Load()
}

// streams returns how many have records, not counting those that have some in
// order and overdue ones twice.
func (h *headShard) streams() (n int) {
	for local := range max(len(h.tail), len(h.late)) {
		if h.has(uint32(local)) {
			n++
		}
	}
	for local := range h.overdue {
		if !h.has(local) {
			n++
		}
	}
	return n
}

// Rest seals what is in memory, if it is worth it, before the engine is closed:
// the next start need not read it from the log.
func (e *Engine) Rest(ctx context.Context) error {
	gens := e.state.Load().gens
	if !gens[len(gens)-1].dense() {
		return nil
	}
	return e.Seal(ctx)
}
