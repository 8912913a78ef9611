package people

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// invited answers GET /ui/api/invite/:key: what somebody is invited to. It
// does not say whether the address has an account.
func (s *API) invited(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	v, err := s.Auth.Invitation(r.Context(), tidemark.Secret(r.PathValue("key")))
	if err != nil {
		return rest.Reply{}, err
	}
	c := s.visitor(r)
	rep := rest.OK(invited{
		Email: v.Email, ExpiresAt: v.ExpiresAt, OrgName: v.OrgName, Role: v.Role,
		SignedIn: c.User != 0 && c.Name == v.Email,
	})
	if c.Fresh != "" {
		rep = s.WithCookie(r, rep, c.Fresh)
	}
	return rep, nil
}

// visitor is who is signed in, if anybody is, at a door that is open to all.
func (s *API) visitor(r *http.Request) rest.Caller {
	c, err := s.BySession(r)
	if err != nil {
		return rest.Caller{}
	}
	return c
}

// join answers POST /ui/api/invite/:key. A user who is signed in with the
// invitation's address accepts it by that; others give the password of their
// account, or make one.
func (s *API) join(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body joinBody
	if err := s.Auth.MayTry(s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	ctx, key := r.Context(), tidemark.Secret(r.PathValue("key"))
	v, err := s.Auth.Invitation(ctx, key)
	if err != nil {
		return rest.Reply{}, err
	}
	if c := s.visitor(r); c.User != 0 && c.Name == v.Email {
		return s.joinSignedIn(r, key, c)
	}
	var secret tidemark.Secret
	var session *tidemark.Session
	if body.New {
		secret, session, err = s.Auth.JoinAsNew(ctx, key, body.Name, body.Password, s.Browser(r))
	} else {
		secret, session, err = s.Auth.JoinWithPassword(ctx, key, body.Password, s.Browser(r))
	}
	if err != nil {
		return s.halfway(r, err)
	}
	return s.signedIn(r, secret, session)
}

func (s *API) joinSignedIn(r *http.Request, key tidemark.Secret, c rest.Caller) (rest.Reply, error) {
	who, err := s.Auth.JoinSignedIn(r.Context(), key, c.Identity)
	if err != nil {
		return rest.Reply{}, err
	}
	rep, err := s.session(r, who)
	if c.Fresh != "" && err == nil {
		rep = s.WithCookie(r, rep, c.Fresh)
	}
	return rep, err
}
