package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureWindow is how old a signed request may be that is taken for fresh.
const SignatureWindow = 5 * time.Minute

// VerifySignature is for receivers of webhooks: it reports what is wrong with
// the header Tidemark-Signature of a request, or nil. Body is what came, byte
// for byte. A request that was signed more than SignatureWindow before or after
// now may be the replay of an earlier one.
func VerifySignature(header string, body []byte, secret string, now time.Time) error {
	at, signatures := parseSignature(header)
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || secret == "" {
		return errors.New("the request is not signed")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	valid, want := false, []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, s := range signatures {
		valid = hmac.Equal([]byte(s), want) || valid
	}
	if !valid {
		return errors.New("the signature was not made with this secret, or not of this body")
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > SignatureWindow {
		return errors.New("the signature is of another time: the request may be a replay")
	}
	return nil
}

// parseSignature takes apart t=SECONDS,v1=HEX,v1=HEX.
func parseSignature(header string) (at string, signatures []string) {
	for part := range strings.SplitSeq(header, ",") {
		switch name, v, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			at = v
		case "v1":
			signatures = append(signatures, v)
		}
	}
	return at, signatures
}
