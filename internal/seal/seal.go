// Package seal encrypts the secrets that the control store keeps, so that the
// database and its backups alone give none of them away. It is AES-256-GCM with
// a random nonce for each value. A sealed value names its key and opens only in
// the field it was sealed for: moved to another organization or another column
// it is worth nothing.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// form is how sealed values begin: form.KEYID.BASE64.
	form     = "s1"
	keyBytes = 32 // AES-256
	idBytes  = 4
)

// Field is the field of the database that a sealed value belongs to.
type Field struct {
	Table, Column string
	Org           int64 // 0 where it belongs to none
	Row           int64 // 0 where rows are not distinguished
}

// associated is what is authenticated with the value. Names hold no NUL.
func (f Field) associated(keyID string) []byte {
	return []byte(strings.Join([]string{
		"tidemark", form, keyID, f.Table, f.Column, strconv.FormatInt(f.Org, 10), strconv.FormatInt(f.Row, 10),
	}, "\x00"))
}

// Key is a key of 256 bits. It prints as its id.
type Key struct {
	id     string
	secret [keyBytes]byte
}

// NewKey returns a fresh key.
func NewKey() Key {
	var secret [keyBytes]byte
	rand.Read(secret[:]) // never fails
	return keyOf(secret)
}

// keyOf derives the id from the key itself, so that a key that was mistyped in
// a file is noticed when the file is read, and not with the first secret.
func keyOf(secret [keyBytes]byte) Key {
	mac := hmac.New(sha256.New, secret[:])
	mac.Write([]byte("tidemark key id"))
	return Key{id: hex.EncodeToString(mac.Sum(nil)[:idBytes]), secret: secret}
}

// derive returns a secret of its own for a purpose, the same each time.
func (k Key) derive(purpose string) string {
	mac := hmac.New(sha256.New, k.secret[:])
	mac.Write([]byte("tidemark derived\x00" + purpose))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil))
}

// ID is by which sealed values name the key.
func (k Key) ID() string { return k.id }

// String keeps keys out of logs.
func (k Key) String() string { return "key " + k.id }

// GoString keeps keys out of %#v.
func (k Key) GoString() string { return k.String() }

func (k Key) aead() cipher.AEAD {
	block, err := aes.NewCipher(k.secret[:])
	if err != nil {
		panic(err) // the length is right
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has the right block
	}
	return aead
}

// NoKey is the error of a value whose key is not there.
type NoKey struct{ ID string }

func (e *NoKey) Error() string { return "key " + e.ID + " is not there" }

// ErrDamaged is the error of a value that was changed, or belongs elsewhere.
var ErrDamaged = errors.New("the sealed value was changed or belongs elsewhere")

// seal returns plain sealed for f.
func (k Key) seal(f Field, plain []byte) string {
	return form + "." + k.id + "." + base64.RawURLEncoding.EncodeToString(k.aead().Seal(nil, nil, plain, f.associated(k.id)))
}

func (k Key) open(f Field, text string) ([]byte, error) {
	box, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, ErrDamaged
	}
	plain, err := k.aead().Open(nil, nil, box, f.associated(k.id))
	if err != nil {
		return nil, ErrDamaged
	}
	return plain, nil
}

// KeyID returns the id of the key that sealed was made with.
func KeyID(sealed string) (string, error) {
	id, _, err := split(sealed)
	return id, err
}

// Prefix is how all values begin that were sealed with a key.
func Prefix(keyID string) string { return form + "." + keyID + "." }

func split(sealed string) (id, text string, err error) {
	parts := strings.SplitN(sealed, ".", 3)
	if len(parts) != 3 || parts[0] != form {
		return "", "", fmt.Errorf("%w: it is not of the form %s.KEY.VALUE", ErrDamaged, form)
	}
	return parts[1], parts[2], nil
}
