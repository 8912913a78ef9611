package tables

import (
	"bytes"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// lane walks the keys with one prefix. Whoever reads one stream after the other
// looks for each in several places. One iterator for all of them has to find its
// way anew every time, which takes longer than reading what is there; one for
// each prefix has the next stream a step ahead.
type lane struct {
	it     *pebble.Iterator
	prefix []byte // none of the lane of all keys
	limit  []byte // that it was moved to last; none before the first time
}

const (
	maxLanes = 32 // of an iterator: each holds some blocks
	maxSteps = 4  // towards a key before it is looked for
)

// PerPrefix has each prefix of n bytes walked by an iterator of its own: for whoever
// looks for many keys, in order.
func (i *Iterator) PerPrefix(n int) { i.alike = n }

// lane returns the lane of a key, which is that of all keys where its prefix has
// none.
func (i *Iterator) lane(key []byte) *lane {
	if i.alike == 0 {
		return &i.main
	}
	for _, l := range i.lanes {
		if bytes.HasPrefix(key, l.prefix) {
			return l
		}
	}
	if len(i.lanes) == maxLanes {
		return &i.main
	}
	i.s.opens.RLock()
	it, err := i.main.it.Clone(pebble.CloneOptions{})
	i.s.opens.RUnlock()
	if err != nil {
		return &i.main // it will do
	}
	l := &lane{it: it, prefix: slices.Clone(key[:i.alike])}
	i.lanes = append(i.lanes, l)
	return l
}

// seekWithin moves to the first key that is not before key, up to limit.
func (l *lane) seekWithin(key, limit []byte) bool {
	// What was before the last limit it may have passed; and the lane of all keys
	// is moved by others, too.
	near := len(l.prefix) > 0 && len(l.limit) > 0 && bytes.Compare(key, l.limit) >= 0 && l.it.Error() == nil
	for step := 0; near && step < maxSteps; step++ {
		switch {
		case l.nextWithin(limit):
			if bytes.Compare(l.it.Key(), key) >= 0 {
				return true
			}
		case l.it.Error() == nil:
			return false
		default: // what cannot be read may be before key
			near = false
		}
	}
	return l.moved(l.it.SeekGEWithLimit(key, limit), limit)
}

func (l *lane) nextWithin(limit []byte) bool { return l.moved(l.it.NextWithLimit(limit), limit) }

func (l *lane) moved(state pebble.IterValidityState, limit []byte) bool {
	l.limit = append(l.limit[:0], limit...)
	return state == pebble.IterValid
}
