package shared

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

var ErrNoAlerting = tidemark.Errorf(tidemark.Unavailable, "alerts are not judged here")

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

func NewService() *tidemark.Service { return &tidemark.Service{Settings: map[string]string{}} }

func (s *Base) CheckService(ctx context.Context, v *tidemark.Service) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return notify.Check(ctx, v, s.Guard)
}
