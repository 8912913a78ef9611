package rest

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// cookieName is what a session's secret is called in the browser, where that
// comes without TLS.
const cookieName = "tidemark_session"

const (
	// browserCookieName is what a browser is known by to those who signed in
	// from it, and stays when they sign out.
	browserCookieName = "tidemark_browser"
	// browserLife is how long browsers keep a cookie at most, in seconds.
	browserLife = 400 * 24 * 3600
)

// CookieName is what a session's secret is called in the browser that sent r.
// With the prefix it is set over TLS by this very host only: other hosts of its
// domain cannot put one in its place.
func (s *Site) CookieName(r *http.Request) string { return s.ownName(r, cookieName) }

func (s *Site) ownName(r *http.Request, name string) string {
	if s.OverTLS(r) {
		return "__Host-" + name
	}
	return name
}

// BrowserKey is what the browser that sent r is known by; "" of one that has
// never signed in.
func (s *Site) BrowserKey(r *http.Request) tidemark.Secret {
	c, err := r.Cookie(s.ownName(r, browserCookieName))
	if err != nil {
		return ""
	}
	return tidemark.Secret(c.Value)
}

// BrowserCookie is the cookie with what a browser is known by.
func (s *Site) BrowserCookie(r *http.Request, key tidemark.Secret) string {
	c := http.Cookie{
		Name: s.ownName(r, browserCookieName), Value: key.Reveal(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.OverTLS(r), MaxAge: browserLife,
	}
	return c.String()
}

// SameSite refuses requests that another site's page makes a browser send.
func (s *Site) SameSite(r *http.Request) error {
	if err := s.firewall.Check(r); err != nil {
		return &tidemark.Error{Kind: tidemark.Forbidden, Msg: "This request comes from another site.", Err: err}
	}
	return nil
}

// sessionCookie is the cookie with a session's secret; "" ends the session.
func (s *Site) sessionCookie(r *http.Request, secret tidemark.Secret) string {
	c := http.Cookie{
		Name: s.CookieName(r), Value: secret.Reveal(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.OverTLS(r), MaxAge: 30 * 24 * 3600,
	}
	if secret == "" {
		c.MaxAge = -1
	}
	return c.String()
}

// WithCookie returns rep with a session's cookie.
func (s *Site) WithCookie(r *http.Request, rep Reply, secret tidemark.Secret) Reply {
	if rep.Header == nil {
		rep.Header = make(map[string]string)
	}
	rep.Header["Set-Cookie"] = s.sessionCookie(r, secret)
	return rep
}

// OverTLS reports whether cookies must go over TLS only: browsers reach the
// server that way.
func (s *Site) OverTLS(r *http.Request) bool { return strings.HasPrefix(s.BaseURL(r), "https://") }
