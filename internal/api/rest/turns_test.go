package rest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// under asserts how many requests have their turn.
func under(t *testing.T, s *Site, want int, when string) {
	t.Helper()
	if got := s.Turns.Load(); got.Running != want {
		t.Errorf("%s: %d requests have their turn, not %d", when, got.Running, want)
	}
}

// TestSlowSenderTakesNoTurn: a request has its turn once its body is there.
func TestSlowSenderTakesNoTurn(t *testing.T) {
	t.Parallel()
	s := &Site{Turns: &turns.Turns{}}
	read, done := request(t, s, 3, strings.NewReader("{}"))
	under(t, s, 0, "before the body")
	if err := read(); err != nil {
		t.Fatal(err)
	}
	under(t, s, 1, "after it")
	done()
	done()
	under(t, s, 0, "in the end")
}

// TestUnpackingHasItsTurn: what unpacks a body as it comes has a turn, and none
// while it waits for more of it.
func TestUnpackingHasItsTurn(t *testing.T) {
	t.Parallel()
	s := &Site{Turns: &turns.Turns{}}
	sent, sender := io.Pipe()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", sent)
	r.Header.Set("Content-Encoding", "gzip")
	if err := s.Hold(r, 3); err != nil {
		t.Fatal(err)
	}
	under(t, s, 0, "before the body")
	go func() {
		_, _ = sender.Write([]byte("a"))
		under(t, s, 0, "while more is waited for")
		_, _ = sender.Write([]byte("b"))
		sender.Close()
	}()
	for _, want := range []string{"a", "b"} {
		var b [1]byte
		if n, err := r.Body.Read(b[:]); n != 1 || err != nil || string(b[:]) != want {
			t.Fatalf("%d, %v, %q", n, err, b)
		}
		if want == "b" {
			under(t, s, 1, "while it is unpacked")
		}
	}
	Done(r)
	under(t, s, 0, "in the end")
}

// TestLongBodyHasItsTurn: a body that needs much memory has a turn while that is
// made, though it is not all there.
func TestLongBodyHasItsTurn(t *testing.T) {
	t.Parallel()
	s := &Site{Turns: &turns.Turns{}}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(strings.Repeat("x", SmallBody+2)))
	if err := s.Hold(r, 3); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, SmallBody)
	_, _ = io.ReadFull(r.Body, b)
	under(t, s, 0, "while it is short")
	_, _ = r.Body.Read(b[:1])
	under(t, s, 1, "when it is long")
	Done(r)
}

// TestIdle: what waits for others takes no turn, and gets none again.
func TestIdle(t *testing.T) {
	t.Parallel()
	s := &Site{Turns: &turns.Turns{}}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
	if err := s.Hold(r, 4); err != nil {
		t.Fatal(err)
	}
	under(t, s, 1, "at first")
	Idle(r)
	under(t, s, 0, "while it waits")
	_, _ = io.ReadAll(r.Body)
	under(t, s, 0, "though it reads")
	Done(r)
}

// TestPlaceBeforeTurn: a request that waits for a place for its large body has
// no turn meanwhile, since those with a place wait for theirs.
func TestPlaceBeforeTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Site{Turns: &turns.Turns{}}
		for range ownLarge {
			if err := s.large.wait(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
		if err := s.Hold(r, 1); err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() { got <- Enlarge(r) }()
		synctest.Wait()
		under(t, s, 0, "while it waits for a place")
		s.large.release(1)
		if err := <-got; err != nil {
			t.Error(err)
		}
		under(t, s, 1, "with a place")
		Done(r)
	})
}

// slowReader is a client that takes its time.
type slowReader struct {
	http.ResponseWriter
	reading func()
}

func (w slowReader) Write(p []byte) (int, error) {
	w.reading()
	return w.ResponseWriter.Write(p)
}

// serve answers a request of organization 1 with rep.
func serve(site *Site, w http.ResponseWriter, rep Reply) {
	serveBy(site, w, func(*http.Request, tidemark.Identity) (Reply, error) { return rep, nil })
}

func serveBy(site *Site, w http.ResponseWriter, do Endpoint) {
	table := []Route{On("GET /x", tidemark.View, do)}
	New(Config{
		Site: site, Table: table,
		Identify: func(*http.Request, Route) (Caller, error) {
			return Caller{Identity: tidemark.Identity{Org: 1, Role: tidemark.FullAccess}}, nil
		},
		Answered: func(*http.Request, Route, Caller, Reply, error) {},
	}).ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
}

// TestAnswerHasItsTurn: an answer that is made while it is written has its
// turn, but not while the client reads, and not where it has no end.
func TestAnswerHasItsTurn(t *testing.T) {
	t.Parallel()
	site := &Site{Turns: &turns.Turns{}}
	w := slowReader{httptest.NewRecorder(), func() { under(t, site, 0, "while the client reads") }}
	pieces := 0
	serve(site, w, Reply{Status: 200, Stream: func(w io.Writer) error {
		for range 3 {
			pieces++
			under(t, site, 1, "while the answer is made")
			if _, err := io.WriteString(w, "piece"); err != nil {
				return err
			}
		}
		return nil
	}})
	serve(site, w, Reply{Status: 200, Events: func(http.ResponseWriter) { pieces++; under(t, site, 0, "an answer without an end") }})
	if pieces != 4 {
		t.Errorf("%d of 4 pieces were written", pieces)
	}
	under(t, site, 0, "in the end")
}

// TestPlaceEndsWithTheWork: nobody has a place for a large body while its answer
// is read, however slowly.
func TestPlaceEndsWithTheWork(t *testing.T) {
	t.Parallel()
	site := &Site{Turns: &turns.Turns{}}
	read := false
	serveBy(site, httptest.NewRecorder(), func(r *http.Request, _ tidemark.Identity) (Reply, error) {
		if err := Enlarge(r); err != nil || site.large.all != 1 {
			t.Errorf("%v, and %d places are taken", err, site.large.all)
		}
		return Reply{Status: 200, Stream: func(io.Writer) error {
			read = true
			if site.large.all != 0 {
				t.Error("the place is still taken")
			}
			return nil
		}}, nil
	})
	if !read {
		t.Error("there was no answer")
	}
}

// TestRequestsTakeTurns: of an organization with many requests some wait while
// the processors do not keep up, until others are done.
func TestRequestsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Site{Turns: &turns.Turns{}}
		s.Turns.Overload(time.Now())
		var all []*http.Request
		for s.Turns.Load().Waiting == 0 {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			all = append(all, r)
			go func() { _ = s.Hold(r, 1) }()
			synctest.Wait()
		}
		Done(all[0])
		synctest.Wait()
		if l := s.Turns.Load(); l.Waiting != 0 || l.Running != len(all)-1 {
			t.Errorf("of %d, after one is done: %+v", len(all), l)
		}
		for _, r := range all {
			Done(r)
		}
		under(t, s, 0, "in the end")
	})
}
