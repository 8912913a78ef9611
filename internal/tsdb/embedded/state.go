package embedded

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
)

// state is what a reader must see as one: which generations are in memory,
// how far the tiers reach, which raw buckets are gone. It never changes; a
// change makes a new one.
type state struct {
	gens    []*generation     // oldest first; the last is being filled. All before the first are in Pebble
	done    [hours + 1]uint32 // time that each tier is complete to
	frozen  uint32            // raw chunks before it are gone
	levels  map[uint32]levels // what raw buckets have
	changed chan struct{}     // closed when there is a newer state
}

// levels says which levels of a raw bucket have chunks, as far as that is
// known: looking for what is not there is half the cost of reading a stream.
type levels uint8

const (
	hasMerged = 1 << iota
	hasFresh
)

// setLevels changes the levels of a bucket in a state that is being made.
func (s *state) setLevels(bucket uint32, fn func(levels) levels) {
	s.levels = maps.Clone(s.levels)
	s.levels[bucket] = fn(s.levels[bucket])
}

// stateBox holds the newest state.
type stateBox struct {
	atomic.Pointer[state]
	mu sync.Mutex // serializes changes
}

// change replaces the state by a changed copy.
func (b *stateBox) change(fn func(*state)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.Load()
	next := &state{gens: slices.Clone(old.gens), done: old.done, frozen: old.frozen, levels: old.levels, changed: make(chan struct{})}
	fn(next)
	b.Store(next)
	close(old.changed)
}

// closedGenerations returns those that wait to be sealed.
func (s *state) closedGenerations() []*generation { return s.gens[:len(s.gens)-1] }

// lifetime lets calls in until it is closed, and then waits for them.
type lifetime struct {
	mu     sync.Mutex
	calls  int
	closed bool
	idle   chan struct{}
	ending chan struct{} // closed with closed, for calls that wait; may be nil
}

var errClosed = tidemark.Errorf(tidemark.Unavailable, "storage is shutting down")

func (l *lifetime) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errClosed
	}
	l.calls++
	return nil
}

func (l *lifetime) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls--; l.calls == 0 && l.closed {
		close(l.idle)
	}
}

// close refuses new calls and returns when all have left. It reports
// false if it was called before.
func (l *lifetime) close() bool {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return false
	}
	l.closed, l.idle = true, make(chan struct{})
	if l.ending != nil {
		close(l.ending)
	}
	if l.calls == 0 {
		close(l.idle)
	}
	l.mu.Unlock()
	<-l.idle
	return true
}
