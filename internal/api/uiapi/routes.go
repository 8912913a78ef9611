// Package uiapi answers /ui/api: what the web interface needs beyond /v1. It
// puts the tables of its rooms together.
package uiapi

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/alerts"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/dashboards"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/objectives"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/org"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/people"
)

// API answers /ui/api.
type API struct {
	Org        *org.API
	Alerts     *alerts.API
	people     *people.API
	objectives *objectives.API
	dashboards *dashboards.API
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{people: people.New(b), Org: org.New(b), Alerts: alerts.New(b), objectives: objectives.New(b), dashboards: dashboards.New(b)}
}

// Routes is what the web interface needs beyond /v1. It takes sessions only.
func (s *API) Routes() []rest.Route {
	return slices.Concat(s.people.Routes(), s.Org.Routes(), s.Alerts.Routes(), s.objectives.Routes(), s.dashboards.Routes())
}
