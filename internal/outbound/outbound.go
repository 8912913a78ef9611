// Package outbound is the only way out of the server. It dials and speaks HTTP
// for everything that a user can point somewhere (notifications, sign-in
// providers, mail), and refuses addresses that only the server itself can
// reach: its own network, its own machine, the metadata service of its cloud.
//
// The rule is applied to the very address that a connection is about to be
// made to, after the name was looked up, for every connection: what a name
// pointed to when it was checked does not matter. ranges.go has the list of
// what is refused; an operator may allow some of it.
package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	defaultConnectTimeout = 5 * time.Second
	defaultTimeout        = 20 * time.Second
	defaultMaxResponse    = 1 << 20
	maxHeader             = 64 << 10
	maxHops               = 5
)

// Options say how far the server may reach. The zero value is a good one.
type Options struct {
	// Allow are addresses that may be contacted although they are private.
	Allow []Network

	ConnectTimeout time.Duration // for one connection and its TLS handshake; 5 s if 0
	Timeout        time.Duration // for a whole exchange over HTTP; 20 s if 0
	MaxResponse    int64         // bytes read of an answer's body; 1 MiB if 0

	// Inside are hosts that do not exist: what is sent there is answered here,
	// without any connection.
	Inside map[string]http.Handler

	// Resolver looks names up; nil means the system's.
	Resolver *net.Resolver

	// Self is who may not contact what is refused; this server if "".
	Self string
}

// Client dials and speaks HTTP under guard. It is safe for concurrent use.
type Client struct {
	allow    []Network
	hosts    sync.Map // host:port that may be anywhere
	inside   map[string]http.Handler
	resolver *net.Resolver
	self     string
	dialer   *net.Dialer // guarded
	free     *net.Dialer // for hosts
	http     *http.Client
}

// New returns a Client.
func New(o Options) *Client {
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = defaultConnectTimeout
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxResponse == 0 {
		o.MaxResponse = defaultMaxResponse
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Self == "" {
		o.Self = "this server"
	}
	c := &Client{allow: o.Allow, inside: o.Inside, resolver: o.Resolver, self: o.Self}
	c.dialer = &net.Dialer{Timeout: o.ConnectTimeout, Resolver: o.Resolver, ControlContext: c.control}
	c.free = &net.Dialer{Timeout: o.ConnectTimeout, Resolver: o.Resolver}
	c.http = &http.Client{
		Transport:     &transport{client: c, maxResponse: o.MaxResponse, next: c.transport(o)},
		CheckRedirect: checkRedirect,
		Timeout:       o.Timeout,
	}
	return c
}

// transport is how HTTP travels: never through a proxy that the environment
// names, and on a connection of its own, so that every request passes the guard.
func (c *Client) transport(o Options) *http.Transport {
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            c.DialContext,
		DisableKeepAlives:      true,
		DisableCompression:     true, // what is counted against MaxResponse is what came
		TLSHandshakeTimeout:    o.ConnectTimeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// HTTP returns a client for libraries that want one. Its errors may hold the
// whole URL; those of Do never do.
func (c *Client) HTTP() *http.Client { return c.http }

// Do sends req and returns the answer. Errors say what went wrong in few
// words and never hold the URL, which is a secret for many destinations. What
// the guard refuses is an error of Kind Invalid.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, explain(err)
	}
	return resp, nil
}

// DialContext connects to addr, which is host:port, by TCP.
func (c *Client) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, refuse("connections by %s are not allowed", network)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, refuse("%q is not a host and a port", addr)
	}
	if err := c.checkHost(host, port); err != nil {
		return nil, err
	}
	dialer := c.dialer
	if c.named(host, port) {
		dialer = c.free
	}
	conn, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, explain(err)
	}
	return conn, nil
}

// control is called with the address of a connection that is about to be made.
func (c *Client) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return refuse("connections by %s are not allowed", network)
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse("the address cannot be understood")
	}
	return c.checkAddr(to.Addr(), to.Port())
}

// checkAddr is the rule.
func (c *Client) checkAddr(a netip.Addr, port uint16) error {
	if a.Zone() != "" {
		return refuse("points to a link-local address, which %s may not contact", c.self)
	}
	if slices.ContainsFunc(c.allow, func(n Network) bool { return n.holds(a, port) }) {
		return nil
	}
	if what := forbidden(a); what != "" {
		return refuse("points to %s, which %s may not contact", what, c.self)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return tidemark.Errorf(tidemark.Invalid, format, args...)
}

// explain turns the errors of dialling and of HTTP into short sentences
// without URLs, addresses looked up and names of our own name servers.
func explain(err error) error {
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		if e.IsNotFound {
			return &cause{"no such host", err}
		}
		return &cause{"the host could not be looked up", err}
	}
	if errors.Is(err, context.Canceled) {
		return &cause{"canceled", err}
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return &cause{"no answer in time", err}
	}
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return &cause{e.Error(), err}
	}
	return &cause{innermost(err).Error(), err}
}

// innermost follows a chain of errors to its end: the wrappers name the URL
// and addresses, the end says what happened.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// cause is an error in other words.
type cause struct {
	text string
	err  error
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.err }
