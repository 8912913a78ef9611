package uiapi

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// limitList is the answer to GET /ui/api/limits.
type limitList struct {
	Limits []tidemark.LimitUse `json:"limits"`
}

// limits answers GET /ui/api/limits: what the organization uses beside what
// it may.
func (s *API) limits(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	list, err := s.LimitsOf(r.Context(), who.Org)
	return rest.OK(limitList{list}), err
}
