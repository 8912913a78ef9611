package auth

import (
	"testing"
	"testing/synctest"

	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// TestHashingHasItsTurn: a password is hashed in a turn, that of the request or
// one of the server, and who waits for room has none.
func TestHashingHasItsTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		of    bool // a request of an organization
		after int  // turns that are left to the request
	}{{"of nobody", false, 0}, {"of an organization", true, 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := &Authenticator{hashing: newHashing(), Turns: &turns.Turns{}}
				ctx := t.Context()
				if c.of {
					work := a.Turns.Work(7)
					if err := work.Begin(ctx); err != nil {
						t.Fatal(err)
					}
					ctx = turns.With(ctx, work)
				}
				for range cap(a.hashing) {
					a.hashing <- struct{}{}
				}
				during, done := 0, make(chan error)
				go func() { done <- a.hash(ctx, func() { during = a.Turns.Load().Running }) }()
				synctest.Wait()
				if n := a.Turns.Load().Running; n != 0 {
					t.Errorf("%d turns while it waits for room", n)
				}
				a.hashing.leave()
				if err := <-done; err != nil || during != 1 {
					t.Errorf("%d turns while it hashes, %v", during, err)
				}
				if n := a.Turns.Load().Running; n != c.after || len(a.hashing) != cap(a.hashing)-1 {
					t.Errorf("%d turns afterwards, and %d of %d places are taken", n, len(a.hashing), cap(a.hashing))
				}
			})
		})
	}
}
