package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
	"golang.org/x/crypto/argon2"
)

// The cost of a password hash: the second recommended choice of RFC 9106, at
// less memory, as sign-ins may come in bursts.
const (
	argonTime    = 3
	argonMemory  = 32 << 10 // KiB
	argonThreads = 1
	argonKey     = 32

	minPassword = 10
	maxPassword = 1000
)

// HashPassword returns what is kept of a password: the parameters, the salt
// and the hash. A password that is too short is an Invalid error.
func HashPassword(password string) (string, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	var salt [16]byte
	rand.Read(salt[:]) // never fails
	key := argon2.IDKey([]byte(password), salt[:], argonTime, argonMemory, argonThreads, argonKey)
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		enc.EncodeToString(salt[:]), enc.EncodeToString(key)), nil
}

func checkLength(password string) error {
	n := utf8.RuneCountInString(password)
	if n < minPassword {
		return tidemark.InvalidField("password", "is shorter than %d characters", minPassword)
	}
	if n > maxPassword {
		return tidemark.InvalidField("password", "is longer than %d characters", maxPassword)
	}
	return nil
}

// CheckPassword reports whether password is the one that hash is of. An empty
// or foreign hash takes as long as a real one, so that the time does not tell
// who exists.
func CheckPassword(hash, password string) bool {
	salt, want, params, known := parseHash(hash)
	key := argon2.IDKey([]byte(password), salt, params.time, params.memory, params.threads, argonKey)
	return subtle.ConstantTimeCompare(key, want) == 1 && known && utf8.RuneCountInString(password) <= maxPassword
}

type argonParams struct {
	time, memory uint32
	threads      uint8
}

func parseHash(hash string) (salt, key []byte, p argonParams, ok bool) {
	p = argonParams{argonTime, argonMemory, argonThreads}
	none := make([]byte, argonKey)
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return none, none, p, false
	}
	var read argonParams
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &read.memory, &read.time, &read.threads); err != nil || n != 3 {
		return none, none, p, false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	key, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || read.time == 0 || read.threads == 0 || read.memory > 1<<20 || read.time > 100 {
		return none, none, p, false
	}
	return salt, key, read, true
}
