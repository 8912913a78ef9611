package api

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// cookieName is what a session's secret is called in the browser.
const cookieName = "tidemark_session"

// caller is who sent a request. Fresh is a session's new secret, where it was
// due to be replaced: it has to go back with the answer.
// Ends is the end of a token that nobody has, by which people find it.
type caller struct {
	tidemark.Identity
	fresh tidemark.Secret
	ends  string
}

// bySession finds out who sent r by the browser's session. Requests that
// another site's page makes the browser send are refused, whatever cookie
// comes along.
func (s *Server) bySession(r *http.Request) (c caller, err error) {
	cookie, err := r.Cookie(cookieName)
	if err != nil || cookie.Value == "" {
		return c, errUnauthenticated
	}
	if err := s.sameSite(r); err != nil {
		return c, err
	}
	c.Identity, c.fresh, err = s.Auth.IdentifySession(r.Context(), tidemark.Secret(cookie.Value))
	return c, err
}

func (s *Server) sameSite(r *http.Request) error {
	if err := s.firewall.Check(r); err != nil {
		return &tidemark.Error{Kind: tidemark.Forbidden, Msg: "This request comes from another site.", Err: err}
	}
	return nil
}

// sessionCookie is the cookie with a session's secret; "" ends the session.
func (s *Server) sessionCookie(r *http.Request, secret tidemark.Secret) string {
	c := http.Cookie{
		Name: cookieName, Value: secret.Reveal(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.overTLS(r), MaxAge: 30 * 24 * 3600,
	}
	if secret == "" {
		c.MaxAge = -1
	}
	return c.String()
}

// withCookie returns rep with a session's cookie.
func (s *Server) withCookie(r *http.Request, rep reply, secret tidemark.Secret) reply {
	if rep.header == nil {
		rep.header = make(map[string]string)
	}
	rep.header["Set-Cookie"] = s.sessionCookie(r, secret)
	return rep
}

// sendsMail reports whether the server sends mail to people. Links in it begin
// with the public URL and nothing else: what the request says is the choice of
// whoever sent it, who need not be the one who gets the mail.
func (s *Server) sendsMail() bool { return s.SendMail != nil && s.PublicURL != "" }

func (s *Server) mailURL() string { return strings.TrimSuffix(s.PublicURL, "/") }

// overTLS reports whether cookies must go over TLS only: browsers reach the
// server that way.
func (s *Server) overTLS(r *http.Request) bool { return strings.HasPrefix(s.baseURL(r), "https://") }

func (s *Server) browser(r *http.Request) auth.Browser {
	return auth.Browser{UserAgent: r.UserAgent(), Address: s.address(r)}
}

// signInOptions answers GET /ui/api/signin.
func (s *Server) signInOptions(r *http.Request, _ tidemark.Identity) (reply, error) {
	has, err := s.Store.HasUsers(r.Context())
	if err != nil {
		return reply{}, err
	}
	var oidc any
	if s.OIDC != nil {
		oidc = map[string]string{"title": s.OIDC.Title}
	}
	return ok(map[string]any{"needs_setup": !has, "oidc": oidc, "mail_reset": s.sendsMail()}), nil
}

// signIn answers POST /ui/api/session.
func (s *Server) signIn(r *http.Request, _ tidemark.Identity) (reply, error) {
	var body struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	if err := s.Auth.MayTry(s.browser(r)); err != nil {
		return reply{}, err
	}
	if err := readShort(r, &body); err != nil {
		return reply{}, err
	}
	secret, session, err := s.Auth.SignIn(r.Context(), body.Email, body.Password, s.browser(r))
	if err != nil {
		return reply{}, err
	}
	return s.signedIn(r, secret, session)
}

// signedIn is the answer to whoever just signed in.
func (s *Server) signedIn(r *http.Request, secret tidemark.Secret, session *tidemark.Session) (reply, error) {
	m, err := s.Store.Membership(r.Context(), session.Org, session.User)
	if err != nil {
		return reply{}, err
	}
	who := tidemark.Identity{Org: session.Org, Role: m.Role, User: session.User, Session: session.ID, Name: m.Email}
	rep, err := s.session(r, who)
	return s.withCookie(r, rep, secret), err
}

// session answers GET /ui/api/session: who is signed in, and where.
func (s *Server) session(r *http.Request, who tidemark.Identity) (reply, error) {
	u, err := s.Store.User(r.Context(), who.User)
	if err != nil {
		return reply{}, err
	}
	places, err := s.Store.MembershipsOf(r.Context(), who.User)
	if err != nil {
		return reply{}, err
	}
	orgs, current := []map[string]any{}, map[string]any{}
	for _, m := range places {
		orgs = append(orgs, map[string]any{"id": m.Org, "name": m.OrgName, "role": m.Role})
		if m.Org == who.Org {
			current = map[string]any{"id": m.Org, "name": m.OrgName}
			if s.Demo != nil && s.Demo.State().Org == m.Org {
				current["demo"] = true
			}
		}
	}
	_, n, err := s.Store.Metrics(r.Context(), who.Org, tidemark.Page{Length: 1})
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{
		"user": map[string]any{"id": u.ID, "email": u.Email, "name": u.Name}, "org": current, "role": who.Role, "orgs": orgs,
		"server": s.baseURL(r), "version": s.Version, "has_data": n.Total > 0,
	}), nil
}

// switchOrg answers PUT /ui/api/session.
func (s *Server) switchOrg(r *http.Request, who tidemark.Identity) (reply, error) {
	var body struct {
		Org int64 `json:"org_id"`
	}
	if err := readInto(r, &body); err != nil {
		return reply{}, err
	}
	org := tidemark.OrgID(body.Org)
	m, err := s.Store.Membership(r.Context(), org, who.User)
	if err != nil {
		return reply{}, err
	}
	if err := s.Store.SetSessionOrg(r.Context(), who.Session, org); err != nil {
		return reply{}, err
	}
	who.Org, who.Role = org, m.Role
	return s.session(r, who)
}

// signOut answers DELETE /ui/api/session.
func (s *Server) signOut(r *http.Request, who tidemark.Identity) (reply, error) {
	if err := s.Store.DeleteSession(r.Context(), who.User, who.Session); err != nil {
		return reply{}, err
	}
	return s.withCookie(r, noContent, ""), nil
}

// sessions answers GET /ui/api/sessions: where the person is signed in.
func (s *Server) sessions(r *http.Request, who tidemark.Identity) (reply, error) {
	found, err := s.Store.SessionsOf(r.Context(), who.User, s.Now().Unix())
	if err != nil {
		return reply{}, err
	}
	list := make([]map[string]any, len(found))
	for i, v := range found {
		list[i] = map[string]any{
			"id": v.ID, "current": v.ID == who.Session, "created_at": v.CreatedAt, "last_seen_at": v.LastSeenAt,
			"user_agent": v.UserAgent, "address": v.Address,
		}
	}
	return ok(map[string]any{"sessions": list}), nil
}

// endSession answers DELETE /ui/api/sessions/:id.
func (s *Server) endSession(r *http.Request, who tidemark.Identity) (reply, error) {
	id, err := byID(r)
	if err != nil {
		return reply{}, err
	}
	return noContent, s.Store.DeleteSession(r.Context(), who.User, id)
}

// checkSetup answers GET /ui/api/setup/:key.
func (s *Server) checkSetup(r *http.Request, _ tidemark.Identity) (reply, error) {
	return ok(map[string]any{"email_hint": ""}), s.Auth.CheckSetupKey(r.Context(), tidemark.Secret(r.PathValue("key")))
}

// setUp answers POST /ui/api/setup/:key: the owner of a new server.
func (s *Server) setUp(r *http.Request, _ tidemark.Identity) (reply, error) {
	var body struct {
		OrgName  string `json:"org_name"`
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	if err := readShort(r, &body); err != nil {
		return reply{}, err
	}
	key := tidemark.Secret(r.PathValue("key"))
	secret, session, err := s.Auth.Setup(r.Context(), key, body.OrgName, body.Email, body.Password, s.browser(r))
	if err != nil {
		return reply{}, err
	}
	if s.Welcome != nil {
		s.Welcome(r.Context(), session)
	}
	return s.signedIn(r, secret, session)
}

// askReset answers POST /ui/api/reset, always alike: whoever asks learns
// nothing about who exists.
func (s *Server) askReset(r *http.Request, _ tidemark.Identity) (reply, error) {
	var body struct {
		Email string `json:"email"`
	}
	if err := readShort(r, &body); err != nil {
		return reply{}, err
	}
	accepted := reply{status: http.StatusAccepted, body: map[string]any{}}
	if !s.sendsMail() {
		return accepted, nil
	}
	u, key, err := s.Auth.AskReset(r.Context(), body.Email, s.browser(r))
	if err != nil || u == nil {
		return accepted, err
	}
	s.SendMail(u.Email, "Choose a new password", "Somebody, probably you, asked for a new password for Tidemark.\n\n"+
		"Choose one here within a day: "+s.mailURL()+"/reset/"+key.Reveal()+"\n\nIf it was not you, do nothing.\n")
	return accepted, nil
}

// resetPassword answers POST /ui/api/reset/:key.
func (s *Server) resetPassword(r *http.Request, _ tidemark.Identity) (reply, error) {
	var body struct {
		Password string `json:"password"`
	}
	if err := readShort(r, &body); err != nil {
		return reply{}, err
	}
	return noContent, s.Auth.ResetPassword(r.Context(), tidemark.Secret(r.PathValue("key")), body.Password)
}

// changeProfile answers PUT /ui/api/profile.
func (s *Server) changeProfile(r *http.Request, who tidemark.Identity) (reply, error) {
	var body struct {
		Name     tidemark.Opt[string] `json:"name"`
		Password string               `json:"password"`
		Current  string               `json:"current_password"`
	}
	if err := readInto(r, &body); err != nil {
		return reply{}, err
	}
	if body.Name.Set { // checked before anything is changed
		if err := (&tidemark.User{Email: who.Name, Name: body.Name.V}).Validate(); err != nil {
			return reply{}, err
		}
	}
	if body.Password != "" {
		if err := s.Auth.ChangePassword(r.Context(), who, body.Current, body.Password); err != nil {
			return reply{}, err
		}
	}
	if body.Name.Set {
		if err := s.Store.SetUserName(r.Context(), who.User, body.Name.V); err != nil {
			return reply{}, err
		}
	}
	return noContent, nil
}
