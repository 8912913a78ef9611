package rest

import (
	"bytes"
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// request is one of org with a body, held until the test says so.
func request(t *testing.T, s *Site, org tidemark.OrgID, body io.Reader) (read func() error, release func()) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", body)
	release, err := s.Hold(r, org)
	if err != nil {
		t.Fatal(err)
	}
	return func() error {
		_, err := ReadBody(r, 4*SmallBody)
		return err
	}, release
}

// TestLargeBodiesWait has one organization send many long bodies: two of them
// are in memory at once, the others wait and are refused in the end, and
// neither another organization nor a short body waits.
func TestLargeBodiesWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Site{}
		long := strings.Repeat("x", 2*SmallBody)
		send := func(org tidemark.OrgID, text string) (<-chan error, func()) {
			read, release := request(t, s, org, strings.NewReader(text))
			done := make(chan error, 1)
			go func() { done <- read() }()
			synctest.Wait()
			return done, release
		}
		is := func(what string, done <-chan error, want bool) {
			t.Helper()
			synctest.Wait()
			if got := len(done) == 1; got != want {
				t.Errorf("%s: read is %v", what, got)
			}
		}
		var first func()
		var waiting []<-chan error
		for i := range 4 {
			done, release := send(1, long)
			is("a long one", done, i < ownLarge)
			if i == 0 {
				first = release
			}
			if i >= ownLarge {
				waiting = append(waiting, done)
			}
		}
		other, _ := send(2, long)
		is("that of another", other, true)
		short, _ := send(1, "short")
		is("a short one", short, true)
		first()
		synctest.Wait()
		if n := len(waiting[0]) + len(waiting[1]); n != 1 {
			t.Errorf("%d went on after one was done", n)
		}
		time.Sleep(largePatience + time.Second)
		errs := []error{<-waiting[0], <-waiting[1]}
		if (errs[0] == nil) == (errs[1] == nil) || tidemark.KindOf(errs[0]) != tidemark.Unavailable && tidemark.KindOf(errs[1]) != tidemark.Unavailable {
			t.Errorf("in the end: %v", errs)
		}
	})
}

// TestAnnouncedBodies has a body be announced as long and come slowly: memory
// is taken for what came.
func TestAnnouncedBodies(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	r := httptest.NewRequest("POST", "/", in)
	r.ContentLength = 16 << 20
	go func() {
		_, _ = out.Write(bytes.Repeat([]byte("x"), 1000))
		_ = out.CloseWithError(io.ErrUnexpectedEOF)
	}()
	got, err := ReadGrowing(r, nil, r.Body, 16<<20)
	if len(got) != 1000 || cap(got) > 8192 || err == nil {
		t.Errorf("%d bytes in %d, %v", len(got), cap(got), err)
	}
}

// TestTurns has one organization make many requests on a machine that does not
// keep up: it has its share worked on, another none to wait for, and whoever
// still sends a body takes no turn.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Site{}
		share := s.turns.share()
		get := func(org tidemark.OrgID, ctx context.Context) (<-chan error, func()) {
			done := make(chan error, 1)
			var release func()
			go func() {
				var err error
				release, err = s.Hold(httptest.NewRequestWithContext(ctx, "GET", "/", nil), org)
				done <- err
			}()
			synctest.Wait()
			return done, func() { release() }
		}
		worked := func(n int) (begun int, ends []func()) {
			for range n {
				if done, end := get(1, t.Context()); len(done) == 1 {
					begun++
					ends = append(ends, end)
				}
			}
			return begun, ends
		}
		begun, ends := worked(3 * share)
		if begun != 3*share {
			t.Errorf("%d of %d are worked on though the processors keep up", begun, 3*share)
		}
		for _, end := range ends {
			end()
		}
		s.turns.look(time.Now(), time.Second)
		ctx, stop := context.WithCancel(t.Context())
		begun, ends = worked(share)
		waits, endWaits := get(1, ctx)
		if begun != share || len(waits) != 0 {
			t.Errorf("%d are worked on and %d more; %d is the share", begun, len(waits), share)
		}
		if other, end := get(2, t.Context()); len(other) != 1 {
			t.Error("an organization waits for another")
		} else {
			end()
		}
		in, out := io.Pipe()
		_, release := request(t, s, 3, in)
		if s.turns.busy[3] != 0 {
			t.Error("a request whose body has not come takes a turn")
		}
		release()
		_ = out.Close()
		next, endNext := get(1, t.Context())
		ends[0]()
		synctest.Wait()
		if len(next)+len(waits) != 1 {
			t.Errorf("%d of two go on after one is done", len(next)+len(waits))
		}
		if len(waits) == 1 { // either of the two
			endWaits()
		}
		stop()
		for _, end := range ends[1:] {
			end()
		}
		synctest.Wait()
		if len(next) != 1 {
			t.Error("it never had its turn")
		}
		endNext()
		if len(s.turns.busy) != 0 {
			t.Errorf("still worked on: %v", s.turns.busy)
		}
		if len(s.turns.wants) != 0 {
			t.Errorf("still waiting: %v", s.turns.wants)
		}
	})
}

// TestIdle: what waits for others takes no turn.
func TestIdle(t *testing.T) {
	t.Parallel()
	s := &Site{}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
	release, err := s.Hold(r, 4)
	if err != nil || s.turns.busy[4] != 1 {
		t.Fatalf("%v, %v", s.turns.busy, err)
	}
	if Idle(r); s.turns.busy[4] != 0 {
		t.Error("what waits for others takes a turn")
	}
	release()
	if len(s.turns.busy) != 0 {
		t.Errorf("still worked on: %v", s.turns.busy)
	}
}
