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
		q := newWriterQueue()
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
		if q.busy || len(q.turns) != 0 || len(q.waiting) != 0 {
			t.Errorf("left: %v, %v, %v", q.busy, q.turns, q.waiting)
		}
	})
}

// TestGivenUpTurn: somebody who goes away in the moment in which it is their turn passes it on.
func TestGivenUpTurn(t *testing.T) {
	t.Parallel()
	q := newWriterQueue()
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
	if q.busy || len(q.waiting) != 0 {
		t.Errorf("left: %v, %v", q.busy, q.waiting)
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
	leave, err := s.queue.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const org = 7
	ctx, errs := ForOrg(t.Context(), org), make(chan error)
	go func() { _, err := s.CreateOrg(ctx, tidemark.ServerActor(), "x"); errs <- err }()
	go func() { errs <- s.SetSetting(ctx, "x", []byte("1")) }()
	waiting := func() int {
		s.queue.mu.Lock()
		defer s.queue.mu.Unlock()
		return len(s.queue.waiting[org])
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
	if s.queue.busy {
		t.Error("the writer was not given back")
	}
}
