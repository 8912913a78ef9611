package api

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// authenticator is a security key that does as it is told.
type authenticator struct {
	key      *ecdsa.PrivateKey
	id       []byte
	user     string // the handle that it got, base64url
	count    uint32
	verifies bool // it asks for a fingerprint
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &authenticator{key: key, id: []byte(rand.Text()), verifies: true}
}

var b64 = base64.RawURLEncoding

// challenge is what the server wants answered.
type challenge struct{ Key, Options string }

type options struct {
	Challenge string
	RPID      string `json:"rpId"`
	RP        struct{ ID string }
	User      struct{ ID string }
}

func (c challenge) options(t *testing.T) (o options) {
	t.Helper()
	if err := json.Unmarshal([]byte(c.Options), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// authData is what the authenticator says: for whom, how, and how often so far.
func (a *authenticator) authData(site string, more byte) []byte {
	a.count++
	hash, flags := sha256.Sum256([]byte(site)), more|1
	if a.verifies {
		flags |= 4
	}
	return binary.BigEndian.AppendUint32(append(hash[:], flags), a.count)
}

func clientData(kind string, o options) []byte {
	text, _ := json.Marshal(map[string]any{"type": "webauthn." + kind, "challenge": o.Challenge, "origin": "http://example.com", "crossOrigin": false})
	return text
}

// makes answers a challenge with a new credential. Its parts are CBOR.
func (a *authenticator) makes(t *testing.T, c challenge) string {
	t.Helper()
	o := c.options(t)
	a.user = o.User.ID
	data := a.authData(o.RP.ID, 0x40)
	data = append(data, make([]byte, 16)...) // of no known maker
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(data, a.id...)
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32) // EC2, ES256, P-256, x
	data = append(append(append(data, point[1:33]...), 0x22, 0x58, 32), point[33:]...)
	object := slices.Concat([]byte{0xa3, 0x63}, []byte("fmt"), []byte{0x64}, []byte("none"), []byte{0x67}, []byte("attStmt"), []byte{0xa0, 0x68}, []byte("authData"), []byte{0x58, byte(len(data))}, data)
	return a.answer(c, map[string]string{"clientDataJSON": b64.EncodeToString(clientData("create", o)), "attestationObject": b64.EncodeToString(object)})
}

// signs answers a challenge with the credential that it made.
func (a *authenticator) signs(t *testing.T, c challenge) string {
	t.Helper()
	o := c.options(t)
	data, client := a.authData(o.RPID, 0), clientData("get", o)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(slices.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return a.answer(c, map[string]string{
		"clientDataJSON": b64.EncodeToString(client), "authenticatorData": b64.EncodeToString(data), "signature": b64.EncodeToString(signature), "userHandle": a.user,
	})
}

func (a *authenticator) answer(c challenge, response map[string]string) string {
	id := b64.EncodeToString(a.id)
	credential, _ := json.Marshal(map[string]any{"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	body, _ := json.Marshal(map[string]string{"name": "Laptop", "key": c.Key, "credential": string(credential)})
	return string(body)
}

// asked asks for a challenge.
func (w *world) asked(t *testing.T, who, path string, headers ...string) (c challenge) {
	t.Helper()
	rec := w.ask(who, "POST", path, "", headers...)
	checkContract(t, w, "POST", path, rec)
	into(t, rec, 200, &c)
	return c
}

const passkeys = "/ui/api/second_factor/passkeys"

// addPasskey gives the Admin a passkey.
func (w *world) addPasskey(t *testing.T, a *authenticator) *httptest.ResponseRecorder {
	t.Helper()
	rec := w.ask("Admin", "POST", passkeys, a.makes(t, w.asked(t, "Admin", passkeys+"/challenge")))
	checkContract(t, w, "POST", passkeys, rec)
	return rec
}

// TestPasskeys makes one and signs in with it, as the second step, as the only
// one, and to prove again who one is.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	a := newAuthenticator(t)
	var made struct {
		Codes   []string
		Passkey struct {
			ID   int64
			Name string
		}
	}
	if into(t, w.addPasskey(t, a), 201, &made); len(made.Codes) != 10 || made.Passkey.Name != "Laptop" {
		t.Errorf("made %+v", made)
	}
	rec := w.ask("nobody", "PUT", "/ui/api/session/passkey", a.signs(t, w.asked(t, "nobody", "/ui/api/session/passkey")))
	checkContract(t, w, "PUT", "/ui/api/session/passkey", rec)
	into(t, rec, 200, nil)

	step := w.halfway(t)
	a.verifies = false // it is the second step: having it is enough
	const second = "/ui/api/session/second/passkey"
	rec = w.ask("nobody", "PUT", second, a.signs(t, w.asked(t, "nobody", second, step...)), step...)
	checkContract(t, w, "PUT", second, rec)
	into(t, rec, 200, nil)

	w.grow(t, "Admin")
	into(t, w.ask("Admin", "DELETE", passkeys+"/1", ""), 403, nil)
	into(t, w.ask("Admin", "POST", "/ui/api/proof", a.signs(t, w.asked(t, "Admin", "/ui/api/proof/passkey"))), 204, nil)
	into(t, w.ask("Admin", "PUT", passkeys+"/1", `{"name":"Work laptop"}`), 204, nil)
	into(t, w.ask("Admin", "DELETE", passkeys+"/1", ""), 204, nil)
	into(t, w.ask("nobody", "PUT", "/ui/api/session/passkey", a.signs(t, w.asked(t, "nobody", "/ui/api/session/passkey"))), 401, nil)
}

// TestPasskeysRefused: answers that prove nothing.
func TestPasskeysRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	a := newAuthenticator(t)
	into(t, w.addPasskey(t, a), 201, nil)
	signIn := func(body string) int { return w.ask("nobody", "PUT", "/ui/api/session/passkey", body).Code }
	ask := func() challenge { return w.asked(t, "nobody", "/ui/api/session/passkey") }

	c := ask()
	good := a.signs(t, c)
	if got := signIn(good); got != 200 {
		t.Fatalf("a good answer: %d", got)
	}
	if got := signIn(good); got != 401 {
		t.Errorf("the same answer again: %d", got)
	}
	a.verifies = false
	if got := signIn(a.signs(t, ask())); got != 401 {
		t.Errorf("without having verified the person: %d", got)
	}
	a.verifies = true
	a.count = 0
	if got := signIn(a.signs(t, ask())); got != 401 {
		t.Errorf("a copy, whose counter is behind: %d", got)
	}
	a.count = 50
	other := newAuthenticator(t)
	other.id, other.user, other.count = a.id, a.user, 60
	if got := signIn(other.signs(t, ask())); got != 401 {
		t.Errorf("signed with another key: %d", got)
	}
	elsewhere := a.signs(t, w.asked(t, "Admin", "/ui/api/proof/passkey"))
	if got := signIn(elsewhere); got != 401 && got != 429 {
		t.Errorf("the answer to another question: %d", got)
	}
}

// TestPasskeysBelongToOne: a passkey of somebody else is no second step.
func TestPasskeysBelongToOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	mine, theirs := newAuthenticator(t), newAuthenticator(t)
	into(t, w.addPasskey(t, mine), 201, nil)
	into(t, w.ask("Member", "POST", passkeys, theirs.makes(t, w.asked(t, "Member", passkeys+"/challenge"))), 201, nil)
	into(t, w.ask("Member", "POST", passkeys, theirs.makes(t, w.asked(t, "Admin", passkeys+"/challenge"))), 400, nil)
	step := w.halfway(t)
	const second = "/ui/api/session/second/passkey"
	into(t, w.ask("nobody", "PUT", second, theirs.signs(t, w.asked(t, "nobody", second, step...)), step...), 401, nil)
}

// TestPasskeysNeedAName: an address of numbers has none.
func TestPasskeysNeedAName(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	w.PublicURL = "https://192.0.2.7"
	rec := w.ask("Admin", "POST", passkeys+"/challenge", "")
	if rec.Code != 422 || !strings.Contains(rec.Body.String(), "by name") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}
