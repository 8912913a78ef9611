package tsdb

import (
	"cmp"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// Append adds a point to an answer to q: what all records of a step come to.
// Steps come in order. A step without a distribution is left out where q asks
// for one.
func (s *Series) Append(q *Query, time int64, d *Distribution) {
	if q.NeedsSketches() && d.Sketch.Len() == 0 {
		return
	}
	s.Times = append(s.Times, time)
	switch q.Function {
	case All:
		s.Summaries = append(s.Summaries, d.Summary)
	case Distributions:
		s.Summaries, s.Sketches = append(s.Summaries, d.Summary), append(s.Sketches, d.Sketch)
	case Percentile:
		s.Values = append(s.Values, d.Percentile(q.Quantile))
	default:
		s.Values = append(s.Values, d.Summary.Value(q.Function))
	}
}

// Finish completes an answer to q after its last point: a derivative is the
// differences of its values, and the first has none.
func (s *Series) Finish(q *Query) {
	if q.Function != Derivative || len(s.Times) == 0 {
		return
	}
	for i := len(s.Values) - 1; i > 0; i-- {
		s.Values[i] -= s.Values[i-1]
	}
	s.Times, s.Values = s.Times[1:], s.Values[1:]
}

// GroupNames returns the tags that q groups by, in order, each once.
func (q *Query) GroupNames() []string {
	return slices.Compact(slices.Sorted(slices.Values(q.GroupBy)))
}

// GroupTags returns those of tags that have one of names, which are in order,
// unless one is missing.
func GroupTags(tags tidemark.Tags, names []string) (tidemark.Tags, bool) {
	own := make(tidemark.Tags, 0, len(names))
	for _, name := range names {
		value, ok := tags.Get(name)
		if !ok {
			return nil, false
		}
		own = append(own, tidemark.Tag{Name: name, Value: value})
	}
	return own, true
}

// TagCounts counts the streams that have a text: the name of a tag, or the
// value of one.
type TagCounts map[string]int

// AddNames counts a stream for the names of its tags.
func (c TagCounts) AddNames(tags tidemark.Tags) {
	for _, t := range tags {
		c[t.Name]++
	}
}

// AddValue counts a stream for its value of a tag.
func (c TagCounts) AddValue(tags tidemark.Tags, name string) {
	if value, ok := tags.Get(name); ok {
		c[value]++
	}
}

// Sorted returns all counts by their texts; nil if there are none.
func (c TagCounts) Sorted() []TagCount {
	var all []TagCount
	for text, n := range c {
		all = append(all, TagCount{Name: text, Streams: n})
	}
	slices.SortFunc(all, func(a, b TagCount) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
