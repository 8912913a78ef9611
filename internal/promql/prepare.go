package promql

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// statLabel is the reserved label that picks what is taken of a summary.
const statLabel = "__stat__"

// stats are the values of statLabel.
var stats = map[string]tsdb.Function{
	"mean": tsdb.Mean, "sum": tsdb.Sum, "count": tsdb.Count, "min": tsdb.Min,
	"max": tsdb.Max, "last": tsdb.Last, "stddev": tsdb.StdDev,
}

// plan is what is known of a selector before it is evaluated.
type plan struct {
	function tsdb.Function // unset if the selector does not say
	quantile float64       // of a percentile
	grid     bool          // whether it is evaluated at the steps of the query itself
	fold     *fold         // an aggregation that is done while it is read, or nil
}

// prepare plans the selectors of an expression. The query has been parsed, not
// begun.
func (q *queryable) prepare(query prom.Query) error {
	s, ok := query.Statement().(*parser.EvalStmt)
	if !ok {
		return nil
	}
	var err error
	parser.Inspect(s.Expr, func(node parser.Node, path []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			err = errors.Join(err, q.plan(n, path))
		case *parser.AggregateExpr:
			q.foldBelow(n, path)
		}
		return nil
	})
	return err
}

// plan plans one selector. The engine passes its matchers on as they are, so
// the first of them tells Select which selector it is for.
func (q *queryable) plan(n *parser.VectorSelector, path []parser.Node) error {
	p, err := statOf(n.LabelMatchers)
	if err != nil {
		return err
	}
	// Anyone who makes labels of matchers, as absent does, should not see it.
	n.LabelMatchers = slices.DeleteFunc(slices.Clone(n.LabelMatchers), isStat)
	if len(n.LabelMatchers) == 0 {
		return fmt.Errorf("a selector needs more than %s", statLabel)
	}
	p.grid, p.fold = onGrid(n, path), q.folds[n]
	q.plans[n.LabelMatchers[0]] = p
	return nil
}

// onGrid reports whether a selector is evaluated at the steps of the query: a
// subquery has steps of its own, and some selectors look beyond their window.
func onGrid(n *parser.VectorSelector, path []parser.Node) bool {
	return !n.Anchored && !n.Smoothed && !inSubquery(path)
}

func inSubquery(path []parser.Node) bool {
	return slices.ContainsFunc(path, func(p parser.Node) bool {
		_, sub := p.(*parser.SubqueryExpr)
		return sub
	})
}

func isStat(m *labels.Matcher) bool { return m.Name == statLabel }

// statOf returns what matchers want of each record; unset says that they do
// not say.
func statOf(matchers []*labels.Matcher) (p plan, err error) {
	p.function = unset
	for _, m := range matchers {
		if m.Name != statLabel {
			continue
		}
		picked, ok := statCalled(lower(m.Value))
		switch {
		case m.Type != labels.MatchEqual:
			return p, fmt.Errorf("%s takes one value: write %s=%q", statLabel, statLabel, "max")
		case !ok:
			return p, fmt.Errorf("%s %q is none of mean, sum, count, min, max, last, stddev, p50, p75, p90, p95, p99, p999", statLabel, m.Value)
		case p.function != unset && p != picked:
			return p, fmt.Errorf("%s is given twice", statLabel)
		}
		p = picked
	}
	return p, nil
}

// statCalled returns the plan that has one of the values of statLabel: a
// function, or a percentile of how the values of a record are distributed.
func statCalled(name string) (plan, bool) {
	if q, ok := tidemark.Quantile(name); ok {
		return plan{function: tsdb.Percentile, quantile: q}, true
	}
	f, ok := stats[name]
	return plan{function: f}, ok
}

// unset is the function of a selector that names none.
const unset = tsdb.All

func isName(m *labels.Matcher) bool { return m.Name == model.MetricNameLabel }
