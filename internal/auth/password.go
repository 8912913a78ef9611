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

const (
	argonKey = 32

	minPassword = 10
	maxPassword = 1000
)

// Cost is what it takes to make a password hash with Argon2id.
type Cost struct {
	Time, Memory uint32 // passes, KiB
	Threads      uint8
}

// DefaultCost is the second recommended choice of RFC 9106, at less memory, as
// sign-ins may come in bursts.
func DefaultCost() Cost { return Cost{Time: 3, Memory: 32 << 10, Threads: 1} }

// Hash returns what is kept of a password: the cost, the salt and the hash. A
// password that is too short is an Invalid error.
func (c Cost) Hash(password string) (string, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	var salt [16]byte
	rand.Read(salt[:]) // never fails
	return c.text(salt[:], c.key(password, salt[:])), nil
}

// text is how a hash is kept, with its cost and its salt.
func (c Cost) text(salt, key []byte) string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, c.Threads,
		enc.EncodeToString(salt), enc.EncodeToString(key))
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

func (c Cost) key(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, argonKey)
}

// Check reports whether password is the one that hash is of, whatever that
// cost. An empty or foreign hash takes as long as one of cost c, so that the
// time does not tell who exists.
func (c Cost) Check(hash, password string) bool {
	salt, want, cost, known := c.parseHash(hash)
	return subtle.ConstantTimeCompare(cost.key(password, salt), want) == 1 && known && utf8.RuneCountInString(password) <= maxPassword
}

func (c Cost) parseHash(hash string) (salt, key []byte, cost Cost, ok bool) {
	none := make([]byte, argonKey)
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return none, none, c, false
	}
	var read Cost
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &read.Memory, &read.Time, &read.Threads); err != nil || n != 3 {
		return none, none, c, false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	key, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || read.Time == 0 || read.Threads == 0 || read.Memory > 1<<20 || read.Time > 100 {
		return none, none, c, false
	}
	return salt, key, read, true
}
