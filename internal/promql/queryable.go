package promql

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// queryable is what one query of one organization reads from.
type queryable struct {
	e   *Engine
	org tidemark.OrgID
	// lookBack is how many milliseconds all samples last, as the query says
	// itself; 0 means that each stream has its own.
	lookBack int64
	plans    map[*labels.Matcher]plan // by the first matcher of a selector
	folds    map[*parser.VectorSelector]*fold
}

func (e *Engine) queryable(org tidemark.OrgID, o QueryOptions) *queryable {
	return &queryable{e: e, org: org, lookBack: o.LookBack.Milliseconds(), plans: make(map[*labels.Matcher]plan), folds: make(map[*parser.VectorSelector]*fold)}
}

// Querier implements storage.Queryable.
func (q *queryable) Querier(mint, maxt int64) (storage.Querier, error) {
	return q.querier(mint, maxt), nil
}

func (q *queryable) querier(mint, maxt int64) *querier {
	return &querier{queryable: q, mint: mint, maxt: maxt}
}

// querier is one evaluation. Prometheus' engine uses it from one goroutine.
type querier struct {
	*queryable
	mint, maxt int64
	open       []*reading
	held       int // samples that memory was taken for
}

// Select returns the series that matchers pick. Nothing is read until the
// series are.
func (q *querier) Select(ctx context.Context, _ bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	if hints == nil {
		hints = &storage.SelectHints{Start: q.mint, End: q.maxt, Range: q.maxt - q.mint}
	}
	p, planned := plan{function: unset}, false
	if len(matchers) > 0 {
		p, planned = q.plans[matchers[0]]
	}
	var err error
	if !planned {
		p, err = statOf(matchers)
	}
	picker, failed := q.e.newPicker(ctx, q.org, matchers)
	if err == nil && failed != nil {
		err = storageError(failed)
	}
	w, call := q.window(hints, p.grid), hints.Func
	if p.fold != nil {
		w, call = p.fold.window(w, q.lookBack), p.fold.call
	}
	if p.function == unset {
		p.function = defaultFunction(call)
	}
	if q.e.plain {
		w.step = 0
	}
	s := &selection{
		ctx: ctx, q: q, picker: picker, window: w,
		function: p.function, quantile: p.quantile, reduce: reductionFor(&w, call), whole: q.e.isWhole(&w, call, p.function),
		limit: hints.Limit, err: err,
	}
	if p.fold != nil {
		s.folded = true
		return &groups{fold: p.fold, from: s}
	}
	return s
}

// defaultFunction returns what is taken of each record for a function that
// encloses the selector: of a counter the last value counts, not the mean, and
// the largest of all is the largest of the largest.
func defaultFunction(name string) tsdb.Function {
	switch name {
	case "rate", "increase", "irate", "resets":
		return tsdb.Last
	case "max_over_time":
		return tsdb.Max
	case "min_over_time":
		return tsdb.Min
	}
	return tsdb.Mean
}

// storageError tells a failure of storage from one of the evaluation. What has
// a meaning for the caller keeps it.
func storageError(err error) error {
	if tidemark.KindOf(err) != tidemark.Internal || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return prom.ErrStorage{Err: err}
}

// hold counts memory for n more samples.
func (q *querier) hold(n int) error {
	if q.held += n; q.held > q.e.o.MaxSamples {
		return prom.ErrTooManySamples("query execution")
	}
	return nil
}

// Close ends all reading.
func (q *querier) Close() error {
	for _, r := range q.open {
		r.stop()
	}
	q.open = nil
	return nil
}

// LabelNames returns the names of labels among the streams that match.
func (q *querier) LabelNames(ctx context.Context, hints *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	p, err := q.picker(ctx, matchers)
	if err != nil {
		return nil, nil, err
	}
	names := make(map[string]bool)
	err = q.eachStream(ctx, p, func(f *found) {
		names[model.MetricNameLabel] = true
		for _, t := range f.tags {
			names[protocol.Unescape(p.words.Name(t.Name))] = true
		}
	})
	return sortedKeys(names, hints), nil, err
}

// LabelValues returns the values of a label among the streams that match.
func (q *querier) LabelValues(ctx context.Context, name string, hints *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	p, err := q.picker(ctx, matchers)
	if err != nil {
		return nil, nil, err
	}
	values := make(map[string]bool)
	of := p.matcher(labels.MustNewMatcher(labels.MatchNotEqual, name, ""))
	err = q.eachStream(ctx, p, func(f *found) {
		if name == model.MetricNameLabel {
			values[protocol.Unescape(f.name)] = true
		} else if v, _ := f.tags.Get(of.tag); v != "" && !of.absent {
			values[protocol.Unescape(p.words.Value(of.tag, v))] = true
		}
	})
	return sortedKeys(values, hints), nil, err
}

func (q *querier) picker(ctx context.Context, matchers []*labels.Matcher) (*picker, error) {
	p, err := q.e.newPicker(ctx, q.org, matchers)
	if err != nil {
		return nil, storageError(err)
	}
	return p, nil
}

// eachStream calls do for each stream that p picks and that may have data in
// the time that q is about.
func (q *querier) eachStream(ctx context.Context, p *picker, do func(*found)) error {
	start, listed := clampSecond(ceilSecond(q.mint)), 0
	for _, pattern := range p.patterns {
		for f, err := range q.find(ctx, p, pattern, &listed) {
			if err != nil {
				return err
			}
			if f.seen >= start {
				do(f)
			}
		}
	}
	return nil
}

func sortedKeys[K cmp.Ordered](m map[K]bool, hints *storage.LabelHints) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if hints != nil && hints.Limit > 0 && len(keys) > hints.Limit {
		keys = keys[:hints.Limit]
	}
	return keys
}
