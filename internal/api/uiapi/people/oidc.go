package people

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// oidcCookie binds a sign-in to the browser that began it: somebody else's
// link must not sign a person in as somebody else.
const oidcCookie = "tidemark_oidc"

func (s *API) oidcRedirect(r *http.Request) string { return s.BaseURL(r) + "/ui/api/oidc/callback" }

func (s *API) withOIDCCookie(r *http.Request, rep rest.Reply, value string) rest.Reply {
	c := http.Cookie{
		Name: oidcCookie, Value: value, Path: s.Prefix() + "/ui/api/oidc", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.OverTLS(r), MaxAge: 600,
	}
	rep.Header = map[string]string{"Set-Cookie": c.String()}
	return rep
}

// startOIDC answers GET /ui/api/oidc/start: off to the issuer.
func (s *API) startOIDC(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if s.OIDC == nil {
		return rest.Reply{}, rest.ErrNotFound
	}
	to, state, err := s.Auth.StartOIDC(r.Context(), s.OIDC, s.oidcRedirect(r), ownPath(r.URL.Query().Get("next")), s.Browser(r))
	if err != nil {
		return s.notLetIn(r, "", err), nil
	}
	return s.withOIDCCookie(r, rest.Reply{Status: http.StatusFound, Location: to}, state.Hash()), nil
}

// ownPath is path if it is one of our own pages, else "": addresses may have
// been put together by somebody else. Browsers take two slashes or more for
// the beginning of a host.
func ownPath(path string) string {
	if u, err := url.Parse(path); err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") || len(path) > 2000 {
		return ""
	}
	return path
}

// finishOIDC answers GET /ui/api/oidc/callback: back from the issuer. What
// goes wrong is said on the page for signing in: a person waits for a page.
func (s *API) finishOIDC(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if s.OIDC == nil {
		return rest.Reply{}, rest.ErrNotFound
	}
	state := tidemark.Secret(r.URL.Query().Get("state"))
	c, err := r.Cookie(oidcCookie)
	if err != nil || c.Value != state.Hash() {
		return s.notLetIn(r, "", rest.ErrUnauthenticated), nil
	}
	secret, session, next, err := s.Auth.FinishOIDC(r.Context(), s.OIDC, s.oidcRedirect(r), state, r.URL.Query().Get("code"), s.Browser(r))
	if step, ok := errors.AsType[*auth.SecondStep](err); ok {
		to := "/signin/second"
		if next != "" {
			to += "?" + url.Values{"next": {next}}.Encode()
		}
		rep := rest.Reply{Status: http.StatusFound, Location: to, Header: map[string]string{"Set-Cookie": s.stepCookie(r, step.Key)}}
		return rep, nil
	}
	if err != nil {
		return s.notLetIn(r, next, err), nil
	}
	if next == "" {
		next = "/"
	}
	return s.withSignIn(r, rest.Reply{Status: http.StatusFound, Location: next}, secret, session), nil
}

// notLetIn sends a person back to where they sign in, with a word for why not.
func (s *API) notLetIn(r *http.Request, next string, err error) rest.Reply {
	s.Logger.LogAttrs(r.Context(), slog.LevelInfo, "single sign-on failed", slog.Any("err", err))
	q := url.Values{"error": {whyNot(err)}}
	if next != "" {
		q.Set("next", next)
	}
	return rest.Reply{Status: http.StatusFound, Location: "/signin?" + q.Encode()}
}

func whyNot(err error) string {
	switch {
	case errors.Is(err, auth.ErrNoEmail):
		return "email"
	case errors.Is(err, auth.ErrNotAllowed):
		return "account"
	case errors.Is(err, auth.ErrNoGroup):
		return "group"
	case errors.Is(err, auth.ErrNotVouched):
		return "refused"
	case tidemark.KindOf(err) == tidemark.Unauthenticated:
		return "again" // came too late, twice, or with another browser
	case tidemark.KindOf(err) == tidemark.TooMany:
		return "wait"
	}
	return "away"
}
