package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Codes of authenticator apps as RFC 6238 has them, with what all apps take for
// granted: SHA-1, six digits, a new one every thirty seconds.
const (
	totpSeconds = 30
	totpDigits  = 6
	totpSkew    = 1 // intervals that a clock may be wrong by
	seedBytes   = 20
)

var seedText = base32.StdEncoding.WithPadding(base32.NoPadding)

func newSeed() tidemark.Secret {
	var seed [seedBytes]byte
	rand.Read(seed[:]) // never fails
	return tidemark.Secret(seedText.EncodeToString(seed[:]))
}

// totpURI is what an app reads from the QR code.
func totpURI(seed tidemark.Secret, email string) string {
	return "otpauth://totp/Tidemark:" + url.PathEscape(email) + "?secret=" + seed.Reveal() + "&issuer=Tidemark"
}

// totpCode is the code of one interval.
func totpCode(key []byte, step int64) string {
	mac := hmac.New(sha1.New, key)
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 15
	number := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, number%1_000_000)
}

// totpStep returns the interval around now whose code it is, or false. It takes
// as long for a wrong code as for a right one.
func totpStep(seed tidemark.Secret, code string, now time.Time) (int64, bool) {
	key, err := seedText.DecodeString(seed.Reveal())
	if err != nil {
		return 0, false
	}
	current, found, ok := now.Unix()/totpSeconds, int64(0), false
	for step := current - totpSkew; step <= current+totpSkew; step++ {
		if subtle.ConstantTimeCompare([]byte(totpCode(key, step)), []byte(code)) == 1 {
			found, ok = step, true
		}
	}
	return found, ok
}
