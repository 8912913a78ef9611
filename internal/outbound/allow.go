package outbound

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Network is addresses that may be contacted although they are private: on one
// port, or on all if Port is 0.
type Network struct {
	Prefix netip.Prefix
	Port   uint16
}

// ParseNetwork reads 10.0.0.0/8, 127.0.0.1/32:8025 or [::1]/128:8025. An
// address without a length is refused: 10.0.0.0 is likely to be meant as a
// network, and would be one machine.
func ParseNetwork(text string) (Network, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return Network{}, tidemark.Errorf(tidemark.Invalid, "%q is not a network such as 10.0.0.0/8; write %s/%d for this address alone", text, addr, addr.BitLen())
	}
	prefix, port := text, ""
	if addr, bits, ok := strings.Cut(text, "/"); ok {
		var withPort bool
		if bits, port, withPort = strings.Cut(bits, ":"); withPort && port == "" {
			port = "none"
		}
		if strings.HasPrefix(addr, "[") && strings.HasSuffix(addr, "]") {
			addr = addr[1 : len(addr)-1]
		}
		prefix = addr + "/" + bits
	}
	p, err := netip.ParsePrefix(prefix)
	if err != nil {
		return Network{}, tidemark.Errorf(tidemark.Invalid, "%q is not a network such as 10.0.0.0/8 or 127.0.0.1/32:8025", text)
	}
	n := Network{Prefix: p.Masked()}
	if port == "" {
		return n, nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return Network{}, tidemark.Errorf(tidemark.Invalid, "%q has no valid port: write it like 127.0.0.1/32:8025", text)
	}
	n.Port = uint16(number)
	return n, nil
}

// String is n as ParseNetwork reads it.
func (n Network) String() string {
	switch {
	case n.Port == 0:
		return n.Prefix.String()
	case n.Prefix.Addr().Is6():
		return "[" + n.Prefix.Addr().String() + "]/" + strconv.Itoa(n.Prefix.Bits()) + ":" + strconv.Itoa(int(n.Port))
	}
	return n.Prefix.String() + ":" + strconv.Itoa(int(n.Port))
}

// holds reports whether n allows a on a port.
func (n Network) holds(a netip.Addr, port uint16) bool {
	return n.Prefix.Contains(a) && (n.Port == 0 || n.Port == port)
}

// AllowHost lets connections to host and port be made wherever the name points
// to. It is for what the operator has named in the settings, in a Client that
// serves nothing that users choose.
func (c *Client) AllowHost(host, port string) { c.hosts.Store(hostPort(host, port), true) }

// AllowURL is AllowHost for the host and port of u.
func (c *Client) AllowURL(u *url.URL) { c.AllowHost(u.Hostname(), port(u)) }

// named reports whether AllowHost was called with host and port.
func (c *Client) named(host, port string) bool {
	_, ok := c.hosts.Load(hostPort(host, port))
	return ok
}

func hostPort(host, port string) string {
	return net.JoinHostPort(strings.ToLower(strings.TrimSuffix(host, ".")), port)
}
