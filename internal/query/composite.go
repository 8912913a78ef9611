package query

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Composite evaluates an expression from start to end, end excluded, for those
// who want no more than its points. Dynamic tags pick every stream. It does
// not wait for other queries: alerts are evaluated whatever else is going on.
func (q *Querier) Composite(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
	e, err := Parse(text)
	if err != nil {
		return nil, err
	}
	result, err := newEvaluation(q, org, Window{Start: start, End: end, Step: step}).run(ctx, e)
	if err != nil {
		return nil, err
	}
	series := make([]*tsdb.Series, len(result.Series))
	for i, s := range result.Series {
		series[i] = s.as(s.Name(), tsdb.Mean)
	}
	return series, nil
}

// Leaves returns the metrics that an expression reads, as Expr.Metrics does,
// or nil if it is not one.
func Leaves(text string) []string {
	e, err := Parse(text)
	if err != nil {
		return nil
	}
	return e.Metrics()
}

// composite yields the series of a persisted composite as if they were those
// of a metric.
func (q *Querier) composite(ctx context.Context, org tidemark.OrgID, m *tidemark.Metric, e *Expr, r Request, query *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		own, err := q.budget.begin(ctx, org)
		if err != nil {
			yield(nil, err)
			return
		}
		defer own.giveBack()
		ev := newEvaluation(q, org, Window{Start: query.Start, End: query.End, Step: query.Step, Now: r.Now})
		ev.dynamic, ev.filter, ev.share = r.Dynamic, r.Filter, own
		result, err := ev.run(ctx, e)
		if err != nil {
			yield(nil, composeError(m, err))
			return
		}
		series := result.Series
		if !e.Dynamic() {
			series = slices.DeleteFunc(series, func(s *Series) bool { return !r.Filter.Match(s.Tags) })
		}
		slices.SortStableFunc(series, func(a, b *Series) int { return a.Tags.Compare(b.Tags) })
		if query.Function == tsdb.Derivative {
			series = differences(series)
		}
		if query.Group {
			series = grouped(series, query)
		}
		for _, s := range series {
			if !yield(s.as(m.Name, query.Function), nil) {
				return
			}
		}
	}
}

// composeError keeps the position in an expression that the caller did not
// write from being taken for one in the request.
func composeError(m *tidemark.Metric, err error) error {
	if k := tidemark.KindOf(err); k == tidemark.Invalid && !errors.Is(err, ErrResolution) {
		return tidemark.Errorf(k, "the composite %s cannot be evaluated: %v", m.Name, err)
	}
	return err
}

// as returns s as an engine would.
func (s *Series) as(metric string, f tsdb.Function) *tsdb.Series {
	out := &tsdb.Series{Metric: metric, Tags: s.Tags, Times: s.Times, Values: s.Values}
	if f == tsdb.All {
		out.Values, out.Summaries = nil, make([]tsdb.Summary, len(s.Values))
		for i, v := range s.Values {
			out.Summaries[i] = tsdb.Single(v)
		}
	}
	return out
}

// differences returns the differences of each series' points.
func differences(in []*Series) []*Series {
	f := derive(settings{"detect_reset": {word: "false"}})
	for i, s := range in {
		in[i], _ = f(nil, s) // cannot fail
	}
	return withPoints(in)
}

// grouped makes one series of all that agree in some tags; those that lack one
// are left out.
func grouped(in []*Series, q *tsdb.Query) []*Series {
	folds := map[tsdb.GroupFunction]*fold{
		tsdb.GroupMean: foldMean, tsdb.GroupSum: foldSum, tsdb.GroupMin: foldMin, tsdb.GroupMax: foldMax,
	}
	found := make(map[string]*accumulator)
	for _, s := range in {
		tags, ok := pickTags(s.Tags, q.GroupBy)
		if !ok {
			continue
		}
		key := string(tsdb.AppendKey(nil, "", tags))
		if found[key] == nil {
			found[key] = newAccumulator(folds[q.GroupFunction])
			found[key].out.Tags = tags
		}
		found[key].add(s, s.Times, s.Values)
	}
	var out []*Series
	for _, key := range sortedKeys(found) {
		out = append(out, found[key].finish())
	}
	return out
}

// pickTags returns the named ones of tags, and whether all were there.
func pickTags(tags tidemark.Tags, names []string) (tidemark.Tags, bool) {
	m := make(map[string]string, len(names))
	for _, name := range names {
		v, ok := tags.Get(name)
		if !ok {
			return nil, false
		}
		m[name] = v
	}
	return tidemark.MakeTags(m), true
}
