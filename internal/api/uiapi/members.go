package uiapi

import (
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
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
	return rest.OK(org{AlertsBeforeMetrics: o.AlertsBeforeMetrics, CreatedAt: o.CreatedAt, ID: o.ID, Name: o.Name, Retention: tiers}), nil
}

// updateOrg answers PUT /ui/api/org.
func (s *API) updateOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.OrgUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.UpdateOrg(r.Context(), who.Org, u.Apply)
	if err != nil {
		return rest.Reply{}, err
	}
	if u.Name.Set {
		err = s.note(r, who, "org.rename", "organization", map[string]any{"name": o.Name})
	}
	if err == nil && u.AlertsBeforeMetrics.Set {
		err = s.note(r, who, "org.update", "organization", map[string]any{"alerts_before_metrics": o.AlertsBeforeMetrics})
	}
	return rest.NoContent, err
}

// note adds to the audit log what who did.
func (s *API) note(r *http.Request, who tidemark.Identity, action, object string, detail map[string]any) error {
	return s.Store.AddAudit(r.Context(), who.Org, &tidemark.AuditEntry{Actor: auth.Actor(who), Action: action, Object: object, Detail: detail})
}

// members answers GET /ui/api/members.
func (s *API) members(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.Members(r.Context(), who.Org)
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
	if err := s.Store.SetMemberRole(r.Context(), who.Org, id, body.Role); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.note(r, who, "member.update", "user "+strconv.FormatInt(id, 10), map[string]any{"role": body.Role})
}

// removeMember answers DELETE /ui/api/members/:user.
func (s *API) removeMember(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.PathID(r, "user")
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.RemoveMember(r.Context(), who.Org, id); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.note(r, who, "member.remove", "user "+strconv.FormatInt(id, 10), nil)
}

// serviceTypes answers GET /ui/api/service_types.
func (s *API) serviceTypes(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.OK(serviceTypeList{Types: tidemark.ServiceTypes()}), nil
}
