package alerts

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// picture answers GET /ui/api/pictures/:name, to anyone who has the link.
func (s *API) picture(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if s.Alerting.Picture == nil {
		return rest.Reply{}, rest.ErrNotFound
	}
	png, err := s.Alerting.Picture(r.Context(), r.PathValue("key"))
	if err != nil {
		return rest.Reply{}, err
	}
	return shared.PNG(png), nil
}
