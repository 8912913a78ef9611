package store

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// openPostgres opens a store whose connections can be distinguished from those of
// other tests by the name it returns.
func openPostgres(t *testing.T) (s *Store, name string) {
	t.Helper()
	name = rand.Text()
	s, err := Open(t.Context(), storetest.Postgres(t)+"&application_name="+name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, name
}

// TestDeadlock has two transactions wait for each other: the one that the
// database gives up on is run again.
func TestDeadlock(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, _ := openPostgres(t)
	orgs := make([]tidemark.OrgID, 2)
	for i := range orgs {
		org, err := s.CreateOrg(ctx, tidemark.ServerActor(), rand.Text())
		if err != nil {
			t.Fatal(err)
		}
		orgs[i] = org.ID
	}
	var first sync.WaitGroup // both have taken their first lock
	first.Add(2)
	tries := make([]int, 2)
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			errs[i] = s.write(ctx, func(tx conn) error {
				tries[i]++
				if err := lockOrg(ctx, s, tx, orgs[i]); err != nil {
					return err
				}
				if tries[i] == 1 {
					first.Done()
					first.Wait()
				}
				return lockOrg(ctx, s, tx, orgs[1-i])
			})
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if tries[0]+tries[1] < 3 {
		t.Errorf("tries %v, want at least one of the two to try twice", tries)
	}
}

func lockOrg(ctx context.Context, s *Store, tx conn, org tidemark.OrgID) error {
	_, err := value[int64](ctx, s, tx, "organization", `SELECT id FROM orgs WHERE id = ? FOR UPDATE`, org)
	return err
}

// TestConnectionsLost ends all connections of a store, as a restart of
// PostgreSQL does: what comes next gets new ones, also in Listen.
func TestConnectionsLost(t *testing.T) {
	t.Parallel()
	s, name := openPostgres(t)
	org, err := s.CreateOrg(t.Context(), tidemark.ServerActor(), "test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	heard, done := make(chan struct{}, 10), make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Listen(ctx, func() { heard <- struct{}{} })
	}()
	defer func() { stop(); <-done }()
	<-heard // the start
	for range 2 {
		endConnections(t, name)
		token := &tidemark.Token{Name: "edge", Role: tidemark.ViewOnly}
		if err := s.CreateToken(t.Context(), org.ID, tidemark.ServerActor(), token, tidemark.NewSecret()); err != nil {
			t.Fatal(err)
		}
		<-heard
		if _, err := s.Token(t.Context(), org.ID, token.ID); err != nil {
			t.Error(err)
		}
	}
}

func endConnections(t *testing.T, name string) {
	t.Helper()
	other, _ := openPostgres(t)
	const stmt = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = ?`
	ended, err := values[bool](t.Context(), other, other.db, stmt, name)
	if err != nil || len(ended) == 0 {
		t.Fatalf("%d connections ended, %v", len(ended), err)
	}
}

// A database that cannot be reached is no fault of the request.
func TestPostgresGone(t *testing.T) {
	t.Parallel()
	s, err := connect("postgres://nobody@127.0.0.1:1/none?connect_timeout=2")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ping(t.Context()); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("err = %v, want Unavailable", err)
	}
}
