package ports

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestFlushesOfOneSecond: what is flushed twice within a second, as when the
// server stops right after a flush, is recorded both times.
func TestFlushesOfOneSecond(t *testing.T) {
	t.Parallel()
	at := time.Now().Truncate(time.Second)
	h := newHarness(t, tidemark.RecordOnly, Options{Now: func() time.Time { return at }})
	h.StatsD(h.sockets, h.token, 10*time.Second)
	d := newStatsd(h.ports[0], 10*time.Second)
	for _, line := range []string{"jobs:2|c", "jobs:3|c", "jobs:4|c"} {
		d.packets(t.Context(), [][]byte{[]byte(line)})
		d.flush(t.Context())
	}
	if got := h.sum("jobs"); got != 9 {
		t.Errorf("jobs sum up to %v, want 9", got)
	}
}

// TestFlushesAreTriedAgain: a flush that fails is tried a few times within its
// interval, unless the server stops, and what is lost then is counted once.
func TestFlushesAreTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.ViewOnly, Options{})
	h.StatsD(h.sockets, h.token, 8*time.Millisecond)
	d := newStatsd(h.ports[0], 8*time.Millisecond)
	d.packets(t.Context(), [][]byte{[]byte("jobs:2|c\nwrong"), []byte("load:3|g")})
	d.flush(t.Context())
	h.want("lost_points_total", "statsd", 2)
	h.want("unreadable_total", "statsd", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.packets(ctx, [][]byte{[]byte("jobs:2|c")})
	d.flush(ctx)
	h.want("lost_points_total", "statsd", 3)
	d.flush(ctx) // nothing
	h.want("lost_points_total", "statsd", 3)
}

// TestPacketsFullOfLines: packets that hold more lines together than a request
// may have are recorded to the last one.
func TestPacketsFullOfLines(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	g := &graphitePort{h.ports[0]}
	const lines = maxPacket / len("a 1\n")
	packet := []byte(strings.Repeat("a 1\n", lines))
	const packets = 9 // together more than 100,000 lines
	g.packets(t.Context(), slices.Repeat([][]byte{packet}, packets))
	h.want("points_total", "graphite", packets*lines)
	h.want("lost_points_total", "graphite", 0)
}

// TestAcceptFails: where a connection cannot be accepted the port goes on, and
// the log says so.
func TestAcceptFails(t *testing.T) {
	t.Parallel()
	h := newHarness(t, tidemark.RecordOnly, Options{})
	h.Graphite(h.sockets, h.token)
	ctx, cancel := context.WithCancel(t.Context())
	l := &failingListener{Listener: h.sockets.TCP, failed: cancel}
	s := &stream{port: h.ports[0], listener: l}
	if err := s.run(ctx); err != nil || l.asked != 2 {
		t.Errorf("%v after %d tries", err, l.asked)
	}
	if text := h.log.String(); !strings.Contains(text, "cannot accept connections") || !strings.Contains(text, "too many open files") {
		t.Errorf("the log says %q", text)
	}
}

// failingListener fails once as a machine without files does, and then has the
// server stop.
type failingListener struct {
	net.Listener
	failed func()
	asked  int
}

func (l *failingListener) Accept() (net.Conn, error) {
	if l.asked++; l.asked == 1 {
		return nil, errors.New("too many open files")
	}
	l.failed()
	return nil, net.ErrClosed
}

// TestConnectionThatIsGone: a connection whose end cannot be set is not read.
func TestConnectionThatIsGone(t *testing.T) {
	t.Parallel()
	p := &port{Options: Options{IdleTimeout: time.Hour, Grace: time.Second}}
	client, server := net.Pipe()
	defer client.Close()
	server.Close()
	if p.waitFor(t.Context(), server) {
		t.Error("a closed connection is waited for")
	}
	p.eachChunk(t.Context(), server, []byte("half a li"), func([]byte) { t.Error("half a line is taken") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if !p.waitFor(ctx, server) {
		t.Error("while the server stops the end is set already")
	}
}
