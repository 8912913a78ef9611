package api

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// own fills an organization with one of everything, so that every path below
// names something that exists.
var own = []struct{ method, path, body string }{
	{"PUT", "/v1/metrics/m1", `{"type":"gauge"}`},
	{"POST", "/v1/metrics", `{"gauges":[{"name":"m1","value":1,"source":"m1"}]}`},
	{"POST", "/v1/services", `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/hook"}}`},
	{"POST", "/v1/alerts", `{"name":"a1","services":[1],"conditions":[{"type":"above","metric_name":"m1","threshold":1}]}`},
	{"POST", "/v1/annotations/m1", `{"title":"t","links":[{"rel":"r1","href":"https://example.org"}]}`},
	{"POST", "/v1/spaces", `{"name":"s"}`},
	{"POST", "/v1/spaces/1/charts", `{"name":"c","streams":[{"metric":"m1"}]}`},
	{"POST", "/v1/alerts/1/test", ``},
	{"POST", "/v1/snapshots", `{"subject":{"chart":{"id":1}}}`},
}

// pathValues are what stands for each part of a path in these tests.
var pathValues = map[string]string{"name": "m1", "id": "1", "service": "1", "space": "1", "rel": "r1", "email": "x", "key": "k", "user": "2"}

var pathPart = regexp.MustCompile(`\{(\w+)\}`)

func fill(pattern string) (method, path string) {
	f := strings.Fields(pattern)
	return f[0], pathPart.ReplaceAllStringFunc(f[1], func(m string) string { return pathValues[m[1:len(m)-1]] })
}

func ownWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for _, o := range own {
		if rec := w.ask("admin", o.method, o.path, o.body); rec.Code >= 300 {
			t.Fatalf("%s %s: %d %s", o.method, o.path, rec.Code, rec.Body)
		}
	}
	if err := w.Store.CreateJob(t.Context(), w.ours, &tidemark.Job{State: tidemark.JobQueued}); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPermissions asks every endpoint of the table as everybody, and compares
// the outcome with the policy. Each question gets a world of its own where
// the answer may change something.
func TestPermissions(t *testing.T) {
	for _, rt := range newWorld(t).table {
		if rt.forPeople() {
			continue // TestInterfacePermissions
		}
		t.Run(strings.Join(strings.Fields(rt.pattern), " "), func(t *testing.T) {
			t.Parallel()
			method, path := fill(rt.pattern)
			w := ownWorld(t)
			for _, who := range []string{"nobody", "unknown", "inactive", "expired"} {
				if rec := w.ask(who, method, path, "{}"); rec.Code != http.StatusUnauthorized || rec.Header().Get("WWW-Authenticate") == "" {
					t.Errorf("as %s: %d, want 401 with a challenge", who, rec.Code)
				}
			}
			// The one who may do most comes last: it may delete what is asked for.
			for _, role := range []tidemark.Role{tidemark.RecordOnly, tidemark.ViewOnly, tidemark.FullAccess} {
				rec := w.ask(string(role), method, path, "{}")
				allowed := rec.Code != http.StatusForbidden && rec.Code != http.StatusUnauthorized
				if allowed != role.Allows(rt.action) || rec.Code >= 500 {
					t.Errorf("as %s: %d, want allowed %v", role, rec.Code, role.Allows(rt.action))
				}
				if allowed && rec.Code == http.StatusNotFound {
					t.Errorf("as %s: not found: the test names nothing that exists", role)
				}
			}
		})
	}
}

// matrix is the permission matrix as users know it, row by row; a route that
// is missing here fails the test.
func TestPermissionMatrix(t *testing.T) {
	recorder := map[string]bool{
		"GET /v1/metrics": true, "GET /v1/metrics/{name}": true, "PUT /v1/metrics/{name}": true, "POST /v1/metrics": true,
		"GET /v1/metrics/{name}/streams": true, "GET /v1/metrics/{name}/tags": true, "GET /v1/sources": true, "GET /v1/sources/{name}": true,
		"GET /v1/measurements": true, "GET /v1/measurements/{name}": true, "POST /v1/measurements": true,
		"GET /v1/annotations": true, "GET /v1/annotations/{name}": true, "GET /v1/annotations/{name}/{id}": true, "POST /v1/annotations/{name}": true,
		"GET /v1/jobs/{id}": true, "GET /v1/openapi.json": true,
	}
	for _, rt := range newWorld(t).table {
		pattern := strings.Join(strings.Fields(rt.pattern), " ")
		if !strings.Contains(pattern, " /v1/") {
			continue // not for tokens
		}
		viewer := strings.HasPrefix(pattern, "GET ") && !strings.Contains(pattern, "/api_tokens") && !strings.Contains(pattern, "/audit")
		if got := tidemark.ViewOnly.Allows(rt.action); got != viewer {
			t.Errorf("%s: viewer %v, want %v", pattern, got, viewer)
		}
		if got := tidemark.RecordOnly.Allows(rt.action); got != recorder[pattern] {
			t.Errorf("%s: recorder %v, want %v", pattern, got, recorder[pattern])
		}
		if !tidemark.FullAccess.Allows(rt.action) {
			t.Errorf("%s: closed to Full Access", pattern)
		}
	}
}

// TestOtherOrganization asks for our things as them: every answer must be the
// one that something which never existed gets.
func TestOtherOrganization(t *testing.T) {
	// creates are the routes whose path names what they are about to make.
	creates := map[string]bool{"PUT /v1/metrics/{name}": true, "POST /v1/annotations/{name}": true}
	w := ownWorld(t)
	for _, rt := range w.table {
		pattern := strings.Join(strings.Fields(rt.pattern), " ")
		if rt.forPeople() {
			continue
		}
		method, path := fill(rt.pattern)
		if path == strings.Fields(rt.pattern)[1] || creates[pattern] {
			continue
		}
		body := `{"service":1,"rel":"new","href":"https://example.org"}` // enough to be valid everywhere
		theirs := w.ask("theirs", method, path, body)
		never := newWorld(t).ask("theirs", method, path, body)
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

func TestEveryKindHasAStatus(t *testing.T) {
	for _, k := range tidemark.Kinds {
		if statuses[k] == 0 {
			t.Errorf("kind %d has no status", k)
		}
	}
}
