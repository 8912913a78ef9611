package outbound

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// CheckURL reports why the server may not contact raw, or nil. It looks the
// host's name up, but what it finds is not trusted later: this is for telling
// a user early, the guard itself acts on every connection.
//
// What is refused is an error of Kind Invalid. A name that cannot be looked up
// just now is one of Kind Unavailable: anyone who only saves the URL may go on.
func (c *Client) CheckURL(ctx context.Context, raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return refuse("is not a valid URL") // the parser's error holds the URL
	}
	if err := c.checkURL(u); err != nil {
		return err
	}
	return c.lookUp(ctx, u.Hostname(), port(u))
}

// LookUp returns the addresses of a host that may be contacted. Where there is
// none, the error says why.
func (c *Client) LookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	const web = "443" // an allowance for a port of its own is about that port
	if err := c.checkHost(host, web); err != nil {
		return nil, err
	}
	found, err := c.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, explain(err)
	}
	var may []netip.Addr
	var refused error
	for _, a := range found {
		if err := c.checkAddr(a.Unmap(), portNumber(web)); err != nil {
			refused = err
			continue
		}
		may = append(may, a.Unmap())
	}
	if len(may) == 0 {
		return nil, cmp.Or(refused, refuse("has no address"))
	}
	return may, nil
}

// lookUp checks what the name of a host that checkHost let pass points to.
func (c *Client) lookUp(ctx context.Context, host, port string) error {
	if _, err := netip.ParseAddr(host); err == nil || c.inside[host] != nil || c.named(host, port) {
		return nil // checkHost has looked at it
	}
	ctx, cancel := context.WithTimeout(ctx, c.dialer.Timeout)
	defer cancel()
	found, err := c.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return &tidemark.Error{Kind: tidemark.Unavailable, Msg: explain(err).Error(), Err: err}
	}
	// One that may be contacted is enough: that one will be, and the others
	// are refused when they are tried.
	var refused error
	for _, a := range found {
		// Connecting to ::ffff:a.b.c.d is connecting to a.b.c.d.
		if refused = c.checkAddr(a.Unmap(), portNumber(port)); refused == nil {
			return nil
		}
	}
	return refused
}

// checkURL looks at everything of u that needs no look-up.
func (c *Client) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("is not an http or https URL")
	case u.Opaque != "" || u.Hostname() == "":
		return refuse("has no host")
	}
	if n, err := strconv.Atoi(port(u)); err != nil || n < 1 || n > 65535 {
		return refuse("has no valid port")
	}
	return c.checkHost(u.Hostname(), port(u))
}

// checkHost looks at a host without looking it up. Addresses may be written
// in their usual form only: other programs read 0177.1, 0x7f000001 and
// 2130706433 as 127.0.0.1, and such an address is most likely an attack.
func (c *Client) checkHost(host, port string) error {
	if c.named(host, port) {
		return nil
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return c.checkAddr(a, portNumber(port))
	}
	switch {
	case host == "" || len(host) > 253 || strings.ContainsFunc(host, notInHost):
		return refuse("has no valid host name")
	case strings.Contains(host, ".."), strings.HasPrefix(host, "."):
		return refuse("has no valid host name")
	case endsInNumber(host):
		return refuse("writes its address in an unusual way")
	case isLocalName(host) && len(c.allow) == 0:
		return refuse("points to a loopback address, which %s may not contact", c.self)
	}
	return nil
}

// notInHost lets ASCII names pass. International names have an ASCII form
// (xn--...); taking others would need the rules of every program on the way
// to agree on which character means which.
func notInHost(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
}

// endsInNumber reports whether the last label of host is a number, decimal,
// octal or hexadecimal. No name ends so, and what is a proper address was
// taken before.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// isLocalName reports whether host is a name that means this machine without
// being looked up.
func isLocalName(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// checkRedirect follows redirects within one host only, and only if they keep
// the method: a POST that comes back as a GET has lost its message.
func checkRedirect(req *http.Request, via []*http.Request) error {
	last := via[len(via)-1]
	switch {
	case len(via) >= maxHops:
		return refuse("redirects too often")
	case !sameHost(last.URL, req.URL):
		return refuse("redirects to another host, which is not followed")
	case req.Method != last.Method:
		return http.ErrUseLastResponse
	}
	return nil
}

// sameHost reports whether a redirect stays where it was: the same host, port
// and protocol, or the step from http to https on their usual ports.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == "http" && to.Scheme == "https" {
		return port(from) == "80" && port(to) == "443"
	}
	return from.Scheme == to.Scheme && port(from) == port(to)
}

// port returns the port of u, also where it goes without saying.
func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// portNumber is a port as a number; 0 if it is none.
func portNumber(port string) uint16 {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// transport checks each URL on the way out, redirects included, and limits
// what is read of each answer.
type transport struct {
	client      *Client
	maxResponse int64
	next        http.RoundTripper
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.client.checkURL(req.URL); err != nil {
		return nil, err
	}
	resp, err := t.exchange(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &limited{ReadCloser: resp.Body, left: t.maxResponse}
	return resp, nil
}

func (t *transport) exchange(req *http.Request) (*http.Response, error) {
	if h := t.client.inside[req.URL.Hostname()]; h != nil {
		return Inside{h}.RoundTrip(req)
	}
	return t.next.RoundTrip(req)
}

// ErrTooLarge is what reading more of an answer than is allowed gives.
var ErrTooLarge = errors.New("the answer is too large")

// limited gives an error where a body is longer than allowed, instead of
// passing a part off as the whole.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(b)) > l.left+1 {
		b = b[:l.left+1] // one more than allowed, to tell the end from the limit
	}
	n, err := l.ReadCloser.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
