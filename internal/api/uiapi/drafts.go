package uiapi

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
	_, results, err := s.Alerting.Test(r.Context(), who.Org, a)
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
	return s.tryService(r, who, v)
}

// tryService sends v a test notification and answers how that went.
func (s *API) tryService(r *http.Request, who tidemark.Identity, v *tidemark.Service) (rest.Reply, error) {
	if s.Alerting.Test == nil {
		return rest.Reply{}, shared.ErrNoAlerting
	}
	rest.Idle(r)
	_, results, err := s.Alerting.Test(r.Context(), who.Org, exampleAlert(v))
	if err != nil {
		return rest.Reply{}, err
	}
	one := results[0]
	return rest.OK(serviceTest{Answer: one.Answer, Duration: one.Duration, OK: one.OK}), nil
}

// exampleAlert is the alert that a service is tried out with.
func exampleAlert(v *tidemark.Service) *tidemark.Alert {
	a := tidemark.NewAlert()
	threshold, function, duration := 250.0, "max", tidemark.Seconds(300)
	text := "An example, to see whether notifications arrive."
	a.Name, a.Description, a.Services = "example.latency.high", &text, []*tidemark.Service{v}
	a.Conditions = []tidemark.Condition{{
		ID: 1, Type: tidemark.Above, MetricName: "example.latency", Threshold: &threshold, SummaryFunction: &function, Duration: &duration,
	}}
	return a
}
