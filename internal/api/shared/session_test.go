package shared_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// whoami is a table that says who is asking, by their session.
func whoami(w *apitest.World) http.Handler {
	return rest.New(rest.Config{
		Site: w.Site, Answered: func(*http.Request, rest.Route, rest.Caller, rest.Reply, error) {},
		Identify: func(r *http.Request, _ rest.Route) (rest.Caller, error) { return w.BySession(r) },
		Table: []rest.Route{rest.On("POST /v1/me", tidemark.ViewMetrics, func(_ *http.Request, who tidemark.Identity) (rest.Reply, error) {
			return rest.OK(fmt.Sprintf("%s is %s of %d", who.Name, who.Role, who.Org)), nil
		})},
	})
}

func giveShortNames(t *testing.T, w *apitest.World, names map[tidemark.OrgID]string) {
	t.Helper()
	for org, name := range names {
		if _, err := w.Store.UpdateOrg(t.Context(), org, tidemark.ServerActor(), func(o *tidemark.Org) { o.ShortName = name }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSessions: a browser's cookie says who is asking, and the address in which
// organization: only in one of their own, whatever there is.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	ann, secret := w.Person(t, "ann@example.org", tidemark.FullAccess)
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	closed, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Closed")
	if err != nil {
		t.Fatal(err)
	}
	giveShortNames(t, w, map[tidemark.OrgID]string{other.ID: "other", closed.ID: "closed"})
	if _, err := w.Store.AddMember(t.Context(), other.ID, tidemark.ServerActor(), ann.User, tidemark.ViewOnly); err != nil {
		t.Fatal(err)
	}
	const unknown, stranger = `401 {"errors":{"request":["Authorization Required"]}}`, `403 {"errors":{"request":["You are not a member of this organization."]}}`
	for _, c := range []struct{ name, cookie, path, site, want string }{
		{"here", secret.Reveal(), "/v1/me", "", `200 "ann@example.org is admin of 1"`},
		{"here, by name", secret.Reveal(), "/o/1/v1/me", "", `200 "ann@example.org is admin of 1"`},
		{"elsewhere", secret.Reveal(), fmt.Sprintf("/o/%d/v1/me", other.ID), "", fmt.Sprintf(`200 "ann@example.org is viewer of %d"`, other.ID)},
		{"of others", secret.Reveal(), fmt.Sprintf("/o/%d/v1/me", closed.ID), "", stranger},
		{"elsewhere, by its short name", secret.Reveal(), "/o/other/v1/me", "", fmt.Sprintf(`200 "ann@example.org is viewer of %d"`, other.ID)},
		{"of others, by its short name", secret.Reveal(), "/o/closed/v1/me", "", stranger},
		{"of nobody", secret.Reveal(), "/o/999/v1/me", "", stranger},
		{"no number", secret.Reveal(), "/o/x/v1/me", "", stranger},
		{"no cookie", "", "/v1/me", "", unknown},
		{"another cookie", tidemark.NewSecret().Reveal(), "/v1/me", "", unknown},
		{"another site's page", secret.Reveal(), "/v1/me", "cross-site", `403 {"errors":{"request":["This request comes from another site."]}}`},
		{"another site's page without a session", "", "/v1/me", "cross-site", unknown},
	} {
		r := httptest.NewRequest("POST", c.path, nil)
		r.AddCookie(&http.Cookie{Name: w.CookieName(r), Value: c.cookie})
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		rec := httptest.NewRecorder()
		whoami(w).ServeHTTP(rec, r)
		if got := fmt.Sprintf("%d %s", rec.Code, rec.Body); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTokensAndOrganizations: a token is for its own organization, also where
// the address names one.
func TestTokensAndOrganizations(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	giveShortNames(t, w, map[tidemark.OrgID]string{1: "shop", other.ID: "other"})
	for path, want := range map[string]string{
		"/v1/a": "200", "/o/1/v1/a": "200", "/o/2/v1/a": "403", "/o/x/v1/a": "403",
		"/o/shop/v1/a": "200", "/o/other/v1/a": "403", "/o/Shop/v1/a": "403", "/o/99999999999999999999/v1/a": "403",
	} {
		c := w.Client([]rest.Route{rest.On("GET /v1/a", tidemark.View, func(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
			return rest.OK("a"), w.TokenFits(r, who)
		})})
		got := c.Says("GET "+path, "")
		if !strings.HasPrefix(got, want) || want == "403" && !strings.Contains(got, "This token belongs to another organization.") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestReveals: secrets of services, and of those of alerts, are for Admins who
// proved who they are; others see masks.
func TestReveals(t *testing.T) {
	t.Parallel()
	hook := func() *tidemark.Service {
		return &tidemark.Service{Type: "slack", Title: "ops", Settings: tidemark.Settings{"url": "https://hooks.example/secret"}}
	}
	for _, c := range []struct {
		who  tidemark.Identity
		sees bool
	}{
		{tidemark.Identity{Role: tidemark.FullAccess, Token: 1}, true}, {tidemark.Identity{Role: tidemark.ViewOnly, Token: 1}, false}, {tidemark.Identity{Role: tidemark.RecordOnly, Token: 1}, false},
		{tidemark.Identity{Role: tidemark.Member, User: 1, Recent: true}, false}, {tidemark.Identity{Role: tidemark.FullAccess, User: 1}, false}, {tidemark.Identity{Role: tidemark.FullAccess, User: 1, Recent: true}, true},
	} {
		alone, a := hook(), &tidemark.Alert{Services: []*tidemark.Service{hook(), hook()}}
		shared.RevealService(c.who, alone)
		shared.RevealAlert(c.who, a)
		for _, v := range append(a.Services, alone) {
			text, err := v.MarshalJSON()
			if err != nil || strings.Contains(string(text), "secret") != c.sees {
				t.Errorf("%s (recent %v) sees %s, %v", c.who.Role, c.who.Recent, text, err)
			}
		}
	}
}
