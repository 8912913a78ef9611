package ports

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"golang.org/x/sync/errgroup"
)

// Set is the ports of a server.
type Set struct {
	o        Options
	ports    []*port
	runs     []func(context.Context) error
	flushing []func(context.Context) error
}

// New returns a set without ports.
func New(o Options) *Set {
	o.setDefaults()
	return &Set{o: o}
}

// Graphite opens the port of Graphite, by TCP and UDP.
func (s *Set) Graphite(on *Sockets, token tidemark.Secret) {
	g := &graphitePort{port: s.add("graphite", "Graphite", token, ingest.Origin{})}
	s.serve(on, g.port, g.serveConn, g.packets)
}

// StatsD opens the port of StatsD, by TCP and UDP. What comes is summed up and
// recorded once in every flush.
func (s *Set) StatsD(on *Sockets, token tidemark.Secret, flush time.Duration) {
	d := newStatsd(s.add("statsd", "StatsD", token, ingest.Origin{Period: int64(flush.Seconds())}), flush)
	s.serve(on, d.port, d.serveConn, d.packets)
	s.flushing = append(s.flushing, d.flushes)
}

func (s *Set) add(name, title string, token tidemark.Secret, from ingest.Origin) *port {
	p := &port{Options: s.o, name: name, title: title, token: token, origin: from}
	s.ports = append(s.ports, p)
	return p
}

func (s *Set) serve(on *Sockets, p *port, conn func(context.Context, net.Conn), packets func(context.Context, [][]byte)) {
	tcp := &stream{port: p, listener: on.TCP, serve: conn}
	udp := newDatagrams(p, on.UDP, packets)
	s.runs = append(s.runs, tcp.run, udp.run)
}

// Run takes measurements until ctx is done, and then what has arrived by then.
// Whatever sums up is flushed last.
func (s *Set) Run(ctx context.Context) error {
	stopped, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var takers, flushers errgroup.Group
	for _, run := range s.runs {
		takers.Go(func() error { return run(ctx) })
	}
	for _, run := range s.flushing {
		flushers.Go(func() error { return run(stopped) })
	}
	err := takers.Wait()
	stop()
	return errors.Join(err, flushers.Wait())
}

// Sockets are where one port listens: TCP and UDP with the same number.
type Sockets struct {
	TCP net.Listener
	UDP net.PacketConn
}

// Listen opens both.
func Listen(address string) (*Sockets, error) {
	tcp, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	if err != nil {
		tcp.Close()
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return &Sockets{tcp, udp}, nil
}

// Close closes both.
func (s *Sockets) Close() {
	s.TCP.Close()
	s.UDP.Close()
}
