package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// person is somebody who can sign in, as the operator sees them.
type person struct {
	ID        int64               `json:"id"`
	Email     string              `json:"email"`
	Name      string              `json:"name"`
	CreatedAt int64               `json:"created_at"`
	Operator  bool                `json:"operator"`
	Orgs      []personsMembership `json:"orgs"`
}

type personsMembership struct {
	Org  tidemark.OrgID `json:"org"`
	Role tidemark.Role  `json:"role"`
}

// users answers GET /admin/users: everybody, and where they are members.
func (s *Server) users(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	users, err := s.Store.Users(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	people := make([]person, len(users))
	for i, u := range users {
		people[i] = person{ID: u.ID, Email: u.Email, Name: u.Name, CreatedAt: u.CreatedAt, Operator: u.Operator, Orgs: []personsMembership{}}
		memberships, err := s.Store.MembershipsOf(r.Context(), u.ID)
		if err != nil {
			return rest.Reply{}, err
		}
		for _, m := range memberships {
			people[i].Orgs = append(people[i].Orgs, personsMembership{m.Org, m.Role})
		}
	}
	return rest.OK(map[string]any{"users": people}), nil
}

// deleteUser answers DELETE /admin/users/{email}.
func (s *Server) deleteUser(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	u, err := s.Store.UserByEmail(r.Context(), strings.ToLower(r.PathValue("email")))
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteUser(r.Context(), who.Actor(), u.ID)
}

// setOperator answers PUT /admin/users/{email}/operator.
func (s *Server) setOperator(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body struct {
		Operator bool `json:"operator"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	u, err := s.Store.UserByEmail(r.Context(), strings.ToLower(r.PathValue("email")))
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.SetOperator(r.Context(), who.Actor(), u.ID, body.Operator)
}

// resetSecondFactor answers DELETE /admin/users/{email}/second_factor: for
// somebody who lost theirs. They get an e-mail, where the server can send it.
func (s *Server) resetSecondFactor(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	u, err := s.Store.UserByEmail(r.Context(), strings.ToLower(r.PathValue("email")))
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.ResetSecondFactor(r.Context(), who.Actor(), u.ID); err != nil {
		return rest.Reply{}, err
	}
	if s.SendMail != nil {
		s.SendMail(u.Email, "Your second factor was reset", "The operator of this Tidemark server removed your passkeys, your authenticator app and your recovery codes.\n\n"+
			"You are signed out everywhere, and sign in with your password alone until you set up a second factor again. If you did not ask for this, ask the operator.\n")
	}
	return rest.NoContent, nil
}

// deleteOrg answers DELETE /admin/orgs/{id}: measurements first, so that a
// failure leaves an organization that can be deleted again.
func (s *Server) deleteOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return rest.Reply{}, tidemark.Errorf(tidemark.NotFound, "there is no organization %s", r.PathValue("id"))
	}
	org := tidemark.OrgID(id)
	if _, err := s.Store.Org(r.Context(), org); err != nil {
		return rest.Reply{}, err
	}
	if s.Recorder == nil {
		return rest.Reply{}, tidemark.Errorf(tidemark.Conflict, "an organization is deleted through the running server only, since its measurements go too: start it first")
	}
	if all, err := s.Store.Orgs(r.Context()); err != nil || len(all) == 1 {
		if err == nil {
			err = tidemark.Errorf(tidemark.Conflict, "the last organization of a server stays")
		}
		return rest.Reply{}, err
	}
	if err := s.Recorder.ForgetAll(r.Context(), org, who.Actor()); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Auth.DeleteOrg(r.Context(), org, who.Actor())
}
