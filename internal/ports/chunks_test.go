package ports

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// pieces is a connection on which a text comes in pieces.
type pieces struct {
	net.Conn
	list []string
}

func (p *pieces) SetReadDeadline(time.Time) error { return nil }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.list) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.list[0])
	p.list = p.list[1:]
	return n, nil
}

// TestLinesInAnyPieces: however a text is cut on its way, its lines come whole
// and in order, and none twice.
func TestLinesInAnyPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-c]{0,5}\n){0,6}[a-c]{0,3}`).Draw(t, "text")
		p := &port{Options: Options{IdleTimeout: time.Hour}}
		c := &pieces{}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			c.list, rest = append(c.list, rest[:n]), rest[n:]
		}
		var got strings.Builder
		var last string
		p.eachChunk(context.Background(), c, nil, func(lines []byte) {
			if last != "" && !strings.HasSuffix(last, "\n") {
				t.Fatalf("after %q, which has no end, came %q", last, lines)
			}
			last = string(lines)
			got.WriteString(last)
		})
		if strings.TrimRight(got.String(), "\n") != strings.TrimRight(text, "\n") {
			t.Fatalf("got %q, want %q", got.String(), text)
		}
	})
}

// TestFloodIsDropped: packets beyond those that fit are counted and dropped;
// the reader never waits.
func TestFloodIsDropped(t *testing.T) {
	t.Parallel()
	var handled int
	d := newDatagrams(&port{}, nil, func(_ context.Context, packets [][]byte) {
		handled += len(packets)
		if len(packets) > maxAtOnce {
			t.Errorf("%d packets at once", len(packets))
		}
	})
	big := make([]byte, maxPacket)
	for i := range maxQueued + 10 {
		if i%100 == 0 {
			d.enqueue(big)
			continue
		}
		d.enqueue([]byte("a:1|c"))
	}
	if got := d.counters.droppedPackets.Load(); got != 10 || d.counters.packets.Load() != maxQueued+10 {
		t.Errorf("%d of %d packets were dropped, want 10", got, d.counters.packets.Load())
	}
	close(d.queue)
	d.handleAll(context.Background())
	if handled != maxQueued {
		t.Errorf("%d packets were handled, want %d", handled, maxQueued)
	}
	for range len(d.free) {
		if b := <-d.free; cap(b) > packetSize {
			t.Fatalf("a buffer of %d bytes is kept", cap(b))
		}
	}
}

// TestStoppedTakesNoConnections: whoever connects while the server stops is
// refused, and those who are there may finish.
func TestStoppedTakesNoConnections(t *testing.T) {
	t.Parallel()
	on, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	s := &stream{port: &port{Options: Options{MaxConnections: 5, Grace: time.Hour}}, listener: on.TCP, open: make(map[net.Conn]struct{})}
	client, server := net.Pipe()
	defer client.Close()
	if !s.admit(server) {
		t.Fatal("the first connection is refused")
	}
	s.stop()
	if _, late := net.Pipe(); s.admit(late) {
		t.Error("a connection is taken after the end")
	}
	if s.counters.refusedConnections.Load() != 1 || s.counters.connections.Load() != 1 {
		t.Errorf("%d refused, %d open", s.counters.refusedConnections.Load(), s.counters.connections.Load())
	}
	if _, err := on.TCP.Accept(); err == nil {
		t.Error("it still listens")
	}
	s.leave(server)
	if _, err := client.Write([]byte("x")); err == nil || s.counters.connections.Load() != 0 {
		t.Error("the connection is still open")
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	for want, addr := range map[string]net.Addr{
		"10.0.0.1":    &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 5},
		"::1":         &net.TCPAddr{IP: net.IPv6loopback, Port: 5},
		"/run/a.sock": &net.UnixAddr{Name: "/run/a.sock", Net: "unix"},
	} {
		if got := host(addr); got != want {
			t.Errorf("%v comes from %q, want %q", addr, got, want)
		}
	}
}
