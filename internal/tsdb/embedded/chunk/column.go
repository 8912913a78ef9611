package chunk

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// A column of integers is varint(first), then blocks of up to 128:
//
//	width(1) flags(1) varint(base) packed [count {position(1) varint}...]
//
// width is 0..56 or 64 bits a value, with 0x80 set if there are exceptions;
// flags is 0x40 for deltas, and the number of low bits that were dropped.
const (
	blockLen   = 128
	maxWidth   = 56 // a value and the bits before it in its byte fit one load
	exceptions = 0x80
	deltas     = 0x40
	shiftMask  = 0x3f
)

var ErrDamaged = errors.New("chunk is damaged")

func zigzag(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

// grow returns s with n elements, whatever they hold.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

func packedLen(n int, w uint) int { return (n*int(w) + 7) / 8 }

func roundWidth(w uint) uint {
	if w > maxWidth {
		return 64
	}
	return w
}

// pack appends the low w bits of each value.
func pack(dst []byte, v []uint64, w uint) []byte {
	if w == 64 {
		for _, x := range v {
			dst = binary.LittleEndian.AppendUint64(dst, x)
		}
		return dst
	}
	var acc uint64
	var n uint
	for _, x := range v {
		acc |= x << n
		if n += w; n >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, acc)
			n -= 64
			acc = 0
			if n > 0 {
				acc = x >> (w - n)
			}
		}
	}
	for ; n > 0; n -= min(n, 8) {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// AppendInts appends a column.
func AppendInts(dst []byte, v []int64) []byte {
	if len(v) == 0 {
		return dst
	}
	dst = binary.AppendVarint(dst, v[0])
	prev := v[0]
	for i := 1; i < len(v); i += blockLen {
		b := v[i:min(i+blockLen, len(v))]
		dst = appendBlock(dst, b, prev)
		prev = b[len(b)-1]
	}
	return dst
}

// blockPlan is how a block is best written.
type blockPlan struct {
	delta      [blockLen]int64
	low, high  int64 // of the values
	dlow       int64 // smallest delta that is no exception
	widthPlain uint
	widthDelta uint
	limit      uint64 // zigzagged deltas above it are exceptions
	except     int
	exceptBits int
}

// plan looks at a block: a histogram of the deltas' lengths decides from which
// length on they are cheaper as exceptions.
func (p *blockPlan) plan(b []int64, prev int64) {
	var hist [65]uint16
	p.low, p.high = b[0], b[0]
	for i, x := range b {
		d := x - prev
		prev = x
		p.delta[i] = d
		hist[bits.Len64(zigzag(d))]++
		p.low, p.high = min(p.low, x), max(p.high, x)
	}
	n, top := len(b), 64
	for top > 0 && hist[top] == 0 {
		top--
	}
	best, length := n*top, top
	p.except = 0
	except, cost := 0, 0
	for l := top - 1; l >= 0; l-- {
		c := int(hist[l+1])
		except += c
		cost += c * (8 + (l+1+6)/7*8)
		if total := n*l + cost + 8; total < best {
			best, length, p.except = total, l, except
		}
	}
	p.exceptBits = best - n*length
	p.limit = math.MaxUint64
	if length < 64 {
		p.limit = 1<<length - 1
	}
	p.frame(b)
}

// frame finds the widths that values and deltas need.
func (p *blockPlan) frame(b []int64) {
	high, first := int64(0), true
	p.dlow = 0
	for _, d := range p.delta[:len(b)] {
		if zigzag(d) > p.limit {
			continue
		}
		if first {
			p.dlow, high, first = d, d, false
		}
		p.dlow, high = min(p.dlow, d), max(high, d)
	}
	p.widthDelta = roundWidth(uint(bits.Len64(uint64(high) - uint64(p.dlow))))
	p.widthPlain = roundWidth(uint(bits.Len64(uint64(p.high) - uint64(p.low))))
}

func appendBlock(dst []byte, b []int64, prev int64) []byte {
	var p blockPlan
	var packed [blockLen]uint64
	p.plan(b, prev)
	n := len(b)
	var or uint64
	if n*int(p.widthPlain) < n*int(p.widthDelta)+p.exceptBits {
		for i, x := range b {
			packed[i] = uint64(x) - uint64(p.low)
			or |= packed[i]
		}
		return appendPacked(dst, packed[:n], or, p.widthPlain, 0, p.low)
	}
	for i, d := range p.delta[:n] {
		if zigzag(d) <= p.limit {
			packed[i] = uint64(d) - uint64(p.dlow)
			or |= packed[i]
		}
	}
	at := len(dst)
	dst = appendPacked(dst, packed[:n], or, p.widthDelta, deltas, p.dlow)
	if p.except == 0 {
		return dst
	}
	dst[at] |= exceptions
	dst = append(dst, byte(p.except))
	for i, d := range p.delta[:n] {
		if zigzag(d) > p.limit {
			dst = binary.AppendVarint(append(dst, byte(i)), d)
		}
	}
	return dst
}

func appendPacked(dst []byte, v []uint64, or uint64, w uint, flag byte, base int64) []byte {
	shift := uint(0)
	if or != 0 {
		shift = uint(bits.TrailingZeros64(or))
	}
	if shift > 0 {
		w = roundWidth(uint(bits.Len64(or >> shift)))
		for i := range v {
			v[i] >>= shift
		}
	}
	dst = append(dst, byte(w), flag|byte(shift))
	dst = binary.AppendVarint(dst, base)
	return pack(dst, v, w)
}
