package api

import (
	"net/http"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TestOperatorPathsNamedPassword: what a path ends in does not decide which
// organization the operator's request is about.
func TestOperatorPathsNamedPassword(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/v1/metrics/password", "/v1/metrics/passwords"} {
		rec := w.ask("operator", "PUT", path, `{"type":"gauge","period":60}`, orgHeader, "1")
		equal(t, http.StatusCreated, rec.Code)
		equal(t, http.StatusOK, w.ask("operator", "GET", path, "", orgHeader, "1").Code)
		equal(t, http.StatusBadRequest, w.ask("operator", "GET", path, "").Code) // there are two organizations
	}
}

// TestScopeOfRoutes: only what operators alone can do spans organizations.
func TestScopeOfRoutes(t *testing.T) {
	whole := map[string]bool{
		"GET /admin/orgs": true, "POST /admin/orgs": true, "POST /admin/backup": true, "POST /admin/snapshot": true, "PUT /admin/users/{email}/password": true,
		"DELETE /admin/orgs/{id}": true, "GET /admin/users": true, "DELETE /admin/users/{email}": true,
		"GET /admin/secrets": true, "POST /admin/secrets/rotate": true, "POST /admin/secrets/prepare": true, "POST /admin/secrets/new-key": true,
		"GET /ui/api/operator/machines": true, "GET /ui/api/operator/limits": true, "POST /ui/api/operator/orgs": true, "GET /ui/api/operator/orgs/{id}/limits": true, "PUT /ui/api/operator/orgs/{id}/limits": true,
		"PUT /ui/api/operator/orgs/{id}/requests/{limit}": true, "PUT /admin/users/{email}/operator": true,
		"DELETE /admin/users/{email}/second_factor": true, "GET /admin/audit": true, "POST /admin/settle": true,
	}
	for _, rt := range newWorld(t).Admin().(*Server).Table {
		if got := rt.Scope == rest.WholeServer; got != whole[rt.Name()] {
			t.Errorf("%s: spans organizations: %v", rt.Name(), got)
		}
	}
}
