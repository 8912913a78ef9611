package chunk

import (
	"encoding/binary"
	"unsafe"
)

// readInts decodes len(out) integers and returns what follows them.
func readInts(b padded, out []int64) (padded, error) {
	if len(out) == 0 {
		return b, nil
	}
	x, k := binary.Varint(b)
	if k <= 0 {
		return nil, ErrDamaged
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

func readBlock(b padded, out []int64, x int64) (padded, error) {
	if len(b) < 3 {
		return nil, ErrDamaged
	}
	w, flags, except := uint(b[0]&^exceptions), b[1], b[0]&exceptions != 0
	base, k := binary.Varint(b[2:])
	if k <= 0 || w > maxWidth && w != 64 {
		return nil, ErrDamaged
	}
	b = b[2+k:]
	n := packedLen(len(out), w)
	if len(b) < n {
		return nil, ErrDamaged
	}
	if flags&deltas != 0 && w <= narrow {
		unpackDeltas(unsafe.Pointer(unsafe.SliceData(b)), out, w, uint(flags&shiftMask), base, x)
		if except {
			return correct(b[n:], out, base)
		}
		return b[n:], nil
	}
	return readWide(b, out, x, w, base, flags, except)
}

// readWide decodes a block of any kind whose values are at the start of b.
func readWide(b padded, out []int64, x int64, w uint, base int64, flags byte, except bool) (padded, error) {
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

func readExceptions(b padded, t []uint64) (padded, error) {
	if len(b) < 1 {
		return nil, ErrDamaged
	}
	n := int(b[0])
	b = b[1:]
	for ; n > 0; n-- {
		if len(b) < 2 || int(b[0]) >= len(t) {
			return nil, ErrDamaged
		}
		d, k := binary.Varint(b[1:])
		if k <= 0 {
			return nil, ErrDamaged
		}
		t[b[0]] = uint64(d)
		b = b[1+k:]
	}
	return b, nil
}

// ReadInts decodes a column of len(out) integers that stands by itself.
func ReadInts(v []byte, out []int64) error {
	_, err := readInts(Pad(v).b, out)
	return err
}

// unpack reads len(out) values of w bits. src has at least their bytes.
func unpack(src padded, out []uint64, w uint) {
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
	unpackWide(unsafe.Pointer(unsafe.SliceData(src)), out, w)
}

// unpackWide reads each value by one unaligned load of eight bytes; p points
// into padded data.
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
func correct(b padded, out []int64, base int64) (padded, error) {
	if len(b) < 1 {
		return nil, ErrDamaged
	}
	at, off := 0, int64(0)
	n := int(b[0])
	b = b[1:]
	for ; n > 0; n-- {
		if len(b) < 2 || int(b[0]) < at || int(b[0]) >= len(out) {
			return nil, ErrDamaged
		}
		next := int(b[0])
		d, k := binary.Varint(b[1:])
		if k <= 0 {
			return nil, ErrDamaged
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
