package dashboards

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// savedQueryBody is a page of Explore that is to be kept.
type savedQueryBody struct {
	Name   string `json:"name"`
	Search string `json:"search"` // of its address
}

// savedQueryList is the pages of Explore that an organization keeps.
type savedQueryList struct {
	Queries []*tidemark.SavedQuery `json:"queries"`
}

// savedQueries answers GET /ui/api/queries.
func (s *API) savedQueries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	queries, err := s.Store.SavedQueries(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(savedQueryList{queries}), nil
}

// saveQuery answers POST /ui/api/queries.
func (s *API) saveQuery(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body savedQueryBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v := &tidemark.SavedQuery{Name: body.Name, Search: body.Search}
	if err := s.Store.CreateSavedQuery(r.Context(), who.Org, who.Actor(), v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/ui/api/queries"), nil
}

// deleteQuery answers DELETE /ui/api/queries/:id.
func (s *API) deleteQuery(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteSavedQuery(r.Context(), who.Org, who.Actor(), id)
}
