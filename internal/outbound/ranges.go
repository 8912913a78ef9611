package outbound

import "net/netip"

// block is a range of addresses that the server does not contact by itself.
type block struct {
	prefix netip.Prefix
	what   string
}

// blocks are those ranges, from the special-purpose registries of IANA. The
// first that holds an address names it, so narrow ones come before wide ones.
var blocks = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), "an unspecified address"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), "an address of a carrier's own network"},
	{netip.MustParsePrefix("127.0.0.0/8"), "a loopback address"},
	{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"}, // and cloud metadata
	{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
	{netip.MustParsePrefix("192.0.0.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.0.2.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("192.31.196.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.52.193.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a 6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
	{netip.MustParsePrefix("192.175.48.0/24"), "a reserved address"},
	{netip.MustParsePrefix("198.18.0.0/15"), "an address for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("255.255.255.255/32"), "the broadcast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "a reserved address"},

	{netip.MustParsePrefix("::/128"), "an unspecified address"},
	{netip.MustParsePrefix("::1/128"), "a loopback address"},
	{netip.MustParsePrefix("::ffff:0:0/96"), "an IPv4 address written as IPv6"},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "an IPv4 address translated to IPv6"},
	{netip.MustParsePrefix("::/96"), "an IPv4 address written as IPv6"},
	{netip.MustParsePrefix("64:ff9b::/96"), "an IPv4 address behind NAT64"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "an IPv4 address behind NAT64"},
	{netip.MustParsePrefix("2001::/32"), "a Teredo address"},
	{netip.MustParsePrefix("2001::/23"), "a reserved address"},
	{netip.MustParsePrefix("2001:db8::/32"), "an address for documentation"},
	{netip.MustParsePrefix("2002::/16"), "a 6to4 address"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), "a reserved address"},
	{netip.MustParsePrefix("3fff::/20"), "an address for documentation"},
	{netip.MustParsePrefix("fc00::/7"), "a private address"},
	{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
	{netip.MustParsePrefix("fec0::/10"), "a private address"},
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
}

// globalUnicast is all of IPv6 that is given out; anything else is refused
// without being named above.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// isISATAP reports whether a has, in its lower half an IPv4 address that
// a tunnel would unpack (RFC 5214): 0000:5efe or 0200:5efe.
func isISATAP(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}

// forbidden says what a is if it is nothing to contact, or "".
func forbidden(a netip.Addr) string {
	for _, b := range blocks {
		if containsExactly(b.prefix, a) {
			return b.what
		}
	}
	switch {
	case a.Is4():
		return ""
	case !globalUnicast.Contains(a):
		return "a reserved address"
	case isISATAP(a):
		return "an IPv4 address written as IPv6"
	}
	return ""
}

// containsExactly is Contains that also looks at IPv4 addresses in IPv6 form,
// which Contains never finds in an IPv6 range.
func containsExactly(p netip.Prefix, a netip.Addr) bool {
	if a.Is4In6() {
		return p.Bits() <= 96 && p.Addr().Is6() && p.Masked() == netip.PrefixFrom(a, 96).Masked()
	}
	return p.Contains(a)
}
