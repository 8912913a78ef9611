package chunk

import (
	"encoding/binary"
	"math/bits"
)

// slots says which of some equal steps of time have a record: a bit each, and
// a word more than that takes, so that any 64 can be read at once. Records
// that come regularly but for those that are missing, or late, are like that.
//
// Their times are uvarint(step) uvarint(slots - 1) uvarint(runs) and, if runs
// is 0, the bits; else for each run of records uvarint(records - 1) and, but
// for the last, uvarint(slots without one - 1).
type slots []uint64

const maxSlots = 1 << 17 // more than a day has seconds

// gapsOf returns the smallest distance between times, if all are multiples of
// it, and how many are more than one. It reports false if the times are better
// written as a column.
func gapsOf(t []uint32) (step uint32, gaps int, ok bool) {
	step = t[1] - t[0]
	for i := 2; i < len(t); i++ {
		step = min(step, t[i]-t[i-1])
	}
	for i := 1; i < len(t); i++ {
		if t[i]-t[i-1] != step {
			gaps++
		}
	}
	n := int64(t[len(t)-1]-t[0])/int64(step) + 1
	if n >= maxSlots || n > 2*int64(len(t)) && 16*gaps > len(t) {
		return 0, 0, false
	}
	for i := 1; i < len(t); i++ {
		if d := t[i] - t[i-1]; d != step && d%step != 0 {
			return 0, 0, false
		}
	}
	return step, gaps, true
}

// appendSlots appends times that have gaps, after the step.
func appendSlots(dst []byte, t []uint32, step uint32, gaps int) []byte {
	last := (t[len(t)-1] - t[0]) / step
	dst = binary.AppendUvarint(dst, uint64(last))
	if 2*gaps < int(last/8) {
		return appendRuns(binary.AppendUvarint(dst, uint64(gaps+1)), t, step)
	}
	dst = append(dst, 0)
	at := len(dst)
	dst = append(dst, make([]byte, last/8+1)...)
	slot, prev := uint32(0), t[0]
	for _, x := range t {
		if d := x - prev; d == step { // a division is slow
			slot++
		} else {
			slot += d / step
		}
		prev = x
		dst[at+int(slot>>3)] |= 1 << (slot & 7)
	}
	return dst
}

func appendRuns(dst []byte, t []uint32, step uint32) []byte {
	from := 0
	for i := 1; i < len(t); i++ {
		if d := t[i] - t[i-1]; d != step {
			dst = binary.AppendUvarint(dst, uint64(i-1-from))
			dst = binary.AppendUvarint(dst, uint64(d/step-2))
			from = i
		}
	}
	return binary.AppendUvarint(dst, uint64(len(t)-1-from))
}

// readSlots reads what appendSlots wrote for the header h, after the number of
// slots, and returns what follows it.
func (s *slots) read(b padded, h *Header) (padded, error) {
	n := h.slots()
	*s = grow(*s, n/64+2)
	clear(*s)
	runs, k := binary.Uvarint(b)
	if k <= 0 {
		return nil, ErrDamaged
	}
	if b = b[k:]; runs > 0 {
		return s.readRuns(b, n, h.N, runs)
	}
	if len(b) < (n+7)/8 {
		return nil, ErrDamaged
	}
	for i := range (n + 7) / 8 {
		(*s)[i>>3] |= uint64(b[i]) << (8 * (i & 7))
	}
	if !s.has(0) || !s.has(n-1) || s.count(0, 64*(len(*s)-1)) != h.N || s.next(n) < 64*(len(*s)-1) {
		return nil, ErrDamaged
	}
	return b[(n+7)/8:], nil
}

func (s *slots) readRuns(b padded, n, records int, runs uint64) (padded, error) {
	at := 0
	for ; runs > 0; runs-- {
		x, k := binary.Uvarint(b)
		if k <= 0 || x >= uint64(records) || x >= uint64(n-at) {
			return nil, ErrDamaged
		}
		b = b[k:]
		s.set(at, at+int(x)+1)
		at += int(x) + 1
		records -= int(x) + 1
		if runs == 1 {
			break
		}
		if x, k = binary.Uvarint(b); k <= 0 || x >= uint64(n) {
			return nil, ErrDamaged
		}
		b = b[k:]
		at += int(x) + 1
		if at >= n {
			return nil, ErrDamaged
		}
	}
	if at != n || records != 0 {
		return nil, ErrDamaged
	}
	return b, nil
}

func (s slots) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// set sets the slots from i to j.
func (s slots) set(i, j int) {
	for i < j {
		n := min(64-i&63, j-i)
		s[i>>6] |= (1<<n - 1) << (i & 63)
		i += n
	}
}

// bits returns the 64 slots from i on.
func (s slots) bits(i int) uint64 {
	w, off := i>>6, i&63
	return s[w]>>off | s[w+1]<<(64-off)
}

// count returns how many of the slots from i to j have a record.
func (s slots) count(i, j int) int {
	n := 0
	for ; j-i >= 64; i += 64 {
		n += bits.OnesCount64(s.bits(i))
	}
	if i < j {
		n += bits.OnesCount64(s.bits(i) & (1<<(j-i) - 1))
	}
	return n
}

// next returns the first slot from i on that has a record, or the number of
// bits if there is none.
func (s slots) next(i int) int {
	end := 64 * (len(s) - 1)
	for i < end {
		if w := s[i>>6] >> (i & 63); w != 0 {
			return i + bits.TrailingZeros64(w)
		}
		i = i&^63 + 64
	}
	return end
}
