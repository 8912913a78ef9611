package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"golang.org/x/sync/errgroup"
)

// TestSessionsOnV1 asks the ordinary API as people: roles count there too.
func TestSessionsOnV1(t *testing.T) {
	w := ownWorld(t)
	tests := []struct {
		who, method, path, body string
		want                    int
	}{
		{"Viewer", "GET", "/v1/services", "", 200},
		{"Viewer", "POST", "/v1/spaces", `{"name":"x"}`, 403},
		{"Member", "POST", "/v1/spaces", `{"name":"x"}`, 201},
		{"Member", "GET", "/v1/api_tokens", "", 403},
		{"Admin", "GET", "/v1/api_tokens", "", 200},
		{"Stranger", "GET", "/v1/services/1", "", 404},
	}
	for _, tt := range tests {
		if rec := w.ask(tt.who, tt.method, tt.path, tt.body); rec.Code != tt.want {
			t.Errorf("%s %s as %s: %d %s, want %d", tt.method, tt.path, tt.who, rec.Code, rec.Body, tt.want)
		}
	}
	for _, who := range []string{"Viewer", "Member"} {
		if rec := w.ask(who, "GET", "/v1/services/1", ""); strings.Contains(rec.Body.String(), "example.org/hook") {
			t.Errorf("%s sees a secret: %s", who, rec.Body)
		}
	}
}

// TestCrossSiteRequestsOnV1: a page of another site cannot act through the browser's
// session, nor sign anybody in.
func TestCrossSiteRequestsOnV1(t *testing.T) {
	w := newWorld(t).withPeople(t)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		for _, path := range []string{"/v1/spaces", "/ui/api/session", "/ui/api/reset"} {
			if rec := w.ask("Admin", "POST", path, `{"name":"x"}`, headers...); rec.Code != http.StatusForbidden {
				t.Errorf("POST %s with %v: %d %s", path, headers, rec.Code, rec.Body)
			}
		}
	}
	if rec := w.ask("Admin", "POST", "/v1/spaces", `{"name":"x"}`, "Sec-Fetch-Site", "same-origin"); rec.Code != http.StatusCreated {
		t.Errorf("from our own page: %d %s", rec.Code, rec.Body)
	}
	// A token is not the browser's to send along: another site's page does not have it.
	if rec := w.ask("admin", "POST", "/v1/spaces", `{"name":"x"}`, "Sec-Fetch-Site", "cross-site"); rec.Code != http.StatusCreated {
		t.Errorf("with a token: %d %s", rec.Code, rec.Body)
	}
}

// TestSessionRotation: an old session gets a new secret, which works, while
// the one before goes on for the requests under way and no longer.
func TestSessionRotation(t *testing.T) {
	w := newWorld(t)
	w.person(t, "Admin", w.ours, tidemark.FullAccess)
	if rec := w.ask("Admin", "GET", "/ui/api/session", ""); rec.Header().Get("Set-Cookie") != "" {
		t.Errorf("a young session is replaced: %s", rec.Header().Get("Set-Cookie"))
	}
	w.makeDue(t, "Admin")
	rec := w.ask("Admin", "GET", "/ui/api/session", "")
	cookies := rec.Result().Cookies()
	if rec.Code != 200 || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Fatalf("%d, cookies %v", rec.Code, cookies)
	}
	if rec := w.ask("Admin", "GET", "/ui/api/session", ""); rec.Code != 200 {
		t.Errorf("with the old secret, at once: %d", rec.Code)
	}
	w.people["Admin"] = cookies[0].Value
	if rec := w.ask("Admin", "GET", "/ui/api/session", ""); rec.Code != 200 {
		t.Errorf("with the new secret: %d", rec.Code)
	}
	if rec := w.ask("Admin", "DELETE", "/ui/api/session", ""); rec.Code != 204 {
		t.Errorf("sign out: %d", rec.Code)
	}
	if rec := w.ask("Admin", "GET", "/ui/api/session", ""); rec.Code != 401 {
		t.Errorf("after signing out: %d", rec.Code)
	}
}

// makeDue makes the secret of somebody's session two hours old.
func (w *world) makeDue(t *testing.T, who string) {
	t.Helper()
	now := time.Now().Unix()
	v, err := w.Store.SessionByHash(t.Context(), tidemark.Secret(w.people[who]).Hash(), now)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := w.Store.RotateSession(t.Context(), v, "before", v.Hash, now-2*3600); err != nil || !done {
		t.Fatal(done, err)
	}
}

// TestRotationAtOnce: of many requests that find the secret due, one gets the
// new one, and all are answered.
func TestRotationAtOnce(t *testing.T) {
	w := newWorld(t)
	w.person(t, "Admin", w.ours, tidemark.FullAccess)
	w.makeDue(t, "Admin")
	old, answers := w.people["Admin"], make(chan *httptest.ResponseRecorder, 16)
	var under errgroup.Group
	under.SetLimit(8)
	for range 16 {
		under.Go(func() error { answers <- w.ask("Admin", "GET", "/ui/api/session", ""); return nil })
	}
	_ = under.Wait()
	close(answers)
	var fresh []string
	for rec := range answers {
		if rec.Code != http.StatusOK {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
		for _, c := range rec.Result().Cookies() {
			fresh = append(fresh, c.Value)
		}
	}
	if len(fresh) != 1 {
		t.Fatalf("%d new secrets", len(fresh))
	}
	for _, secret := range []string{old, fresh[0], old} {
		w.people["Admin"] = secret
		if rec := w.ask("Admin", "GET", "/ui/api/session", ""); rec.Code != http.StatusOK {
			t.Errorf("afterwards: %d", rec.Code)
		}
	}
}

// TestRotationOnErrors: a request that fails brings the new secret too.
func TestRotationOnErrors(t *testing.T) {
	for path, want := range map[string]int{"/v1/alerts/999": 404, "/ui/api/audit": 403, "/ui/api/metrics?length=x": 400} {
		w := newWorld(t)
		w.person(t, "Viewer", w.ours, tidemark.ViewOnly)
		w.makeDue(t, "Viewer")
		rec := w.ask("Viewer", "GET", path, "")
		if cookies := rec.Result().Cookies(); rec.Code != want || len(cookies) != 1 || cookies[0].Value == w.people["Viewer"] {
			t.Errorf("%s: %d, cookies %v", path, rec.Code, cookies)
		}
	}
}

// TestSignInAttemptsAreLimited: after five wrong passwords even the right one has to wait.
func TestSignInAttemptsAreLimited(t *testing.T) {
	w := newWorld(t)
	if rec := w.ask("nobody", "POST", "/ui/api/session", `{"email":"nobody@example.org","password":"x"}`); rec.Code != 401 {
		t.Errorf("a stranger: %d", rec.Code)
	}
	for range 5 {
		if rec := w.ask("nobody", "POST", "/ui/api/session", `{"email":"a@example.org","password":"x"}`); rec.Code != 401 {
			t.Errorf("a wrong password: %d %s", rec.Code, rec.Body)
		}
	}
	rec := w.ask("nobody", "POST", "/ui/api/session", `{"email":"A@example.org ","password":"x"}`)
	if rec.Code != 429 || !strings.Contains(rec.Body.String(), "Too many tries. Wait 2 minutes.") {
		t.Errorf("the sixth: %d %s", rec.Code, rec.Body)
	}
}

// TestSessionOutlivesAPlace: whoever leaves one of their organizations stays
// signed in, and is in another from then on.
func TestSessionOutlivesAPlace(t *testing.T) {
	w := ownWorld(t)
	w.joinTheirs(t, "viewer@example.org")
	u, err := w.Store.UserByEmail(t.Context(), "viewer@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.RemoveMember(t.Context(), w.ours, tidemark.ServerActor(), u.ID); err != nil {
		t.Fatal(err)
	}
	if rec := w.ask("Viewer", "GET", "/o/2/ui/api/session", ""); rec.Code != http.StatusOK {
		t.Errorf("where they still belong: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("Viewer", "GET", "/ui/api/session", ""); rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `"name":"theirs"`) {
		t.Errorf("where nothing is said: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("Viewer", "GET", "/o/1/ui/api/session", ""); rec.Code != http.StatusForbidden {
		t.Errorf("where they left: %d %s", rec.Code, rec.Body)
	}
}
