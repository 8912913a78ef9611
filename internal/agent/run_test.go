package agent

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"pgregory.net/rapid"
)

// sink is a server that keeps the bodies it is sent.
type sink struct {
	mu     sync.Mutex
	bodies []string
	agent  string // who sent the last
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	text, _ := io.ReadAll(z)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies, s.agent = append(s.bodies, string(text)), r.UserAgent()
	w.WriteHeader(http.StatusAccepted)
}

func (s *sink) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.bodies, "\n")
}

// TestRunSendsWhatIsLeft: an agent that is stopped at once sends what an
// earlier one left, over TLS with a certificate of its own. It does not run
// beside tests that start processes: these hold the lock of a spool for a
// moment.
func TestRunSendsWhatIsLeft(t *testing.T) {
	var got sink
	server := httptest.NewTLSServer(&got)
	defer server.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	dir := t.TempDir()
	before, err := openSpool(dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		b := newBody(nil, time.Second)
		b.value("left", unitNone, float64(i))
		if err := before.add(b.take()[0]); err != nil {
			t.Fatal(err)
		}
	}
	before.close()
	cfg := Defaults()
	cfg.Server, cfg.Token, cfg.Host, cfg.Spool.Dir, cfg.CA = server.URL, "secret", "web-01", dir, writeText(t, "ca.pem", string(ca))
	cfg.Statsd, cfg.proc, cfg.ready, cfg.release = "127.0.0.1:0", t.TempDir(), filepath.Join(t.TempDir(), "ready"), "1.2.3"
	a, err := New(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if text := got.all(); strings.Count(text, `"left"`) != 3 || strings.Index(text, `"value":0`) > strings.Index(text, `"value":2`) {
		t.Errorf("the server got %s", text)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files are left beside the lock", len(files)-1)
	}
	if _, err := os.Stat(cfg.ready); err != nil || got.agent != "tidemark-agent/1.2.3" {
		t.Errorf("the server answered %q, which is said by %v", got.agent, err)
	}
	if !strings.Contains(a.String(), "watching web-01") {
		t.Errorf("it says %q", a)
	}
}

// TestOwnMeasurements: what became of measurements is measured, and counted
// once.
func TestOwnMeasurements(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	a.count(counters{sent: 5, refused: 2, dropped: 1})
	a.spool.dropped = 3
	for _, want := range []string{"agent.sent=5 agent.refused=2 agent.dropped=4 agent.waiting=0", "agent.sent=0 agent.refused=0 agent.dropped=0 agent.waiting=0"} {
		a.with(func(b *body) { a.own(time.Unix(1_700_000_000, 0), b) })
		var got []string
		for _, m := range unpack(t, a.pending.take()) {
			got = append(got, fmt.Sprintf("%s=%v", m.Name, m.Value))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}

// TestWarnsOnce: the log says once that something does not work, and nothing
// of an agent that is stopped.
func TestWarnsOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := testAgent(t, "http://127.0.0.1:1")
	a.log = slog.New(slog.NewTextHandler(&log, nil))
	for range 3 {
		a.warn("disk", "it is full", io.ErrShortWrite)
	}
	a.warn("send", "cannot send", fmt.Errorf("post: %w", context.Canceled))
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "it is full") {
		t.Errorf("the log says %q", text)
	}
}

// TestBackoff grows up to a bound, is never nothing, and is at least what the
// server asks for.
func TestBackoff(t *testing.T) {
	t.Parallel()
	s := &forwarder{}
	for range 10 {
		before := s.backoff
		wait := s.wait(0)
		if wait < minBackoff/2 || wait > maxBackoff || s.backoff < before || s.backoff > maxBackoff {
			t.Fatalf("waits %s after %s", wait, before)
		}
	}
	if s.backoff != maxBackoff || s.wait(time.Minute) != time.Minute {
		t.Errorf("in the end %s", s.backoff)
	}
}

// TestRetryAfter: what the server asks for counts, up to a bound.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "100000": maxBackoff, "-5": 0, "soon": 0} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, strings.Repeat("x", 2000))
		}))
		out, err := newForwarder(testAgent(t, server.URL)).post(t.Context(), measurementsPath, nil)
		server.Close()
		if err == nil || len(err.Error()) > 400 || out.retryAfter != want {
			t.Errorf("Retry-After %q: waits %s, %v", header, out.retryAfter, err)
		}
	}
}

// TestDroppedByHand: a request whose file is gone is forgotten.
func TestDroppedByHand(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	if err := a.spool.add(part{[]byte("x"), 3, measurementsPath}); err != nil {
		t.Fatal(err)
	}
	e := a.spool.oldest()
	if err := os.Remove(e.path); err != nil {
		t.Fatal(err)
	}
	if wait := newForwarder(a).handle(t.Context(), e); wait != 0 || a.spool.len() != 0 {
		t.Errorf("waits %s with %d in the spool", wait, a.spool.len())
	}
	a.spool.remove(e) // a second time is nothing
}

// TestScrape: what an endpoint says arrives with its tags and headers; one that
// says too much is down.
func TestScrape(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/endless" {
			_, _ = io.CopyN(w, endless{}, maxExposition+10)
			return
		}
		fmt.Fprintf(w, "# TYPE jobs counter\njobs{queue=%q} 5\n", r.Header.Get("X-Queue"))
	}))
	defer server.Close()
	a := testAgent(t, "http://127.0.0.1:1")
	a.scraper(Scrape{URL: server.URL, Timeout: time.Minute, Tags: map[string]string{"app": "shop"}, Headers: map[string]string{"X-Queue": "mail"}})(t.Context(), time.Now())
	got := a.taken(t)
	if got["jobs host=web-01,app=shop,queue=mail"] != 5 && got["jobs app=shop,host=web-01,queue=mail"] != 5 {
		t.Errorf("got %v", got)
	}
	a.scraper(Scrape{URL: server.URL + "/endless", Timeout: time.Minute})(t.Context(), time.Now())
	for key, v := range a.taken(t) {
		if strings.HasPrefix(key, "scrape.up") && v != 0 {
			t.Errorf("%s %v of an endpoint that does not end", key, v)
		}
	}
	if _, err := fetch(t.Context(), http.DefaultClient, Scrape{URL: "http://a b/"}); err == nil {
		t.Error("what is no URL is fetched")
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '#'
	}
	return len(p), nil
}

// TestAnyTagsAreValid: whatever names and values of tags are, the request is
// JSON that the API takes.
func TestAnyTagsAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		b := newBody(tidemark.Tags{{Name: "host", Value: "a"}}, time.Second)
		pairs := rapid.SliceOfN(rapid.String(), 0, 6).Draw(rt, "pairs")
		b.value("cpu", unitPercent, rapid.Float64().Draw(rt, "value"), pairs...)
		batch := protocol.NewBatch(protocol.Limits{Points: 10})
		if err := readExposition([]byte(rapid.String().Draw(rt, "text")), batch); err != nil {
			rt.Fatal(err)
		}
		for i := range batch.Points {
			b.point(&batch.Points[i], nil)
		}
		for _, m := range unpack(t, b.take()) {
			for name, value := range m.Tags {
				if !tidemark.IsMetricName(m.Name) || !tidemark.IsTagName(name) || !tidemark.IsTagValue(value) {
					rt.Fatalf("%s has the tag %q=%q", m.Name, name, value)
				}
			}
		}
	})
}
