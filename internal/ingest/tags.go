package ingest

import (
	"bytes"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// alphabet maps the bytes that a text may have to lower case, and others to 0.
type alphabet [256]byte

var (
	metricBytes = makeAlphabet(tidemark.IsMetricName)
	valueBytes  = makeAlphabet(tidemark.IsTagValue)
)

func makeAlphabet(allowed func(string) bool) (a alphabet) {
	for c := range 128 {
		if s := string(rune(c)); allowed(s) {
			a[c] = byte(c)
			if c >= 'A' && c <= 'Z' {
				a[c] += 'a' - 'A'
			}
		}
	}
	return a
}

func all(a *alphabet, text []byte) bool {
	for _, c := range text {
		if a[c] == 0 {
			return false
		}
	}
	return true
}

// appendLower appends text in lower case and reports whether all of it is
// in a.
func appendLower(dst []byte, a *alphabet, text []byte) ([]byte, bool) {
	ok := true
	for _, c := range text {
		lower := a[c]
		if lower == 0 {
			lower, ok = c, false
		}
		dst = append(dst, lower)
	}
	return dst, ok
}

// classes tell, for texts of an alphabet as JSON has them, how far they can
// be copied as they are: 0 ends it, 1 is fine, 2 is to be lowered.
type classes [256]byte

var (
	nameClasses  = makeClasses(&metricBytes)
	valueClasses = makeClasses(&valueBytes)
)

func makeClasses(a *alphabet) (c classes) {
	for i, lower := range a {
		switch {
		case lower == 0 || i == '\\': // which starts an escape
		case lower == byte(i):
			c[i] = 1
		default:
			c[i] = 2
		}
	}
	return c
}

// copyText appends to the arena the text whose first quote is at i, in lower
// case, and steps over it. It reports false, having done nothing, where the
// text is anything but 1 to most characters that c has.
func (d *decoder) copyText(c *classes, most int) bool {
	b, start := d.b, d.i+1
	if start > len(b) {
		return false
	}
	i, seen := start, byte(0)
	for ; i < len(b); i++ {
		class := c[b[i]]
		if class == 0 {
			break
		}
		seen |= class
	}
	if i == len(b) || b[i] != '"' || i == start || i-start > most {
		return false
	}
	off := len(d.arena)
	d.arena = append(d.arena, b[start:i]...)
	if seen > 1 {
		d.upper = true
		for j, c := range d.arena[off:] {
			if c >= 'A' && c <= 'Z' {
				d.arena[off+j] = c + 'a' - 'A'
			}
		}
	}
	d.i = i + 1
	return true
}

// maxTagEntries is how many members an object of tags may have before those
// that replace others are counted.
const maxTagEntries = 1000

// tagEntry is one member of an object of tags, in the arena as it is in a
// stream's key: 0, name, 1, value.
type tagEntry struct {
	at   span
	name uint32 // where the name ends
	flaw flaw
	null bool
	raw  span
}

func (e *tagEntry) key(arena []byte) []byte { return arena[e.at.off+1 : e.name] }

// isEmptyList reports whether text, which is JSON, is []. PHP cannot tell it
// from {}, and sends it.
func isEmptyList(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) >= 2 && text[0] == '[' && len(bytes.TrimSpace(text[1:len(text)-1])) == 0
}

// tags reads an object of tags into to. One without any is as good as none.
func (d *decoder) tags(to *shared) {
	to.hasTags, to.tagsFlaw = absent, flawNone
	start := d.i
	switch d.peek() {
	case '{':
	case 'n':
		d.word("null")
		return
	default:
		d.skip(4)
		if isEmptyList(d.from(start).of(d.b)) {
			return
		}
		to.hasTags, to.tagsFlaw, to.tagsRaw = wrong, tagsNotObject, d.from(start)
		return
	}
	if d.recall(to) {
		return
	}
	begin, at := len(d.arena), d.i
	d.entries, d.upper = d.entries[:0], false
	canonical := true
	for more := d.enter('}'); more; more = d.more('}') {
		if len(d.entries) == maxTagEntries {
			d.key()
			d.skip(5)
			continue
		}
		n := len(d.entries)
		d.entries = append(d.entries, tagEntry{})
		e := &d.entries[n]
		d.tag(e)
		if e.null || n > 0 && bytes.Compare(d.entries[n-1].key(d.arena), e.key(d.arena)) >= 0 {
			canonical = false
		}
	}
	to.tags = span{uint32(begin), uint32(len(d.arena))}
	to.tagsRaw, to.upper = d.from(start), d.upper
	d.settleTags(to, canonical)
	d.remember(to, d.b[at:d.i])
}

// What is remembered of tags: as many objects of them, up to that long.
const (
	memoSlots = 4096 // a power of two
	memoBytes = 1024
)

// memo is an object of tags as it was sent, and what it comes to. Agents send
// the same streams in the same order every time, so that the tags of a
// measurement are most likely those that were at its place the last time. The
// same bytes always come to the same: they need not be read again.
type memo struct {
	raw, tags []byte
	upper     bool           // as of shared
	settled   tidemark.OrgID // for which it is known how they are shown
}

// recall takes the tags at i from what is remembered, if they are there.
func (d *decoder) recall(to *shared) bool {
	if d.memos == nil {
		d.memos = make([]memo, memoSlots)
	}
	m := &d.memos[len(d.items)%memoSlots]
	if len(m.raw) == 0 || !bytes.HasPrefix(d.b[d.i:], m.raw) {
		return false
	}
	off := uint32(len(d.arena))
	d.arena = append(d.arena, m.tags...)
	to.tags, to.hasTags, to.upper = span{off, uint32(len(d.arena))}, present, m.upper && m.settled != d.sender
	start := d.i
	d.i += len(m.raw)
	to.tagsRaw = d.from(start)
	return true
}

// remember keeps tags that were sent as raw and are fine.
func (d *decoder) remember(to *shared, raw []byte) {
	if d.fault != "" || to.hasTags != present || len(raw) > memoBytes {
		return
	}
	m := &d.memos[len(d.items)%memoSlots]
	m.upper, m.settled = to.upper, 0
	m.raw, m.tags = append(m.raw[:0], raw...), append(m.tags[:0], to.tags.of(d.arena)...)
}

// settleTags checks the entries and brings them into order.
func (d *decoder) settleTags(to *shared, canonical bool) {
	full := len(d.entries) == maxTagEntries
	if !canonical {
		to.tags = d.sortTags()
	}
	if len(d.entries) == 0 {
		return
	}
	to.hasTags = present
	if full || len(d.entries) > tidemark.MaxTags {
		to.hasTags, to.tagsFlaw = wrong, tooManyTags
		return
	}
	for i := range d.entries {
		if e := &d.entries[i]; e.flaw != flawNone {
			to.hasTags, to.tagsFlaw, to.tagsRaw = wrong, e.flaw, e.raw
			return
		}
	}
}

// sortTags orders the entries by name, the last of several with one name
// remaining and null being none, and returns where the result is.
func (d *decoder) sortTags() span {
	slices.SortStableFunc(d.entries, func(a, b tagEntry) int {
		return bytes.Compare(a.key(d.arena), b.key(d.arena))
	})
	kept := d.entries[:0]
	for _, e := range d.entries {
		if n := len(kept); n > 0 && bytes.Equal(kept[n-1].key(d.arena), e.key(d.arena)) {
			kept = kept[:n-1]
		}
		kept = append(kept, e)
	}
	d.entries = slices.DeleteFunc(kept, func(e tagEntry) bool { return e.null })
	begin := uint32(len(d.arena))
	for i := range d.entries {
		d.arena = append(d.arena, d.entries[i].at.of(d.arena)...)
	}
	return span{begin, uint32(len(d.arena))}
}

// tag reads one name and value. Numbers and booleans are taken as they are
// written.
func (d *decoder) tag(e *tagEntry) {
	c := d.peek()
	e.raw.off, e.at.off = uint32(d.i), uint32(len(d.arena))
	d.arena = append(d.arena, 0)
	if c == '"' && d.copyText(&nameClasses, tidemark.MaxTagName) {
		d.colon()
	} else {
		var ok bool
		name := d.key()
		d.upper = d.upper || hasUpper(name)
		if d.arena, ok = appendTagName(d.arena, name); !ok {
			e.flaw = badTagName
		}
	}
	e.name = uint32(len(d.arena))
	d.arena = append(d.arena, 1)
	if d.peek() != '"' || !d.copyText(&valueClasses, tidemark.MaxTagValue) {
		d.oddValue(e)
	}
	e.at.end, e.raw.end = uint32(len(d.arena)), uint32(d.i)
}

// oddValue reads the value of a tag that cannot just be copied.
func (d *decoder) oddValue(e *tagEntry) {
	text, kind := d.tagValue()
	e.null = kind == absent
	d.upper = d.upper || hasUpper(text)
	var ok bool
	d.arena, ok = appendLower(d.arena, &valueBytes, text)
	if kind == wrong || !ok || len(text) == 0 || len(text) > tidemark.MaxTagValue {
		e.flaw = max(e.flaw, badTagValue)
	}
}

func appendTagName(dst, name []byte) ([]byte, bool) {
	ok := len(name) > 0 && len(name) <= tidemark.MaxTagName
	if len(name) > 1 && name[0] == '@' { // the prefix of tags that agents set
		dst, name = append(dst, '@'), name[1:]
	}
	dst, legal := appendLower(dst, &metricBytes, name)
	return dst, ok && legal
}

func (d *decoder) tagValue() ([]byte, presence) {
	c, start := d.peek(), d.i
	switch c {
	case '"':
		return d.str(), present
	case 'n':
		d.word("null")
		return nil, absent
	}
	d.skip(5)
	if c == '{' || c == '[' {
		return nil, wrong
	}
	return d.b[start:d.i], present
}
