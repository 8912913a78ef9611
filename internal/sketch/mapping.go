package sketch

import "math"

// perOctave is how many buckets there are between a number and its double.
// With 35 the widest error is (g-1)/(g+1) with g = 2^(1/35): 0.99 %.
//
// Buckets that start again at every power of two cost 1 % more of them than
// the widest that keep the promise. In return the bucket of a number follows
// from its bits: no logarithm, and no platform on which it is another.
const perOctave = 35

const (
	mantissa = 52
	slotBits = 6 // a slot of 1/64 is narrower than any bucket, so that it holds at most one limit
	maxKey   = perOctave * 2046
	keyOfOne = perOctave*1022 + 1
)

// limits are the mantissas of 2^(j/35), where bucket j of an octave starts.
var limits = [perOctave + 1]uint64{
	0x0000000000000, 0x051ed35254d7b, 0x0a57de9c16bc7, 0x0faba81d4e5df, 0x151ab8c56eea2,
	0x1aa59c4115e7d, 0x204ce10811781, 0x2611186bae675, 0x2bf2d6a54f7da, 0x31f2b2e54f85d,
	0x381147622f886, 0x3e4f316812c30, 0x44ad116889e7b, 0x4b2b8b0aaf3c7, 0x51cb453b9536c,
	0x588cea3f093be, 0x5f7127c0ac32a, 0x6678aee5629f8, 0x6da4345d1e0ad, 0x74f47075017a0,
	0x7c6a1f29e2ce6, 0x8406003b2ae5c, 0x8bc8d73e16610, 0x93b36bb158fff, 0x9bc68911258c0,
	0xa402feeb9c533, 0xac69a0f5a241c, 0xb4fb472022b1a, 0xbdb8cdadbe120, 0xc6a31548e794d,
	0xcfbb031a741a5, 0xd90180e09c9e4, 0xe2777d0676770, 0xec1deabbe3c14, 0xf5f5c20dfe5f2,
	1 << mantissa,
}

// starts has for every slot of mantissas the bucket its first number is in.
var starts = makeStarts()

func makeStarts() (s [1 << slotBits]uint8) {
	j := 0
	for slot := range s {
		for limits[j+1] <= uint64(slot)<<(mantissa-slotBits) {
			j++
		}
		s[slot] = uint8(j)
	}
	return s
}

// keyOf returns the key of the bucket that v is in: 0 for zero, positive keys
// for positive numbers and their negatives for negative ones, so that keys
// sort as numbers do. What is too small for a normal float64 (2e-308) counts
// as zero.
func keyOf(v float64) int32 {
	bits := math.Float64bits(v)
	exponent := int32(bits >> mantissa & 0x7ff)
	if exponent == 0 {
		return 0
	}
	m := bits & (1<<mantissa - 1)
	j := int32(starts[m>>(mantissa-slotBits)])
	if m >= limits[j+1] {
		j++
	}
	key := (exponent-1)*perOctave + j + 1
	if int64(bits) < 0 {
		return -key
	}
	return key
}

// lowest returns the smallest number in the bucket of a positive key.
func lowest(key int32) float64 {
	exponent := uint64(key-1)/perOctave + 1
	if exponent > 2046 {
		return math.MaxFloat64
	}
	return math.Float64frombits(exponent<<mantissa | limits[(key-1)%perOctave])
}

// coarse returns the key at the given level of what has a key at level 0:
// each level makes one bucket of two neighbours. Zero stays alone.
func coarse(key int32, level uint8) int32 {
	if key < 0 {
		return -coarse(-key, level)
	}
	return (key + 1<<level - 1) >> level
}

// bounds returns the numbers between which a bucket lies.
func bounds(key int32, level uint8) (lower, upper float64) {
	if key < 0 {
		lower, upper = bounds(-key, level)
		return -upper, -lower
	}
	if key == 0 {
		return 0, 0
	}
	return lowest((key-1)<<level + 1), lowest(key<<level + 1)
}

// middle returns the number that is relatively closest to all of a bucket.
func middle(key int32, level uint8) float64 {
	lower, upper := bounds(key, level)
	if lower == upper {
		return lower
	}
	return lower * (2 / (1 + lower/upper)) // 2lu/(l+u), which could overflow
}
