package alerts

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

const (
	defaultSigningOverlap = 24 * 3600
	maxSigningOverlap     = 30 * 24 * 3600
)

// serviceTypeList is the kinds of service there are.
type serviceTypeList struct {
	Types []tidemark.ServiceType `json:"types"`
}

// signing is what requests to a service are signed with.
type signing struct {
	Secret string `json:"secret"`
	Since  int64  `json:"since"`
	// OldUntil is until when the secret before this one signs as well, or 0.
	OldUntil int64 `json:"old_until"`
}

// rotateBody asks for a fresh signing secret.
type rotateBody struct {
	// Overlap is for how many seconds the secret before it signs as well.
	Overlap tidemark.Seconds `json:"overlap"`
}

// revealedService answers GET /ui/api/services/:id: a service with its secrets.
func (s *API) revealedService(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.Service(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	v.Reveal()
	return rest.OK(v), nil
}

// signing answers GET /ui/api/services/:id/signing.
func (s *API) signing(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.Service(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.viewSigning(v)
}

// rotateSigning answers POST /ui/api/services/:id/signing: a fresh secret,
// while the one before goes on signing for overlap seconds.
func (s *API) rotateSigning(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	body := rotateBody{Overlap: defaultSigningOverlap}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if body.Overlap < 0 || body.Overlap > maxSigningOverlap {
		return rest.Reply{}, tidemark.InvalidField("overlap", "must be 0 to %d seconds", maxSigningOverlap)
	}
	v, err := s.Store.RotateSigning(r.Context(), who.Org, who.Actor(), id, s.Now().Unix()+int64(body.Overlap))
	if err != nil {
		return rest.Reply{}, err
	}
	return s.viewSigning(v)
}

func (s *API) viewSigning(v *tidemark.Service) (rest.Reply, error) {
	switch {
	case v.Unreadable != "":
		return rest.Reply{}, tidemark.Errorf(tidemark.Unavailable, "%s", v.Unreadable)
	case v.Signing == nil:
		return rest.Reply{}, tidemark.Errorf(tidemark.NotFound, "requests to this service are not signed")
	}
	view := signing{Secret: v.Signing.Secret, Since: v.Signing.Since}
	if v.Signing.OldAt(s.Now().Unix()) {
		view.OldUntil = v.Signing.OldUntil
	}
	return rest.OK(view), nil
}

// serviceTypes answers GET /ui/api/service_types.
func (s *API) serviceTypes(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.OK(serviceTypeList{Types: tidemark.ServiceTypes()}), nil
}
