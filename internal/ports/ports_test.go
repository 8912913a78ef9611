package ports

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// harness is a set of ports over an engine in memory.
type harness struct {
	*Set
	t       *testing.T
	engine  *memory.Engine
	org     tidemark.OrgID
	token   tidemark.Secret
	sockets *Sockets
	log     bytes.Buffer
	stop    func()
}

func newHarness(t *testing.T, role tidemark.Role, o Options) *harness {
	t.Helper()
	return newHarnessWith(t, tidemark.Token{Role: role}, o)
}

// newHarnessWith is newHarness with more to say of the token.
func newHarnessWith(t *testing.T, token tidemark.Token, o Options) *harness {
	t.Helper()
	h := &harness{t: t, engine: memory.New(), token: tidemark.NewSecret()}
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	h.check(err)
	t.Cleanup(func() { st.Close() })
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
	h.check(err)
	h.org = org.ID
	token.Name, token.Active = "ports", true
	h.check(st.CreateToken(t.Context(), org.ID, tidemark.ServerActor(), &token, h.token))
	o.Recorder, o.Auth = ingest.New(ingest.Options{Engine: h.engine, Metrics: st}), auth.New(st, nil)
	o.Usage = usage.New(usage.Options{Store: st, Engine: h.engine})
	o.Logger = slog.New(slog.NewTextHandler(&h.log, nil))
	h.Set = New(o)
	h.sockets, err = Listen("127.0.0.1:0")
	h.check(err)
	t.Cleanup(h.sockets.Close)
	return h
}

func (h *harness) check(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// start runs the ports until stop is called, which waits for them to end.
func (h *harness) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			h.t.Error(err)
		}
	})
	h.t.Cleanup(h.stop)
}

func (h *harness) dial(network string) net.Conn {
	h.t.Helper()
	c, err := net.Dial(network, h.sockets.TCP.Addr().String())
	h.check(err)
	h.t.Cleanup(func() { c.Close() })
	return c
}

// send sends all of text by TCP and waits until it was handled: then the
// server closes its end.
func (h *harness) send(text string) {
	h.t.Helper()
	c := h.dial("tcp").(*net.TCPConn)
	_, _ = io.WriteString(c, text) // the server may have had enough
	_ = c.CloseWrite()
	_, _ = io.Copy(io.Discard, c)
}

// want compares one of the ports' own metrics.
func (h *harness) want(name, port string, n int) {
	h.t.Helper()
	var b bytes.Buffer
	h.WriteMetrics(&b)
	line := fmt.Sprintf("tidemark_port_%s{port=%q} ", name, port)
	_, after, found := strings.Cut(b.String(), line)
	if value, _, _ := strings.Cut(after, "\n"); !found || value != fmt.Sprint(n) {
		h.t.Errorf("%s%s, want %d", line, value, n)
	}
}

// sum is the sum of all values of a metric.
func (h *harness) sum(metric string) (sum float64) {
	h.t.Helper()
	now := time.Now().Unix()
	q := tsdb.Query{Metric: metric, Start: now - 3600, End: now + 3600, Step: 1, Function: tsdb.Sum}
	for s, err := range h.engine.Select(context.Background(), h.org, &q) {
		h.check(err)
		for _, v := range s.Values {
			sum += v
		}
	}
	return sum
}

func TestGraphiteLines(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	h.start()
	now := time.Now().Unix()
	h.send(fmt.Sprintf("disk.used 5 %d\nnonsense\ndisk.used;host=a 7 %d\ndisk.used nothing %d\ndisk.free 1 %d", now, now, now, now))
	h.want("points_total", "graphite", 3)
	h.want("unreadable_total", "graphite", 2)
	h.want("connections", "graphite", 0)
	if got := h.sum("disk.used"); got != 12 {
		t.Errorf("the sum is %v, want 12", got)
	}
	if got := h.sum("disk.free"); got != 1 {
		t.Errorf("the last line, which has no end, gives %v", got)
	}
}

func pickle(name string, at int64, value float64) string {
	body := fmt.Sprintf("(lp0\n(V%s\np1\n(I%d\nF%v\ntp2\ntp3\na.", name, at, value)
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + body
}

// TestGraphitePickles: a pickle that cannot be read costs itself, one whose
// length makes no sense the connection.
func TestGraphitePickles(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	h.start()
	now := time.Now().Unix()
	h.send(pickle("p.one", now, 1) + "\x00\x00\x00\x03abc" + pickle("p.two", now, 2))
	h.want("points_total", "graphite", 2)
	h.want("unreadable_total", "graphite", 1)
	if h.sum("p.one") != 1 || h.sum("p.two") != 2 {
		t.Errorf("sums %v and %v", h.sum("p.one"), h.sum("p.two"))
	}
	h.send("\x00\xff\xff\xff" + pickle("p.three", now, 3))
	h.send(pickle("p.four", now, 4)[:20]) // cut off
	h.want("points_total", "graphite", 2)
	h.want("unreadable_total", "graphite", 2)
}

// TestPacketsArriveBeforeTheEnd: what the kernel has when the server stops is
// recorded still.
func TestPacketsArriveBeforeTheEnd(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	h.start()
	c := h.dial("udp")
	const n = 100 // as many as any kernel keeps
	now := time.Now().Unix()
	for i := range n {
		_, err := fmt.Fprintf(c, "udp.count 1 %d", now-int64(i))
		h.check(err)
	}
	h.stop()
	h.want("packets_total", "graphite", n)
	h.want("points_total", "graphite", n)
	if got := h.sum("udp.count"); got != n {
		t.Errorf("the sum is %v, want %d", got, n)
	}
}

// TestStatsDFlushesLast: what was summed up is recorded when the server stops.
func TestStatsDFlushesLast(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.StatsD(h.sockets, h.token, time.Hour)
	h.start()
	h.send("jobs:2|c\njobs:3|c\nwrong\nqueue:7|g\n")
	c := h.dial("udp")
	_, err := io.WriteString(c, "jobs:5|c|@0.5\nqueue:+1|g")
	h.check(err)
	h.want("points_total", "statsd", 0)
	h.stop()
	if got := h.sum("jobs"); got != 15 {
		t.Errorf("jobs sum up to %v, want 15", got)
	}
	h.want("unreadable_total", "statsd", 1)
}

// TestAddedTags: what comes by either port has the tags that its token adds,
// whatever the sender says of them, and is inside the token's scope with them.
func TestAddedTags(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		open func(h *harness)
		text string
	}{
		"graphite": {func(h *harness) { h.Graphite(h.sockets, h.token) },
			fmt.Sprintf("edge.load;site=lon;host=a 1 %d\n", time.Now().Unix())},
		"statsd": {func(h *harness) { h.StatsD(h.sockets, h.token, time.Hour) }, "edge.load:1|g|#site:lon,host:a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarnessWith(t, tidemark.Token{Role: tidemark.RecordOnly, Scope: tidemark.TokenScope{
				Tags: []tidemark.ScopeTag{{Name: "site", Values: []string{"ams"}}},
				Add:  []tidemark.AddedTag{{Name: "site", Value: "ams"}, {Name: "team", Value: "edge"}},
			}}, Options{})
			c.open(h)
			h.start()
			h.send(c.text)
			h.stop()
			var got []string
			for s, err := range h.engine.Streams(context.Background(), h.org, "edge.load", tsdb.Filter{}) {
				h.check(err)
				got = append(got, tidemark.StreamName(s.Tags))
			}
			if want := "host=a,site=ams,team=edge"; len(got) != 1 || got[0] != want {
				t.Errorf("recorded %q, want %q", got, want)
			}
		})
	}
}

// TestTokenThatMayNotRecord: points are lost, counted, and the log says why,
// once.
func TestTokenThatMayNotRecord(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.ViewOnly, Options{})
	h.Graphite(h.sockets, h.token)
	h.start()
	for range 3 {
		h.send(fmt.Sprintf("a 1 %d\nb 2 %d\n", time.Now().Unix(), time.Now().Unix()))
	}
	h.stop()
	h.want("points_total", "graphite", 0)
	h.want("lost_points_total", "graphite", 6)
	if text := h.log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "the token of graphite may not record") {
		t.Errorf("the log says %q", text)
	}
}

// TestTokenThatIsGone: StatsD tries its last flush once when the server stops,
// and counts what is lost.
func TestTokenThatIsGone(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.StatsD(h.sockets, tidemark.NewSecret(), time.Hour)
	h.start()
	h.send("jobs:2|c\n")
	h.stop()
	h.want("lost_points_total", "statsd", 1)
	if h.sum("jobs") != 0 {
		t.Error("it was recorded")
	}
}

// TestMostConnections: one more is closed at once, and there is room again when
// one leaves.
func TestMostConnections(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{MaxConnections: 1})
	h.Graphite(h.sockets, h.token)
	h.start()
	first := h.dial("tcp").(*net.TCPConn)
	h.send("a 1 2\n") // refused
	h.want("refused_connections_total", "graphite", 1)
	h.want("points_total", "graphite", 0)
	h.check(first.CloseWrite())
	_, err := io.Copy(io.Discard, first)
	h.check(err)
	h.send(fmt.Sprintf("a 1 %d\n", time.Now().Unix()))
	h.want("points_total", "graphite", 1)
}

// TestEndlessLine: a line that does not end costs the connection, not the
// memory of the server.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	h.start()
	h.send(fmt.Sprintf("a 1 %d\n", time.Now().Unix()) + strings.Repeat("x", 3*maxUnread))
	h.want("points_total", "graphite", 1)
	h.want("unreadable_total", "graphite", 1)
	h.want("connections", "graphite", 0)
}

// TestSilentConnection is closed after the time that it may be silent.
func TestSilentConnection(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{IdleTimeout: time.Nanosecond})
	h.Graphite(h.sockets, h.token)
	h.start()
	if n, err := io.Copy(io.Discard, h.dial("tcp")); n != 0 || err != nil {
		t.Errorf("read %d bytes, %v; want the end", n, err)
	}
}

// TestPortTaken names the address.
func TestPortTaken(t *testing.T) {
	t.Parallel()
	first, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	address := first.TCP.Addr().String()
	if _, err := Listen(address); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("got %v", err)
	}
	if first.UDP.LocalAddr().(*net.UDPAddr).Port != first.TCP.Addr().(*net.TCPAddr).Port {
		t.Error("TCP and UDP have different ports")
	}
}

// TestNoPortsNoMetrics: a server without ports says nothing of them.
func TestNoPortsNoMetrics(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	s := New(Options{})
	if s.WriteMetrics(&b); b.Len() > 0 {
		t.Errorf("got %s", b.String())
	}
	if s.o.MaxConnections != 1000 || s.o.IdleTimeout != 10*time.Minute || s.o.Grace != time.Second {
		t.Errorf("defaults %+v", s.o)
	}
}
