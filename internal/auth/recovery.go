package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

const (
	recoveryCodes = 10
	recoveryHalf  = 4 // characters on either side of the hyphen
)

// newCode returns a recovery code of 40 bits, as people copy it by hand.
func newCode() string {
	text := strings.ToLower(rand.Text())
	return text[:recoveryHalf] + "-" + text[recoveryHalf:2*recoveryHalf]
}

// cleanCode is a recovery code as it was made, however somebody types it.
func cleanCode(typed string) string {
	text := strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, typed))
	if len(text) != 2*recoveryHalf {
		return ""
	}
	return text[:recoveryHalf] + "-" + text[recoveryHalf:]
}

// makeCodes returns recovery codes and their hashes. The hashes share a salt,
// so that one computation finds out which of them somebody gave.
func (a *Authenticator) makeCodes(ctx context.Context) (codes, hashes []string, err error) {
	if err := a.hashing.enter(ctx); err != nil {
		return nil, nil, err
	}
	defer a.hashing.leave()
	var salt [16]byte
	rand.Read(salt[:]) // never fails
	for range recoveryCodes {
		code := newCode()
		codes, hashes = append(codes, code), append(hashes, a.Cost.text(salt[:], a.Cost.key(code, salt[:])))
	}
	return codes, hashes, nil
}

// findCode returns the hash of a person's recovery code, or "".
func (a *Authenticator) findCode(ctx context.Context, user int64, typed string) (string, error) {
	code := cleanCode(typed)
	hashes, err := a.store.RecoveryCodes(ctx, user)
	if err != nil || code == "" || len(hashes) == 0 {
		return "", err
	}
	if err := a.hashing.enter(ctx); err != nil {
		return "", err
	}
	defer a.hashing.leave()
	salt, _, cost, ok := a.Cost.parseHash(hashes[0])
	if !ok {
		return "", nil
	}
	want, found := cost.text(salt, cost.key(code, salt)), ""
	for _, hash := range hashes {
		if subtle.ConstantTimeCompare([]byte(hash), []byte(want)) == 1 {
			found = hash
		}
	}
	return found, nil
}

// NewCodes gives who new recovery codes; those of before work no longer. They
// are for people who have a second factor.
func (a *Authenticator) NewCodes(ctx context.Context, who tidemark.Identity) ([]string, error) {
	f, err := a.store.SecondFactors(ctx, who.User)
	if err != nil {
		return nil, err
	}
	if !f.Any() {
		return nil, tidemark.Errorf(tidemark.Conflict, "Recovery codes come with the first passkey or authenticator app. Set one up first.")
	}
	codes, hashes, err := a.makeCodes(ctx)
	if err != nil {
		return nil, err
	}
	return codes, a.store.ReplaceRecoveryCodes(ctx, who.Actor(), who.User, hashes)
}

// firstCodes returns recovery codes for somebody who has none, and else none.
func (a *Authenticator) firstCodes(ctx context.Context, user int64) (codes, hashes []string, err error) {
	f, err := a.store.SecondFactors(ctx, user)
	if err != nil || f.Codes > 0 {
		return []string{}, nil, err
	}
	return a.makeCodes(ctx)
}
