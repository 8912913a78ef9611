package api

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Answers consist of numbers, and most of the time it takes to write one goes
// into finding the shortest text that reads back as the same number. What
// follows finds the same text as strconv does, about three times as fast, for
// the numbers that measurements are: not tiny, and smaller than 2^52 unless
// they are whole. The rest is left to strconv.

// maxFloatText is how long the text of a number can be: of -5e-324 it is
// short, of -1e20 and of 17 digits behind a point not.
const maxFloatText = 32

// appendFloat appends v as encoding/json writes it.
func appendFloat(b []byte, v float64) []byte {
	abs := math.Abs(v)
	if abs >= 1<<53 || abs < 1e-6 || abs != abs {
		return appendAnyFloat(b, v)
	}
	if v < 0 {
		b = append(b, '-')
	}
	if whole := uint64(abs); float64(whole) == abs {
		return strconv.AppendUint(b, whole, 10)
	}
	// Up to 15 digits tell numbers apart, so that there is no shorter text
	// than a few of them that read back as the number.
	if thousandths := uint64(abs*1000 + 0.5); thousandths < 1e15 && float64(thousandths)/1000 == abs {
		b = strconv.AppendUint(b, thousandths/1000, 10)
		rest := thousandths % 1000
		b = append(b, '.', '0'+byte(rest/100), '0'+byte(rest/10%10), '0'+byte(rest%10))
		return withoutZeros(b)
	}
	digits, places, ok := shortest(abs)
	if !ok {
		return strconv.AppendFloat(b, abs, 'f', -1, 64)
	}
	return appendDecimal(b, digits, places)
}

// appendAnyFloat is appendFloat for every number, and in no hurry.
func appendAnyFloat(b []byte, v float64) []byte {
	if abs := math.Abs(v); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, v, 'e', -1, 64)
	// As encoding/json does: e-09 is e-9.
	if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// pow5 are the powers of five that shortest needs.
var pow5 = func() (p [23]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 5 * p[i]
	}
	return p
}()

// shortest finds the fewest digits that read back as v, of those the closest
// to it: v is about digits / 10^places. v must be at least 1e-6, below 2^52
// and not whole. It reports false for the few numbers that need more thought.
//
// v is c * 2^q, and reads back from everything that is less than half of 2^q
// away. Multiplied with the 10^places that makes 2^q at least 1 and less than
// 10, this stretch is less than 10 long. So there is one multiple of ten in
// it, which then is shorter than all others, or none, and then the whole
// number next to v is as short as any. All of this fits 128 bits: nothing is
// rounded on the way.
func shortest(v float64) (digits uint64, places int, ok bool) {
	b := math.Float64bits(v)
	c, q := b&(1<<52-1)|1<<52, int(b>>52)-1075
	if c == 1<<52 {
		return 0, 0, false // the number below is nearer than the one above
	}
	places = -(q * 78913 >> 18) // 78913 / 2^18 is the logarithm of 2, nearly
	half := pow5[places]
	shift := uint(1 - q - places) // v * 10^places is hi, lo shifted by this
	hi, lo := bits.Mul64(2*c, half)
	top, carry := bits.Add64(lo, half, 0)
	ten := (hi+carry)<<(64-shift) | top>>shift // the whole numbers up to the end of the stretch
	ten -= ten % 10
	tenHi, tenLo := ten>>(64-shift), ten<<shift
	bottom, borrow := bits.Sub64(lo, half, 0)
	bottomHi := hi - borrow
	switch {
	case tenHi == bottomHi && tenLo == bottom || tenHi == hi+carry && tenLo == top:
		return 0, 0, false // on the edge
	case tenHi > bottomHi || tenHi == bottomHi && tenLo > bottom:
		ten /= 10
		for places--; ten%10 == 0; places-- {
			ten /= 10
		}
		return ten, places, true
	}
	digits = hi<<(64-shift) | lo>>shift
	rest, middle := lo&(1<<shift-1), uint64(1)<<(shift-1)
	if rest > middle {
		digits++
	}
	return digits, places, rest != middle
}

// appendDecimal appends digits / 10^places, which is not whole; digits is less
// than 10^18.
func appendDecimal(b []byte, digits uint64, places int) []byte {
	if digits >= 1e15 && digits < 1e17 && digits >= pow10[min(places, 17)] {
		return appendLong(b, digits, places)
	}
	whole, part := uint64(0), digits
	if places < len(pow10) {
		whole = digits / pow10[places]
		part = digits - whole*pow10[places]
	}
	b = strconv.AppendUint(b, whole, 10)
	var text [24]byte
	low := part
	if places > 16 {
		low = part % 1e16
		eightDigits(text[:8], uint32(part/1e16))
	}
	eightDigits(text[8:], uint32(low/1e8))
	eightDigits(text[16:], uint32(low%1e8))
	b = append(b, '.')
	return withoutZeros(append(b, text[24-places:]...))
}

// appendLong is appendDecimal for the 16 or 17 digits that most means have,
// if some of them are in front of the point: it writes all after where the
// point could be, and moves those in front.
func appendLong(b []byte, digits uint64, places int) []byte {
	n := len(b)
	b = slices.Grow(b, maxFloatText)[:n+maxFloatText]
	text, count := b[n:], 16
	if digits >= 1e16 {
		count = 17
		text[1] = '0' + byte(digits/1e16)
		digits %= 1e16
	}
	eightDigits(text[count-15:], uint32(digits/1e8))
	eightDigits(text[count-7:], uint32(digits%1e8))
	whole := count - places
	for i := range whole {
		text[i] = text[i+1]
	}
	text[whole] = '.'
	return b[:n+count+1]
}

// withoutZeros removes the zeros at the end of a part.
func withoutZeros(b []byte) []byte {
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

// pow10 are the powers of ten that fit.
var pow10 = func() (p [19]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// eightDigits writes x, which is below 10^8, with leading zeros: its halves
// side by side in one word, then the halves of both, then those of all four.
func eightDigits(b []byte, x uint32) {
	w := uint64(x/10000) | uint64(x%10000)<<32
	tens := w * 10486 >> 20 & 0x7f0000007f // 10486 / 2^20 is 1/100, nearly
	w = tens | (w-100*tens)<<16
	tens = w * 103 >> 10 & 0x000f000f000f000f // 103 / 2^10 is 1/10, nearly
	w = tens | (w-10*tens)<<8
	binary.LittleEndian.PutUint64(b, w|0x3030303030303030)
}
