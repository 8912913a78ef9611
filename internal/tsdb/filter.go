package tsdb

import (
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// FilterOp is the kind of a Filter.
type FilterOp uint8

const (
	Any FilterOp = iota // every stream; the zero value
	And                 // all of Args
	Or                  // at least one of Args
	Not                 // not Args[0]
	Has                 // Tag is there
	Is                  // Tag is there and one of Patterns matches its value
)

// Filter picks streams by their tags: a tree of conditions.
type Filter struct {
	Op       FilterOp
	Args     []Filter
	Tag      string
	Patterns []string // values, with * for any text
}

// TagIs picks the streams whose tag matches one of patterns.
func TagIs(tag string, patterns ...string) Filter {
	return Filter{Op: Is, Tag: tag, Patterns: patterns}
}

// TagIsNot picks the streams that have the tag, but with a value that matches
// none of patterns.
func TagIsNot(tag string, patterns ...string) Filter {
	return AllOf(TagPresent(tag), Filter{Op: Not, Args: []Filter{TagIs(tag, patterns...)}})
}

// TagPresent picks the streams that have the tag.
func TagPresent(tag string) Filter { return Filter{Op: Has, Tag: tag} }

// TagAbsent picks the streams that do not have the tag.
func TagAbsent(tag string) Filter { return Filter{Op: Not, Args: []Filter{TagPresent(tag)}} }

// AllOf picks what every filter picks.
func AllOf(filters ...Filter) Filter { return Filter{Op: And, Args: filters} }

// AnyOf picks what at least one filter picks.
func AnyOf(filters ...Filter) Filter { return Filter{Op: Or, Args: filters} }

// Match reports whether f picks a stream with these tags. It is the meaning
// of a filter; engines may be quicker about it.
func (f *Filter) Match(tags tidemark.Tags) bool {
	switch f.Op {
	case And:
		return !slices.ContainsFunc(f.Args, func(a Filter) bool { return !a.Match(tags) })
	case Or:
		return slices.ContainsFunc(f.Args, func(a Filter) bool { return a.Match(tags) })
	case Not:
		return !f.Args[0].Match(tags)
	case Has:
		_, ok := tags.Get(f.Tag)
		return ok
	case Is:
		value, ok := tags.Get(f.Tag)
		return ok && slices.ContainsFunc(f.Patterns, func(p string) bool { return tidemark.Glob(p, value) })
	}
	return true
}
