package rest

import (
	"bytes"
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
	if err := s.Hold(r, org); err != nil {
		t.Fatal(err)
	}
	return func() error {
		_, err := ReadBody(r, 4*SmallBody)
		return err
	}, func() { Done(r) }
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
