package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRedirects: a redirect that asks for the same request elsewhere is
// followed; one that would make another request of it leaves the measurements
// in the spool, for nobody has taken them.
func TestRedirects(t *testing.T) {
	t.Parallel()
	for code, taken := range map[int]bool{301: false, 302: false, 303: false, 307: true, 308: true} {
		var got []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.URL.Path == "/v1/measurements" {
				http.Redirect(w, r, "/moved", code)
				return
			}
			got = append(got, r.Method+" "+string(body)+" "+r.Header.Get("Content-Encoding"))
		}))
		a := testAgent(t, server.URL)
		if err := a.spool.add(part{[]byte("x"), 3, measurementsPath}); err != nil {
			t.Fatal(err)
		}
		newForwarder(a).handle(t.Context(), a.spool.oldest())
		server.Close()
		if (a.spool.len() == 0) != taken || taken != slices.Equal(got, []string{"POST x gzip"}) || !taken && len(got) > 0 {
			t.Errorf("%d: %d wait, the other address got %v", code, a.spool.len(), got)
		}
	}
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusPermanentRedirect)
	}))
	defer loop.Close()
	if _, err := newForwarder(testAgent(t, loop.URL)).post(t.Context(), measurementsPath, nil); err == nil || !strings.HasPrefix(err.Error(), "308 Permanent Redirect") {
		t.Errorf("a server that redirects to itself: %v", err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestForwarderGoesOn: while the server is away the forwarder waits longer each time,
// and then sends everything in the order in which it was collected.
func TestForwarderGoesOn(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://server.example.org")
	for i := range 3 {
		if err := a.spool.add(part{fmt.Append(nil, i), 1, measurementsPath}); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		a.spool.wake = make(chan struct{}, 1) // one of this bubble
		var tries []time.Duration
		var got []string
		begin := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := newForwarder(a)
		s.http.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			tries = append(tries, time.Since(begin))
			if len(tries) < 6 {
				return nil, errors.New("connection refused")
			}
			body, err := io.ReadAll(r.Body)
			got = append(got, string(body))
			return &http.Response{StatusCode: http.StatusAccepted, Body: http.NoBody}, err
		})
		go s.run(ctx)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if d := cmp.Diff([]string{"0", "1", "2"}, got); d != "" || a.spool.len() != 0 || a.sent.sent != 3 {
			t.Errorf("%d wait, sent (-want +got):\n%s", a.spool.len(), d)
		}
		for i := 1; i < 6; i++ {
			if wait, most := tries[i]-tries[i-1], min(time.Second<<(i-1), maxBackoff); wait < most/2 || wait > most {
				t.Errorf("try %d came after %s, want up to %s", i, wait, most)
			}
		}
	})
}

// TestRounds: what is collected in a round is one request, at a time that all
// machines agree on.
func TestRounds(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	a.cfg.HostOff, a.cfg.Every = true, 10*time.Second
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(3 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		asked := 0
		go a.every(ctx, 6*time.Second, func(_ context.Context, at time.Time) {
			if asked++; at.Truncate(6*time.Second) != at {
				t.Errorf("asked at %s", at)
			}
		})
		a.rounds(ctx, nil)
		synctest.Wait()
		if asked != 5 {
			t.Errorf("%d times in 30 seconds", asked)
		}
	})
	var times []int64
	for a.spool.len() > 0 {
		e := a.spool.oldest()
		data, err := e.read()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range unpack(t, []part{{data, e.count, e.to}}) {
			if m.Name == "agent.waiting" {
				times = append(times, m.Time%60, int64(m.Value))
			}
		}
		a.spool.remove(e)
	}
	if d := cmp.Diff([]int64{10, 0, 20, 1, 30, 2}, times); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSpoolIsAList: whatever is added, removed and dropped, also by agents one
// after the other, the spool holds what a list of that length would, and
// counts the rest. It does not run beside tests that start processes: these
// hold its lock for a moment.
func TestSpoolIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "spool")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s, err := openSpool(dir, 10)
		if err != nil {
			t.Fatal(err)
		}
		var model []string
		dropped, next := int64(0), 'a'
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1, 2:
				text := strings.Repeat(string(next), rapid.IntRange(1, 12).Draw(t, "size"))
				if err := s.add(part{[]byte(text), len(text), measurementsPath}); err != nil {
					t.Fatal(err)
				}
				model, next = append(model, text), next+1
				for len(model) > 1 && len(strings.Join(model, "")) > 10 {
					dropped, model = dropped+int64(len(model[0])), model[1:]
				}
			case 3:
				if len(model) > 0 {
					s.remove(s.oldest())
					model = model[1:]
				}
			case 4:
				dropped -= s.takeDropped()
				s.close()
				if s, err = openSpool(dir, 10); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got []string
		for s.len() > 0 {
			e := s.oldest()
			text, err := e.read()
			if err != nil || len(text) != e.count {
				t.Fatalf("%q of %d: %v", text, e.count, err)
			}
			got = append(got, string(text))
			s.remove(e)
		}
		s.close()
		files, _ := filepath.Glob(filepath.Join(dir, "*.gz"))
		if !slices.Equal(model, got) || dropped != s.takeDropped() || s.bytes != 0 || len(files) > 0 {
			t.Fatalf("has %q, want %q; %d bytes and %v are left", got, model, s.bytes, files)
		}
	})
}
