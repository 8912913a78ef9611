package shared

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

// ErrNoAlerting is said where there is nothing that evaluates alerts.
var ErrNoAlerting = tidemark.Errorf(tidemark.Unavailable, "alerting is disabled on this server")

// ReadDraft reads an alert that is not saved.
func ReadDraft(r *http.Request) (*tidemark.Alert, error) {
	var u tidemark.AlertUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return nil, err
	}
	a := tidemark.NewAlert()
	a.Name = "draft"
	u.Apply(a)
	return a, a.Validate()
}

// NewService returns a service without settings.
func NewService() *tidemark.Service { return &tidemark.Service{Settings: map[string]string{}} }

// CheckService reports what is wrong with a service, its addresses included.
func (s *Base) CheckService(ctx context.Context, v *tidemark.Service) error {
	if err := v.ValidateSecrets(); err != nil {
		return err
	}
	if err := v.Validate(); err != nil {
		return err
	}
	return notify.Check(ctx, v, s.Guard)
}

// ServiceOrNew returns the service that the path of r names, or a new one
// where it names none.
func (s *Base) ServiceOrNew(r *http.Request, org tidemark.OrgID) (*tidemark.Service, error) {
	if r.PathValue("id") == "" {
		return NewService(), nil
	}
	id, err := rest.ByID(r)
	if err != nil {
		return nil, err
	}
	return s.Store.Service(r.Context(), org, id)
}

// ServiceTest is how a service took a test.
type ServiceTest struct {
	Answer   string `json:"answer"` // in the service's words
	Duration int64  `json:"duration_ms"`
	OK       bool   `json:"ok"`
}

// TryService sends v a test notification and answers how that went.
func (s *Base) TryService(r *http.Request, who tidemark.Identity, v *tidemark.Service) (rest.Reply, error) {
	if s.Alerting.Test == nil {
		return rest.Reply{}, ErrNoAlerting
	}
	rest.Idle(r)
	_, results, err := s.Alerting.Test(r.Context(), who, exampleAlert(v))
	if err != nil {
		return rest.Reply{}, err
	}
	one := results[0]
	return rest.OK(ServiceTest{Answer: one.Answer, Duration: one.Duration, OK: one.OK}), nil
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
