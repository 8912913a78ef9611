package store_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// hog has an organization ask for much that takes for ever.
type hog struct {
	*store.Store
	org    tidemark.OrgID
	asked  int
	ended  chan error
	cancel context.CancelFunc
}

func newHog(t *testing.T, s *store.Store, org tidemark.OrgID, ask int, write bool) *hog {
	t.Helper()
	ctx, cancel := context.WithCancel(store.ForOrg(t.Context(), org))
	h := &hog{Store: s, org: org, asked: ask, ended: make(chan error, ask), cancel: cancel}
	for range ask {
		go func() { h.ended <- store.Slow(ctx, s, write) }()
	}
	for l := s.Load(); l.Used+l.Waiting+int(l.Refused) < ask; l = s.Load() {
		time.Sleep(time.Millisecond)
	}
	return h
}

// end cancels what was asked for, and reports what is left of it.
func (h *hog) end(t *testing.T) {
	t.Helper()
	h.cancel()
	for range h.asked {
		if err := <-h.ended; err == nil {
			t.Error("what takes for ever ended")
		}
	}
	if l := h.Load(); l.Used+l.Waiting != 0 {
		t.Errorf("left: %+v", l)
	}
}

// live does what people and senders of an organization do.
func live(ctx context.Context, s *store.Store, org tidemark.OrgID, user int64) error {
	of := store.ForOrg(ctx, org)
	_, _, read := s.Spaces(of, org, tidemark.Page{})
	write := s.CreateSpace(of, org, operator, &tidemark.Space{Name: new("mine")})
	hash := strconv.FormatInt(int64(org), 10)
	signIn := s.CreateSession(ctx, operator, &tidemark.Session{User: user, Org: org, ExpiresAt: 1 << 40}, hash, "password")
	_, seen := s.SessionByHash(ctx, hash, 1)
	return errors.Join(read, write, signIn, seen)
}

// TestSlowQueries: an organization whose queries take for ever stops nobody
// from reading, writing and signing in, and leaves nothing behind.
func TestSlowQueries(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		for name, write := range map[string]bool{"reads": false, "writes": true} {
			if kind == "sqlite" && write {
				continue // there is one writer; the queue has its own tests
			}
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := openStore(t, freshURL(t, kind))
				loud, quiet := addOrg(t, s, "loud"), addOrg(t, s, "quiet")
				u := &tidemark.User{Email: "q@example.org", Name: "Q"}
				ok(t, s.AddPerson(t.Context(), quiet, operator, u, tidemark.FullAccess))
				h := newHog(t, s, loud, 40, write)
				ok(t, live(t.Context(), s, quiet, u.ID))
				if l := s.Load(); l.Used == 0 || l.Used+l.Waiting != h.asked {
					t.Errorf("load %+v", l)
				}
				h.end(t)
				ok(t, live(t.Context(), s, loud, u.ID))
			})
		}
	}
}

// TestWaitsInVain: an organization that holds all it may is told so, and nobody
// else waits for it.
func TestWaitsInVain(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := openStore(t, freshURL(t, kind))
			org := addOrg(t, s, "loud")
			store.SetPatience(s, 10*time.Millisecond)
			h := newHog(t, s, org, 40, false)
			_, err := s.Space(store.ForOrg(t.Context(), org), org, 1)
			if tidemark.KindOf(err) != tidemark.Unavailable || s.Load().Refused == 0 {
				t.Errorf("%v, load %+v", err, s.Load())
			}
			h.end(t)
		})
	}
}
