package embedded

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
)

// tierState says which blocks of the tiers must be computed anew. A write
// that is older than mark sets a mark for its block before it can be read, and
// marks are saved with the seal and set again by replay: none is lost.
type tierState struct {
	mark [hours + 1]atomic.Uint32 // a write before this time marks its block
	top  atomic.Uint32            // the largest of them: one load for a fresh write

	mu    sync.RWMutex
	marks [tierCount]map[uint32][]blockMark // by stream
	count atomic.Int64
	// epoch changes when marks are cleared: a reader whose iterator is older
	// cannot trust that a mark is absent.
	epoch atomic.Uint64
}

type blockMark struct {
	block uint32
	saved bool // it is in Pebble
	again bool // it was set since its repair began
}

func (s *tierState) init() {
	for i := range s.marks {
		s.marks[i] = make(map[uint32][]blockMark)
	}
}

// setMark moves the time before which writes set marks.
func (s *tierState) setMark(tier int, t uint32) {
	s.mark[tier].Store(t)
	s.top.Store(max(s.mark[minutes].Load(), s.mark[hours].Load()))
}

// touch is called for a write at t with its shard locked.
func (s *tierState) touch(stream, t uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tier := minutes; tier <= hours; tier++ {
		if t < s.mark[tier].Load() {
			s.add(dirtyMark{byte(tier), t / blockSpan[tier], stream}, false)
		}
	}
}

// add sets a mark, with s locked.
func (s *tierState) add(d dirtyMark, saved bool) {
	marks := s.marks[d.tier][d.stream]
	for i := range marks {
		if marks[i].block == d.block {
			marks[i].again = true
			return
		}
	}
	s.marks[d.tier][d.stream] = append(marks, blockMark{block: d.block, saved: saved, again: true})
	s.count.Add(1)
}

// blocks appends the marked blocks of a stream in order.
func (s *tierState) blocks(tier int, stream uint32, dst []uint32) []uint32 {
	if s.count.Load() == 0 {
		return dst
	}
	s.mu.RLock()
	from := len(dst)
	for _, m := range s.marks[tier][stream] {
		dst = append(dst, m.block)
	}
	s.mu.RUnlock()
	slices.Sort(dst[from:])
	return dst
}

// list returns up to limit marks of a tier, in order of keys, that ok accepts.
func (s *tierState) list(tier byte, limit int, ok func(d *dirtyMark) bool) []dirtyMark {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []dirtyMark
	for stream, marks := range s.marks[tier] {
		for _, m := range marks {
			if d := (dirtyMark{tier, m.block, stream}); ok(&d) {
				found = append(found, d)
			}
		}
	}
	slices.SortFunc(found, func(a, b dirtyMark) int { return bytes.Compare(a.key(), b.key()) })
	return found[:min(limit, len(found))]
}

// begin notes that the blocks are being computed: a mark set from here on stays.
func (s *tierState) begin(todo []dirtyMark) {
	s.each(todo, func(m *blockMark) bool { m.again = false; return true })
}

// finish clears the marks whose keys were deleted, but for those set since.
func (s *tierState) finish(done []dirtyMark) {
	s.epoch.Add(1)
	s.each(done, func(m *blockMark) bool { m.saved = false; return m.again })
}

// each calls keep for each mark, and removes it if keep says no.
func (s *tierState) each(list []dirtyMark, keep func(m *blockMark) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range list {
		marks := s.marks[d.tier][d.stream]
		for i := range marks {
			if marks[i].block != d.block || keep(&marks[i]) {
				continue
			}
			s.count.Add(-1)
			if marks = slices.Delete(marks, i, i+1); len(marks) == 0 {
				delete(s.marks[d.tier], d.stream)
			} else {
				s.marks[d.tier][d.stream] = marks
			}
			break
		}
	}
}

// unsaved returns the marks that Pebble does not have, in order of keys.
func (s *tierState) unsaved() []dirtyMark {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []dirtyMark
	if s.count.Load() == 0 {
		return nil
	}
	for tier := range s.marks {
		for stream, marks := range s.marks[tier] {
			for _, m := range marks {
				if !m.saved {
					found = append(found, dirtyMark{byte(tier), m.block, stream})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b dirtyMark) int { return bytes.Compare(a.key(), b.key()) })
	return found
}

// saved notes that Pebble has the marks.
func (s *tierState) savedAll(list []dirtyMark) {
	s.each(list, func(m *blockMark) bool { m.saved = true; return true })
}

// forget removes every mark of the given streams: they were deleted.
func (s *tierState) forget(streams []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tier := range s.marks {
		for _, id := range streams {
			s.count.Add(-int64(len(s.marks[tier][id])))
			delete(s.marks[tier], id)
		}
	}
}
