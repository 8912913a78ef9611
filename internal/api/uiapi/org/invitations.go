package org

import (
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// invitations answers GET /ui/api/invitations: who was asked to join and has
// not answered yet.
func (s *API) invitations(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.Invitations(r.Context(), who.Org, s.Now().Unix())
	return rest.OK(invitationList{Invitations: found, Mail: s.SendsMail()}), err
}

// invite answers POST /ui/api/invitations.
func (s *API) invite(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body inviteBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v, key, err := s.Auth.Invite(r.Context(), who, body.Email, body.Role, s.SendsMail(), s.Browser(r))
	if err != nil {
		return rest.Reply{}, err
	}
	answer, err := s.deliver(r, who, v, key)
	return rest.Created(answer, "/ui/api/invitations/"+strconv.FormatInt(v.ID, 10)), err
}

// reinvite answers POST /ui/api/invitations/:id/link: another link, and the
// one before works no longer.
func (s *API) reinvite(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	v, key, err := s.Auth.Reinvite(r.Context(), who, id, s.SendsMail(), s.Browser(r))
	if err != nil {
		return rest.Reply{}, err
	}
	answer, err := s.deliver(r, who, v, key)
	return rest.OK(answer), err
}

// deliver mails the link of an invitation. Where there is no mail, the one who
// invites passes it on; where there is, they never see it.
func (s *API) deliver(r *http.Request, who tidemark.Identity, v *tidemark.Invitation, key tidemark.Secret) (newInvitation, error) {
	if !v.Mailed {
		return newInvitation{v, s.BaseURL(r) + "/invite/" + key.Reveal()}, nil
	}
	org, err := s.Store.Org(r.Context(), who.Org)
	if err != nil {
		return newInvitation{}, err
	}
	s.SendMail(v.Email, "Join "+org.Name+" on Tidemark", who.Name+" invites you to "+org.Name+" on Tidemark.\n\n"+
		"Join here until "+time.Unix(v.ExpiresAt, 0).UTC().Format("2 January 2006")+": "+s.MailURL()+"/invite/"+key.Reveal()+"\n\nIf you do not want to, do nothing.\n")
	return newInvitation{v, ""}, nil
}

// uninvite answers DELETE /ui/api/invitations/:id.
func (s *API) uninvite(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteInvitation(r.Context(), who.Org, who.Actor(), id)
}
