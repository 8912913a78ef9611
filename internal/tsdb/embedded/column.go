package embedded

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"unsafe"
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

var errDamaged = errors.New("chunk is damaged")

func zigzag(x int64) uint64   { return uint64(x<<1) ^ uint64(x>>63) }
func unzigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

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

// unpack reads len(out) values of w bits. src has at least their bytes.
func unpack(src []byte, out []uint64, w uint) {
	if w == 0 {
		clear(out)
		return
	}
	if w == 64 {
		for i := range out {
			out[i] = binary.LittleEndian.Uint64(src[8*i:])
		}
		return
	}
	if cap(src) < packedLen(len(out), w)+loadLen {
		unpackLast(src, out, w)
		return
	}
	unpackWide(unsafe.Pointer(unsafe.SliceData(src)), out, w)
}

// unpackLast is unpack for the last block: its bytes are copied, so that wide
// loads stay inside memory that is ours.
func unpackLast(src []byte, out []uint64, w uint) {
	var pad [blockLen*7 + 16]byte
	copy(pad[:], src[:packedLen(len(out), w)])
	unpackWide(unsafe.Pointer(&pad), out, w)
}

// loadLen is how many bytes one load takes.
const loadLen = 8

// unpackWide reads each value by one unaligned load of eight bytes, which the
// caller has made sure are there.
func unpackWide(p unsafe.Pointer, out []uint64, w uint) {
	mask := uint64(1)<<w - 1
	i := 0
	for ; i+8 <= len(out); i += 8 { // eight values are exactly w bytes
		o := (*[8]uint64)(unsafe.Pointer(&out[i]))
		bit := uint(0)
		for j := range o {
			o[j] = le64(unsafe.Add(p, bit>>3)) >> (bit & 7) & mask
			bit += w
		}
		p = unsafe.Add(p, w)
	}
	bit := uint(0)
	for ; i < len(out); i++ {
		out[i] = le64(unsafe.Add(p, bit>>3)) >> (bit & 7) & mask
		bit += w
	}
}

// narrow is the most bits of which one load has four values, wherever in
// their byte the first begins.
const narrow = 15

// unpackDeltas adds up deltas of at most narrow bits from x on, in one pass:
// this is what most data is, and what a query does most.
func unpackDeltas(p unsafe.Pointer, out []int64, w, shift uint, base, x int64) {
	mask := uint64(1)<<w - 1
	off, rest := 4*w>>3, 4*w&7 // of the second four
	w, shift = w&63, shift&63
	w2, w3 := 2*w&63, 3*w&63
	i := 0
	for ; i+8 <= len(out); i += 8 {
		o := (*[8]int64)(unsafe.Pointer(&out[i]))
		u := le64(p)
		x += base + int64(u&mask<<shift)
		o[0] = x
		x += base + int64(u>>w&mask<<shift)
		o[1] = x
		x += base + int64(u>>w2&mask<<shift)
		o[2] = x
		x += base + int64(u>>w3&mask<<shift)
		o[3] = x
		u = le64(unsafe.Add(p, off)) >> rest
		x += base + int64(u&mask<<shift)
		o[4] = x
		x += base + int64(u>>w&mask<<shift)
		o[5] = x
		x += base + int64(u>>w2&mask<<shift)
		o[6] = x
		x += base + int64(u>>w3&mask<<shift)
		o[7] = x
		p = unsafe.Add(p, w)
	}
	bit := uint(0)
	for ; i < len(out); i++ {
		x += base + int64(le64(unsafe.Add(p, bit>>3))>>(bit&7)&mask<<shift)
		out[i] = x
		bit += w
	}
}

// correct puts exceptions into deltas that were added up without them: where
// one is, base was added in its stead.
func correct(b []byte, out []int64, base int64) ([]byte, error) {
	if len(b) < 1 {
		return nil, errDamaged
	}
	at, off := 0, int64(0)
	n := int(b[0])
	b = b[1:]
	for ; n > 0; n-- {
		if len(b) < 2 || int(b[0]) < at || int(b[0]) >= len(out) {
			return nil, errDamaged
		}
		next := int(b[0])
		d, k := binary.Varint(b[1:])
		if k <= 0 {
			return nil, errDamaged
		}
		if off != 0 {
			addTo(out[at:next], off)
		}
		at, off = next, off+d-base
		b = b[1+k:]
	}
	addTo(out[at:], off)
	return b, nil
}

func addTo(out []int64, x int64) {
	for i := range out {
		out[i] += x
	}
}

func le64(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

// appendInts appends a column.
func appendInts(dst []byte, v []int64) []byte {
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

// readInts decodes len(out) integers and returns what follows them.
func readInts(b []byte, out []int64) ([]byte, error) {
	if len(out) == 0 {
		return b, nil
	}
	x, k := binary.Varint(b)
	if k <= 0 {
		return nil, errDamaged
	}
	b = b[k:]
	out[0] = x
	for i := 1; i < len(out); i += blockLen {
		o := out[i:min(i+blockLen, len(out))]
		var err error
		if b, err = readBlock(b, o, x); err != nil {
			return nil, err
		}
		x = o[len(o)-1]
	}
	return b, nil
}

func readBlock(b []byte, out []int64, x int64) ([]byte, error) {
	if len(b) < 3 {
		return nil, errDamaged
	}
	w, flags, except := uint(b[0]&^exceptions), b[1], b[0]&exceptions != 0
	base, k := binary.Varint(b[2:])
	if k <= 0 || w > maxWidth && w != 64 {
		return nil, errDamaged
	}
	b = b[2+k:]
	n := packedLen(len(out), w)
	if len(b) < n {
		return nil, errDamaged
	}
	// What lies behind b is loaded too, and thrown away: the memory is ours as
	// far as the slice could grow.
	if flags&deltas != 0 && w <= narrow && cap(b) >= n+loadLen {
		unpackDeltas(unsafe.Pointer(unsafe.SliceData(b)), out, w, uint(flags&shiftMask), base, x)
		if except {
			return correct(b[n:], out, base)
		}
		return b[n:], nil
	}
	return readWide(b, out, x, w, base, flags, except)
}

// readWide decodes a block of any kind whose values are at the start of b.
func readWide(b []byte, out []int64, x int64, w uint, base int64, flags byte, except bool) ([]byte, error) {
	// What is packed takes its place first, and becomes the value there.
	t, shift := unsafe.Slice((*uint64)(unsafe.Pointer(&out[0])), len(out)), flags&shiftMask
	unpack(b, t, w)
	b = b[packedLen(len(out), w):]
	if flags&deltas == 0 {
		for j, u := range t {
			out[j] = base + int64(u<<shift)
		}
		return b, nil
	}
	if !except {
		for j, u := range t {
			x += base + int64(u<<shift)
			out[j] = x
		}
		return b, nil
	}
	for j, u := range t {
		t[j] = uint64(base + int64(u<<shift))
	}
	b, err := readExceptions(b, t)
	for j, u := range t {
		x += int64(u)
		out[j] = x
	}
	return b, err
}

func readExceptions(b []byte, t []uint64) ([]byte, error) {
	if len(b) < 1 {
		return nil, errDamaged
	}
	n := int(b[0])
	b = b[1:]
	for ; n > 0; n-- {
		if len(b) < 2 || int(b[0]) >= len(t) {
			return nil, errDamaged
		}
		d, k := binary.Varint(b[1:])
		if k <= 0 {
			return nil, errDamaged
		}
		t[b[0]] = uint64(d)
		b = b[1+k:]
	}
	return b, nil
}
