package query

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// CheckScope refuses a metric that the scope of ctx does not hold: by its name,
// and a composite also by what its expression reads, of which the refusal says
// nothing. What & in it stands for is not known here, so that it counts as *.
func CheckScope(ctx context.Context, m *tidemark.Metric) error {
	scope := tsdb.ScopeOf(ctx)
	if err := scope.Check(tidemark.MetricKey(m.Name)); err != nil || scope == nil || m.Type != tidemark.Composite {
		return err
	}
	e, err := Parse(m.Composite)
	if err != nil || slices.ContainsFunc(e.metrics, func(name string) bool { return !scope.AllowsMetric(name) }) {
		return scope.Outside("some of what the composite " + m.Name + " reads")
	}
	return nil
}
