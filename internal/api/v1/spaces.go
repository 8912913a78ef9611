package v1

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// space answers GET /v1/spaces/:id: the space with the ids of its charts, and
// nothing but ids, since a typed client can read no more.
func (s *API) space(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	sp, err := s.Store.Space(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	charts := make([]map[string]int64, len(sp.Charts))
	for i, id := range sp.Charts {
		charts[i] = map[string]int64{"id": id}
	}
	return rest.OK(map[string]any{"id": sp.ID, "name": sp.Name, "charts": charts}), nil
}

// charts finds all charts of a space, for an answer that is a bare array.
func (s *API) charts(ctx context.Context, org tidemark.OrgID, space int64) (*[]*tidemark.Chart, error) {
	found, err := s.Store.Charts(ctx, org, space)
	return &found, err
}
