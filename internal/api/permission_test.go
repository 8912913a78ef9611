package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// asker is somebody who asks for something.
type asker struct {
	called string        // in a world
	shown  string        // in the table
	role   tidemark.Role // "" where it proves nothing
	person bool
	other  bool // of the other organization
}

// askers are all there are. Those who may do most come last: they may delete
// what is asked for.
var askers = []asker{
	{called: "nobody", shown: "no token"},
	{called: "unknown", shown: "unknown"},
	{called: "inactive", shown: "inactive"},
	{called: "expired", shown: "expired"},
	{called: "theirInactive", shown: "other inactive", other: true},
	{called: "theirExpired", shown: "other expired", other: true},
	{called: "theirRecorder", shown: "other recorder", role: tidemark.RecordOnly, other: true},
	{called: "theirViewer", shown: "other viewer", role: tidemark.ViewOnly, other: true},
	{called: "theirs", shown: "other admin", role: tidemark.FullAccess, other: true},
	{called: "StrangeViewer", shown: "other Viewer", role: tidemark.ViewOnly, person: true, other: true},
	{called: "StrangeMember", shown: "other Member", role: tidemark.Member, person: true, other: true},
	{called: "Stranger", shown: "other Admin", role: tidemark.FullAccess, person: true, other: true},
	{called: "recorder", shown: "recorder", role: tidemark.RecordOnly},
	{called: "viewer", shown: "viewer", role: tidemark.ViewOnly},
	{called: "Viewer", shown: "Viewer", role: tidemark.ViewOnly, person: true},
	{called: "Member", shown: "Member", role: tidemark.Member, person: true},
	{called: "admin", shown: "admin", role: tidemark.FullAccess},
	{called: "Admin", shown: "Admin", role: tidemark.FullAccess, person: true},
}

// status is what the policy wants said to who; 0 is any that allows it.
func (who asker) status(rt rest.Route) int {
	switch {
	case rt.Action == rest.Anyone:
		return 0
	case who.role == "" || rt.People && !who.person:
		return http.StatusUnauthorized
	case rt.Scope == rest.WholeServer && who.called != "Admin": // who is the one operator
		return http.StatusNotFound
	case !who.role.Allows(rt.Action):
		return http.StatusForbidden
	}
	return 0
}

// TestPermissions asks every route of the table as everybody, with a request
// that is good, and compares the outcome with the policy. What everybody is
// told is in testdata/tables/roles.txt, so that a change shows.
func TestPermissions(t *testing.T) {
	t.Parallel()
	table := newWorld(t).Table
	lines := make([]string, len(table))
	t.Run("routes", func(t *testing.T) {
		for i, rt := range table {
			if !testdeps.Sampled(i) {
				continue
			}
			t.Run(rt.Name(), func(t *testing.T) {
				t.Parallel()
				lines[i] = rt.Name() + "\n" + askAll(t, rt)
			})
		}
	})
	if !testdeps.Whole() {
		return
	}
	golden(t, "testdata/tables/roles.txt", `# What every route tells everybody who sends a request that is good: first those
# who prove nothing, then the other organization, then ours. Names in lower case
# are tokens, others are people in a browser. Long answers are cut.

`+strings.Join(lines, "\n"))
}

func askAll(t *testing.T, rt rest.Route) string {
	var told grouped
	var w *world // until a question has changed what only one can
	for _, who := range askers {
		if w == nil {
			w = ownWorld(t)
		}
		method, target, body := w.goodRequest(rt)
		rec := w.ask(who.called, method, target, w.timely(body), goodHeaders(rt)...)
		told.add(fmt.Sprintf("%d %s", rec.Code, w.short(rec)), who.shown)
		want := who.status(rt)
		refused := rec.Code == http.StatusUnauthorized || rec.Code == http.StatusForbidden
		if rec.Code >= 500 || want != 0 && rec.Code != want || want == 0 && refused && rt.Action != rest.Anyone {
			t.Errorf("as %s: %d %s, want %d", who.shown, rec.Code, rec.Body, want)
		}
		if rec.Code == http.StatusUnauthorized && rec.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("as %s: 401 without a challenge", who.shown)
		}
		if want == 0 && !who.other && rec.Code >= 400 && refusesGood[rt.Name()] != rec.Code {
			t.Errorf("as %s: %d %s, but the request is good", who.shown, rec.Code, rec.Body)
		}
		if rec.Code < 300 && once(rt) {
			w = nil
		}
	}
	return told.String()
}

// grouped are answers as they first came, each with who was told so.
type grouped struct {
	answers []string
	told    map[string][]string
}

func (g *grouped) add(answer, who string) {
	if g.told == nil {
		g.told = make(map[string][]string)
	}
	if g.told[answer] == nil {
		g.answers = append(g.answers, answer)
	}
	g.told[answer] = append(g.told[answer], who)
}

func (g *grouped) String() string {
	var out strings.Builder
	for _, answer := range g.answers {
		fmt.Fprintf(&out, "  %s\n      %s\n", strings.TrimSpace(answer), strings.Join(g.told[answer], ", "))
	}
	return out.String()
}

// refusesGood are the routes of which a world without more has no good answer.
var refusesGood = map[string]int{
	"POST /v1/deliveries/{id}/retry":                http.StatusUnprocessableEntity, // it was delivered
	"POST /ui/api/templates/{template}":             http.StatusBadRequest,          // no machine sends
	"DELETE /ui/api/membership":                     http.StatusUnprocessableEntity, // the last Admin stays
	"DELETE /ui/api/sessions/{id}":                  http.StatusNotFound,            // it is the Admin's own
	"PUT /ui/api/incidents/{id}/comments/{comment}": http.StatusNotFound,            // nobody said anything
	"DELETE /ui/api/alert_views/{id}":               http.StatusNotFound,            // nobody saved one
	"DELETE /ui/api/alert_views/shared/{id}":        http.StatusNotFound,
	"DELETE /ui/api/queries/{id}":                   http.StatusNotFound,
	"DELETE /ui/api/tag_drops/{id}":                 http.StatusNotFound,
	"PUT /ui/api/devices/{id}":                      http.StatusNotFound,
	"DELETE /ui/api/devices/{id}":                   http.StatusNotFound,
	"POST /ui/api/devices/{id}/test":                http.StatusNotFound,
	"PUT /ui/api/second_factor/totp":                http.StatusNotFound, // none was begun
	"DELETE /ui/api/second_factor/totp":             http.StatusNotFound,
	"POST /ui/api/second_factor/codes":              http.StatusUnprocessableEntity, // there is no factor
	"POST /ui/api/second_factor/passkeys":           http.StatusBadRequest,          // it takes an authenticator
	"PUT /ui/api/second_factor/passkeys/{id}":       http.StatusNotFound,
	"DELETE /ui/api/second_factor/passkeys/{id}":    http.StatusNotFound,
	"POST /ui/api/proof":                            http.StatusBadRequest, // only the Admin has a password
	"POST /ui/api/proof/passkey":                    http.StatusUnprocessableEntity,
	"GET /ui/api/session/second":                    http.StatusUnauthorized, // nobody took a first step
	"POST /ui/api/session/second":                   http.StatusUnauthorized,
	"POST /ui/api/session/second/passkey":           http.StatusUnauthorized,
	"PUT /ui/api/session/second/passkey":            http.StatusUnauthorized,
	"PUT /ui/api/session/passkey":                   http.StatusBadRequest,
	"GET /ui/api/setup/{key}":                       http.StatusNotFound, // there are people already
	"POST /ui/api/setup/{key}":                      http.StatusNotFound,
	"GET /ui/api/oidc/start":                        http.StatusNotFound, // not set up
	"GET /ui/api/oidc/callback":                     http.StatusNotFound,
}

var newID = regexp.MustCompile(`("id":|"user_id":|/api_tokens/|/v1/snapshots/|/v1/jobs/)\d+`)

// once reports whether a request to the route succeeds only once, or not with
// the same answer: it needs a world for itself.
func once(rt rest.Route) bool {
	switch rt.Name() {
	case "POST /v1/alerts", "POST /v1/annotations/{name}/{id}/links", "POST /v1/alerts/{id}/services", "POST /v1/api_tokens/{id}/rotate",
		"PUT /v1/metrics/{name}", "PUT /v1/sources/{name}", "POST /ui/api/invitations", "POST /ui/api/invitations/{id}/link", "POST /ui/api/invite/{key}", "POST /ui/api/reset/{key}", "POST /ui/api/setup/{key}",
		"PUT /ui/api/members/{user}", "PUT /ui/api/org", "PUT /v1/annotations/{name}/{id}", "PUT /v1/spaces/{space}/charts/{id}", "POST /v1/snapshots", "POST /ui/api/demo", "POST /ui/api/checks", "POST /v1/objectives", "POST /ui/api/maintenance/{id}/split",
		"POST /ui/api/alert_views", "POST /ui/api/alert_views/shared", "POST /ui/api/queries", "POST /ui/api/tag_drops", "POST /ui/api/playlists", "POST /ui/api/reports/{id}/send", "POST /ui/api/devices", "POST /ui/api/changes", "POST /ui/api/limits/requests", "POST /ui/api/operator/orgs", "PUT /ui/api/operator/orgs/{id}/requests/{limit}":
		return true
	}
	return strings.HasPrefix(rt.Pattern, "DELETE ")
}

// short is the beginning of an answer's body, on one line.
func (w *world) short(rec *httptest.ResponseRecorder) string {
	if kind := rec.Header().Get("Content-Type"); strings.HasPrefix(kind, "image/") {
		return kind
	}
	line, _, _ := strings.Cut(rec.Body.String(), "\n")
	if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json") {
		line = strings.ReplaceAll(rec.Body.String(), "\n", "")
	}
	line = w.steady(line[:min(len(line), 1000)]) // much more than is kept, and much less than there may be
	if rec.Code == http.StatusCreated {
		line = newID.ReplaceAllString(line, "${1}N")
	}
	if runes := []rune(line); len(runes) > 100 {
		return string(runes[:100]) + "..."
	}
	return line
}

// matrix is the permission matrix as users know it, row by row; a route that
// is missing here fails the test.
func TestPermissionMatrix(t *testing.T) {
	recorder := map[string]bool{
		"GET /v1/metrics": true, "GET /v1/metrics/{name}": true, "PUT /v1/metrics/{name}": true, "POST /v1/metrics": true,
		"GET /v1/metrics/{name}/streams": true, "GET /v1/metrics/{name}/tags": true, "GET /v1/sources": true, "GET /v1/sources/{name}": true,
		"GET /v1/measurements": true, "GET /v1/measurements/{name}": true, "POST /v1/measurements": true,
		"GET /v1/annotations": true, "GET /v1/annotations/{name}": true, "GET /v1/annotations/{name}/{id}": true, "POST /v1/annotations/{name}": true,
		"GET /v1/jobs/{id}": true, "GET /v1/openapi.json": true, "POST /v1/places": true, "POST /v1/places/results": true,
	}
	for _, rt := range newWorld(t).Table {
		pattern := strings.Join(strings.Fields(rt.Pattern), " ")
		if !strings.Contains(pattern, " /v1/") {
			continue // not for tokens
		}
		reads := strings.HasPrefix(pattern, "GET ") || pattern == "POST /v1/alerts/preview" // which saves nothing
		viewer := reads && !strings.Contains(pattern, "/api_tokens") && !strings.Contains(pattern, "/audit")
		if got := tidemark.ViewOnly.Allows(rt.Action); got != viewer {
			t.Errorf("%s: viewer %v, want %v", pattern, got, viewer)
		}
		if got := tidemark.RecordOnly.Allows(rt.Action); got != recorder[pattern] {
			t.Errorf("%s: recorder %v, want %v", pattern, got, recorder[pattern])
		}
		if !tidemark.FullAccess.Allows(rt.Action) {
			t.Errorf("%s: closed to Full Access", pattern)
		}
	}
}

// TestOtherOrganization asks for our things as them: every answer must be the
// one that something which never existed gets.
func TestOtherOrganization(t *testing.T) {
	// creates are the routes whose path names what they are about to make.
	creates := map[string]bool{"PUT /v1/metrics/{name}": true, "PUT /v1/sources/{name}": true, "POST /v1/annotations/{name}": true}
	w, empty := ownWorld(t), newWorld(t)
	for _, rt := range w.Table {
		pattern := strings.Join(strings.Fields(rt.Pattern), " ")
		if rt.People {
			continue
		}
		method, path := fill(rt.Pattern)
		if path == strings.Fields(rt.Pattern)[1] || creates[pattern] {
			continue
		}
		body := `{"service":1,"rel":"new","href":"https://example.org"}` // enough to be valid everywhere
		theirs := w.ask("theirs", method, path, body)
		never := empty.ask("theirs", method, path, body)
		if theirs.Code != never.Code || theirs.Body.String() != never.Body.String() {
			t.Errorf("%s: %d %s, but for what never existed %d %s", pattern, theirs.Code, theirs.Body, never.Code, never.Body)
		}
		if strings.Contains(path, "/1") && theirs.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s, want 404", pattern, theirs.Code, theirs.Body)
		}
	}
	for _, o := range own { // and ours are all still there
		if o.method == "POST" && strings.Count(o.path, "/") == 2 && o.path != "/v1/metrics" {
			if rec := w.ask("admin", "GET", o.path+"/1", ""); rec.Code != http.StatusOK {
				t.Errorf("GET %s/1 afterwards: %d", o.path, rec.Code)
			}
		}
	}
}
