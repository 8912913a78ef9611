package graphite

import (
	"encoding/binary"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// MaxPickle is the length of a pickle at most; carbon has the same limit.
const MaxPickle = 1 << 20

// maxObjects bounds the memory that a pickle takes. A point has five objects.
const maxObjects = 300_000

// PickleLength returns the length of the pickle that follows the 4 bytes with
// which a connection announces it.
func PickleLength(header [4]byte) (int, error) {
	n := binary.BigEndian.Uint32(header[:])
	if n == 0 || n > MaxPickle {
		return 0, tidemark.Errorf(tidemark.TooLarge, "a pickle must have 1 to %d bytes, not %d", MaxPickle, n)
	}
	return int(n), nil
}

// DecodePickle adds what is in a pickle to b: a list of (path, (time, value)).
//
// A pickle is a program that builds objects. Here it can build lists, tuples,
// numbers and texts and nothing else, and what it builds is bounded by its
// length: an object that is used twice is not copied.
func DecodePickle(body []byte, b *protocol.Batch) error {
	if len(body) > MaxPickle {
		return tidemark.Errorf(tidemark.TooLarge, "a pickle must have 1 to %d bytes, not %d", MaxPickle, len(body))
	}
	m := machine{b: body}
	list, err := m.run()
	if err != nil {
		return tidemark.Errorf(tidemark.Invalid, "the pickle, at byte %d: %v", m.i, err)
	}
	for i, item := range list.items {
		if err := addItem(b, i, item); err != nil {
			return err
		}
	}
	return b.Refused()
}

// addItem adds one (path, (time, value)).
func addItem(b *protocol.Batch, i int, item *object) error {
	outer := item.items
	if len(outer) == 2 && outer[0].kind == aText && len(outer[1].items) == 2 {
		time, okTime := outer[1].items[0].number()
		value, okValue := outer[1].items[1].number()
		if okTime && okValue && outer[0].text != "" {
			return add(b, outer[0].text, nil, value, time)
		}
	}
	b.SkipLine(i+1, "the item is not (path, (time, value))")
	return nil
}
