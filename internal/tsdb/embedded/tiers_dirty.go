package embedded

import (
	"slices"
	"sync"
	"sync/atomic"
)

// tierState says which blocks of the tiers must be recomputed. A write that
// is older than mark is kept apart in memory, where it speaks for itself, and
// its block is marked when it is sealed: none is lost.
type tierState struct {
	mark [hours + 1]atomic.Uint32 // a write before this time is late
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
	saved bool  // it is in Pebble
	at    int64 // when the generation was begun that set it last, since the start
	sums  bool  // of overdue records: each of its chunks has sums
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

// touch marks the blocks of late records of a stream, which are being sealed
// with a generation begun at the given time. Times ascend.
func (s *tierState) touch(stream uint32, times []uint32, at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tier := minutes; tier <= hours; tier++ {
		end := s.mark[tier].Load()
		for i := 0; i < len(times) && times[i] < end; {
			block := times[i] / blockSpan[tier]
			s.add(dirtyMark{byte(tier), block, stream}, blockMark{at: at})
			for i < len(times) && times[i]/blockSpan[tier] == block {
				i++
			}
		}
	}
}

// appendBlocks appends the blocks that times, which ascend, lie in.
func appendBlocks(dst, times []uint32, span uint32) []uint32 {
	end := uint32(0)
	for _, t := range times {
		if t >= end {
			block := t / span
			dst = append(dst, block)
			if end = (block + 1) * span; end < t { // the last one of all
				return dst
			}
		}
	}
	return dst
}

// add sets a mark, with s locked.
func (s *tierState) add(d dirtyMark, m blockMark) {
	marks := s.marks[d.tier][d.stream]
	for i := range marks {
		if marks[i].block == d.block {
			marks[i].at, marks[i].sums = m.at, marks[i].sums && m.sums
			return
		}
	}
	m.block = d.block
	s.marks[d.tier][d.stream] = append(marks, m)
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

// overdueDays appends the days of which a stream has overdue records in Pebble,
// in order: all, or apart those whose sums will do.
func (s *tierState) overdueDays(stream uint32, sums bool, days, summed []uint32) (_, _ []uint32) {
	if s.count.Load() == 0 {
		return days, summed
	}
	s.mu.RLock()
	for _, m := range s.marks[overdue][stream] {
		if sums && m.sums {
			summed = append(summed, m.block)
		} else {
			days = append(days, m.block)
		}
	}
	s.mu.RUnlock()
	slices.Sort(days)
	slices.Sort(summed)
	return days, summed
}

// list returns up to limit marks of a tier, in order of keys, that ok accepts.
func (s *tierState) list(tier byte, limit int, ok func(d *dirtyMark, at int64) bool) []dirtyMark {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []dirtyMark
	for stream, marks := range s.marks[tier] {
		for _, m := range marks {
			if d := (dirtyMark{tier, m.block, stream}); ok(&d, m.at) {
				found = append(found, d)
			}
		}
	}
	slices.SortFunc(found, dirtyMark.compare)
	return found[:min(limit, len(found))]
}

// finish clears the marks whose keys were deleted.
func (s *tierState) finish(done []dirtyMark) {
	s.epoch.Add(1)
	s.each(done, func(*blockMark) bool { return false })
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
	slices.SortFunc(found, dirtyMark.compare)
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
