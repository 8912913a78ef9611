package objects

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// stalled is how long a server may neither take nor send a byte: one that hangs
// must not hold a backup, and all after it, for ever.
const stalled = 2 * time.Minute

// transport gives up a connection on which nothing moved for a while.
func transport(stalled time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &moving{c, stalled}, nil
		},
		Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: stalled, IdleConnTimeout: stalled / 2,
	}
}

// moving is a connection on which each read and each write may take that long.
// While a body is sent somebody waits for the answer already, and longer, so
// that it is the write that says that it is stuck.
type moving struct {
	net.Conn
	stalled time.Duration
}

// Read implements net.Conn.
func (c *moving) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.stalled)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements net.Conn.
func (c *moving) Write(p []byte) (int, error) {
	now := time.Now()
	if err := errors.Join(c.SetWriteDeadline(now.Add(c.stalled)), c.SetReadDeadline(now.Add(2*c.stalled))); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
