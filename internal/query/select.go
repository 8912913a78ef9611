package query

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// ErrResolution is the error of a query that asks for more detail than is
// kept of its time.
var ErrResolution = tidemark.Errorf(tidemark.Invalid,
	"The requested data resolution is unavailable for the given time range. Please try a different resolution.")

// Request asks for one metric.
type Request struct {
	Metric     string
	Start, End int64 // seconds since the epoch, both included
	Resolution int64 // seconds
	Now        int64 // the time of asking; 0 to take any resolution as kept
	Filter     tsdb.Filter
	// GroupBy are tags; a lone * makes one series of everything.
	// GroupFunction (sum, min, max or mean) is needed then, and else ignored.
	// A percentile is that of all values of the group, unless it is sum, min
	// or max.
	GroupBy       []string
	GroupFunction string
	// Summary is sum, min, max, count, mean, last, derivative, stddev, all or
	// one of tidemark.Percentiles;
	// where it is empty, what the metric's attributes say.
	Summary string
	// Dynamic fills in the open tags of a persisted composite.
	Dynamic []tidemark.TagFilter
	// Distributions asks for how values are distributed, instead of Summary; of
	// a group, those of all its streams together. A composite has none.
	Distributions bool
}

var summaries = map[string]tsdb.Function{
	"mean": tsdb.Mean, "average": tsdb.Mean, "sum": tsdb.Sum, "count": tsdb.Count, "min": tsdb.Min, "max": tsdb.Max,
	"last": tsdb.Last, "stddev": tsdb.StdDev, "derivative": tsdb.Derivative, "all": tsdb.All,
}

var groupFunctions = map[string]tsdb.GroupFunction{
	"mean": tsdb.GroupMean, "average": tsdb.GroupMean, "sum": tsdb.GroupSum, "min": tsdb.GroupMin, "max": tsdb.GroupMax,
}

// Select yields the series of r.Metric one by one, ordered by tags. As with an
// engine, a series is valid until the next one is asked for. What is wrong with
// the request is found before anything is read: Invalid with the fields of
// GET /v1/measurements/:name, ErrResolution, NotFound if the catalog does not
// know the metric, or Forbidden if it is outside the scope of ctx.
//
// The series of a persisted composite are those that its expression stands
// for. The filter narrows its dynamic tags if it has some, and otherwise picks
// among the results; of the summaries, derivative and all have a meaning.
func (q *Querier) Select(ctx context.Context, org tidemark.OrgID, r Request) (iter.Seq2[*tsdb.Series, error], error) {
	if err := tsdb.ScopeOf(ctx).Check(tidemark.MetricKey(r.Metric)); err != nil {
		return nil, err
	}
	m, err := q.lookup(ctx, org, r.Metric)
	if err != nil {
		return nil, err
	}
	if err := CheckScope(ctx, m); err != nil {
		return nil, err
	}
	query, err := r.query(m)
	if err != nil {
		return nil, err
	}
	words, err := q.spellings.Of(ctx, org)
	if err != nil {
		return nil, err
	}
	if m.Type == tidemark.Composite && r.Distributions {
		return nil, tidemark.Errorf(tidemark.Invalid, "%s is a composite, which has no distribution", m.Name)
	}
	if m.Type == tidemark.Composite {
		e, err := Parse(m.Composite)
		if err != nil {
			return nil, tidemark.Errorf(tidemark.Invalid, "the composite %s cannot be evaluated: %v", m.Name, err)
		}
		return words.Series(q.composite(ctx, org, m, e, r, query)), nil
	}
	if r.Now != 0 {
		if err := fit(q.engine.Tiers(), r.Now, query); err != nil {
			return nil, err
		}
	}
	return q.named(ctx, org, m, words.Series(q.stream(ctx, org, query))), nil
}

// named calls series what their metrics are called: m, or those of a glob.
func (q *Querier) named(ctx context.Context, org tidemark.OrgID, m *tidemark.Metric, in iter.Seq2[*tsdb.Series, error]) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		key, name := tidemark.MetricKey(m.Name), m.Name
		for s, err := range in {
			if err == nil && s.Metric != key {
				key, name = s.Metric, s.Metric
				if one, found := q.lookup(ctx, org, key); found == nil {
					name = one.Name
				}
			}
			if err == nil {
				s.Metric = name // a copy: Words made it
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// An engine reads this many streams and points ahead of who asks, or less.
const (
	streamsAhead = 256
	pointsAhead  = 1 << 19
)

// stream yields what the engine does. Meanwhile what it reads ahead counts as
// being in memory.
func (q *Querier) stream(ctx context.Context, org tidemark.OrgID, query *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		own, err := q.budget.begin(ctx, org)
		if err != nil {
			yield(nil, err)
			return
		}
		defer own.giveBack()
		steps := max(0, query.End-query.Start)/query.Step + 1
		if err := own.cover(min(streamsAhead*steps, pointsAhead)); err != nil {
			yield(nil, err)
			return
		}
		for s, err := range q.engine.Select(ctx, org, query) {
			if !yield(s, err) {
				return
			}
		}
	}
}

// lookup returns the properties of a metric.
func (q *Querier) lookup(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	if q.catalog == nil || tidemark.IsGlob(name) {
		return &tidemark.Metric{Name: name, Type: tidemark.Gauge}, nil
	}
	return q.catalog.Metric(ctx, org, name)
}

// query checks r and returns what it asks of an engine.
func (r *Request) query(m *tidemark.Metric) (*tsdb.Query, error) {
	var p tidemark.Problems
	p.Check(r.Resolution >= 1 && r.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	p.Check(r.Start <= r.End, "start_time", "is after end_time")
	summary := r.Summary
	if summary == "" {
		summary = m.Summary()
	}
	function, ok := summaries[strings.ToLower(summary)]
	quantile, percentile := tidemark.Quantile(strings.ToLower(summary))
	if percentile {
		function, ok = tsdb.Percentile, true
	}
	p.Check(ok, "summary_function", "must be sum, min, max, count, mean, last, derivative, stddev, all, p50, p75, p90, p95, p99 or p999")
	q := &tsdb.Query{
		Metric: tidemark.MetricKey(r.Metric), Filter: r.Filter, Function: function, Quantile: quantile,
		Start: max(0, r.Start), End: min(r.End, tsdb.MaxTime) + 1, Step: r.Resolution,
	}
	r.group(&p, q)
	if r.Distributions {
		q.Function, q.Quantile, q.GroupFunction = tsdb.Distributions, 0, tsdb.GroupMerge
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return q, q.Filter.Validate()
}

// group checks what r says about groups, and sets it in q.
func (r *Request) group(p *tidemark.Problems, q *tsdb.Query) {
	if len(r.GroupBy) == 0 {
		return
	}
	q.Group = true
	if !slices.Equal(r.GroupBy, []string{"*"}) {
		for _, tag := range r.GroupBy {
			tag = strings.ToLower(strings.TrimSpace(tag))
			p.Check(tidemark.IsTagName(tag), "group_by", "%q cannot be the name of a tag", tag)
			if !slices.Contains(q.GroupBy, tag) {
				q.GroupBy = append(q.GroupBy, tag)
			}
		}
		p.Check(len(q.GroupBy) <= maxGroupTags, "group_by", "has more than %d tags", maxGroupTags)
	}
	var ok bool
	q.GroupFunction, ok = groupFunctions[strings.ToLower(r.GroupFunction)]
	if q.Function == tsdb.Percentile && (r.GroupFunction == "" || ok && q.GroupFunction == tsdb.GroupMean) {
		q.GroupFunction, ok = tsdb.GroupMerge, true // the mean of percentiles is none
	}
	p.Check(ok, "group_by_function", "must be sum, min, max or mean")
	p.Check(q.Function != tsdb.All, "summary_function", "all cannot be used with group_by")
}

// fit reports ErrResolution if q asks for finer steps than are kept of its
// time. Where what was written is no longer kept, it widens the window to
// whole windows of what still is, since nothing finer can be distinguished.
func fit(tiers []tsdb.Tier, now int64, q *tsdb.Query) error {
	if len(tiers) == 0 {
		return nil
	}
	// Nothing at all is kept of the time before oldest: no detail is missing.
	oldest := now - tiers[len(tiers)-1].Retention
	for _, t := range tiers {
		if q.Step%t.Window != 0 || max(q.Start, oldest) < now-t.Retention {
			continue
		}
		q.Start = floorTo(q.Start, t.Window)
		q.End = floorTo(q.End+t.Window-1, t.Window)
		return nil
	}
	return ErrResolution
}
