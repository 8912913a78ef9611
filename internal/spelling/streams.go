package spelling

import (
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Stream returns how a stream is shown that is called as tidemark.StreamName
// calls it, "a=1,b=2".
func (w *Words) Stream(name string) string {
	if w.IsEmpty() {
		return name
	}
	return tidemark.StreamName(w.Tags(tagsOf(name)))
}

// tagsOf takes the name of a stream apart. What follows a comma and is no tag
// is more of the value before.
func tagsOf(stream string) (tags tidemark.Tags) {
	for part := range strings.SplitSeq(stream, ",") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case ok:
			tags = append(tags, tidemark.Tag{Name: name, Value: value})
		case len(tags) > 0:
			tags[len(tags)-1].Value += "," + part
		}
	}
	return tags
}

// Streams shows a list of streams in place.
func (w *Words) Streams(names []string) {
	for i := range names {
		names[i] = w.Stream(names[i])
	}
}

// Violations returns violations with their streams as they are shown.
func (w *Words) Violations(list []tidemark.Violation) []tidemark.Violation {
	if w.IsEmpty() {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Stream = w.Stream(list[i].Stream)
	}
	return list
}

// Notice returns n, which may be nil, with its streams as they are shown.
func (w *Words) Notice(n *tidemark.Notice) *tidemark.Notice {
	if n == nil || w.IsEmpty() {
		return n
	}
	shown := *n
	shown.Violations = w.Violations(n.Violations)
	return &shown
}

// Backtest shows the streams of b in place.
func (w *Words) Backtest(b *tidemark.Backtest) {
	for i := range b.Incidents {
		in := &b.Incidents[i]
		w.Streams(in.Streams)
		if in.Band != nil {
			in.Band.Stream = w.Stream(in.Band.Stream)
		}
	}
	for i := range b.Conditions {
		c := &b.Conditions[i]
		for j := range c.Streams {
			c.Streams[j].Stream = w.Stream(c.Streams[j].Stream)
		}
		if c.Expected != nil {
			c.Expected.Stream = w.Stream(c.Expected.Stream)
		}
	}
}
