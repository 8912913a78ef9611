package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// TestWritersTakeTurns: with many writes of one organization waiting, those of
// others come between them, and each organization's in their order.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newConnections(1, 0)
		leave, err := q.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var order []tidemark.OrgID
		gone, cancel := context.WithCancel(t.Context())
		wait := func(ctx context.Context, org tidemark.OrgID) {
			go func() {
				leave, err := q.enter(ForOrg(ctx, org))
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
				order = append(order, org)
				leave()
			}()
			synctest.Wait()
		}
		for range 5 {
			wait(t.Context(), 1)
		}
		wait(t.Context(), 2)
		wait(t.Context(), 2)
		wait(gone, 1)
		wait(gone, 3)
		wait(t.Context(), 0)
		cancel()
		synctest.Wait()
		leave()
		synctest.Wait()
		if d := cmp.Diff([]tidemark.OrgID{1, 2, 0, 1, 2, 1, 1, 1}, order); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if q.used != 0 || len(q.held) != 0 || len(q.turns) != 0 || len(q.waiting) != 0 {
			t.Errorf("left: %v, %v, %v", q.used, q.turns, q.waiting)
		}
	})
}

// TestGivenUpTurn: somebody who goes away in the moment in which it is their turn passes it on.
func TestGivenUpTurn(t *testing.T) {
	t.Parallel()
	q := newConnections(1, 0)
	for range 200 {
		leave, err := q.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if leave, err := q.enter(ForOrg(ctx, 1)); err == nil {
				leave()
			}
		}()
		go cancel()
		leave()
		<-done
	}
	if q.used != 0 || len(q.waiting) != 0 {
		t.Errorf("left: %v, %v", q.used, q.waiting)
	}
}

// TestStoreQueues: transactions and single statements of the store wait in
// the queue where the database has one writer.
func TestStoreQueues(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	leave, err := s.writers.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const org = 7
	ctx, errs := ForOrg(t.Context(), org), make(chan error)
	go func() { _, err := s.CreateOrg(ctx, tidemark.ServerActor(), "x"); errs <- err }()
	go func() { errs <- s.SetSetting(ctx, "x", []byte("1")) }()
	waiting := func() int {
		s.writers.mu.Lock()
		defer s.writers.mu.Unlock()
		return len(s.writers.waiting[org])
	}
	for try := 0; waiting() < 2; try++ {
		select {
		case err := <-errs:
			t.Fatalf("it was not waited for: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
		if try == 1000 {
			t.Fatalf("%d wait", waiting())
		}
	}
	leave()
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if s.Load() != (Load{}) {
		t.Error("the writer was not given back")
	}
}

// takeAll takes connections of org until one has to wait, which gives up.
func (c *connections) takeAll(t *testing.T, org tidemark.OrgID) (taken int) {
	t.Helper()
	for ; ; taken++ {
		turn := c.begin(org)
		if turn != nil {
			c.giveUp(org, turn)
			return taken
		}
	}
}

// TestConnectionShares: an organization may hold as many connections as it leaves free,
// and the server has some that nobody else takes.
func TestConnectionShares(t *testing.T) {
	t.Parallel()
	c := newConnections(20, 4)
	var got []int
	for _, org := range []tidemark.OrgID{1, 2, 3, 4, 5, 6, ofServer} {
		got = append(got, c.takeAll(t, org))
	}
	if d := cmp.Diff([]int{8, 4, 2, 1, 1, 0, 4}, got); d != "" {
		t.Errorf("connections of each (-want +got):\n%s", d)
	}
	late, much := c.begin(6), c.begin(1)
	c.leave(1)
	select {
	case <-late:
	default:
		t.Error("the first that is free does not go to the one that has none")
	}
	select {
	case <-much:
		t.Error("the one that holds most got another")
	default:
	}
	c = newConnections(20, 4)
	if n := c.takeAll(t, ofServer); n != 10 {
		t.Errorf("the server takes %d of all where it is alone", n)
	}
	if n := c.takeAll(t, 1); n != 5 {
		t.Errorf("an organization takes %d of the other half", n)
	}
}

// TestPatience: who waits in vain is told so after a while, and counted; the
// server waits longer.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newConnections(1, 0)
		leave, err := c.enter(ForOrg(t.Context(), 1))
		if err != nil {
			t.Fatal(err)
		}
		for org, want := range map[tidemark.OrgID]time.Duration{1: patience, 2: patience, ofServer: 6 * patience} {
			began := time.Now()
			_, err := c.enter(ForOrg(t.Context(), org))
			if tidemark.KindOf(err) != tidemark.Unavailable || time.Since(began) != want {
				t.Errorf("organization %d: %v after %v", org, err, time.Since(began))
			}
		}
		if got := c.load(); got != (Load{Used: 1, Refused: 3}) {
			t.Errorf("load %+v", got)
		}
		leave()
		if len(c.held)+len(c.turns)+len(c.waiting)+c.used != 0 {
			t.Errorf("left: %+v", c)
		}
	})
}
