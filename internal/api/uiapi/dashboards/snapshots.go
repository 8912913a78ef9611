package dashboards

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// openSnapshot answers GET /ui/api/snapshots/:key, to anyone who has the link.
func (s *API) openSnapshot(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	key, isPNG := strings.CutSuffix(r.PathValue("key"), ".png")
	if !isPNG || key == "" {
		return rest.Reply{}, rest.ErrNotFound
	}
	v, err := s.Store.SnapshotByKey(r.Context(), key, s.OpenSince())
	if err != nil {
		return rest.Reply{}, err
	}
	return shared.ImageOf(v)
}
