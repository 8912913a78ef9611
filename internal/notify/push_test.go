package notify

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

func fromBase64(t *testing.T, s string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestPushEncryption is the example of section 5 of RFC 8291.
func TestPushEncryption(t *testing.T) {
	t.Parallel()
	to, err := parseSubscription(settings{
		"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		"auth":   "BTBZMqHH6r4Tts7J_aSIgg",
	})
	if err != nil {
		t.Fatal(err)
	}
	own, err := ecdh.P256().NewPrivateKey(fromBase64(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := to.encryptWith([]byte("When I grow up, I want to be a watermelon"), own, fromBase64(t, "DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if diff := cmp.Diff(want, base64.RawURLEncoding.EncodeToString(got)); diff != "" {
		t.Error(diff)
	}
}

// browser is one that subscribed: it decrypts what is sent to it.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return browser{key, []byte("sixteen letters.")}
}

func (b browser) settings() map[string]string {
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]string{
		"endpoint": "https://push.example.org/s3cr3t-path", "p256dh": encode(b.key.PublicKey().Bytes()), "auth": encode(b.auth), "severity": "all",
	}
}

func (b browser) decrypt(t *testing.T, body []byte) []byte {
	t.Helper()
	salt, sender, sealed := body[:16], body[21:21+65], body[21+65:]
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	secret := derive(shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(secret, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, derive(secret, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(plain, []byte{2})
}

// kept is a store that keeps the first key.
type kept struct{ key []byte }

func (k *kept) keep(_ context.Context, fresh []byte) ([]byte, error) {
	if k.key == nil {
		k.key = fresh
	}
	return k.key, nil
}

// push sends n to b, by a push service that answers with code, and returns what
// that got.
func (b browser) push(t *testing.T, n Notification, v *VAPID, code int) (*http.Request, []byte, Result, error) {
	t.Helper()
	var got *http.Request
	var body []byte
	client := &http.Client{Transport: exchangeFunc(func(r *http.Request) (*http.Response, error) {
		got = r
		body, _ = io.ReadAll(r.Body)
		return respond(r, code, nil, "about s3cr3t-path"), nil
	})}
	s, err := New(&tidemark.Service{Type: tidemark.PushService, Title: "phone", Settings: b.settings()}, Options{Client: client, Push: v, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Send(t.Context(), n)
	return got, body, result, err
}

// TestPush: the browser can read what it is sent, and the push service only
// what it needs to know.
func TestPush(t *testing.T) {
	t.Parallel()
	n := stories()["5 escalation"]
	n.Incident, n.Step, n.Joined = 88, 0, 0
	b := newBrowser(t)
	r, body, _, err := b.push(t, n, NewVAPID(new(kept).keep, "mailto:ops@example.org"), http.StatusCreated)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Content-Encoding": "aes128gcm", "Ttl": "43200", "Urgency": "high", "Content-Type": "application/octet-stream",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if topic := r.Header.Get("Topic"); len(topic) == 0 || len(topic) > 32 {
		t.Errorf("topic %q", topic)
	}
	if len(body) > 4096 {
		t.Errorf("%d bytes", len(body))
	}
	var got pushMessage
	if err := json.Unmarshal(b.decrypt(t, body), &got); err != nil {
		t.Fatal(err)
	}
	want := pushMessage{
		Title: "prod.checkout.latency.high fired", Tag: "tidemark-4711-88", Path: "o/7/alerts/4711?incident=88", Acknowledge: n.Acknowledge, Snooze: "o/7/v1/alerts/4711/snooze",
		Body: n.Sentence + "\nenvironment=prod,host=web1: checkout.latency 412.5 ms, above 250 ms for 5 min\n" +
			"environment=prod,host=web1: checkout.ratio 0.123, below 0.5\nenvironment=prod,host=web2: checkout.heartbeat silent for 10 min",
	}
	want.Body = shorten(want.Body, maxPushText)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPushIsBounded: whatever an alert is called, the message is one that push
// services take.
func TestPushIsBounded(t *testing.T) {
	t.Parallel()
	for _, character := range []string{"x", "温", "\"", "\x01"} {
		n := crowded(character)
		n.Alert.Name, n.Sentence = strings.Repeat(character, 255), strings.Repeat(character, 4000)
		b := newBrowser(t)
		_, body, _, err := b.push(t, n, NewVAPID(new(kept).keep, ""), http.StatusCreated)
		if err != nil || len(body) > 4096 {
			t.Errorf("%q: %d bytes, %v", character, len(body), err)
		}
	}
}

// TestPushCleared: that it is over makes no sound and has nothing to
// acknowledge.
func TestPushCleared(t *testing.T) {
	t.Parallel()
	n := stories()["3 clear"]
	n.Acknowledge = "https://tidemark.example.org/acknowledge/x"
	b := newBrowser(t)
	r, body, _, err := b.push(t, n, NewVAPID(new(kept).keep, ""), http.StatusCreated)
	if err != nil {
		t.Fatal(err)
	}
	var got pushMessage
	if err := json.Unmarshal(b.decrypt(t, body), &got); err != nil {
		t.Fatal(err)
	}
	if !got.Silent || got.Acknowledge != "" || got.Snooze != "" || got.Title != "prod.checkout.latency.high was resolved by hand" || r.Header.Get("Urgency") != "normal" {
		t.Errorf("%+v, urgency %s", got, r.Header.Get("Urgency"))
	}
}

// TestPushGone: a subscription that ended is told from a refusal and from what
// is worth another try, and no answer gives away where it was.
func TestPushGone(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	for code, want := range map[int][2]bool{ // permanent, gone
		http.StatusNotFound: {true, true}, http.StatusGone: {true, true}, http.StatusForbidden: {true, false},
		http.StatusTooManyRequests: {false, false}, http.StatusBadGateway: {false, false},
	} {
		_, _, result, err := b.push(t, stories()["1 trigger"], NewVAPID(new(kept).keep, ""), code)
		if got := [2]bool{errors.Is(err, ErrPermanent), errors.Is(err, ErrGone)}; got != want {
			t.Errorf("%d: permanent and gone %v, want %v", code, got, want)
		}
		if strings.Contains(result.Status+err.Error(), hidden) {
			t.Errorf("%d: %q, %q", code, result.Status, err)
		}
	}
}

// TestVAPID: one key for all, and a token that says for which push service it
// is, how long, and whose it is.
func TestVAPID(t *testing.T) {
	t.Parallel()
	store := new(kept)
	v := NewVAPID(store.keep, "https://tidemark.example.org")
	public, err := v.PublicKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := NewVAPID(store.keep, "").PublicKey(t.Context()); err != nil || again != public {
		t.Errorf("another server has the key %s, %v", again, err)
	}
	r, _, _, err := newBrowser(t).push(t, stories()["1 trigger"], v, http.StatusCreated)
	if err != nil {
		t.Fatal(err)
	}
	token, key, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "vapid t="), ", k=")
	if key != public {
		t.Errorf("signed with %s", key)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("token %q", token)
	}
	want := `{"aud":"https://push.example.org","exp":1700043670,"sub":"https://tidemark.example.org"}`
	if got := string(fromBase64(t, parts[1])); got != want || !clock().Add(24*time.Hour).After(time.Unix(1700043670, 0)) {
		t.Errorf("claims %s", got)
	}
	signer, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), fromBase64(t, public))
	if err != nil {
		t.Fatal(err)
	}
	signature, sum := fromBase64(t, parts[2]), sha256.Sum256([]byte(parts[0]+"."+parts[1]))
	if !ecdsa.Verify(signer, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature is not that of the key")
	}
}

// TestPushWithoutKey: where the key cannot be read nothing is sent, and it is
// worth another try.
func TestPushWithoutKey(t *testing.T) {
	t.Parallel()
	lost := NewVAPID(func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no key file") }, "")
	r, _, _, err := newBrowser(t).push(t, stories()["1 trigger"], lost, http.StatusCreated)
	if err == nil || errors.Is(err, ErrPermanent) || r != nil {
		t.Errorf("%v", err)
	}
}
