package auth_test

import (
	"cmp"
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
	"sync"
	"testing"
	"time"
)

// issuer is an OpenID Connect issuer that vouches for the person that claims names.
type issuer struct {
	*httptest.Server
	t       *testing.T
	key     *rsa.PrivateKey
	asked   url.Values     // what the person was last sent with
	claims  map[string]any // added to, or in place of, those of the token
	signer  *rsa.PrivateKey
	keysURL string // in place of its own
	broken  bool   // answers nothing that makes sense
}

const clientID, clientSecret, code = "tidemark", "s3cret", "the-code"

// issuerKey is what issuers sign with until they change it: to find one takes
// longer than what most tests do with it.
var issuerKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newIssuer(t *testing.T) *issuer {
	key, err := issuerKey()
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{t: t, key: key, signer: key}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func (i *issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	if i.broken {
		http.Error(w, "down for maintenance", http.StatusServiceUnavailable)
		return
	}
	answer(w, map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": cmp.Or(i.keysURL, i.URL+"/keys"),
		"id_token_signing_alg_values_supported": []string{"RS256"},
	})
}

func (i *issuer) keys(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{"keys": []any{map[string]string{
		"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1", "n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
	}}})
}

// token exchanges the code, if the one who asks is the one who started.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic { // the other way that clients prove who they are
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch {
	case id != clientID || secret != clientSecret:
		i.t.Errorf("client %q with secret %q", id, secret)
	case r.FormValue("redirect_uri") != i.asked.Get("redirect_uri"):
		i.t.Errorf("redirect %q, but the person was sent with %q", r.FormValue("redirect_uri"), i.asked.Get("redirect_uri"))
	case i.asked.Get("code_challenge_method") != "S256" || encode(sum[:]) != i.asked.Get("code_challenge"):
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]string{"error": "invalid_grant", "error_description": "PKCE verification failed"})
		return
	case r.FormValue("code") != code:
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]string{"error": "invalid_grant"})
		return
	}
	answer(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": i.idToken()})
}

func (i *issuer) idToken() string {
	now := time.Now().Unix()
	claims := map[string]any{
		"iss": i.URL, "aud": clientID, "sub": "42", "iat": now, "exp": now + 300, "nonce": i.asked.Get("nonce"),
		"email": "Ann@example.org", "email_verified": true, "name": "Ann", "groups": []string{"staff", "ops"},
	}
	for k, v := range i.claims {
		if v == nil {
			delete(claims, k)
			continue
		}
		claims[k] = v
	}
	head, _ := json.Marshal(map[string]string{"alg": "RS256", "kid": "1", "typ": "JWT"})
	body, _ := json.Marshal(claims)
	text := encode(head) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	sig, err := rsa.SignPKCS1v15(rand.Reader, i.signer, crypto.SHA256, sum[:])
	if err != nil {
		i.t.Fatal(err)
	}
	return text + "." + encode(sig)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
