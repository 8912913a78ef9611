package memory

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Select yields the series that q asks for. All of them are computed before
// the first is yielded, so that the caller may write meanwhile.
func (e *Engine) Select(ctx context.Context, id tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		if err := q.Validate(); err != nil {
			yield(nil, err)
			return
		}
		if err := e.begin(ctx); err != nil {
			yield(nil, err)
			return
		}
		found := e.series(id, q)
		e.mu.Unlock()
		for _, s := range found {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(s, nil) {
				return
			}
			scribble(s)
		}
	}
}

// scribble overwrites a series that is no longer valid, so that whoever keeps
// one without Clone notices on this engine as well.
func scribble(s *tsdb.Series) {
	for i := range s.Times {
		s.Times[i] = -1
	}
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	for i := range s.Summaries {
		s.Summaries[i] = tsdb.Summary{Count: math.NaN()}
	}
	for i := range s.Tags {
		s.Tags[i] = tidemark.Tag{Name: "no longer valid"}
	}
	*s = tsdb.Series{Metric: "no longer valid"}
}

// series returns what q asks for, in order.
func (e *Engine) series(id tidemark.OrgID, q *tsdb.Query) []*tsdb.Series {
	var found []*tsdb.Series
	for _, m := range e.metrics(id, q.Metric) {
		var own []*tsdb.Series
		for _, st := range m.picked(&q.Filter) {
			s := &tsdb.Series{Metric: m.name, Tags: slices.Clone(st.tags)}
			e.fill(s, st, q)
			if len(s.Times) > 0 {
				own = append(own, s)
			}
		}
		if q.Group {
			own = group(own, q)
		}
		found = append(found, own...)
	}
	return found
}

// metrics returns the metrics that pattern picks, in order.
func (e *Engine) metrics(id tidemark.OrgID, pattern string) []*metric {
	o := e.orgs[id]
	if o == nil {
		return nil
	}
	var found []*metric
	for _, name := range slices.Sorted(maps.Keys(o.metrics)) {
		if tsdb.Glob(pattern, name) {
			found = append(found, o.metrics[name])
		}
	}
	return found
}

// picked returns the streams that f picks, in order.
func (m *metric) picked(f *tsdb.Filter) []*stream {
	var found []*stream
	for _, s := range m.streams {
		if f.Match(s.tags) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *stream) int { return a.tags.Compare(b.tags) })
	return found
}

// fill gives s the points that q asks of st.
func (e *Engine) fill(s *tsdb.Series, st *stream, q *tsdb.Query) {
	s.Times, s.Summaries = e.steps(st, q)
	if q.Function == tsdb.All {
		return
	}
	s.Values = make([]float64, len(s.Times))
	for i := range s.Summaries {
		s.Values[i] = s.Summaries[i].Value(q.Function)
	}
	s.Summaries = nil
	if q.Function == tsdb.Derivative {
		derive(s)
	}
}

// derive replaces values by their differences; the first has none.
func derive(s *tsdb.Series) {
	if len(s.Times) == 0 {
		return
	}
	for i := len(s.Values) - 1; i > 0; i-- {
		s.Values[i] -= s.Values[i-1]
	}
	s.Times, s.Values = s.Times[1:], s.Values[1:]
}

// steps returns the steps of q in which st has records, with the summary of
// those in each.
func (e *Engine) steps(st *stream, q *tsdb.Query) ([]int64, []tsdb.Summary) {
	steps := make(map[int64]tsdb.Summary)
	add := func(time int64, s tsdb.Summary) {
		step := floor(time, q.Step)
		sum := steps[step]
		sum.Merge(&s)
		steps[step] = sum
	}
	for _, time := range slices.Sorted(maps.Keys(st.records)) {
		if e.visible(time, 0, q) {
			add(time, st.records[time])
		}
	}
	for _, l := range st.late {
		if e.visible(l.time, l.tier, q) {
			add(l.time, l.summary)
		}
	}
	times := slices.Sorted(maps.Keys(steps))
	sums := make([]tsdb.Summary, len(times))
	for i, t := range times {
		sums[i] = steps[t]
	}
	return times, sums
}

// visible reports whether q sees a record at time that is in tier from and
// those coarser: whether one of them still keeps the summary it is in, and
// that summary lies wholly in q's window and in one of its steps.
func (e *Engine) visible(time int64, from int, q *tsdb.Query) bool {
	now := e.now()
	for i := from; i < len(e.tiers); i++ {
		w := e.tiers[i].Window
		start := floor(time, w)
		if q.Step%w == 0 && start >= q.Start && start < q.End && w <= q.End-start && e.kept(i, time, now) {
			return true
		}
	}
	return false
}

// group makes one series of all that agree in the tags of q.GroupBy. The
// given are of one metric and in order.
func group(all []*tsdb.Series, q *tsdb.Query) []*tsdb.Series {
	by := slices.Clone(q.GroupBy)
	slices.Sort(by)
	by = slices.Compact(by)
	groups := make(map[string][]*tsdb.Series)
	for _, s := range all {
		tags := make(tidemark.Tags, 0, len(by))
		for _, name := range by {
			if value, ok := s.Tags.Get(name); ok {
				tags = append(tags, tidemark.Tag{Name: name, Value: value})
			}
		}
		if len(tags) == len(by) {
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

// Streams yields the streams that pattern and filter pick.
func (e *Engine) Streams(ctx context.Context, id tidemark.OrgID, pattern string, filter tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) {
		if err := filter.Validate(); err != nil {
			yield(nil, err)
			return
		}
		if err := e.begin(ctx); err != nil {
			yield(nil, err)
			return
		}
		var found []tsdb.Stream
		for _, m := range e.metrics(id, pattern) {
			for _, s := range m.picked(&filter) {
				found = append(found, tsdb.Stream{Metric: m.name, Tags: slices.Clone(s.tags), LastSeen: e.lastSeen(s)})
			}
		}
		e.mu.Unlock()
		for i := range found {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&found[i], nil) {
				return
			}
			clear(found[i].Tags)
			found[i] = tsdb.Stream{Metric: "no longer valid"}
		}
	}
}

// lastSeen returns the time of the latest record of s that some tier keeps.
func (e *Engine) lastSeen(s *stream) int64 {
	latest := int64(0)
	for t := range s.records {
		latest = max(latest, t)
	}
	for _, l := range s.late {
		latest = max(latest, l.time)
	}
	now := e.now()
	for i := range e.tiers {
		if e.kept(i, latest, now) {
			return latest
		}
	}
	return 0
}

// TagNames returns the names of tags that the streams of name have.
func (e *Engine) TagNames(ctx context.Context, id tidemark.OrgID, name string) ([]tsdb.TagCount, error) {
	return e.count(ctx, id, name, func(t tidemark.Tag) (string, bool) { return t.Name, true })
}

// TagValues returns the values that tag has among the streams of name.
func (e *Engine) TagValues(ctx context.Context, id tidemark.OrgID, name, tag string) ([]tsdb.TagCount, error) {
	return e.count(ctx, id, name, func(t tidemark.Tag) (string, bool) { return t.Value, t.Name == tag })
}

// count counts what of makes of the tags of each stream of a metric.
func (e *Engine) count(ctx context.Context, id tidemark.OrgID, name string, of func(tidemark.Tag) (string, bool)) ([]tsdb.TagCount, error) {
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	defer e.mu.Unlock()
	counts := make(map[string]int)
	if o := e.orgs[id]; o != nil && o.metrics[name] != nil {
		for _, s := range o.metrics[name].streams {
			for _, t := range s.tags {
				if text, ok := of(t); ok {
					counts[text]++
				}
			}
		}
	}
	var found []tsdb.TagCount
	for text, n := range counts {
		found = append(found, tsdb.TagCount{Name: text, Streams: n})
	}
	slices.SortFunc(found, func(a, b tsdb.TagCount) int { return cmp.Compare(a.Name, b.Name) })
	return found, nil
}
