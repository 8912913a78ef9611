package query

import (
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// What one filter may ask for.
const (
	maxFilterTags   = 50
	maxFilterValues = 1000
)

// TagsFilter returns what the parameters tags[NAME]=pattern of a request pick,
// given as the patterns of each name. Several names must all match. Of several
// patterns of one name one must match, and none of those that start with !
// may; * stands for any text. The name !NAME picks streams without the tag.
func TagsFilter(tags map[string][]string) (tsdb.Filter, error) {
	if len(tags) > maxFilterTags {
		return tsdb.Filter{}, tidemark.InvalidField("tags", "has more than %d names", maxFilterTags)
	}
	var all []tsdb.Filter
	for _, name := range sortedKeys(tags) {
		if !tidemark.IsTagName(strings.TrimPrefix(name, "!")) {
			return tsdb.Filter{}, tidemark.InvalidField("tags", "%q cannot be the name of a tag", name)
		}
		if len(tags[name]) > maxFilterValues {
			return tsdb.Filter{}, tidemark.InvalidField("tags", "has more than %d values of %s", maxFilterValues, name)
		}
		all = append(all, valuesFilter(strings.ToLower(name), tags[name]))
	}
	return allOf(all), nil
}

// FilterOf returns what the tags of a chart's stream, or of an alert's
// condition, pick. Those that are dynamic take the values of the entry of
// dynamic with their name, and have no part where there is none. Other tags
// without values must be there.
func FilterOf(tags []tidemark.TagFilter, dynamic []tidemark.TagFilter) tsdb.Filter {
	var all []tsdb.Filter
	for i := range tags {
		t := &tags[i]
		values := t.Values
		if t.IsDynamic() || slices.Equal(values, []string{"%"}) {
			d := entry(dynamic, t.Name)
			if d == nil {
				continue
			}
			values = d.Values
		}
		all = append(all, valuesFilter(strings.ToLower(t.Name), values))
	}
	return allOf(all)
}

// entry returns the filter of the tag called name, or nil.
func entry(filters []tidemark.TagFilter, name string) *tidemark.TagFilter {
	i := slices.IndexFunc(filters, func(f tidemark.TagFilter) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return nil
	}
	return &filters[i]
}

func allOf(filters []tsdb.Filter) tsdb.Filter {
	switch len(filters) {
	case 0:
		return tsdb.Filter{}
	case 1:
		return filters[0]
	}
	return tsdb.AllOf(filters...)
}

// valuesFilter picks streams by the values of one tag: one of the patterns
// matches, and none of those that start with !. Without any, the tag must be
// there. The tag !name must not be there, whatever the values.
func valuesFilter(name string, values []string) tsdb.Filter {
	if absent, ok := strings.CutPrefix(name, "!"); ok {
		return tsdb.TagAbsent(absent)
	}
	var yes, no []string
	for _, v := range values {
		v = strings.ToLower(v)
		if not, ok := strings.CutPrefix(v, "!"); ok {
			no = append(no, not)
		} else {
			yes = append(yes, v)
		}
	}
	if slices.Contains(yes, "*") {
		yes = nil // any value will do
	}
	switch {
	case len(yes) > 0 && len(no) > 0:
		return tsdb.AllOf(tsdb.TagIs(name, yes...), tsdb.TagIsNot(name, no...))
	case len(yes) > 0:
		return tsdb.TagIs(name, yes...)
	case len(no) > 0:
		return tsdb.TagIsNot(name, no...)
	}
	return tsdb.TagPresent(name)
}
