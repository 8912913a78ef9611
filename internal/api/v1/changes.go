package v1

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	// maxChanges and maxSaves are how many streams, and saves, one answer has.
	maxChanges, maxSaves = 30, 50
	// savedBefore is how many seconds before a range a save is still told.
	savedBefore = 3600
)

// changes answers GET /v1/changes: the streams that were least like themselves
// in a range of time, and what people saved about then.
func (s *API) changes(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	q := r.URL.Query()
	now := s.Now().Unix()
	end := min(rest.IntOf(&p, q, "end_time", now), now) // nothing was measured later
	start := rest.IntOf(&p, q, "start_time", 0)
	resolution := rest.IntOf(&p, q, "resolution", 60)
	p.Check(q.Get("start_time") != "", "start_time", "is not present")
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Querier.Changes(r.Context(), who.Org, query.ChangeRequest{
		Start: start, End: end, Against: query.AgainstBefore, Resolution: resolution,
		Now: now, Most: maxChanges, Time: shared.ChangesTime,
	})
	if err != nil {
		return rest.Reply{}, err
	}
	streams, err := s.ChangedStreams(r.Context(), who.Org, found.Changes)
	if err != nil {
		return rest.Reply{}, err
	}
	saves, err := s.Store.SavesBetween(r.Context(), who.Org, start-savedBefore, end, maxSaves)
	return rest.OK(map[string]any{
		"changes": streams, "found": found.Found, "streams": found.Streams, "sparse": found.Sparse, "cut": found.Cut,
		"resolution": found.Step, "saves": saves,
	}), err
}
