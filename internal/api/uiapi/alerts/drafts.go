package alerts

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// testDraft answers POST /ui/api/alerts/test: testAlert for an alert that was
// not saved.
func (s *API) testDraft(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	a, err := shared.ReadDraft(r)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, id := range a.ServiceIDs {
		service, err := s.Store.Service(r.Context(), who.Org, id)
		if err != nil {
			return rest.Reply{}, tidemark.InvalidField("services", "%d does not exist", id)
		}
		a.Services = append(a.Services, service)
	}
	if s.Alerting.Test == nil {
		return rest.Reply{}, shared.ErrNoAlerting
	}
	rest.Idle(r)
	_, results, err := s.Alerting.Test(r.Context(), who, a)
	return rest.OK(testResultList{Results: results}), err
}

// testServiceDraft answers POST /ui/api/services/test, and with an id POST
// /ui/api/services/:id/test: it sends one service a test notification.
func (s *API) testServiceDraft(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, err := s.ServiceOrNew(r, who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	if v.ID == 0 {
		var u tidemark.ServiceUpdate
		if err := rest.ReadInto(r, &u); err != nil {
			return rest.Reply{}, err
		}
		u.Apply(v)
	}
	if err := s.CheckService(r.Context(), v); err != nil {
		return rest.Reply{}, err
	}
	return s.TryService(r, who, v)
}
