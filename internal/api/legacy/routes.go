// Package legacy answers the API of the time before tags: a stream had a metric
// and a source, and nothing else. A source is the tag source here; what has
// none is unassigned.
package legacy

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// API answers what /v1 has from before tags.
type API struct{ *shared.Base }

// New returns an API.
func New(b *shared.Base) *API { return &API{Base: b} }

// Routes is the old part of /v1.
func (s *API) Routes() []rest.Route {
	const Edit, Record, ViewMetrics = tidemark.Edit, tidemark.Record, tidemark.ViewMetrics
	return []rest.Route{
		rest.On("GET    /v1/metrics", ViewMetrics, s.metrics).ReadsMetrics(),
		rest.On("POST   /v1/metrics", Record, s.recordLegacy).Measures(),
		rest.On("GET    /v1/metrics/{name}", ViewMetrics, s.metric).ReadsMetrics(),
		rest.On("GET    /v1/sources", ViewMetrics, s.sources),
		rest.On("GET    /v1/sources/{name}", ViewMetrics, rest.Get(bySourceName, s.source)),
		rest.On("PUT    /v1/sources/{name}", Edit, s.putSource),
		rest.On("DELETE /v1/sources/{name}", Edit, rest.Remove(bySourceName, s.deleteSource)),
	}
}
