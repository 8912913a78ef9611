package people

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// signInOptions answers GET /ui/api/signin.
func (s *API) signInOptions(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	has, err := s.Store.HasUsers(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	passwords := s.Auth.TakesPasswords()
	answer := signInOptions{MailReset: passwords && s.SendsMail(), NeedsSetup: !has, Passwords: passwords}
	if s.OIDC != nil {
		answer.OIDC = &oidcTitle{Title: s.OIDC.Title}
	}
	return rest.OK(answer), nil
}

// signIn answers POST /ui/api/session.
func (s *API) signIn(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body signInBody
	if err := s.Auth.MayTry(s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	secret, session, err := s.Auth.SignIn(r.Context(), body.Email, body.Password, s.Browser(r))
	if err != nil {
		return s.halfway(r, err)
	}
	return s.signedIn(r, secret, session)
}

// signedIn is the answer to a user who just signed in.
func (s *API) signedIn(r *http.Request, secret tidemark.Secret, session *tidemark.Session) (rest.Reply, error) {
	m, err := s.Store.Membership(r.Context(), session.Org, session.User)
	if err != nil {
		return rest.Reply{}, err
	}
	who := tidemark.Identity{Org: session.Org, Role: m.Role, User: session.User, Session: session.ID, Name: m.Email, Recent: true, MustEnrol: m.MustEnrol(), Operator: m.Operator}
	rep, err := s.session(r, who)
	return s.withSignIn(r, rep, secret, session), err
}

// session answers GET /ui/api/session: who is signed in, and where.
func (s *API) session(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	u, err := s.Store.User(r.Context(), who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	places, err := s.Store.MembershipsOf(r.Context(), who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	last, err := s.lastOrg(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	answer := session{
		MustEnrol: who.MustEnrol, Operator: who.Operator, Orgs: []shared.OrgOfOwn{}, Role: who.Role, Server: s.BaseURL(r), User: sessionOwner{Email: u.Email, ID: u.ID, Name: u.Name}, Version: s.Version,
	}
	for _, m := range places {
		answer.Orgs = append(answer.Orgs, shared.OrgOfOwn{ID: m.Org, Name: m.OrgName, Role: m.Role})
		if m.Org == who.Org {
			answer.Org = sessionOrg{Demo: s.Demo != nil && s.Demo.State().Org == m.Org, ID: m.Org, Last: m.Org == last, Name: m.OrgName}
		}
	}
	o, err := s.Store.Org(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	answer.Org.ShortName = o.ShortName
	_, n, err := s.Store.Metrics(r.Context(), who.Org, tidemark.Page{Length: 1})
	if err != nil {
		return rest.Reply{}, err
	}
	answer.HasData = n.Total > 0
	return rest.OK(answer), nil
}

// lastOrg is where addresses that name no organization lead who.
func (s *API) lastOrg(r *http.Request, who tidemark.Identity) (tidemark.OrgID, error) {
	all, err := s.Store.SessionsOf(r.Context(), who.User, s.Now().Unix())
	for _, v := range all {
		if v.ID == who.Session {
			return v.Org, err
		}
	}
	return 0, err
}

// switchOrg answers PUT /ui/api/session: where addresses that name no
// organization lead from now on.
func (s *API) switchOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body switchBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	org := tidemark.OrgID(body.Org)
	m, err := s.Store.Membership(r.Context(), org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.SetSessionOrg(r.Context(), who.Session, org); err != nil {
		return rest.Reply{}, err
	}
	who.Org, who.Role, who.MustEnrol = org, m.Role, m.MustEnrol()
	return s.session(r, who)
}

// signOut answers DELETE /ui/api/session.
func (s *API) signOut(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if err := s.Store.DeleteSession(r.Context(), who.Actor(), who.User, who.Session); err != nil {
		return rest.Reply{}, err
	}
	return s.WithCookie(r, rest.NoContent, ""), nil
}

// sessions answers GET /ui/api/sessions: where the person is signed in.
func (s *API) sessions(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.SessionsOf(r.Context(), who.User, s.Now().Unix())
	if err != nil {
		return rest.Reply{}, err
	}
	list := make([]openSession, len(found))
	for i, v := range found {
		list[i] = openSession{
			Address: v.Address, CreatedAt: v.CreatedAt, Current: v.ID == who.Session, ID: v.ID, LastSeenAt: v.LastSeenAt, UserAgent: v.UserAgent,
		}
	}
	return rest.OK(sessionList{Sessions: list}), nil
}

// endSession answers DELETE /ui/api/sessions/:id.
func (s *API) endSession(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteSession(r.Context(), who.Actor(), who.User, id)
}

// endSessions answers DELETE /ui/api/sessions: signed out everywhere, here too.
func (s *API) endSessions(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if err := s.Store.EndSessions(r.Context(), who.Actor(), who.User); err != nil {
		return rest.Reply{}, err
	}
	return s.WithCookie(r, rest.NoContent, ""), nil
}

// checkSetup answers GET /ui/api/setup/:key.
func (s *API) checkSetup(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	return rest.OK(setupCheck{}), s.Auth.CheckSetupKey(r.Context(), tidemark.Secret(r.PathValue("key")))
}

// setUp answers POST /ui/api/setup/:key: the owner of a new server.
func (s *API) setUp(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body setupBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	key := tidemark.Secret(r.PathValue("key"))
	secret, session, err := s.Auth.Setup(r.Context(), key, body.OrgName, body.Email, body.Password, s.Browser(r))
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Welcome != nil {
		s.Welcome(r.Context(), session)
	}
	return s.signedIn(r, secret, session)
}

// askReset answers POST /ui/api/reset, always alike: the client learns
// nothing about who exists, also not by how long it takes. What is to be done
// is done after the answer.
func (s *API) askReset(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body askResetBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if s.SendsMail() {
		browser, base := s.Browser(r), s.MailURL()
		s.After(r.Context(), "mail a link for a new password", func(ctx context.Context) error {
			return s.mailReset(ctx, body.Email, browser, base)
		})
	}
	return rest.Reply{Status: http.StatusAccepted, Body: accepted{}}, nil
}

// mailReset mails the link for a new password to who has that address.
func (s *API) mailReset(ctx context.Context, email string, b auth.Browser, base string) error {
	u, key, err := s.Auth.AskReset(ctx, email, b)
	if err != nil || u == nil {
		return err
	}
	s.SendMail(u.Email, "Choose a new password", "Somebody, probably you, asked for a new password for Tidemark.\n\n"+
		"Choose one here within a day: "+base+"/reset/"+key.Reveal()+"\n\nIf it was not you, do nothing.\n")
	return nil
}

// resetPassword answers POST /ui/api/reset/:key.
func (s *API) resetPassword(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body resetBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Auth.ResetPassword(r.Context(), tidemark.Secret(r.PathValue("key")), body.Password, s.Browser(r))
}

// changeProfile answers PUT /ui/api/profile.
func (s *API) changeProfile(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body profileBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Auth.ChangeProfile(r.Context(), who, auth.ProfileUpdate(body))
}
