// Package pb reads protocol buffers field by field, without making anything
// of them: the decoders pick the few fields they need. It allocates nothing;
// texts point into the body.
package pb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// The types of fields on the wire.
const (
	Varint  = 0
	Fixed64 = 1
	Bytes   = 2
	Fixed32 = 5
)

// Reader walks over the fields of a message. The first error ends it.
//
//	for r.Next() {
//		switch r.Field {
//		case 1: name = r.Text()
//		}
//	}
//	return r.Err
//
// A field that is not asked for is stepped over. One that has another type
// than it is asked for is an error.
type Reader struct {
	Field int
	Type  int
	Err   error

	b     []byte
	i     int
	start int    // of the field
	value uint64 // of a number
	bytes []byte // of anything else
	at    int    // where b starts in the body, for errors
}

// New returns a reader of a whole body.
func New(b []byte) Reader { return Reader{b: b} }

var errCut = errors.New("ends in the middle of a field")

// Next steps to the next field, and reads it.
func (r *Reader) Next() bool {
	if r.i >= len(r.b) || r.Err != nil {
		return false
	}
	start := r.i
	r.start = start
	tag := r.varint()
	r.Field, r.Type = int(tag>>3), int(tag&7)
	if r.Field == 0 || tag>>3 > 1<<29-1 {
		r.fail(start, errors.New("has a field number out of range"))
		return false
	}
	switch r.Type {
	case Varint:
		r.value = r.varint()
	case Fixed64:
		if b := r.take(8); b != nil {
			r.value = binary.LittleEndian.Uint64(b)
		}
	case Fixed32:
		if b := r.take(4); b != nil {
			r.value = uint64(binary.LittleEndian.Uint32(b))
		}
	case Bytes:
		if n := r.varint(); n > uint64(len(r.b)-r.i) {
			r.fail(start, errCut)
		} else {
			r.bytes = r.take(int(n))
		}
	default:
		r.fail(start, fmt.Errorf("has a field of type %d", r.Type))
	}
	return r.Err == nil
}

func (r *Reader) take(n int) []byte {
	if n > len(r.b)-r.i {
		r.fail(r.i, errCut)
		return nil
	}
	r.i += n
	return r.b[r.i-n : r.i : r.i]
}

func (r *Reader) varint() uint64 {
	if r.i < len(r.b) && r.b[r.i] < 0x80 { // most are short
		r.i++
		return uint64(r.b[r.i-1])
	}
	v, n := binary.Uvarint(r.b[r.i:])
	if n <= 0 {
		r.fail(r.i, errCut)
		return 0
	}
	r.i += n
	return v
}

func (r *Reader) fail(at int, err error) {
	if r.Err == nil {
		r.Err = fmt.Errorf("at byte %d: the message %w", r.at+at, err)
	}
}

func (r *Reader) want(t int) bool {
	if r.Type != t {
		r.fail(r.i, fmt.Errorf("has field %d with type %d in place of %d", r.Field, r.Type, t))
	}
	return r.Err == nil
}

// Uint returns the number of a varint field.
func (r *Reader) Uint() uint64 {
	if !r.want(Varint) {
		return 0
	}
	return r.value
}

// Int returns the number of a varint field that is signed.
func (r *Reader) Int() int64 { return int64(r.Uint()) }

// Zigzag returns the number of a varint field of type sint.
func (r *Reader) Zigzag() int64 { return zigzag(r.Uint()) }

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// Fixed returns the number of a field with 8 bytes.
func (r *Reader) Fixed() uint64 {
	if !r.want(Fixed64) {
		return 0
	}
	return r.value
}

// Double returns the number of a field of type double.
func (r *Reader) Double() float64 { return math.Float64frombits(r.Fixed()) }

// Raw returns the bytes of a field.
func (r *Reader) Raw() []byte {
	if !r.want(Bytes) {
		return nil
	}
	return r.bytes
}

// Text returns the text of a field. It points into the body.
func (r *Reader) Text() string {
	return Text(r.Raw())
}

// Message returns a reader of the message in a field.
func (r *Reader) Message() Reader {
	b := r.Raw()
	return Reader{b: b, at: r.at + r.i - len(b), Err: r.Err}
}

// Run returns a reader of the field and of those directly after it that have
// the same number, and steps over them. They must be messages or texts.
func (r *Reader) Run() Reader {
	run := Reader{at: r.at + r.start}
	if !r.want(Bytes) {
		run.Err = r.Err
		return run
	}
	tag := r.b[r.start]
	for tag < 0x80 && r.i+1 < len(r.b) && r.b[r.i] == tag {
		n, size := uint64(r.b[r.i+1]), 1
		if n >= 0x80 {
			n, size = binary.Uvarint(r.b[r.i+1:])
		}
		if size <= 0 || n > uint64(len(r.b)-r.i-1-size) {
			break // Next says so
		}
		r.i += 1 + size + int(n)
	}
	run.b = r.b[r.start:r.i]
	return run
}

// Rest returns the message from the field on, as it is. It points into the body.
func (r *Reader) Rest() string { return Text(r.b[r.start:]) }

// Skip steps over that many bytes of Rest, whole fields.
func (r *Reader) Skip(n int) { r.i = r.start + n }

// Lent returns what is to be read as it is. It points into the body.
func (r *Reader) Lent() string { return Text(r.b[r.i:]) }

// Close takes over the error of a message that was read; it is what ends
// this one too.
func (r *Reader) Close(m *Reader) {
	if r.Err == nil {
		r.Err = m.Err
	}
}

// Numbers calls do with every number of a repeated varint field, whether
// packed or not.
func (r *Reader) Numbers(do func(uint64)) {
	if r.Type == Varint {
		do(r.value)
		return
	}
	m := r.Message()
	for m.i < len(m.b) && m.Err == nil {
		if v := m.varint(); m.Err == nil {
			do(v)
		}
	}
	r.Close(&m)
}

// Zigzags is Numbers for type sint.
func (r *Reader) Zigzags(do func(int64)) { r.Numbers(func(v uint64) { do(zigzag(v)) }) }

// Fixeds calls do with every number of a repeated field with 8 bytes each,
// whether packed or not.
func (r *Reader) Fixeds(do func(uint64)) {
	if r.Type == Fixed64 {
		do(r.value)
		return
	}
	m := r.Message()
	for m.i < len(m.b) && m.Err == nil {
		if b := m.take(8); b != nil {
			do(binary.LittleEndian.Uint64(b))
		}
	}
	r.Close(&m)
}

// Doubles is Fixeds for type double.
func (r *Reader) Doubles(do func(float64)) {
	r.Fixeds(func(v uint64) { do(math.Float64frombits(v)) })
}

// Pair returns the two texts of a message that has nothing but field 1 and
// field 2, as labels do. It reports false for any other, which is then to be
// read the long way.
func Pair(b []byte) (first, second string, ok bool) {
	n := len(b)
	if n < 4 || b[0] != 1<<3|Bytes || b[1] >= 0x80 {
		return "", "", false
	}
	end := 2 + int(b[1])
	if end+1 >= n || b[end] != 2<<3|Bytes {
		return "", "", false
	}
	size, start := int(b[end+1]), end+2
	if size >= 0x80 {
		if start >= n || b[start] >= 0x80 {
			return "", "", false
		}
		size, start = size&0x7f|int(b[start])<<7, start+1
	}
	if start+size != n {
		return "", "", false
	}
	return Text(b[2:end]), Text(b[start:]), true
}

// Text returns bytes as a text that is valid as long as they are left alone.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
