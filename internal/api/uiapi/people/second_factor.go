package people

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// secondFactors answers GET /ui/api/second_factor: what the person has to prove
// a second time who they are.
func (s *API) secondFactors(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	f, err := s.Store.SecondFactors(r.Context(), who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(secondFactors{
		CodesLeft: f.Codes, DemandedBy: f.DemandedBy, Passkeys: f.Passkeys, TOTP: f.TOTP, TOTPAt: f.TOTPAt,
	}), nil
}

// beginTOTP answers POST /ui/api/second_factor/totp: the seed for an app.
func (s *API) beginTOTP(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	seed, uri, err := s.Auth.BeginTOTP(r.Context(), who)
	return rest.OK(newTOTP{Secret: seed.Reveal(), URI: uri}), err
}

// confirmTOTP answers PUT /ui/api/second_factor/totp: the app has the seed.
func (s *API) confirmTOTP(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body codeBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	codes, err := s.Auth.ConfirmTOTP(r.Context(), who, body.Code)
	return rest.OK(recoveryCodes{Codes: codes}), err
}

// removeTOTP answers DELETE /ui/api/second_factor/totp.
func (s *API) removeTOTP(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return rest.NoContent, s.Store.DeleteTOTP(r.Context(), who.Actor(), who.User)
}

// newRecoveryCodes answers POST /ui/api/second_factor/codes.
func (s *API) newRecoveryCodes(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	codes, err := s.Auth.NewCodes(r.Context(), who)
	return rest.OK(recoveryCodes{Codes: codes}), err
}
