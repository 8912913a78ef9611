package agent

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// office is a server that gives checks to agents and keeps what they find.
type office struct {
	mu       sync.Mutex
	checks   []tidemark.PlaceCheck
	status   int // of the answer to those who ask; 200 where 0
	asked    []string
	findings map[int64][]tidemark.Finding
}

func (o *office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch r.URL.Path {
	case checksPath:
		var body struct {
			Name string
			Tags map[string]string
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		o.asked = append(o.asked, fmt.Sprint(body.Name, body.Tags, r.Header.Get("Authorization")))
		if o.status != 0 {
			w.WriteHeader(o.status)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"ask_in": 30, "checks": o.checks})
	case findingsPath:
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var body struct {
			Place   string
			Results []tidemark.Finding
		}
		_ = json.NewDecoder(z).Decode(&body)
		for _, f := range body.Results {
			o.findings[f.Check] = append(o.findings[f.Check], f)
		}
		_, _ = w.Write([]byte(`{"recorded":1,"refused":[]}`))
	}
}

// TestChecks: an agent asks with its token, name and tags, runs what it is
// given, reaches private addresses only where its settings say so, and tells
// what it found.
func TestChecks(t *testing.T) {
	o := &office{findings: make(map[int64][]tidemark.Finding)}
	server := httptest.NewServer(o)
	defer server.Close()
	at := server.Listener.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	o.checks = []tidemark.PlaceCheck{
		{ID: 1, Kind: tidemark.CheckTCP, Target: at, Every: 60, Timeout: 5},
		{ID: 2, Kind: tidemark.CheckHTTP, Target: "http://127.0.0.2:" + port + "/", Every: 60, Timeout: 5},
		{ID: 3, Kind: tidemark.CheckHTTP, Target: "nowhere", Every: 60, Timeout: 5},
		{ID: 4, Kind: tidemark.CheckTLS, Target: at, Every: 60, Timeout: 5},
	}
	a := testAgent(t, server.URL)
	a.cfg.Checks.Allow = []string{"127.0.0.1/32"}
	c := newChecker(a)
	list, wait, err := c.ask(t.Context())
	if err == nil || !strings.Contains(err.Error(), "check 3: ") || wait != 30*time.Second || len(list) != 3 {
		t.Fatalf("%d checks, asks in %v: %v", len(list), wait, err)
	}
	for i := range list {
		c.look(t.Context(), list[i].Check())
	}
	a.flush()
	newForwarder(a).handle(t.Context(), a.spool.oldest())
	if d := cmp.Diff([]string{"web-01map[host:web-01]Bearer secret"}, o.asked); d != "" {
		t.Error(d)
	}
	said := make(map[int64]string)
	for id, found := range o.findings {
		said[id] = fmt.Sprint(found[0].Up, " ", found[0].Said)
	}
	want := map[int64]string{
		1: "true it accepts connections",
		2: "false points to a loopback address, which this agent (checks.allow) may not contact",
		4: "false tls: first record does not look like a TLS handshake",
	}
	if d := cmp.Diff(want, said); d != "" {
		t.Error(d)
	}
	if a.spool.len() != 0 {
		t.Errorf("%d requests wait", a.spool.len())
	}
}

// TestServerWithoutChecks: an older server, or a token that may not, means no
// checks and a long time until the agent asks again; a server that is away
// leaves the checks as they are.
func TestServerWithoutChecks(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]struct {
		none bool
		wait time.Duration
	}{404: {true, askLater}, 403: {true, askLater}, 503: {false, maxBackoff}, 401: {false, maxBackoff}} {
		o := &office{status: status}
		server := httptest.NewServer(o)
		list, wait, err := newChecker(testAgent(t, server.URL)).ask(t.Context())
		server.Close()
		if err == nil || (list != nil) != want.none || wait != want.wait {
			t.Errorf("%d: %v, asks in %v, %v", status, list, wait, err)
		}
	}
}

// TestFindingsHoldUpNothing: what a server does not take of checks is dropped
// and counted; measurements behind it go on.
func TestFindingsHoldUpNothing(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == findingsPath {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()
	a := testAgent(t, server.URL)
	a.findings = []tidemark.Finding{{Check: 1}, {Check: 2}}
	a.flush()
	s := newForwarder(a)
	if wait := s.handle(t.Context(), a.spool.oldest()); wait != 0 || a.spool.len() != 0 || a.sent.refused != 2 {
		t.Errorf("waits %v, %d left, %d refused", wait, a.spool.len(), a.sent.refused)
	}
}

// TestSetOfChecks: what is no longer given is no longer run, and what was
// changed is run as it is now.
func TestSetOfChecks(t *testing.T) {
	t.Parallel()
	spool := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		cfg := Defaults()
		cfg.Server, cfg.Token, cfg.Host, cfg.Spool.Dir = "http://example.org", "secret", "web-01", spool
		a, err := New(cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer a.spool.close()
		c := newChecker(a)
		dns := func(id int64, every tidemark.Seconds) tidemark.PlaceCheck {
			return tidemark.PlaceCheck{ID: id, Kind: tidemark.CheckDNS, Target: "10.0.0.5", Every: every, Timeout: 5}
		}
		ran := func(on time.Duration) map[int64]int {
			time.Sleep(on)
			synctest.Wait()
			n := make(map[int64]int)
			for _, f := range a.findings {
				n[f.Check]++
			}
			a.findings = nil
			return n
		}
		c.set(t.Context(), []tidemark.PlaceCheck{dns(1, 60), dns(2, 30)})
		if d := cmp.Diff(map[int64]int{1: 3, 2: 5}, ran(2*time.Minute)); d != "" { // the first at once
			t.Error(d)
		}
		c.set(t.Context(), []tidemark.PlaceCheck{dns(2, 60)})
		if d := cmp.Diff(map[int64]int{2: 3}, ran(2*time.Minute)); d != "" {
			t.Error(d)
		}
		c.set(t.Context(), nil)
		if d := cmp.Diff(map[int64]int{}, ran(2*time.Minute)); d != "" {
			t.Error(d)
		}
		c.all.Wait()
	})
}

// TestUnreadableFile: a file of the spool that cannot be read is set aside and
// counted; those behind it are sent, and the next agent leaves it alone.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	var got sink
	server := httptest.NewServer(&got)
	defer server.Close()
	a := testAgent(t, server.URL)
	for i := range 2 {
		b := newBody(nil, time.Second)
		b.value("left", unitNone, float64(i))
		if err := a.spool.add(b.take()[0]); err != nil {
			t.Fatal(err)
		}
	}
	bad := a.spool.oldest().path
	if err := os.Remove(bad); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(bad, 0o700); err != nil { // cannot be read as a file, whoever asks
		t.Fatal(err)
	}
	s := newForwarder(a)
	for a.spool.len() > 0 {
		if wait := s.handle(t.Context(), a.spool.oldest()); wait != 0 {
			t.Fatalf("it waits %v", wait)
		}
	}
	if !strings.Contains(got.all(), `"value":1`) || a.spool.takeDropped() != 1 {
		t.Errorf("sent %s", got.all())
	}
	if left, _ := filepath.Glob(a.spool.dir + "/*" + unreadable); len(left) != 1 {
		t.Errorf("set aside: %v", left)
	}
	a.spool.close()
	again, err := openSpool(a.spool.dir, 1<<20)
	if err != nil || again.len() != 0 {
		t.Fatalf("%d wait again, %v", again.len(), err)
	}
	again.close()
}
