package ports

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// stream serves connections, up to a number of them.
type stream struct {
	*port
	listener net.Listener
	serve    func(context.Context, net.Conn)

	mu   sync.Mutex
	open map[net.Conn]struct{} // guarded by mu
	done bool                  // guarded by mu
}

// run accepts connections until ctx is done. Those that are open then have a
// moment to send what they have.
func (s *stream) run(ctx context.Context) error {
	s.open = make(map[net.Conn]struct{})
	stop := context.AfterFunc(ctx, s.stop)
	defer stop()
	var all sync.WaitGroup
	for {
		c, err := s.listener.Accept()
		switch {
		case err == nil:
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			all.Wait()
			return nil
		default:
			s.warn(ctx, "cannot accept connections", err)
			time.Sleep(100 * time.Millisecond) // out of files, most likely
			continue
		}
		if !s.admit(c) {
			c.Close()
			continue
		}
		all.Go(func() {
			defer s.leave(c)
			s.serve(ctx, c)
		})
	}
}

// stop ends accepting, and in a moment reading.
func (s *stream) stop() {
	s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	for c := range s.open {
		_ = c.SetReadDeadline(time.Now().Add(s.Grace))
	}
}

func (s *stream) admit(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= s.MaxConnections || s.done {
		s.counters.refusedConnections.Add(1)
		return false
	}
	s.open[c] = struct{}{}
	s.counters.connections.Add(1)
	return true
}

func (s *stream) leave(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
	s.counters.connections.Add(-1)
	c.Close()
}

// maxUnread is how much of a connection is read before it is handled: a line
// must be shorter than that.
const maxUnread = 64 << 10

// eachChunk reads c until it ends, and calls do with as many whole lines as
// came at once; the last one need not have an end. While do works nothing more
// is read, so that a sender that is too fast waits.
func (p *port) eachChunk(ctx context.Context, c net.Conn, read []byte, do func(lines []byte)) {
	buf := append(make([]byte, 0, maxUnread), read...)
	for {
		if at := bytes.LastIndexByte(buf, '\n'); at >= 0 {
			do(buf[:at+1])
			buf = append(buf[:0], buf[at+1:]...)
		}
		if len(buf) == maxUnread {
			p.counters.unreadable.Add(1) // nothing that these protocols have is that long
			return
		}
		if !p.waitFor(ctx, c) {
			return
		}
		n, err := c.Read(buf[len(buf):maxUnread])
		buf = buf[:len(buf)+n]
		if err != nil {
			if len(bytes.TrimSpace(buf)) > 0 {
				do(buf)
			}
			return
		}
	}
}

// waitFor sets how long c may be silent; it reports false where that cannot be
// set. Once the server stops, its end is set already.
func (p *port) waitFor(ctx context.Context, c net.Conn) bool {
	if ctx.Err() != nil {
		return true
	}
	if c.SetReadDeadline(time.Now().Add(p.IdleTimeout)) != nil {
		return false
	}
	if ctx.Err() != nil { // it stopped in between
		return c.SetReadDeadline(time.Now().Add(p.Grace)) == nil
	}
	return true
}

// host is where a connection comes from.
func host(a net.Addr) string {
	h, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return h
}
