package app

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// read asks without a token.
func read(t *testing.T, url string) (status int, text string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// stillReady wants a server to be ready, with a line that begins like that.
func stillReady(t *testing.T, s *server, line string) {
	t.Helper()
	if status, text := read(t, s.URL+"/readyz"); status != http.StatusOK || !strings.HasPrefix(text, "ready\n") || !strings.Contains(text, "\n"+line) {
		t.Errorf("/readyz: %d %q, want it ready with %q", status, text, line)
	}
}

// gate lets connections through to a server, or no longer.
type gate struct {
	net.Listener
	mu     sync.Mutex
	opened []net.Conn
}

// newGate returns a gate before PostgreSQL, which listens on a socket, and the
// URL through it.
func newGate(t *testing.T, database string) (*gate, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	socket := filepath.Join(q.Get("host"), ".s.PGSQL.5432")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Listener: l}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("unix", socket)
			if err != nil {
				from.Close()
				continue
			}
			g.mu.Lock()
			g.opened = append(g.opened, from, to)
			g.mu.Unlock()
			go func() { io.Copy(to, from); to.Close() }()
			go func() { io.Copy(from, to); from.Close() }()
		}
	}()
	t.Cleanup(g.shut)
	host, port, _ := net.SplitHostPort(l.Addr().String())
	q.Set("host", host)
	q.Set("port", port)
	u.RawQuery = q.Encode()
	return g, u.String()
}

func (g *gate) shut() {
	g.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.opened {
		c.Close()
	}
}

// TestReadyWithoutControlStore: the only server stays in reach of agents while
// PostgreSQL is away, since it goes on with metrics that it knows.
func TestReadyWithoutControlStore(t *testing.T) {
	t.Parallel()
	g, database := newGate(t, storetest.Postgres(t))
	s := start(t, settings(t, map[string]string{"database": database}))
	if status, text := read(t, s.URL+"/readyz"); status != http.StatusOK || strings.Contains(text, "control store") {
		t.Errorf("while all is well: %d %q", status, text)
	}
	g.shut()
	stillReady(t, s, "the control store does not answer: only measurements of known metrics are taken\n")
	s.stop()
	<-s.done // what it cannot save any more is not what this is about
}

// TestOwnAlertWhileRefused: the alert on measurements that are refused fires
// while they are, although what it goes by is refused too, and ends afterwards.
func TestOwnAlertWhileRefused(t *testing.T) {
	t.Parallel()
	flags := map[string]string{"alerting.own_alerts": "true"}
	rm, org := openRooms(t, flags)
	own := &ownRecorder{rooms: rm, cfg: settings(t, flags)}
	free := int64(10 * giga)
	rm.space.stat = func(string) (int64, int64, error) { return free, 100 * giga, nil }
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- rm.watch.evaluator.Load().Run(ctx) }()
	at := time.Now().Add(-10 * time.Second)
	once := func() error {
		at = at.Add(time.Second)
		rm.space.look()
		return own.record(t.Context(), at)
	}
	for range 2 { // the first makes the alerts
		if err := once(); err != nil {
			t.Fatal(err)
		}
	}
	for !slices.Contains(rm.watch.evaluator.Load().Watched()[org], alerting.MetricRefusals) && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	at = time.Now()
	free = giga
	for range 2 {
		if err := once(); tidemark.KindOf(err) != tidemark.Unavailable {
			t.Fatalf("below the floor it is recorded: %v", err)
		}
		rm.awaitActive(t, org, true)
	}
	free = 10 * giga
	for _, refusals := range []float64{1, 0} { // as they are recorded once they can be
		if err := once(); err != nil {
			t.Fatal(err)
		}
		if got := rm.valuesOf(t, org, alerting.MetricRefusals, at); len(got) != 1 || got[0] != refusals {
			t.Errorf("recorded are %v refusals, want %v", got, refusals)
		}
		rm.awaitActive(t, org, refusals > 0)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// awaitActive waits until the alert on refused measurements is active, or not.
func (rm *rooms) awaitActive(t *testing.T, org tidemark.OrgID, want bool) {
	t.Helper()
	for range 3000 {
		alerts, err := rm.store.AlertsOverview(t.Context(), org)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range alerts {
			if w.Alert.Name == "tidemark.server.refused" && w.State.Firing == want {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the alert is not active: %v", want)
}
