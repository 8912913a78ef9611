package memory

import (
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

// scribble overwrites a series that is no longer valid, so that anyone who keeps
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
	for _, k := range s.Sketches {
		k.Reset()
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
		var own []*answer
		for _, st := range m.picked(&q.Filter) {
			own = append(own, &answer{tags: slices.Clone(st.tags), steps: e.steps(st, q)})
		}
		found = append(found, present(m.name, own, q)...)
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
		if tidemark.Glob(pattern, name) {
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
	return e.count(ctx, id, name, tsdb.TagCounts.AddNames)
}

// TagValues returns the values that tag has among the streams of name.
func (e *Engine) TagValues(ctx context.Context, id tidemark.OrgID, name, tag string) ([]tsdb.TagCount, error) {
	return e.count(ctx, id, name, func(c tsdb.TagCounts, tags tidemark.Tags) { c.AddValue(tags, tag) })
}

// count counts what add finds in the tags of each stream of a metric.
func (e *Engine) count(ctx context.Context, id tidemark.OrgID, name string, add func(tsdb.TagCounts, tidemark.Tags)) ([]tsdb.TagCount, error) {
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	defer e.mu.Unlock()
	counts := make(tsdb.TagCounts)
	if o := e.orgs[id]; o != nil && o.metrics[name] != nil {
		for _, s := range o.metrics[name].streams {
			add(counts, s.tags)
		}
	}
	return counts.Sorted(), nil
}

// TagsInUse tells which of tags a stream of id has.
func (e *Engine) TagsInUse(ctx context.Context, id tidemark.OrgID, tags []tidemark.Tag) ([]bool, error) {
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	defer e.mu.Unlock()
	has := make(map[tidemark.Tag]bool)
	for _, m := range e.metrics(id, "*") {
		for _, s := range m.streams {
			for _, t := range s.tags {
				has[t], has[tidemark.Tag{Name: t.Name}] = true, true
			}
		}
	}
	used := make([]bool, len(tags))
	for i, t := range tags {
		used[i] = has[t]
	}
	return used, nil
}
