package auth

import (
	"context"
	"runtime"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/turns"
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

// hash calls do, which hashes a password, as soon as there is room for it and
// it has its turn at the processors: that of the request, where that is of an
// organization, or else one of the server.
func (a *Authenticator) hash(ctx context.Context, do func()) error {
	work := turns.Of(ctx)
	if work == nil {
		work = a.Turns.Work(0)
		defer work.Pause()
	}
	work.Pause() // who waits for room needs no turn
	if err := a.hashing.enter(ctx); err != nil {
		return err
	}
	defer a.hashing.leave()
	if err := work.Begin(ctx); err != nil {
		return err
	}
	do()
	return nil
}

// HashPassword hashes a password as soon as there is room for it.
func (a *Authenticator) HashPassword(ctx context.Context, password string) (hash string, err error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	if busy := a.hash(ctx, func() { hash, err = a.Cost.Hash(password) }); busy != nil {
		return "", busy
	}
	return hash, err
}

// checkPassword checks a password as soon as there is room for it.
func (a *Authenticator) checkPassword(ctx context.Context, hash, password string) (ok bool, err error) {
	err = a.hash(ctx, func() { ok = a.Cost.Check(hash, password) })
	return ok, err
}
