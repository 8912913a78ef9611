package jsonout

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Answers consist of numbers, and most of the time it takes to write one goes
// into finding the shortest text that reads back as the same number. What
// follows finds the same text as strconv does, two to three times as fast, for
// the numbers that measurements are: not tiny, and smaller than 2^52 unless
// they are whole. The rest is left to strconv.

// maxFloatText is how long the text of a number can be: of -5e-324 it is
// short, of -1e20 and of 17 digits behind a point not.
const maxFloatText = 32

// AppendFloat appends v as encoding/json writes it.
func AppendFloat(b []byte, v float64) []byte {
	abs := math.Abs(v)
	if abs >= 1<<53 || abs < 1e-6 || abs != abs {
		return appendAnyFloat(b, v)
	}
	if v < 0 {
		b = append(b, '-')
	}
	whole := int64(abs)
	if float64(whole) == abs {
		return strconv.AppendInt(b, whole, 10)
	}
	digits, places, ok := shortest(abs)
	if !ok {
		return strconv.AppendFloat(b, abs, 'f', -1, 64)
	}
	if places > 16 || whole >= 1e8 {
		return appendDecimal(b, digits, places)
	}
	return appendCommon(b, uint32(whole), (digits-uint64(whole)*pow10[places])*pow10[16-places])
}

// appendAnyFloat is AppendFloat for every number, and in no hurry.
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
// to it, and zeros behind them: v is about digits / 10^places. v must be at
// least 1e-6, below 2^52 and not whole. It reports false for the few numbers
// that need more thought.
//
// v is c * 2^q, and reads back from everything that is less than half of 2^q
// away. Multiplied with the 10^places that makes 2^q at least 1 and less than
// 10, this stretch is less than 10 long. So there is one multiple of ten in
// it, which then is shorter than all others, or none, and then the whole
// number next to v is as short as any. All of this fits 128 bits: nothing is
// rounded on the way.
//
// Which of the two it will be cannot be foreseen, and a wrong guess costs a
// processor more than finding both. So there is no branch.
func shortest(v float64) (digits uint64, places int, ok bool) {
	b := math.Float64bits(v)
	c, q := b&(1<<52-1)|1<<52, int(b>>52)-1075
	places = -(q * 78913 >> 18) // 78913 / 2^18 is the logarithm of 2, nearly
	half := pow5[places]
	shift := uint(1-q-places) & 63 // v * 10^places is hi, lo shifted by this
	hi, lo := bits.Mul64(2*c, half)
	fraction := uint64(1)<<shift - 1
	digits = hi<<(64-shift) | lo>>shift
	rest, middle := lo&fraction, uint64(1)<<(shift-1)
	above := digits + 1
	if rest > middle {
		digits = above
	}
	top, carry := bits.Add64(lo, half, 0)
	most := (hi+carry)<<(64-shift) | top>>shift // the whole numbers up to the end of the stretch
	ones := most % 10
	before := ones<<shift | top&fraction // what is between the end and the multiple of ten before it
	ten := most - ones
	if before < 2*half {
		digits = ten
	}
	// A power of two is nearer to the number below it than to the one above.
	ok = rest != middle && before != 0 && before != 2*half && c != 1<<52
	return digits, places, ok
}

// appendCommon appends a number below 10^8: part are the 16 digits behind the
// point. It writes all of them, and forgets the zeros at either end.
func appendCommon(b []byte, whole uint32, part uint64) []byte {
	n := len(b)
	b = slices.Grow(b, maxFloatText)
	text := b[n : n+maxFloatText]
	w := eightDigits(whole)
	none := bits.TrailingZeros64(w|1<<56) &^ 7 // the last one is always written
	binary.LittleEndian.PutUint64(text, (w|zeros)>>none)
	point := 8 - none/8
	high, low := eightDigits(uint32(part/1e8)), eightDigits(uint32(part%1e8))
	text[point] = '.'
	binary.LittleEndian.PutUint64(text[point+1:], high|zeros)
	binary.LittleEndian.PutUint64(text[point+9:], low|zeros)
	more := bits.LeadingZeros64(high)
	if low != 0 {
		more = 0
	}
	return b[:n+point+17-(bits.LeadingZeros64(low)+more)/8]
}

// appendDecimal appends digits / 10^places, which is not whole; digits is less
// than 10^18.
func appendDecimal(b []byte, digits uint64, places int) []byte {
	whole, part := uint64(0), digits
	if places < len(pow10) {
		whole = digits / pow10[places]
		part = digits - whole*pow10[places]
	}
	b = strconv.AppendUint(b, whole, 10)
	var text [24]byte
	low := part % 1e16
	binary.LittleEndian.PutUint64(text[:], eightDigits(uint32(part/1e16))|zeros)
	binary.LittleEndian.PutUint64(text[8:], eightDigits(uint32(low/1e8))|zeros)
	binary.LittleEndian.PutUint64(text[16:], eightDigits(uint32(low%1e8))|zeros)
	b = append(b, '.')
	b = append(b, text[24-places:]...)
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

// zeros makes text of eightDigits.
const zeros = 0x3030303030303030

// eightDigits returns the digits of x, which is below 10^8, the first one in
// the lowest byte: its halves side by side in one word, then the halves of
// both, then those of all four.
func eightDigits(x uint32) uint64 {
	w := uint64(x/10000) | uint64(x%10000)<<32
	tens := w * 10486 >> 20 & 0x7f0000007f // 10486 / 2^20 is 1/100, nearly
	w = tens | (w-100*tens)<<16
	tens = w * 103 >> 10 & 0x000f000f000f000f // 103 / 2^10 is 1/10, nearly
	return tens | (w-10*tens)<<8
}
