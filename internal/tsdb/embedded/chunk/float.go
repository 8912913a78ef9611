package chunk

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// A column of floats is mode(1), a column of integers, and exceptions. Mode k
// in 0..18: the value is integer / 10^k, which was checked to give the same
// bits; 0x20|k: the same, with exceptions {uvarint(position) 8 bytes}; 0x40:
// the integers are the floats' bits in numeric order.
const (
	modeExcept  = 0x20
	modeBits    = 0x40
	maxDecimals = 18
)

var pow10 = [maxDecimals + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// scaled returns v * p as an integer, and whether the integer / p is v, bit
// for bit.
func scaled(v, p float64) (int64, bool) {
	f := v * p
	if !(f < 1<<53 && f > -(1<<53)) {
		return 0, false
	}
	var x int64
	if f >= 0 {
		x = int64(f + 0.5)
	} else {
		x = int64(f - 0.5)
	}
	// A division: a product with 10^-k would not give the same bits.
	return x, float64(x)/p == v && (x != 0 || math.Float64bits(v) == 0)
}

// ordered maps the bits of v to an integer such that order is kept.
func ordered(v float64) int64 {
	b := int64(math.Float64bits(v))
	return b ^ int64(uint64(b>>63)>>1)
}

func fromOrdered(x int64) float64 {
	return math.Float64frombits(uint64(x ^ int64(uint64(x>>63)>>1)))
}

// decimalsOf returns the smallest k, not less than from, for which v is an
// integer / 10^k, or maxDecimals+1.
func decimalsOf(v float64, from int) int {
	for k := from; k <= maxDecimals; k++ {
		if _, ok := scaled(v, pow10[k]); ok {
			return k
		}
	}
	return maxDecimals + 1
}

// pickDecimals looks at up to 16 values and returns the decimals that suit
// nearly all of them, or -1.
func pickDecimals(v []float64) int {
	var hist [maxDecimals + 2]int
	n := 0
	for i := 0; i < len(v); i += len(v)/16 + 1 {
		hist[decimalsOf(v[i], 0)]++
		n++
	}
	c := 0
	for k := range maxDecimals + 1 {
		if c += hist[k]; c*8 >= n*7 {
			return k
		}
	}
	return -1
}

// Scratch is memory that encoding and decoding use again and again.
type Scratch struct {
	ints, more []int64
	floats     []float64
	except     []int
	slots      slots
}

// scale fills s.ints with v scaled by 10^k and s.except with the positions of
// those that cannot be; it returns k, or -1 if too many cannot.
func (s *Scratch) scale(v []float64) int {
	s.ints, s.except = grow(s.ints, len(v)), s.except[:0]
	k := pickDecimals(v)
	for i := 0; i < len(v) && k >= 0; {
		x, ok := scaled(v[i], pow10[k])
		if ok {
			s.ints[i] = x
			i++
			continue
		}
		if finer := decimalsOf(v[i], k+1); finer <= 6 || finer <= min(k+2, maxDecimals) {
			k, i, s.except = finer, 0, s.except[:0] // a little finer: start over
			continue
		}
		if len(s.except) >= len(v)/16 {
			return -1
		}
		s.except = append(s.except, i)
		s.ints[i] = 0
		if i > 0 {
			s.ints[i] = s.ints[i-1] // costs nothing as a delta
		}
		i++
	}
	return k
}

// appendFloats appends a column.
func appendFloats(dst []byte, v []float64, s *Scratch) []byte {
	k := s.scale(v)
	if k < 0 {
		for i, f := range v {
			s.ints[i] = ordered(f)
		}
		return AppendInts(append(dst, modeBits), s.ints)
	}
	if len(s.except) == 0 {
		return AppendInts(append(dst, byte(k)), s.ints)
	}
	dst = AppendInts(append(dst, byte(modeExcept|k)), s.ints)
	return appendExceptFloats(dst, v, s.except)
}

func appendExceptFloats(dst []byte, v []float64, at []int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(at)))
	for _, i := range at {
		dst = binary.AppendUvarint(dst, uint64(i))
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v[i]))
	}
	return dst
}

// readFloats decodes len(out) floats and returns what follows them.
func readFloats(b padded, out []float64) (padded, error) {
	if len(b) < 1 {
		return nil, ErrDamaged
	}
	mode := b[0]
	if len(out) == 0 {
		return b[1:], nil
	}
	// An integer becomes a float of the same size, so it is done in place.
	x := unsafe.Slice((*int64)(unsafe.Pointer(&out[0])), len(out))
	b, err := readInts(b[1:], x)
	if err != nil {
		return nil, err
	}
	if mode == modeBits {
		for i, y := range x {
			out[i] = fromOrdered(y)
		}
		return b, nil
	}
	if mode >= modeBits || mode&^modeExcept > maxDecimals {
		return nil, ErrDamaged
	}
	if p := pow10[mode&^modeExcept]; p == 1 {
		for i, y := range x {
			out[i] = float64(y)
		}
	} else {
		for i, y := range x {
			out[i] = float64(y) / p
		}
	}
	if mode&modeExcept != 0 {
		return readExceptFloats(b, out)
	}
	return b, nil
}

func readExceptFloats(b padded, out []float64) (padded, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(out)) {
		return nil, ErrDamaged
	}
	b = b[k:]
	for ; n > 0; n-- {
		i, k := binary.Uvarint(b)
		if k <= 0 || len(b) < k+8 || i >= uint64(len(out)) {
			return nil, ErrDamaged
		}
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[k:]))
		b = b[k+8:]
	}
	return b, nil
}
