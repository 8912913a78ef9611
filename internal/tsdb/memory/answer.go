package memory

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// answer is what one stream, or a group that was merged, has in each step.
type answer struct {
	tags  tidemark.Tags
	steps steps
}

// steps are those that have records, in order, with what these come to.
type steps []step

type step struct {
	time int64
	all  tsdb.Distribution
}

// steps returns the steps of q in which st has records.
func (e *Engine) steps(st *stream, q *tsdb.Query) (found steps) {
	for _, time := range slices.Sorted(maps.Keys(st.records)) {
		if e.visible(time, 0, q) {
			d := st.records[time]
			found.add(floor(time, q.Step), &d, q)
		}
	}
	for _, l := range st.late {
		if e.visible(l.time, l.tier, q) {
			found.add(floor(l.time, q.Step), &l.record, q)
		}
	}
	return found
}

// add merges d into the step at time.
func (s *steps) add(time int64, d *tsdb.Distribution, q *tsdb.Query) {
	s.at(time, q).Merge(d)
}

// at returns what is at time, which is the last step or a new one nearly
// always. With a sketch there from the start, single values are counted too.
func (s *steps) at(time int64, q *tsdb.Query) *tsdb.Distribution {
	i, known := len(*s), false
	if i > 0 && (*s)[i-1].time >= time {
		i, known = slices.BinarySearchFunc(*s, time, func(one step, time int64) int { return cmp.Compare(one.time, time) })
	}
	if !known {
		one := step{time: time}
		if q.NeedsSketches() {
			one.all.Sketch = new(sketch.Sketch)
		}
		*s = slices.Insert(*s, i, one)
	}
	return &(*s)[i].all
}

// present returns the series of one metric, whose streams have the given
// answers, in order.
func present(metric string, all []*answer, q *tsdb.Query) []*tsdb.Series {
	if q.Merges() {
		all = mergeGroups(all, q)
	}
	var found []*tsdb.Series
	for _, a := range all {
		if s := a.series(metric, q); len(s.Times) > 0 {
			found = append(found, s)
		}
	}
	if q.Group && !q.Merges() {
		return group(found, q)
	}
	return found
}

// mergeGroups makes one of all answers that agree in the tags of q.GroupBy.
func mergeGroups(all []*answer, q *tsdb.Query) []*answer {
	names := q.GroupNames()
	groups := make(map[string]*answer)
	for _, a := range all {
		tags, ok := tsdb.GroupTags(a.tags, names)
		if !ok {
			continue
		}
		key := string(tsdb.AppendKey(nil, "", tags))
		if groups[key] == nil {
			groups[key] = &answer{tags: tags}
		}
		for i := range a.steps {
			groups[key].steps.add(a.steps[i].time, &a.steps[i].all, q)
		}
	}
	return slices.SortedFunc(maps.Values(groups), func(a, b *answer) int { return a.tags.Compare(b.tags) })
}

// series returns the points that q asks for.
func (a *answer) series(metric string, q *tsdb.Query) *tsdb.Series {
	s := &tsdb.Series{Metric: metric, Tags: a.tags}
	for i := range a.steps {
		s.Append(q, a.steps[i].time, &a.steps[i].all)
	}
	s.Finish(q)
	return s
}

// group makes one series of all that agree in the tags of q.GroupBy. The
// given are of one metric and in order.
func group(all []*tsdb.Series, q *tsdb.Query) []*tsdb.Series {
	names := q.GroupNames()
	groups := make(map[string][]*tsdb.Series)
	for _, s := range all {
		if tags, ok := tsdb.GroupTags(s.Tags, names); ok {
			s.Tags = tags
			key := string(tsdb.AppendKey(nil, s.Metric, tags))
			groups[key] = append(groups[key], s)
		}
	}
	var found []*tsdb.Series
	for _, members := range groups {
		found = append(found, combine(members, q.GroupFunction))
	}
	slices.SortFunc(found, func(a, b *tsdb.Series) int { return a.Tags.Compare(b.Tags) })
	return found
}

// combine makes one series of the members of a group.
func combine(members []*tsdb.Series, f tsdb.GroupFunction) *tsdb.Series {
	values := make(map[int64][]float64)
	for _, s := range members {
		for i, t := range s.Times {
			values[t] = append(values[t], s.Values[i])
		}
	}
	s := &tsdb.Series{Metric: members[0].Metric, Tags: members[0].Tags, Times: slices.Sorted(maps.Keys(values))}
	for _, t := range s.Times {
		s.Values = append(s.Values, groupValue(values[t], f))
	}
	return s
}

func groupValue(values []float64, f tsdb.GroupFunction) float64 {
	switch f {
	case tsdb.GroupMin:
		return slices.Min(values)
	case tsdb.GroupMax:
		return slices.Max(values)
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if f == tsdb.GroupMean {
		return sum / float64(len(values))
	}
	return sum
}
