package sketch

import (
	"encoding/binary"
	"errors"
	"math"
)

// An encoded sketch is
//
//	header        bits 0-3 level, bit 4 set where counts are fractions, bits 5-7 the version: 1
//	first key     zigzag varint, less the key of the number 1 at that level
//	first count   varint, less 1
//	then for every bucket one byte and what does not fit into it:
//	0ccccccc      the next key, a count of 1 to 127; c = 127: and count - 128 as varint
//	1dddddcc      a key 2 to 32 on, a count of 1 to 3; d = 31: and distance - 33 as varint;
//	              c = 3: and count - 4 as varint
//
// Counts are whole, or multiples of 1/65536 where the header says so. A
// sketch with nothing in it is no bytes. What a sketch holds is encoded in
// one way only, and any other is refused.
const (
	version   = 1 << 5
	fractions = 1 << 4
	levelMask = 1<<4 - 1
	maxLevel  = 7 // at which there are fewer keys than MaxBuckets

	denseMore = 127
	sparse    = 0x80
	gapMore   = 31
	countBits = 2
	countMore = 1<<countBits - 1
)

// MaxEncoded is the length of an encoded sketch at most.
const MaxEncoded = 1 + MaxBuckets*(1+3+9)

// AppendBinary appends the encoded form of s.
func (s *Sketch) AppendBinary(dst []byte) []byte {
	if s.used == 0 {
		return dst
	}
	s.scratch = s.appendBuckets(s.scratch[:0])
	header, shift := version|s.level, 0
	if isWhole(s.scratch) {
		shift = unitBits
	} else {
		header |= fractions
	}
	first := s.scratch[0]
	dst = append(dst, header)
	dst = binary.AppendVarint(dst, int64(first.key-coarse(keyOfOne, s.level)))
	dst = binary.AppendUvarint(dst, first.n>>shift-1)
	key := first.key
	for _, b := range s.scratch[1:] {
		gap, n := uint32(b.key-key), b.n>>shift
		key = b.key
		if gap == 1 && n <= denseMore { // most of a full sketch
			dst = append(dst, byte(n-1))
			continue
		}
		dst = appendBucket(dst, gap, n)
	}
	return dst
}

func isWhole(buckets []bucket) bool {
	all := uint64(0)
	for _, b := range buckets {
		all |= b.n
	}
	return all&(1<<unitBits-1) == 0
}

// appendBucket encodes a bucket that does not fit into one byte as a neighbour.
func appendBucket(dst []byte, gap uint32, n uint64) []byte {
	if gap == 1 {
		return binary.AppendUvarint(append(dst, denseMore), n-denseMore-1)
	}
	token := sparse | byte(min(gap-2, gapMore))<<countBits | byte(min(n-1, countMore))
	dst = append(dst, token)
	if gap-2 >= gapMore {
		dst = binary.AppendUvarint(dst, uint64(gap-2-gapMore))
	}
	if n-1 >= countMore {
		dst = binary.AppendUvarint(dst, n-1-countMore)
	}
	return dst
}

var (
	errVersion = errors.New("sketch: not a sketch of this version")
	errLength  = errors.New("sketch: too long")
	errCut     = errors.New("sketch: ends in the middle or has a number that is too long")
	errKey     = errors.New("sketch: a bucket is out of range")
	errCount   = errors.New("sketch: a count is out of range")
	errForm    = errors.New("sketch: whole counts are encoded as fractions")
)

// Decode returns the sketch that b is the encoded form of.
func Decode(b []byte) (*Sketch, error) {
	s := new(Sketch)
	return s, s.MergeEncoded(b)
}

// MergeEncoded adds what was added to the sketch that b is the encoded form
// of. Where b is none, s is left as it is.
func (s *Sketch) MergeEncoded(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	var level uint8
	var err error
	s.scratch, level, err = decode(s.scratch[:0], b)
	if err != nil {
		return err
	}
	s.merge(s.scratch, level)
	return nil
}

// decode appends the buckets of an encoded sketch to dst.
func decode(dst []bucket, b []byte) ([]bucket, uint8, error) {
	level, shift := b[0]&levelMask, unitBits
	if b[0]&fractions != 0 {
		shift = 0
	}
	switch {
	case b[0]&^(levelMask|fractions) != version || level > maxLevel:
		return dst, 0, errVersion
	case len(b) > MaxEncoded:
		return dst, 0, errLength
	}
	r := reader{b: b, i: 1, most: maxCount >> shift}
	first := r.uvarint()
	zigzag := int64(first>>1) ^ -int64(first&1)
	n := r.uvarint()
	key, limit := zigzag+int64(coarse(keyOfOne, level)), int64(coarse(maxKey, level))
	dst = append(dst, bucket{int32(key), r.count(n) << shift})
	if first > 4*maxKey || key < -limit {
		return dst, 0, errKey
	}
	for r.i < len(b) && r.err == nil && len(dst) < MaxBuckets {
		if token := b[r.i]; token < denseMore { // most of a full sketch
			r.i++
			key++
			dst = append(dst, bucket{int32(key), (uint64(token) + 1) << shift})
			continue
		}
		gap, n := r.bucket()
		key += gap
		dst = append(dst, bucket{int32(key), n << shift})
	}
	switch {
	case r.err != nil:
		return dst, 0, r.err
	case r.i < len(b):
		return dst, 0, errLength
	case key > limit:
		return dst, 0, errKey
	}
	return dst, level, checkForm(dst, shift)
}

// checkForm reports fractions that are none.
func checkForm(buckets []bucket, shift int) error {
	if shift == 0 && isWhole(buckets) {
		return errForm
	}
	return nil
}

// reader takes the numbers out of an encoded sketch; the first error stays.
type reader struct {
	b    []byte
	i    int
	most uint64 // of a count
	err  error
}

// bucket reads the distance to the bucket before, and the count, where they
// are not both small.
func (r *reader) bucket() (gap int64, n uint64) {
	token := r.b[r.i]
	r.i++
	if token < denseMore {
		return 1, uint64(token) + 1
	}
	if token == denseMore {
		return 1, r.count(r.uvarint() + denseMore)
	}
	gap, n = int64(token>>countBits&gapMore)+2, uint64(token&countMore)+1
	if gap == gapMore+2 {
		gap += int64(min(r.uvarint(), 4*maxKey)) // too far in any case
	}
	if n == countMore+1 {
		n = r.count(r.uvarint() + countMore)
	}
	return gap, n
}

// count returns a count that is kept less 1.
func (r *reader) count(less1 uint64) uint64 {
	if less1 >= r.most && r.err == nil {
		r.err = errCount
	}
	return less1 + 1
}

// uvarint reads a number in its shortest form.
func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b[r.i:])
	if n <= 0 || n > 1 && r.b[r.i+n-1] == 0 || v > math.MaxInt64 {
		if r.err == nil {
			r.err = errCut
		}
		r.i = len(r.b)
		return 0
	}
	r.i += n
	return v
}
