package store

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Use is something that uses a metric.
type Use struct {
	ID   int64   `json:"id"`
	Name *string `json:"name"`
}

// MetricUses returns the spaces and alerts of org that use a metric, directly
// or in the text of a composite.
func (s *Store) MetricUses(ctx context.Context, org tidemark.OrgID, metric string) (spaces, alerts []*Use, err error) {
	spaces, alerts = []*Use{}, []*Use{}
	list, err := many(ctx, s, s.db, spaceColumns, `FROM spaces WHERE org_id = ? ORDER BY name_key, id`, org)
	if err != nil {
		return nil, nil, err
	}
	for _, sp := range list {
		charts, err := s.Charts(ctx, org, sp.ID)
		if err != nil {
			return nil, nil, err
		}
		if chartsUse(charts, metric) {
			spaces = append(spaces, &Use{sp.ID, sp.Name})
		}
	}
	for offset := 0; ; offset += tidemark.MaxPageLength {
		page, n, err := s.Alerts(ctx, org, tidemark.Page{Offset: offset, Length: tidemark.MaxPageLength, OrderBy: "name"})
		if err != nil {
			return nil, nil, err
		}
		for _, a := range page {
			if slices.ContainsFunc(a.Conditions, func(c tidemark.Condition) bool { return conditionUses(&c, metric) }) {
				alerts = append(alerts, &Use{a.ID, &a.Name})
			}
		}
		if offset+len(page) >= n.Found || len(page) == 0 {
			return spaces, alerts, nil
		}
	}
}

// conditionUses reports whether c looks at a metric, or counts it as good.
func conditionUses(c *tidemark.Condition, metric string) bool {
	return strings.EqualFold(c.MetricName, metric) || c.Against != nil && strings.EqualFold(c.Against.Good, metric)
}

func chartsUse(charts []*tidemark.Chart, metric string) bool {
	key := tidemark.MetricKey(metric)
	for _, c := range charts {
		for i := range c.Streams {
			st := &c.Streams[i]
			text := strings.ToLower(st.Composite)
			if strings.EqualFold(st.Metric, metric) || strings.Contains(text, `"`+key+`"`) || strings.Contains(text, `'`+key+`'`) {
				return true
			}
		}
	}
	return false
}
