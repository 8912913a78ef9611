package dashboards

import (
	"context"
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// maxCharts is how many charts a search of spaces finds.
const maxCharts = 50

// searchCharts answers GET /ui/api/charts: charts by what they show.
func (s *API) searchCharts(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.findCharts(r.Context(), who.Org, r.URL.Query().Get("q"), maxCharts)
	return rest.OK(chartList{Charts: found}), err
}

func (s *API) findCharts(ctx context.Context, org tidemark.OrgID, q string, n int) ([]foundChart, error) {
	charts, err := s.Store.SearchCharts(ctx, org, q, n)
	list := []foundChart{}
	for _, c := range charts {
		list = append(list, foundChart{ID: c.ID, Name: c.Name, Space: c.Space, SpaceName: c.SpaceName, Metrics: metricsOf(&c.Chart)})
	}
	return list, err
}

// metricsOf are the metrics that a chart names, each once.
func metricsOf(c *tidemark.Chart) []string {
	names := []string{}
	for i := range c.Streams {
		if name := c.Streams[i].Metric; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
