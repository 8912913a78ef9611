package people

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

func challenge(c *auth.Challenge, err error) (rest.Reply, error) {
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(passkeyChallenge{Key: c.Key.Reveal(), Options: c.Options}), nil
}

func (b passkeyBody) answer() auth.PasskeyAnswer {
	return auth.PasskeyAnswer{Key: tidemark.Secret(b.Key), Credential: b.Credential}
}

// askPasskey answers POST /ui/api/session/passkey: a challenge for a user who has
// a passkey.
func (s *API) askPasskey(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if _, err := rest.ReadBody(r, rest.MaxShortBody); err != nil {
		return rest.Reply{}, err
	}
	return challenge(s.Auth.BeginPasskeySignIn(r.Context(), s.BaseURL(r), s.Browser(r)))
}

// signInWithPasskey answers PUT /ui/api/session/passkey.
func (s *API) signInWithPasskey(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	return s.enterWithPasskey(r, func(answer auth.PasskeyAnswer) (tidemark.Secret, *tidemark.Session, error) {
		return s.Auth.SignInWithPasskey(r.Context(), s.BaseURL(r), answer, s.Browser(r))
	})
}

// askStepPasskey answers POST /ui/api/session/second/passkey.
func (s *API) askStepPasskey(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if _, err := rest.ReadBody(r, rest.MaxShortBody); err != nil {
		return rest.Reply{}, err
	}
	return challenge(s.Auth.BeginStepPasskey(r.Context(), stepKey(r), s.BaseURL(r), s.Browser(r)))
}

// stepWithPasskey answers PUT /ui/api/session/second/passkey.
func (s *API) stepWithPasskey(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	return s.enterWithPasskey(r, func(answer auth.PasskeyAnswer) (tidemark.Secret, *tidemark.Session, error) {
		return s.Auth.StepWithPasskey(r.Context(), stepKey(r), s.BaseURL(r), answer, s.Browser(r))
	})
}

func (s *API) enterWithPasskey(r *http.Request, enter func(auth.PasskeyAnswer) (tidemark.Secret, *tidemark.Session, error)) (rest.Reply, error) {
	var body passkeyBody
	if err := s.Auth.MayTry(s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	secret, v, err := enter(body.answer())
	if err != nil {
		return rest.Reply{}, err
	}
	return s.signedIn(r, secret, v)
}

// beginPasskey answers POST /ui/api/second_factor/passkeys/challenge.
func (s *API) beginPasskey(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return challenge(s.Auth.BeginPasskey(r.Context(), who, s.BaseURL(r)))
}

// addPasskey answers POST /ui/api/second_factor/passkeys.
func (s *API) addPasskey(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body newPasskeyBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	answer := passkeyBody{body.Key, body.Credential}.answer()
	v, codes, err := s.Auth.FinishPasskey(r.Context(), who, s.BaseURL(r), body.Name, answer)
	return rest.Reply{Status: http.StatusCreated, Body: newPasskey{Codes: codes, Passkey: v}}, err
}

// renamePasskey answers PUT /ui/api/second_factor/passkeys/:id.
func (s *API) renamePasskey(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body shared.NameBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.RenamePasskey(r.Context(), who.Actor(), who.User, id, body.Name)
}

// removePasskey answers DELETE /ui/api/second_factor/passkeys/:id.
func (s *API) removePasskey(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeletePasskey(r.Context(), who.Actor(), who.User, id)
}
