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
	maxScopeAdded    = 20
	maxScopeNetworks = 100
)

// TokenScope narrows what a Record Only token may send, and says what it adds;
// or what a View Only token may read. The zero value is the whole organization,
// as it is sent.
type TokenScope struct {
	// Metrics are names, in which * stands for anything; one of them has to
	// match. None means all.
	Metrics []string `json:"metrics"`
	// Tags have to be there, each with one of its values.
	Tags []ScopeTag `json:"tags"`
	// Add is for Record Only tokens: it is added to every measurement, in place of what the sender says.
	Add []AddedTag `json:"add,omitempty"`
}

// AddedTag is a tag that every measurement of a token gets.
type AddedTag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ScopeTag is a tag that measurements, or streams that are read, must have.
type ScopeTag struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// IsWhole reports whether s narrows nothing and adds nothing.
func (s *TokenScope) IsWhole() bool {
	return len(s.Metrics) == 0 && len(s.Tags) == 0 && len(s.Add) == 0
}

// added returns the value of a tag that s adds, both in lower case.
func (s *TokenScope) added(name string) (value string, ok bool) {
	for _, t := range s.Add {
		if strings.ToLower(t.Name) == name {
			return strings.ToLower(t.Value), true
		}
	}
	return "", false
}

// AllowsMetric reports whether measurements of a metric may be sent or read, its
// name in lower case.
func (s *TokenScope) AllowsMetric(name string) bool {
	return len(s.Metrics) == 0 || slices.ContainsFunc(s.Metrics, func(glob string) bool { return Glob(strings.ToLower(glob), name) })
}

// Outside tells why a measurement may not be sent: because of its metric, whose
// name is in lower case, or because of a tag. tag returns the value of a tag of
// the measurement, as it was sent, by the tag's name, both in lower case.
func (s *TokenScope) Outside(name string, tag func(name string) (value string, ok bool)) (metric bool, other *ScopeTag) {
	if !s.AllowsMetric(name) {
		return true, nil
	}
	for i := range s.Tags {
		t := &s.Tags[i]
		name := strings.ToLower(t.Name)
		value, ok := s.added(name)
		if !ok {
			value, ok = tag(name)
		}
		if !ok || !t.Allows(value) {
			return false, t
		}
	}
	return false, nil
}

// Allows reports whether a tag with this value, in lower case, is among those
// that s asks for.
func (t *ScopeTag) Allows(value string) bool {
	return slices.ContainsFunc(t.Values, func(v string) bool { return strings.ToLower(v) == value })
}

// check records what is wrong with s.
func (s *TokenScope) check(p *Problems, role Role) {
	p.Check(s.IsWhole() || role == RecordOnly || role == ViewOnly, "scope", "is for Record Only and View Only tokens. Leave it out, or choose the role recorder or viewer; networks narrow every role")
	p.Check(len(s.Add) == 0 || role != ViewOnly, "scope", "adds tags to what is sent, and View Only tokens send nothing")
	p.Check(len(s.Metrics) <= maxScopeMetrics, "scope", "has more than %d metrics", maxScopeMetrics)
	for _, glob := range s.Metrics {
		p.Check(isMetricGlob(glob), "scope", metricGlobRule, glob, MaxName)
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
	s.checkAdded(p)
}

const metricGlobRule = "%q must be 1 to %d letters, digits and . : - _ or * for anything"

// isMetricGlob reports whether s can be the name of a metric, in which * may
// stand for anything.
func isMetricGlob(s string) bool {
	return isText(s, MaxName, func(c byte) bool { return c == '*' || metricByte(c) })
}

// checkAdded records what is wrong with what s adds.
func (s *TokenScope) checkAdded(p *Problems) {
	p.Check(len(s.Add) <= maxScopeAdded, "scope", "adds more than %d tags", maxScopeAdded)
	names := make(map[string]bool)
	for _, t := range s.Add {
		name := strings.ToLower(t.Name)
		p.Check(IsTagName(t.Name), "scope", "%q cannot name a tag to add", t.Name)
		p.Check(!names[name], "scope", "adds the tag %s twice", t.Name)
		names[name] = true
		p.Check(IsTagValue(t.Value), "scope", "%q cannot be the value of the tag %s to add", t.Value, t.Name)
		for i := range s.Tags {
			p.Check(strings.ToLower(s.Tags[i].Name) != name || s.Tags[i].Allows(strings.ToLower(t.Value)), "scope",
				"adds %s=%s, which is none of the values that it allows: everything would be refused", t.Name, t.Value)
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

// Networks are where a token may be used from; none means anywhere.
type Networks []netip.Prefix

// ParseNetworks reads networks. One that cannot be read admits nobody.
func ParseNetworks(texts []string) Networks {
	var list Networks
	for _, text := range texts {
		n, _ := ParseNetwork(text) // the zero Prefix contains nothing
		list = append(list, n)
	}
	return list
}

// Admit reports whether an address is in one of them. One that cannot be read
// is in no network.
func (n Networks) Admit(address string) bool {
	if len(n) == 0 {
		return true
	}
	addr, err := netip.ParseAddr(address)
	addr = addr.Unmap().WithZone("")
	return err == nil && slices.ContainsFunc(n, func(p netip.Prefix) bool { return p.Contains(addr) })
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
