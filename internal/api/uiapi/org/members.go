package org

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// org answers GET /ui/api/org.
func (s *API) org(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	o, err := s.Store.Org(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	tiers := []retentionTier{}
	for _, t := range s.Engine.Tiers() {
		tiers = append(tiers, retentionTier{Retention: t.Retention, Window: t.Window})
	}
	return rest.OK(org{AlertsBeforeMetrics: o.AlertsBeforeMetrics, TokenMaxDays: o.TokenMaxDays, CreatedAt: o.CreatedAt, ID: o.ID, Name: o.Name, Retention: tiers, SecondFactor: o.SecondFactor, ShortName: o.ShortName}), nil
}

// updateOrg answers PUT /ui/api/org.
func (s *API) updateOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.OrgUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	_, err := s.Store.UpdateOrg(r.Context(), who.Org, who.Actor(), u.Apply)
	return rest.NoContent, err
}

// members answers GET /ui/api/members.
func (s *API) members(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.Members(r.Context(), who.Org)
	for _, m := range found {
		m.SecondFactor = m.SecondFactor && who.Role == tidemark.FullAccess
	}
	return rest.OK(memberList{Members: found}), err
}

// changeMember answers PUT /ui/api/members/:user.
func (s *API) changeMember(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.PathID(r, "user")
	if err != nil {
		return rest.Reply{}, err
	}
	var body memberBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if !body.Role.IsMemberRole() {
		return rest.Reply{}, tidemark.InvalidField("role", "must be admin, member or viewer")
	}
	return rest.NoContent, s.Store.SetMemberRole(r.Context(), who.Org, who.Actor(), id, body.Role)
}

// removeMember answers DELETE /ui/api/members/:user.
func (s *API) removeMember(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.PathID(r, "user")
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.RemoveMember(r.Context(), who.Org, who.Actor(), id)
}

// leave answers DELETE /ui/api/membership: whoever asks is a member no longer,
// whatever they may do here.
func (s *API) leave(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return rest.NoContent, s.Store.RemoveMember(r.Context(), who.Org, who.Actor(), who.User)
}

// endMemberSessions answers DELETE /ui/api/members/:user/sessions.
func (s *API) endMemberSessions(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.PathID(r, "user")
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.EndMemberSessions(r.Context(), who.Org, who.Actor(), id)
}

// demandSecondFactor answers PUT /ui/api/org/second_factor.
func (s *API) demandSecondFactor(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body demandBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DemandSecondFactor(r.Context(), who.Org, who.Actor(), who.User, body.Demanded)
}
