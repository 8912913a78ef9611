package notify

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// vapidLife is how long a token of VAPID is good: no more than 24 hours are
// allowed, and our clock may be ahead.
const vapidLife = 12 * time.Hour

// VAPID is how push services know the server (RFC 8292): by a key of its own,
// which is made when it is first needed.
type VAPID struct {
	keep    func(ctx context.Context, fresh []byte) ([]byte, error)
	contact string
	key     atomic.Pointer[ecdsa.PrivateKey]
}

// NewVAPID returns a VAPID. Keep returns the key that is kept, which is fresh if
// there was none before. Contact is where operators of push services find whose
// server this is: a URL that begins with https: or mailto:; it may be empty.
func NewVAPID(keep func(ctx context.Context, fresh []byte) ([]byte, error), contact string) *VAPID {
	return &VAPID{keep: keep, contact: contact}
}

// PublicKey returns what browsers subscribe with, in base64url.
func (v *VAPID) PublicKey(ctx context.Context) (string, error) {
	key, err := v.private(ctx)
	if err != nil {
		return "", err
	}
	return publicKey(key)
}

func publicKey(key *ecdsa.PrivateKey) (string, error) {
	raw, err := key.PublicKey.Bytes()
	return base64.RawURLEncoding.EncodeToString(raw), err
}

func (v *VAPID) private(ctx context.Context) (*ecdsa.PrivateKey, error) {
	if key := v.key.Load(); key != nil {
		return key, nil
	}
	made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	fresh, err := made.Bytes()
	if err != nil {
		return nil, err
	}
	kept, err := v.keep(ctx, fresh)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), kept)
	if err != nil {
		return nil, fmt.Errorf("key for push services: %w", err)
	}
	v.key.Store(key)
	return key, nil
}

// sign adds what tells a push service whose message r is.
func (v *VAPID) sign(ctx context.Context, r *http.Request, _ []byte, now time.Time) error {
	if v == nil {
		return permanent("this server has no key for push services")
	}
	key, err := v.private(ctx)
	if err != nil {
		return err
	}
	token, err := v.token(key, r.URL.Scheme+"://"+r.URL.Host, now)
	if err != nil {
		return err
	}
	public, err := publicKey(key)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "vapid t="+token+", k="+public)
	return nil
}

// token is a JSON Web Token for one push service, signed with ES256.
func (v *VAPID) token(key *ecdsa.PrivateKey, audience string, now time.Time) (string, error) {
	claims := struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub,omitempty"`
	}{audience, now.Add(vapidLife).Unix(), v.contact}
	body, err := marshal(claims)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature), nil
}
