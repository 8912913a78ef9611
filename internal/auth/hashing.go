package auth

import (
	"context"
	"runtime"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// hashWait is how long a request may wait for its turn to hash a password.
const hashWait = 10 * time.Second

// hashing is room for as many password hashes at once as there are processors
// but one, so that whoever guesses passwords leaves one to others. Each takes
// 32 MiB.
type hashing chan struct{}

func newHashing() hashing { return make(hashing, max(1, runtime.NumCPU()-1)) }

var errBusy = tidemark.Errorf(tidemark.Unavailable, "Too many people are signing in at once. Try again.")

// enter waits for a place, which leave gives back.
func (h hashing) enter(ctx context.Context) error {
	wait := time.NewTimer(hashWait)
	defer wait.Stop()
	select {
	case h <- struct{}{}:
		return nil
	case <-wait.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h hashing) leave() { <-h }

// HashPassword hashes a password as soon as there is room for it.
func (a *Authenticator) HashPassword(ctx context.Context, password string) (string, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	if err := a.hashing.enter(ctx); err != nil {
		return "", err
	}
	defer a.hashing.leave()
	return a.Cost.Hash(password)
}

// checkPassword checks a password as soon as there is room for it.
func (a *Authenticator) checkPassword(ctx context.Context, hash, password string) (bool, error) {
	if err := a.hashing.enter(ctx); err != nil {
		return false, err
	}
	defer a.hashing.leave()
	return a.Cost.Check(hash, password), nil
}
