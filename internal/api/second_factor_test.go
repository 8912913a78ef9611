package api

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// codeAt is the code that an authenticator app with a seed shows at a time.
func codeAt(t *testing.T, seed string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.DecodeString(seed)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1e6)
}

// into reads an answer, which must have a status.
func into(t *testing.T, rec *httptest.ResponseRecorder, status int, v any) {
	t.Helper()
	if rec.Code != status {
		t.Fatalf("%d %s, want %d", rec.Code, rec.Body, status)
	}
	if v != nil {
		if err := json.Unmarshal(rec.Body.Bytes(), v); err != nil {
			t.Fatal(err)
		}
	}
}

// enrol gives somebody an authenticator app: its seed and the recovery codes.
func (w *world) enrol(t *testing.T, who string) (seed string, codes []string) {
	t.Helper()
	var begun struct{ Secret string }
	into(t, w.ask(who, "POST", "/ui/api/second_factor/totp", ""), 200, &begun)
	var made struct{ Codes []string }
	rec := w.ask(who, "PUT", "/ui/api/second_factor/totp", `{"code":"`+codeAt(t, begun.Secret, time.Now().Add(-30*time.Second))+`"}`)
	checkContract(t, w, "PUT", "/ui/api/second_factor/totp", rec)
	into(t, rec, 200, &made)
	return begun.Secret, made.Codes
}

// halfway signs the Admin in with the password alone; the person "step" is at
// the second step then.
func (w *world) halfway(t *testing.T) (headers []string) {
	t.Helper()
	rec := w.ask("nobody", "POST", "/ui/api/session", `{"email":"admin@example.org","password":"password of Admin"}`)
	var told struct{ Code string }
	into(t, rec, 401, &told)
	cookies := rec.Result().Cookies()
	if told.Code != "second_step" || len(cookies) != 1 || cookies[0].Name != "tidemark_step" || !cookies[0].HttpOnly {
		t.Fatalf("code %q, cookies %v", told.Code, cookies)
	}
	return []string{"Cookie", cookies[0].Name + "=" + cookies[0].Value}
}

// TestSecondStep signs in with a password and a code, and with a recovery code.
func TestSecondStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	seed, codes := w.enrol(t, "Admin")
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	step := w.halfway(t)
	var asked struct {
		Email string
		TOTP  bool
		Codes bool
	}
	rec := w.ask("nobody", "GET", "/ui/api/session/second", "", step...)
	checkContract(t, w, "GET", "/ui/api/session/second", rec)
	into(t, rec, 200, &asked)
	if asked.Email != "admin@example.org" || !asked.TOTP || !asked.Codes {
		t.Errorf("asked %+v", asked)
	}
	into(t, w.ask("nobody", "POST", "/ui/api/session/second", `{"code":"nonsense"}`, step...), 401, nil)
	rec = w.ask("nobody", "POST", "/ui/api/session/second", `{"code":"`+codeAt(t, seed, time.Now())+`"}`, step...)
	checkContract(t, w, "POST", "/ui/api/session/second", rec)
	into(t, rec, 200, nil)
	if strings.Contains(rec.Body.String(), "codes_left") || !strings.HasSuffix(rec.Result().Cookies()[0].Name, "tidemark_session") {
		t.Errorf("%s, cookies %v", rec.Body, rec.Result().Cookies())
	}
	var left struct {
		CodesLeft int `json:"codes_left"`
	}
	into(t, w.ask("nobody", "POST", "/ui/api/session/second", `{"code":"`+codes[0]+`"}`, w.halfway(t)...), 200, &left)
	if left.CodesLeft != 9 {
		t.Errorf("%d codes are left", left.CodesLeft)
	}
	var fresh struct{ Codes []string }
	rec = w.ask("Admin", "POST", "/ui/api/second_factor/codes", "")
	checkContract(t, w, "POST", "/ui/api/second_factor/codes", rec)
	if into(t, rec, 200, &fresh); len(fresh.Codes) != 10 || slices.Contains(fresh.Codes, codes[1]) {
		t.Errorf("new codes %v", fresh.Codes)
	}
	into(t, w.ask("Admin", "DELETE", "/ui/api/second_factor/totp", ""), 204, nil)
	into(t, w.ask("nobody", "POST", "/ui/api/session", `{"email":"admin@example.org","password":"password of Admin"}`), 200, nil)
}

// grow makes somebody's last proof of who they are eleven minutes old.
func (w *world) grow(t *testing.T, who string) {
	t.Helper()
	now := time.Now().Unix()
	v, err := w.Store.SessionByHash(t.Context(), tidemark.Secret(w.people[who]).Hash(), now)
	if err == nil {
		err = w.Store.ProveSession(t.Context(), v.ID, now-660)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// proofRoutes are what people need a recent proof for. A route that is about
// tokens, members, secrets or second factors and is not here needs a reason.
var proofRoutes = []string{
	"DELETE /ui/api/members/{user}", "DELETE /ui/api/membership", "DELETE /ui/api/second_factor/passkeys/{id}", "DELETE /ui/api/second_factor/totp",
	"DELETE /v1/api_tokens/{id}", "GET /ui/api/services/{id}", "GET /ui/api/services/{id}/signing", "POST /ui/api/invitations", "POST /ui/api/invitations/{id}/link",
	"POST /ui/api/second_factor/codes", "POST /ui/api/second_factor/passkeys", "POST /ui/api/second_factor/passkeys/challenge",
	"POST /ui/api/second_factor/totp", "POST /ui/api/services/{id}/signing", "POST /v1/api_tokens", "POST /v1/api_tokens/{id}/rotate",
	"PUT /ui/api/members/{user}", "PUT /ui/api/operator/orgs/{id}/limits", "PUT /ui/api/operator/orgs/{id}/requests/{limit}", "PUT /ui/api/org/second_factor", "PUT /ui/api/second_factor/totp", "PUT /v1/api_tokens/{id}",
}

// TestRecentProof: what is risky takes a proof of the last ten minutes from
// people, and none from tokens; a new proof is enough.
func TestRecentProof(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	w.grow(t, "Admin")
	var found []string
	for _, rt := range w.Table {
		method, target, body := w.goodRequest(rt)
		if rt.Action == rest.Anyone || strings.HasPrefix(rt.Pattern, "DELETE") && !rt.Proof || rt.Name() == "POST /ui/api/demo" || rt.Name() == "POST /ui/api/operator/orgs" {
			continue // it would take away what others are about, or add an organization
		}
		rec := w.ask("Admin", method, target, w.timely(body), goodHeaders(rt)...)
		if refused := rec.Code == 403 && strings.Contains(rec.Body.String(), `"code":"prove_again"`); refused != rt.Proof {
			t.Errorf("%s: %d %s", rt.Name(), rec.Code, rec.Body)
		}
		if rt.Proof {
			found = append(found, rt.Name())
		}
		if rt.Name() == "POST /ui/api/proof" {
			w.grow(t, "Admin")
		}
	}
	slices.Sort(found)
	equal(t, proofRoutes, found)
	const token = `{"name":"x","role":"viewer"}`
	into(t, w.ask("admin", "POST", "/v1/api_tokens", token), 201, nil)
	into(t, w.ask("Admin", "POST", "/v1/api_tokens", token), 403, nil)
	into(t, w.ask("Admin", "POST", "/ui/api/proof", `{"password":"correct horse battery"}`), 204, nil)
	into(t, w.ask("Admin", "POST", "/v1/api_tokens", `{"name":"y","role":"viewer"}`), 201, nil)
}

// TestSecretsTakeProof: an Admin who did not lately prove who they are sees
// masks, and saves nothing over what is behind them.
func TestSecretsTakeProof(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	const secret, masked = "https://example.org/hook", `{"title":"new","settings":{"url":"` + tidemark.MaskedSetting + `"}}`
	if rec := w.ask("Admin", "GET", "/v1/services/1", ""); !strings.Contains(rec.Body.String(), secret) {
		t.Errorf("with a recent proof: %s", rec.Body)
	}
	w.grow(t, "Admin")
	for _, path := range []string{"/v1/services/1", "/v1/services", "/v1/alerts/1", "/v1/alerts"} {
		if rec := w.ask("Admin", "GET", path, ""); rec.Code != 200 || strings.Contains(rec.Body.String(), secret) {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
	into(t, w.ask("Admin", "PUT", "/v1/services/1", masked), 403, nil)
	into(t, w.ask("Admin", "POST", "/ui/api/proof", `{"password":"correct horse battery"}`), 204, nil)
	into(t, w.ask("Admin", "PUT", "/v1/services/1", masked), 204, nil)
	if rec := w.ask("admin", "GET", "/v1/services/1", ""); !strings.Contains(rec.Body.String(), secret) || !strings.Contains(rec.Body.String(), `"new"`) {
		t.Errorf("afterwards: %s", rec.Body)
	}
}

// TestMustEnrol: where a second factor is demanded, who has none can set one up
// and nothing else; in another organization they are not concerned.
func TestMustEnrol(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	w.enrol(t, "Admin")
	into(t, w.ask("Admin", "PUT", "/ui/api/org/second_factor", `{"demanded":true}`), 204, nil)
	into(t, w.ask("Admin", "GET", "/v1/alerts", ""), 200, nil)
	into(t, w.ask("viewer", "GET", "/v1/alerts", ""), 200, nil) // a token
	into(t, w.ask("Stranger", "GET", "/v1/alerts", ""), 200, nil)
	for _, rt := range w.Table {
		if rt.Action == rest.Anyone || !tidemark.Member.Allows(rt.Action) || strings.HasPrefix(rt.Pattern, "DELETE /ui/api/session") {
			continue
		}
		method, target, body := w.goodRequest(rt)
		rec := w.ask("Member", method, target, w.timely(body), goodHeaders(rt)...)
		if refused := rec.Code == 403 && strings.Contains(rec.Body.String(), "second factor"); refused == (rt.Scope == rest.OnePerson) {
			t.Errorf("%s: %d %s", rt.Name(), rec.Code, rec.Body)
		}
	}
	var session struct {
		MustEnrol bool `json:"must_enrol"`
	}
	if into(t, w.ask("Member", "GET", "/ui/api/session", ""), 200, &session); !session.MustEnrol {
		t.Error("the session does not say so")
	}
	w.enrol(t, "Member")
	into(t, w.ask("Member", "GET", "/v1/alerts", ""), 200, nil)
	into(t, w.ask("Member", "DELETE", "/ui/api/second_factor/totp", ""), 422, nil)
	var list struct {
		Members []struct {
			Email        string
			SecondFactor bool `json:"second_factor"`
		}
	}
	if into(t, w.ask("Admin", "GET", "/ui/api/members", ""), 200, &list); !slices.ContainsFunc(list.Members, func(m struct {
		Email        string
		SecondFactor bool `json:"second_factor"`
	}) bool {
		return m.Email == "member@example.org" && m.SecondFactor
	}) {
		t.Errorf("members as an Admin sees them: %+v", list)
	}
	if rec := w.ask("Member", "GET", "/ui/api/members", ""); strings.Contains(rec.Body.String(), "second_factor") {
		t.Errorf("as a Member sees them: %s", rec.Body)
	}
}

// TestResetSecondFactor: the operator lets somebody in who lost theirs.
func TestResetSecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	w.enrol(t, "Admin")
	var mails []string
	w.SendMail = func(to, subject, _ string) { mails = append(mails, to+": "+subject) }
	into(t, w.ask("operator", "DELETE", "/admin/users/admin@example.org/second_factor", ""), 204, nil)
	into(t, w.ask("Admin", "GET", "/ui/api/session", ""), http.StatusUnauthorized, nil)
	into(t, w.ask("nobody", "POST", "/ui/api/session", `{"email":"admin@example.org","password":"password of Admin"}`), 200, nil)
	equal(t, []string{"admin@example.org: Your second factor was reset"}, mails)
}
