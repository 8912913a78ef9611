package ingest

import (
	"bytes"

	"github.com/tidemark-metrics/tidemark"
)

// addTags adds what the token adds to everything that it sends to the tags that
// were read: those of the whole request, and those that items have themselves.
func (d *intake) addTags() {
	if d.scope == nil || len(d.scope.Add) == 0 {
		return
	}
	d.addTo(&d.top)
	for i := range d.items {
		if d.items[i].hasTags == present {
			d.addTo(&d.items[i].shared)
		}
	}
}

func (d *intake) addTo(to *shared) {
	if to.hasTags == wrong {
		return
	}
	var enough bool
	if to.tags, enough = d.withAdded(to.bytes(d.arena)); !enough {
		to.hasTags, to.tagsFlaw = wrong, tooManyTags
		return
	}
	to.hasTags = present
	to.upper = to.upper || addsUpper(d.scope)
}

// withAdded puts tags, as they are in the end of a stream's key, with those that
// the token adds into the arena: what it adds takes the place of what the sender
// says. It reports false where there are too many then.
func (d *intake) withAdded(tags []byte) (span, bool) {
	d.entries = d.entries[:0]
	for one := range bytes.SplitSeq(tags, []byte{0}) {
		if name, value, ok := bytes.Cut(one, []byte{1}); ok {
			d.addEntry(string(name), string(value))
		}
	}
	for _, t := range d.scope.Add {
		d.addEntry(t.Name, t.Value)
	}
	all := d.sortTags() // of two with one name the later stays
	return all, len(d.entries) <= tidemark.MaxTags
}

// addEntry puts a tag into the arena and the list of entries.
func (d *intake) addEntry(name, value string) *tagEntry {
	e := tagEntry{at: span{off: uint32(len(d.arena))}}
	d.arena = append(d.arena, 0)
	d.arena = appendLowerText(d.arena, name)
	e.name = uint32(len(d.arena))
	d.arena = append(d.arena, 1)
	d.arena = appendLowerText(d.arena, value)
	e.at.end = uint32(len(d.arena))
	d.entries = append(d.entries, e)
	return &d.entries[len(d.entries)-1]
}
