package sketch

import (
	"math/bits"
	"slices"
)

// store has the counts of positive keys, in pages of neighbours: values are
// close to one another more often than not. Finding a key takes two steps,
// and what is far apart costs a page each.
type store struct {
	base  int32    // number of the page that the first entry of index is for
	index []uint16 // of a page in pages, plus 1; 0 where there is none
	pages []page
}

const (
	pageBits = 4
	pageSize = 1 << pageBits
)

type page struct {
	used uint32 // a bit for each count that is not 0
	n    [pageSize]uint64
}

func (s *store) reset() { s.index, s.pages = s.index[:0], s.pages[:0] }

func (s *store) clone() store {
	return store{base: s.base, index: slices.Clone(s.index), pages: slices.Clone(s.pages)}
}

// add counts n for a key and reports whether it is the first there.
func (s *store) add(key int32, n uint64) (fresh bool) {
	return s.page(key>>pageBits).add(key, n)
}

func (p *page) add(key int32, n uint64) (fresh bool) {
	slot := key & (pageSize - 1)
	fresh = p.used>>slot&1 == 0
	p.used |= 1 << slot
	p.n[slot] = sum(p.n[slot], n)
	return fresh
}

// page returns the page with a number, an empty one where there was none.
func (s *store) page(number int32) *page {
	if i := uint(number - s.base); i < uint(len(s.index)) && s.index[i] > 0 {
		return &s.pages[s.index[i]-1]
	}
	return s.addPage(number)
}

func (s *store) addPage(number int32) *page {
	s.reach(number)
	n := len(s.pages)
	s.pages = slices.Grow(s.pages, 1)[:n+1]
	s.pages[n] = page{}
	s.index[number-s.base] = uint16(n + 1)
	return &s.pages[n]
}

// reach makes the index long enough for a page.
func (s *store) reach(number int32) {
	if len(s.index) == 0 {
		s.base = number
	}
	if before := int(s.base - number); before > 0 {
		s.index = slices.Insert(s.index, 0, make([]uint16, before)...)
		s.base = number
	}
	for after := int(number-s.base) + 1 - len(s.index); after > 0; after-- {
		s.index = append(s.index, 0)
	}
}

// appendBuckets appends the keys that have a count, in order.
func (s *store) appendBuckets(dst []bucket) []bucket {
	for i, at := range s.index {
		if at == 0 {
			continue
		}
		p, first := &s.pages[at-1], (s.base+int32(i))<<pageBits
		for used := p.used; used != 0; used &= used - 1 {
			slot := int32(bits.TrailingZeros32(used))
			dst = append(dst, bucket{first + slot, p.n[slot&(pageSize-1)]})
		}
	}
	return dst
}
