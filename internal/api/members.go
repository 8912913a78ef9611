package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// org answers GET /ui/api/org.
func (s *Server) org(r *http.Request, who tidemark.Identity) (reply, error) {
	o, err := s.Store.Org(r.Context(), who.Org)
	if err != nil {
		return reply{}, err
	}
	tiers := []map[string]int64{}
	for _, t := range s.Engine.Tiers() {
		tiers = append(tiers, map[string]int64{"window": t.Window, "retention": t.Retention})
	}
	return ok(map[string]any{"id": o.ID, "name": o.Name, "created_at": o.CreatedAt, "retention": tiers}), nil
}

// renameOrg answers PUT /ui/api/org.
func (s *Server) renameOrg(r *http.Request, who tidemark.Identity) (reply, error) {
	var o tidemark.Org
	if err := readInto(r, &o); err != nil {
		return reply{}, err
	}
	if _, err := s.Store.RenameOrg(r.Context(), who.Org, o.Name); err != nil {
		return reply{}, err
	}
	return noContent, s.note(r, who, "org.rename", "organization", map[string]any{"name": o.Name})
}

// note adds to the audit log what who did.
func (s *Server) note(r *http.Request, who tidemark.Identity, action, object string, detail map[string]any) error {
	return s.Store.AddAudit(r.Context(), who.Org, &tidemark.AuditEntry{Actor: auth.Actor(who), Action: action, Object: object, Detail: detail})
}

// members answers GET /ui/api/members.
func (s *Server) members(r *http.Request, who tidemark.Identity) (reply, error) {
	found, err := s.Store.Members(r.Context(), who.Org)
	return ok(map[string]any{"members": found}), err
}

// addMember answers POST /ui/api/members. Without a password, the answer has a
// link by which the person chooses one.
func (s *Server) addMember(r *http.Request, who tidemark.Identity) (reply, error) {
	var body struct {
		Email    string        `json:"email"`
		Role     tidemark.Role `json:"role"`
		Password string        `json:"password"`
	}
	if err := readInto(r, &body); err != nil {
		return reply{}, err
	}
	if !body.Role.IsMemberRole() {
		return reply{}, tidemark.InvalidField("role", "must be admin, member or viewer")
	}
	u, isNew, err := s.findOrCreateUser(r, strings.ToLower(strings.TrimSpace(body.Email)), body.Password)
	if err != nil {
		return reply{}, err
	}
	m, err := s.Store.AddMember(r.Context(), who.Org, u.ID, body.Role)
	if err != nil {
		return reply{}, err
	}
	answer := map[string]any{"user_id": m.User, "email": m.Email, "name": m.Name, "role": m.Role, "created_at": m.CreatedAt}
	if isNew && body.Password == "" {
		key, err := s.Auth.NewResetKey(r.Context(), u.ID)
		if err != nil {
			return reply{}, err
		}
		answer["invite"] = s.baseURL(r) + "/reset/" + key.Reveal()
	}
	location := "/ui/api/members/" + strconv.FormatInt(u.ID, 10)
	return created(answer, location), s.note(r, who, "member.add", "user "+u.Email, map[string]any{"role": body.Role})
}

func (s *Server) findOrCreateUser(r *http.Request, email, password string) (u *tidemark.User, isNew bool, err error) {
	u, err = s.Store.UserByEmail(r.Context(), email)
	if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return u, false, err
	}
	u = &tidemark.User{Email: email}
	if password != "" {
		if u.PasswordHash, err = auth.HashPassword(password); err != nil {
			return nil, false, err
		}
	}
	return u, true, s.Store.CreateUser(r.Context(), u)
}

// changeMember answers PUT /ui/api/members/:user.
func (s *Server) changeMember(r *http.Request, who tidemark.Identity) (reply, error) {
	id, err := pathID(r, "user")
	if err != nil {
		return reply{}, err
	}
	var body struct {
		Role tidemark.Role `json:"role"`
	}
	if err := readInto(r, &body); err != nil {
		return reply{}, err
	}
	if !body.Role.IsMemberRole() {
		return reply{}, tidemark.InvalidField("role", "must be admin, member or viewer")
	}
	if err := s.Store.SetMemberRole(r.Context(), who.Org, id, body.Role); err != nil {
		return reply{}, err
	}
	return noContent, s.note(r, who, "member.update", "user "+strconv.FormatInt(id, 10), map[string]any{"role": body.Role})
}

// removeMember answers DELETE /ui/api/members/:user.
func (s *Server) removeMember(r *http.Request, who tidemark.Identity) (reply, error) {
	id, err := pathID(r, "user")
	if err != nil {
		return reply{}, err
	}
	if err := s.Store.RemoveMember(r.Context(), who.Org, id); err != nil {
		return reply{}, err
	}
	return noContent, s.note(r, who, "member.remove", "user "+strconv.FormatInt(id, 10), nil)
}

// serviceTypes answers GET /ui/api/service_types.
func (s *Server) serviceTypes(*http.Request, tidemark.Identity) (reply, error) {
	return ok(map[string]any{"types": tidemark.ServiceTypes()}), nil
}
