package people

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// withPassword gives the person who asks a password.
func withPassword(t *testing.T, w *apitest.World, c *apitest.Client, password string) {
	t.Helper()
	hash, err := w.Auth.Cost.Hash(password)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.SetPassword(t.Context(), tidemark.ServerActor(), c.Who.User, hash, c.Who.Session); err != nil {
		t.Fatal(err)
	}
}

// TestSigningIn: the right password opens a session, whose secret is in a cookie
// and nowhere else; what is wrong is not told apart.
func TestSigningIn(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	withPassword(t, w, c, "correct horse battery")
	rec := c.Ask("POST /ui/api/session", `{"email":"Ann@Example.org","password":"correct horse battery"}`)
	cookies := rec.Result().Cookies()
	var v session
	if err := json.Unmarshal(rec.Body.Bytes(), &v); rec.Code != 200 || err != nil || len(cookies) != 2 || !strings.HasSuffix(cookies[0].Name, "tidemark_session") {
		t.Fatalf("%d %s, %v, %v", rec.Code, rec.Body, cookies, err)
	}
	if strings.Contains(rec.Body.String(), cookies[0].Value) || v.User.Email != "ann@example.org" || v.Org.Name != "Shop" || v.Role != tidemark.FullAccess || v.HasData || !v.Org.Last {
		t.Errorf("%s", rec.Body)
	}
	if _, _, err := w.Auth.IdentifySession(t.Context(), tidemark.Secret(cookies[0].Value)); err != nil {
		t.Errorf("the cookie: %v", err)
	}
	unknown, wrong := c.Says("POST /ui/api/session", `{"email":"nobody@example.org","password":"x"}`), c.Says("POST /ui/api/session", `{"email":"ann@example.org","password":"x"}`)
	if unknown != wrong || !strings.HasPrefix(wrong, "401 ") {
		t.Errorf("%s and %s", unknown, wrong)
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/signin", Want: `200 {"mail_reset":false,"needs_setup":false,"oidc":null,"passwords":true}`},
		apitest.Exchange{Request: "POST /ui/api/session", Body: `{"email":[],"password":5}`, Want: `400 {"errors":{"params":{"email":["must be a text"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/session", Body: `{"email":"` + strings.Repeat("x", 17<<10) + `"}`, Want: `413 {...`},
	)
}

// TestWhereOneIsSignedIn: a session says in which organizations one is, moves
// between them, and ends here or everywhere.
func TestWhereOneIsSignedIn(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.AddMember(t.Context(), other.ID, tidemark.ServerActor(), c.Who.User, tidemark.ViewOnly); err != nil {
		t.Fatal(err)
	}
	w.Record(t, "cpu", nil, apitest.Now, 1)
	_, second, err := w.Auth.OpenSession(t.Context(), c.Who.User, w.Org, auth.Browser{UserAgent: "phone", Address: "192.0.2.2"})
	if err != nil {
		t.Fatal(err)
	}
	where := func(request, body string) string {
		t.Helper()
		var v session
		rec := c.Ask(request, body)
		if err := json.Unmarshal(rec.Body.Bytes(), &v); rec.Code != 200 || err != nil {
			t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
		}
		return fmt.Sprintf("%s of %s in %d, data %v, last %v", v.Role, v.Org.Name, len(v.Orgs), v.HasData, v.Org.Last)
	}
	if got := where("GET /ui/api/session", ""); got != "admin of Shop in 2, data true, last true" {
		t.Errorf("at first %s", got)
	}
	if got := where("PUT /ui/api/session", fmt.Sprintf(`{"org_id":%d}`, other.ID)); got != "viewer of Other in 2, data false, last true" {
		t.Errorf("then %s", got)
	}
	if got := where("GET /ui/api/session", ""); got != "admin of Shop in 2, data true, last false" {
		t.Errorf("in a tab of before %s", got)
	}
	c.Check(t,
		apitest.Exchange{Request: "PUT /ui/api/session", Body: `{"org_id":99}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "DELETE /ui/api/sessions/99", Want: apitest.NotFound},
		apitest.Exchange{Request: fmt.Sprintf("DELETE /ui/api/sessions/%d", second.ID), Want: "204"},
	)
	if got := c.Says("GET /ui/api/sessions", ""); strings.Contains(got, "phone") || !strings.Contains(got, `"current":true`) {
		t.Errorf("signed in: %s", got)
	}
	for _, request := range []string{"DELETE /ui/api/session", "DELETE /ui/api/sessions"} {
		if rec := c.Ask(request, ""); rec.Code != 204 || !strings.Contains(rec.Header().Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("%s: %d, %v", request, rec.Code, rec.Header())
		}
	}
	if left, err := w.Store.SessionsOf(t.Context(), c.Who.User, apitest.Now); err != nil || len(left) != 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}

// TestForgottenPasswords: the answer is the same whoever asks; who has the
// address is mailed a link that begins with the public URL, whatever host the
// request named.
func TestForgottenPasswords(t *testing.T) {
	t.Parallel()
	mails := make(chan string, 5)
	w, s, c := newClient(t, func(o *shared.Options) {
		o.PublicURL, o.SendMail = "https://t.example/", func(to, subject, text string) { mails <- to + ": " + text }
	})
	withPassword(t, w, c, "correct horse battery")
	known, unknown := c.Says("POST /ui/api/reset", `{"email":"ann@example.org"}`), c.Says("POST /ui/api/reset", `{"email":"nobody@example.org"}`)
	if known != unknown || !strings.HasPrefix(known, "202 ") {
		t.Errorf("%s and %s", known, unknown)
	}
	mail := <-mails
	_, after, found := strings.Cut(mail, "https://t.example/reset/")
	key, _, _ := strings.Cut(after, "\n")
	if !found || !strings.HasPrefix(mail, "ann@example.org: ") {
		t.Fatalf("mailed %s", mail)
	}
	for range cap(s.Under) { // what is under way is over when all places are free
		s.Under <- struct{}{}
	}
	if len(mails) != 0 {
		t.Errorf("mailed also %s", <-mails)
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/reset/" + key, Body: `{"password":"short"}`, Want: `400 {"errors":{"params":{"password":[...`},
		apitest.Exchange{Request: "POST /ui/api/reset/" + key, Body: `{"password":"a new one, and long"}`, Want: "204"},
		apitest.Exchange{Request: "POST /ui/api/reset/" + key, Body: `{"password":"another one, and long"}`, Want: `404 {...`},
		apitest.Exchange{Request: "POST /ui/api/session", Body: `{"email":"ann@example.org","password":"a new one, and long"}`, Want: `200 {...`},
	)
}
