package api

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/objects"
)

// orgHeader says which organization an operator's request is about. Where
// there is only one, it may be left out.
const orgHeader = "X-Tidemark-Org"

// Admin returns the operator's door: the whole API without tokens, in any
// organization, and what spans organizations. Anyone who can reach it owns the
// server, so it is served only where the operating system keeps others out.
func (s *Server) Admin() http.Handler { return s.adminAs(tidemark.ByCLI) }

// Inside is Admin for the server itself, which the audit log tells from an
// operator's commands.
func (s *Server) Inside() http.Handler { return s.adminAs(tidemark.ByServer) }

func (s *Server) adminAs(kind tidemark.ActorKind) http.Handler {
	admin := newServer(s.Base)
	admin.serve(slices.Concat(admin.table(), admin.adminRoutes(), admin.secretsRoutes(), admin.pageRoutes()), func(r *http.Request, rt rest.Route) (rest.Caller, error) {
		return admin.operator(r, rt, kind)
	})
	return admin
}

// adminRoutes is what only the operator can do.
func (s *Server) adminRoutes() []rest.Route {
	return []rest.Route{
		onServer("GET    /admin/orgs", tidemark.Manage, s.orgs),
		onServer("POST   /admin/orgs", tidemark.Manage, s.createOrg),
		onServer("DELETE /admin/orgs/{id}", tidemark.Manage, s.deleteOrg),
		onServer("GET    /admin/audit", tidemark.Manage, s.auditOfServer),
		onServer("POST   /admin/backup", tidemark.Manage, s.backup),
		onServer("POST   /admin/snapshot", tidemark.Manage, s.snapshot),
		rest.On("GET    /admin/measurements", tidemark.Manage, s.exportSeries),
		rest.On("POST   /admin/measurements", tidemark.Manage, s.importSeries),
		onServer("POST   /admin/settle", tidemark.Manage, s.settle),
		rest.On("GET    /admin/limits", tidemark.Manage, s.orgLimits),
		rest.On("PUT    /admin/limits", tidemark.Manage, s.setOrgLimits),
		onServer("GET    /admin/users", tidemark.Manage, s.users),
		onServer("DELETE /admin/users/{email}", tidemark.Manage, s.deleteUser),
		rest.On("POST   /admin/users", tidemark.Manage, s.createUser),
		onServer("PUT    /admin/users/{email}/password", tidemark.Manage, s.setPassword),
		onServer("PUT    /admin/users/{email}/operator", tidemark.Manage, s.setOperator),
		onServer("DELETE /admin/users/{email}/second_factor", tidemark.Manage, s.resetSecondFactor),
	}
}

// pageRoutes is what only pages of people can do otherwise, and what an
// organization is exported and imported with.
func (s *Server) pageRoutes() []rest.Route {
	taken := []string{"GET /ui/api/checks", "POST /ui/api/checks", "GET /ui/api/spaces/{space}/layout", "PUT /ui/api/spaces/{space}/layout"}
	var routes []rest.Route
	for _, rt := range s.ui.Routes() {
		if slices.Contains(taken, rt.Name()) {
			rt.Pattern, rt.People = strings.Replace(rt.Pattern, "/ui/api/", "/admin/", 1), false
			routes = append(routes, rt)
		}
	}
	return routes
}

// onServer returns a route that is not about one organization.
func onServer(pattern string, action tidemark.Action, do rest.Endpoint) rest.Route {
	rt := rest.On(pattern, action, do)
	rt.Scope = rest.WholeServer
	return rt
}

// operator takes the request for what it says.
func (s *Server) operator(r *http.Request, rt rest.Route, kind tidemark.ActorKind) (rest.Caller, error) {
	who := rest.Caller{Identity: tidemark.Identity{Role: tidemark.FullAccess, Name: string(kind)}}
	if rt.Scope == rest.WholeServer {
		return who, nil
	}
	orgs, err := s.Store.Orgs(r.Context())
	if err != nil {
		return who, err
	}
	wanted := r.Header.Get(orgHeader)
	for _, o := range orgs {
		if wanted == strconv.FormatInt(int64(o.ID), 10) || wanted == "" && len(orgs) == 1 {
			who.Org = o.ID
			return who, nil
		}
	}
	if wanted == "" {
		return who, tidemark.InvalidField("org", "is not present: there are %d organizations, so say which (--org on the command line)", len(orgs))
	}
	return who, tidemark.InvalidField("org", "there is no organization %s", wanted)
}

// progressLine is one line of the answer of work that takes a while.
type progressLine struct {
	Doing string `json:"doing,omitempty"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	Error string `json:"error,omitempty"`
}

// lines returns what sends a line of progress at once.
func lines(w http.ResponseWriter) func(progressLine) {
	control, out := http.NewResponseController(w), json.NewEncoder(w)
	return func(line progressLine) {
		_ = out.Encode(line)
		_ = control.Flush()
	}
}

// backup answers POST /admin/backup: a line of progress now and then, and at
// the end one that says how it went.
func (s *Server) backup(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body struct {
		To string `json:"to"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if s.Backup == nil || !filepath.IsAbs(body.To) && !objects.IsAddress(body.To) {
		return rest.Reply{}, tidemark.InvalidField("to", "must be an absolute path, or an address such as s3://bucket/prefix")
	}
	return rest.Reply{Status: http.StatusOK, Kind: "application/x-ndjson", Events: func(w http.ResponseWriter) {
		say := lines(w)
		err := s.Backup(r.Context(), who.Actor(), body.To, func(doing string, done, total int64) { say(progressLine{Doing: doing, Done: done, Total: total}) })
		if err != nil {
			say(progressLine{Error: err.Error()})
			return
		}
		say(progressLine{Done: 1, Total: 1})
	}}, nil
}

// snapshot answers POST /admin/snapshot: what keeps the measurements as they
// are now is linked into a directory, for tidemark migrate to read.
func (s *Server) snapshot(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body struct {
		To string `json:"to"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if s.Snapshot == nil || !filepath.IsAbs(body.To) {
		return rest.Reply{}, tidemark.InvalidField("to", "must be the absolute path of a new directory on the file system of the measurements")
	}
	return rest.NoContent, s.Snapshot(r.Context(), body.To)
}

func (s *Server) orgs(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	orgs, err := s.Store.Orgs(r.Context())
	return rest.OK(map[string]any{"orgs": orgs}), err
}

func (s *Server) createOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var o tidemark.Org
	if err := rest.ReadInto(r, &o); err != nil {
		return rest.Reply{}, err
	}
	if err := o.Validate(); err != nil {
		return rest.Reply{}, err
	}
	made, err := s.Store.CreateOrg(r.Context(), who.Actor(), o.Name)
	return rest.Created(made, "/admin/orgs"), err
}

func (s *Server) createUser(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body struct {
		Email    string        `json:"email"`
		Name     string        `json:"name"`
		Password string        `json:"password"`
		Role     tidemark.Role `json:"role"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if !body.Role.IsMemberRole() {
		return rest.Reply{}, tidemark.InvalidField("role", "must be admin, member or viewer")
	}
	u, err := s.someone(r, strings.ToLower(body.Email), body.Name, body.Password)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(u, "/admin/users"), s.Store.AddPerson(r.Context(), who.Org, who.Actor(), u, body.Role)
}

// someone returns the person with this e-mail: a new one, or one who signs in
// already, for another organization, and keeps their password.
func (s *Server) someone(r *http.Request, email, name, password string) (*tidemark.User, error) {
	u, err := s.Store.UserByEmail(r.Context(), email)
	if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return u, err
	}
	hash, err := s.Auth.HashPassword(r.Context(), password)
	return &tidemark.User{Email: email, Name: name, PasswordHash: hash, Verified: true}, err
}

func (s *Server) setPassword(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body struct {
		Password string `json:"password"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	hash, err := s.Auth.HashPassword(r.Context(), body.Password)
	if err != nil {
		return rest.Reply{}, err
	}
	u, err := s.Store.UserByEmail(r.Context(), strings.ToLower(r.PathValue("email")))
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.SetPassword(r.Context(), who.Actor(), u.ID, hash, 0) // sessions with the old one end
}
