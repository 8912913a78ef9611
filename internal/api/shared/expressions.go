package shared

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// Expressions are checked where they are written, so that anyone who writes one
// gets the error, and not every reader of it.

// CheckExpression reports what is wrong with an expression that is about to be
// kept in a field: as the definition of the metric called name, or of none.
func (s *Base) CheckExpression(ctx context.Context, org tidemark.OrgID, field, name, text string) error {
	e, err := query.Parse(text)
	if err != nil {
		return compose.InField(err, field)
	}
	found, err := s.Store.MetricsByName(ctx, org, plainNames(e.Metrics()))
	if err != nil {
		return err
	}
	for _, metric := range e.Metrics() {
		m := found[metric]
		if metric == tidemark.MetricKey(name) || m != nil && m.Type == tidemark.Composite {
			return tidemark.InvalidField(field, "%s is a composite: composites cannot be used within others", metric)
		}
	}
	return nil
}

// plainNames are those of names that are no patterns.
func plainNames(names []string) (plain []string) {
	for _, name := range names {
		if !tidemark.IsGlob(name) {
			plain = append(plain, name)
		}
	}
	return plain
}

// CreateChart adds a chart whose streams can be read.
func (s *Base) CreateChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, space int64, c *tidemark.Chart) error {
	if err := s.CheckStreams(ctx, org, nil, c); err != nil {
		return err
	}
	return s.Store.CreateChart(ctx, org, by, space, c)
}

// UpdateChart changes a chart to one whose streams can be read, or were there.
func (s *Base) UpdateChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.ChartKey, change func(*tidemark.Chart)) (*tidemark.Chart, error) {
	old, err := s.Store.Chart(ctx, org, k)
	if err != nil {
		return nil, err
	}
	after := *old
	change(&after)
	if err := s.CheckStreams(ctx, org, old.Streams, &after); err != nil {
		return nil, err
	}
	return s.Store.UpdateChart(ctx, org, by, k, change)
}

// CheckStreams checks the expressions of a chart, but for those it had.
func (s *Base) CheckStreams(ctx context.Context, org tidemark.OrgID, had []tidemark.ChartStream, c *tidemark.Chart) error {
	if err := c.Validate(); err != nil {
		return err
	}
	checked := make(map[string]bool)
	for i := range had {
		checked[had[i].Composite] = true
	}
	for i := range c.Streams {
		text := c.Streams[i].Composite
		if text == "" || checked[text] {
			continue
		}
		checked[text] = true
		if err := s.CheckExpression(ctx, org, "streams.composite", "", text); err != nil {
			return err
		}
	}
	return nil
}
