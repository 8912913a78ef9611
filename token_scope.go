package tidemark

import (
	"net/netip"
	"slices"
	"strings"
)

const (
	maxScopeMetrics  = 100
	maxScopeTags     = 20
	maxScopeValues   = 100
	maxScopeNetworks = 100
)

// TokenScope narrows what a Record Only token may send. The zero value is the
// whole organization.
type TokenScope struct {
	// Metrics are names, in which * stands for anything; one of them has to
	// match. None means all.
	Metrics []string `json:"metrics"`
	// Tags have to be there, each with one of its values.
	Tags []ScopeTag `json:"tags"`
}

// ScopeTag is a tag that measurements must have.
type ScopeTag struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// IsWhole reports whether s narrows nothing.
func (s *TokenScope) IsWhole() bool { return len(s.Metrics) == 0 && len(s.Tags) == 0 }

// AllowsMetric reports whether measurements of a metric may be sent, its name
// in lower case.
func (s *TokenScope) AllowsMetric(name string) bool {
	return len(s.Metrics) == 0 || slices.ContainsFunc(s.Metrics, func(glob string) bool { return Glob(strings.ToLower(glob), name) })
}

// Allows reports whether a tag with this value, in lower case, is among those
// that s asks for.
func (t *ScopeTag) Allows(value string) bool {
	return slices.ContainsFunc(t.Values, func(v string) bool { return strings.ToLower(v) == value })
}

// check records what is wrong with s.
func (s *TokenScope) check(p *Problems, role Role) {
	p.Check(s.IsWhole() || role == RecordOnly, "scope", "is for Record Only tokens: what other roles read cannot be narrowed")
	p.Check(len(s.Metrics) <= maxScopeMetrics, "scope", "has more than %d metrics", maxScopeMetrics)
	for _, glob := range s.Metrics {
		p.Check(isText(glob, MaxName, func(c byte) bool { return c == '*' || metricByte(c) }), "scope",
			"%q must be 1 to %d letters, digits and . : - _ or * for anything", glob, MaxName)
	}
	p.Check(len(s.Tags) <= maxScopeTags, "scope", "has more than %d tags", maxScopeTags)
	names := make(map[string]bool)
	for _, t := range s.Tags {
		p.Check(IsTagName(t.Name), "scope", "%q cannot name a tag", t.Name)
		p.Check(!names[strings.ToLower(t.Name)], "scope", "has the tag %s twice", t.Name)
		names[strings.ToLower(t.Name)] = true
		p.Check(len(t.Values) > 0 && len(t.Values) <= maxScopeValues, "scope", "the tag %s must have 1 to %d values", t.Name, maxScopeValues)
		for _, v := range t.Values {
			p.Check(IsTagValue(v), "scope", "%q cannot be the value of the tag %s", v, t.Name)
		}
	}
}

// checkNetworks records what is wrong with a list of networks.
func checkNetworks(p *Problems, list []string) {
	p.Check(len(list) <= maxScopeNetworks, "networks", "has more than %d networks", maxScopeNetworks)
	for _, text := range list {
		_, err := ParseNetwork(text)
		p.Check(err == nil, "networks", "%q is neither an address nor a network such as 10.20.0.0/16", text)
	}
}

// ParseNetwork reads a network, or an address, which is one of itself.
func ParseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return p, err
	}
	if addr, bits := p.Addr(), p.Bits()-96; addr.Is4In6() && bits >= 0 {
		p = netip.PrefixFrom(addr.Unmap(), bits) // as addresses are compared
	}
	return p.Masked(), nil
}
