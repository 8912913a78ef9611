// Package objectives answers what /ui/api has about objectives: what is left of
// their error budgets, and what spent it.
package objectives

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// API answers these routes.
type API struct {
	*shared.Base
	counts countCache
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{Base: b}
}

// Routes is the table. Every row says what it reads and answers:
// docs/interface.md and the interface's types are made of that.
func (s *API) Routes() []rest.Route {
	const Edit, View = tidemark.Edit, tidemark.View
	return rest.ForPeople([]rest.Route{
		rest.On("GET    /ui/api/objectives", View, s.objectives).Answers(objectiveList{}),
		rest.On("GET    /ui/api/objectives/{id}", View, s.objective).Answers(objectiveDetail{}),
		rest.On("GET    /ui/api/objectives/{id}/spent", View, s.objectiveSpent).Answers(budgetSpent{}),
		rest.On("POST   /ui/api/objectives/preview", Edit, s.previewObjective).Takes(tidemark.ObjectiveUpdate{}).Answers(objectivePreview{}),
	})
}
