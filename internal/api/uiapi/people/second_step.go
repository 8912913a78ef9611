package people

import (
	"errors"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// stepCookieName is what carries a sign-in to its second step: only the browser
// that took the first one takes it.
const stepCookieName = "tidemark_step"

func (s *API) stepCookie(r *http.Request, key tidemark.Secret) string {
	c := http.Cookie{
		Name: stepCookieName, Value: key.Reveal(), Path: s.Prefix() + "/ui/api/session", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.OverTLS(r), MaxAge: 600,
	}
	return c.String()
}

// halfway answers a user who has to take a second step, with the cookie for it;
// other errors stay what they are.
func (s *API) halfway(r *http.Request, err error) (rest.Reply, error) {
	step, ok := errors.AsType[*auth.SecondStep](err)
	if !ok {
		return rest.Reply{}, err
	}
	refusal, _ := errors.AsType[*tidemark.Error](err)
	header := rest.ErrorHeader(r, refusal.Kind)
	header["Set-Cookie"] = s.stepCookie(r, step.Key)
	return rest.Reply{}, &rest.WireError{Status: http.StatusUnauthorized, Body: rest.ErrorBody(refusal), Header: header, Says: refusal.Msg}
}

func stepKey(r *http.Request) tidemark.Secret {
	c, err := r.Cookie(stepCookieName)
	if err != nil {
		return ""
	}
	return tidemark.Secret(c.Value)
}

// secondStep answers GET /ui/api/session/second: who is signing in, and what
// they may go on with.
func (s *API) secondStep(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	u, f, err := s.Auth.Stepping(r.Context(), stepKey(r))
	if err != nil {
		return rest.Reply{}, err
	}
	answer := secondStep{Codes: f.Codes > 0, Email: u.Email, Passkeys: []string{}, TOTP: f.TOTP}
	for _, p := range f.Passkeys {
		answer.Passkeys = append(answer.Passkeys, p.Name)
	}
	return rest.OK(answer), nil
}

// takeSecondStep answers POST /ui/api/session/second.
func (s *API) takeSecondStep(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body codeBody
	if err := s.Auth.MayTry(s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	secret, v, left, err := s.Auth.StepWithCode(r.Context(), stepKey(r), body.Code, s.Browser(r))
	if err != nil {
		return rest.Reply{}, err
	}
	rep, err := s.signedIn(r, secret, v)
	if err != nil {
		return rep, err
	}
	answer := steppedIn{session: rep.Body.(session)}
	if left >= 0 {
		answer.CodesLeft = &left
	}
	rep.Body = answer
	return rep, nil
}
