package ingest

import (
	"bytes"

	"github.com/tidemark-metrics/tidemark"
)

// inScope reports whether a measurement may be sent: its name in lower case,
// its tags as they are in a stream's key.
func (d *intake) inScope(name, tags []byte) bool {
	metric, other := d.scope.Outside(string(name), func(tag string) (string, bool) { return tagOf(tags, tag) })
	return !metric && other == nil
}

// tagOf finds a tag in the end of a stream's key: 0, name, 1, value, and so on.
func tagOf(tags []byte, name string) (value string, has bool) {
	for one := range bytes.SplitSeq(tags, []byte{0}) {
		if n, v, ok := bytes.Cut(one, []byte{1}); ok && string(n) == name {
			return string(v), true
		}
	}
	return "", false
}

// bytes are the tags in the end of a stream's key.
func (s *shared) bytes(arena []byte) []byte {
	if s.hasTags != present {
		return nil
	}
	return s.tags.of(arena)
}

// outside is the refusal of a request of which all is outside the scope of its
// token, or nil.
func (d *intake) outside() error {
	for i := range d.items {
		if d.items[i].flaw != outOfScope {
			return nil
		}
	}
	return d.outsideError(&d.items[0])
}

func (d *intake) outsideError(it *item) error {
	return tidemark.Errorf(tidemark.Forbidden, "%s is outside the scope of token %s", shown(it.name.of(d.arena)), d.token)
}
