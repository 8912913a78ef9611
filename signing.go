package tidemark

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// SignatureHeader is the header that signed requests of the server carry.
const SignatureHeader = "Tidemark-Signature"

// signingPrefix tells signing secrets from tokens.
const signingPrefix = "tms_"

// Signing is the secrets by which a receiver knows that a request is from us.
type Signing struct {
	Secret   string `json:"secret"`
	Old      string `json:"old,omitempty"` // signs as well, until OldUntil
	OldUntil int64  `json:"old_until,omitempty"`
	Since    int64  `json:"since"`
}

// NewSigning returns a fresh secret of 256 random bits.
func NewSigning(now int64) *Signing {
	return &Signing{Secret: signingPrefix + randomDigits(), Since: now}
}

// Rotated returns a fresh secret. That of s signs as well until then; one that
// was replaced before it does not.
func (s *Signing) Rotated(now, until int64) *Signing {
	next := NewSigning(now)
	if s != nil && until > now {
		next.Old, next.OldUntil = s.Secret, until
	}
	return next
}

// Sign returns the value of SignatureHeader for a body that is sent now: the
// time, and an HMAC-SHA256 of time and body with each secret that is valid.
func (s *Signing) Sign(body []byte, now time.Time) string {
	at := strconv.FormatInt(now.Unix(), 10)
	header := "t=" + at + ",v1=" + signature(s.Secret, at, body)
	if s.OldAt(now.Unix()) {
		header += ",v1=" + signature(s.Old, at, body)
	}
	return header
}

// OldAt reports whether the secret before this one still signs.
func (s *Signing) OldAt(now int64) bool { return s.Old != "" && now < s.OldUntil }

// Secrets returns all that nobody else may see.
func (s *Signing) Secrets() []string {
	if s == nil {
		return nil
	}
	return []string{s.Secret, s.Old}
}

func signature(secret, at string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// String keeps the secrets out of logs.
func (s Signing) String() string { return MaskedSetting }

// GoString keeps the secrets out of %#v.
func (s Signing) GoString() string { return MaskedSetting }
