package api

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// issuer is a sign-in service: whatever code comes back from a browser, it
// vouches for the person that claims describe.
type issuer struct {
	*httptest.Server
	key    *rsa.PrivateKey
	claims map[string]any
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key, claims: map[string]any{}}
	mux := http.NewServeMux()
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	say := func(path string, body func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body())
		})
	}
	say("/.well-known/openid-configuration", func() any {
		return map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/auth", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}
	})
	say("/keys", func() any {
		e := big.NewInt(int64(key.E)).Bytes()
		return map[string]any{"keys": []any{map[string]string{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k", "n": text64(key.N.Bytes()), "e": text64(e)}}}
	})
	say("/token", func() any {
		return map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": i.token()}
	})
	return i
}

func text64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// token is the claims, signed.
func (i *issuer) token() string {
	claims := map[string]any{"iss": i.URL, "aud": "tidemark", "sub": "1", "iat": time.Now().Unix(), "exp": time.Now().Unix() + 60}
	for name, v := range i.claims {
		claims[name] = v
	}
	body, _ := json.Marshal(claims)
	text := text64([]byte(`{"alg":"RS256","kid":"k"}`)) + "." + text64(body)
	sum := sha256.Sum256([]byte(text))
	sign, _ := rsa.SignPKCS1v15(nil, i.key, crypto.SHA256, sum[:])
	return text + "." + text64(sign)
}

// visit goes to the issuer and comes back, with claims about who came.
func (i *issuer) visit(t *testing.T, w *world, claims map[string]any) *httptest.ResponseRecorder {
	t.Helper()
	start := w.ask("nobody", "GET", "/ui/api/oidc/start", "")
	to, err := url.Parse(start.Header().Get("Location"))
	if err != nil || start.Code != http.StatusFound || !strings.HasPrefix(to.String(), i.URL+"/auth?") {
		t.Fatalf("%d, to %q, %v", start.Code, to, err)
	}
	i.claims = map[string]any{"nonce": to.Query().Get("nonce")}
	for name, v := range claims {
		i.claims[name] = v
	}
	cookie := start.Result().Cookies()[0]
	back := "/ui/api/oidc/callback?code=c&state=" + url.QueryEscape(to.Query().Get("state"))
	return w.ask("nobody", "GET", back, "", "Cookie", cookie.Name+"="+cookie.Value)
}

// TestOIDC signs people in elsewhere.
func TestOIDC(t *testing.T) {
	i := newIssuer(t)
	w := newWorld(t)
	w.OIDC = &auth.OIDC{
		Issuer: i.URL, ClientID: "tidemark", ClientSecret: "s", Title: "Harbour ID", GroupsClaim: "groups",
		AdminGroups: []string{"ops"}, ViewerGroups: []string{"all"}, Client: i.Client(),
	}
	tests := []struct {
		name   string
		claims map[string]any
		want   int
		text   string
	}{
		{"an admin", map[string]any{"email": "Ada@example.org", "name": "Ada", "groups": []string{"all", "ops"}}, 302, ""},
		{"a viewer", map[string]any{"email": "bob@example.org", "groups": []string{"all"}}, 302, ""},
		{"of no group", map[string]any{"email": "eve@example.org", "groups": []string{"else"}}, 403, "None of your groups may use Tidemark."},
		{"without an address", map[string]any{"groups": []string{"ops"}}, 403, "The sign-in service gives no verified e-mail address for you."},
		{"with an address that is not verified", map[string]any{"email": "eve@example.org", "email_verified": false, "groups": []string{"ops"}}, 403, "gives no verified e-mail"},
		{"of another sign-in", map[string]any{"email": "eve@example.org", "groups": []string{"ops"}, "nonce": "other"}, 401, "The sign-in service did not vouch for you."},
		{"for another service", map[string]any{"email": "eve@example.org", "groups": []string{"ops"}, "aud": "other"}, 401, "did not vouch"},
		{"too late", map[string]any{"email": "eve@example.org", "groups": []string{"ops"}, "exp": 1000}, 401, "did not vouch"},
	}
	for _, tt := range tests {
		rec := i.visit(t, w, tt.claims)
		if rec.Code != tt.want || !strings.Contains(rec.Body.String(), tt.text) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, rec.Code, rec.Body, tt.want, tt.text)
		}
		if signedIn := len(rec.Result().Cookies()) > 0; signedIn != (tt.want == 302) {
			t.Errorf("%s: signed in: %v", tt.name, signedIn)
		}
	}
	rec := i.visit(t, w, tests[0].claims)
	w.people["Ada"] = rec.Result().Cookies()[0].Value
	if rec := w.ask("Ada", "GET", "/ui/api/session", ""); !strings.Contains(rec.Body.String(), `"email":"ada@example.org"`) || !strings.Contains(rec.Body.String(), `"role":"admin"`) {
		t.Errorf("Ada is %s", rec.Body)
	}
	if _, err := w.Store.UserByEmail(t.Context(), "eve@example.org"); err == nil {
		t.Error("who was refused was made")
	}
}

// TestOIDCState: what comes back must have left from this browser, once.
func TestOIDCState(t *testing.T) {
	i := newIssuer(t)
	w := newWorld(t)
	w.OIDC = &auth.OIDC{Issuer: i.URL, ClientID: "tidemark", Title: "Harbour ID", Client: i.Client()}
	start := w.ask("nobody", "GET", "/ui/api/oidc/start", "")
	to, _ := url.Parse(start.Header().Get("Location"))
	i.claims = map[string]any{"nonce": to.Query().Get("nonce"), "email": "ada@example.org"}
	back := "/ui/api/oidc/callback?code=c&state=" + url.QueryEscape(to.Query().Get("state"))
	cookie := start.Result().Cookies()[0]
	headers := []string{"Cookie", cookie.Name + "=" + cookie.Value}
	if rec := w.ask("nobody", "GET", back, ""); rec.Code != 401 {
		t.Errorf("in another browser: %d", rec.Code)
	}
	if rec := w.ask("nobody", "GET", back, "", headers...); rec.Code != 302 {
		t.Errorf("in this browser: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("nobody", "GET", back, "", headers...); rec.Code != 401 {
		t.Errorf("twice: %d %s", rec.Code, rec.Body)
	}
	i.Close()
	w.OIDC = &auth.OIDC{Issuer: i.URL, Client: i.Client()}
	if rec := w.ask("nobody", "GET", "/ui/api/oidc/start", ""); rec.Code != 503 || !strings.Contains(rec.Body.String(), "The sign-in service does not answer.") {
		t.Errorf("without an issuer: %d %s", rec.Code, rec.Body)
	}
}
