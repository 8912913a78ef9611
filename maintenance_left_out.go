package tidemark

import (
	"slices"
	"strings"
)

// ConcernsObjective reports whether the window can have to do with an
// objective: it covers everything, all objectives with its labels, or streams
// by tags alone. One that names alerts is about these.
func (c *Covers) ConcernsObjective(o *Objective) bool {
	switch {
	case c.All:
		return true
	case len(c.Labels) > 0:
		return isPart(c.Labels, o.Labels)
	}
	return len(c.Alerts) == 0 && len(c.Tags) > 0
}

// LeftOut returns, rounded to whole minutes that are touched, when in [start,
// end) one of windows covers streams that all have these tags: in order, and
// none touches another.
func LeftOut(windows []*Maintenance, tags Tags, start, end int64) []Interval {
	var all []Interval
	for _, w := range windows {
		if !w.Covers.CoversStream(strings.ToLower(tags.String())) {
			continue
		}
		for _, o := range w.Between(start, end) {
			all = append(all, Interval{o.Start - o.Start%60, o.End + (60-o.End%60)%60})
		}
	}
	return merged(all)
}

// IsLeftOut reports whether [start, end) has a moment in one of intervals,
// which are in order.
func IsLeftOut(intervals []Interval, start, end int64) bool {
	i, _ := slices.BinarySearchFunc(intervals, start, func(v Interval, at int64) int {
		if v[1] <= at {
			return -1
		}
		return 1
	})
	return i < len(intervals) && intervals[i][0] < end
}

// FixedTags are the tags that all streams have which filters pick.
func FixedTags(filters []TagFilter) Tags {
	fixed := make(map[string]string)
	for _, f := range filters {
		if len(f.Values) == 1 && !f.IsDynamic() && IsTagValue(f.Values[0]) {
			fixed[strings.ToLower(f.Name)] = strings.ToLower(f.Values[0])
		}
	}
	return MakeTags(fixed)
}

// With returns t with the tags of o added, or in place of its own.
func (t Tags) With(o Tags) Tags {
	all := t.Map()
	for _, tag := range o {
		all[tag.Name] = tag.Value
	}
	return MakeTags(all)
}
