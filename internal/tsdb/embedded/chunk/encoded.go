package chunk

import "slices"

// padded is encoded data that has loadLen bytes of its own memory behind it:
// a wide load at its end stays inside. Slices of it up to its end, or shorter,
// are padded too. Only pad and buffer make it, and nothing else may.
type padded []byte

// loadLen is how many bytes one load takes.
const loadLen = 8

// Encoded is encoded data, ready to be decoded.
type Encoded struct{ b padded }

// Bytes returns the data. They are not to be changed.
func (e Encoded) Bytes() []byte { return e.b }

// Pad returns a copy of v that can be decoded.
func Pad(v []byte) Encoded {
	return Encoded{append(make(padded, 0, len(v)+loadLen), v...)}
}

// Buffer holds encoded data of several chunks in memory that is used again.
type Buffer struct{ b []byte }

func (p *Buffer) Reset() { p.b = p.b[:0] }

// Add returns a copy of v that can be decoded until the next reset.
func (p *Buffer) Add(v []byte) Encoded {
	from := len(p.b)
	p.b = slices.Grow(append(p.b, v...), loadLen)
	return Encoded{padded(p.b[from:])}
}

func (p *Buffer) Len() int { return len(p.b) }
