package org

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// checkNetworks looks whether senders send from networks. All that comes from
// elsewhere is refused; where a sender has several addresses, it is not known
// how much came from each.
func (p *previewed) checkNetworks(networks tidemark.Networks, seen []*tidemark.TokenClient) {
	if len(networks) == 0 {
		return
	}
	addresses := make(map[string][]string)
	for _, v := range seen {
		name := strings.ToLower(v.Sender)
		if v.Sender == v.Address {
			name = "" // its measurements have no tag that tells
		}
		addresses[name] = append(addresses[name], v.Address)
	}
	for name, one := range p.senders {
		one.checkAddresses(networks, addresses[name])
	}
}

func (one *previewedSender) checkAddresses(networks tidemark.Networks, from []string) {
	out := slices.DeleteFunc(slices.Clone(from), networks.Admit)
	switch {
	case len(from) == 0:
		one.reasons[senderReason{Kind: "unknown_network"}] = 0
	case len(out) == len(from):
		one.refused = one.values
		one.reasons = map[senderReason]int64{{Kind: "network", What: out[0]}: one.values}
	case len(out) > 0:
		one.reasons[senderReason{Kind: "some_network", What: out[0]}] = 0
	}
}

// groups puts senders together to which the same would happen, those of whom
// all is accepted first, and says how many groups are left out.
func (p *previewed) groups() (list []senderGroup, more int) {
	found := make(map[string]*senderGroup)
	for _, name := range slices.Sorted(maps.Keys(p.senders)) {
		one := p.senders[name]
		key := one.fate()
		g := found[key]
		if g == nil {
			g = &senderGroup{Names: []string{}, Reasons: []senderReason{}}
			found[key] = g
		}
		g.add(one)
	}
	list = []senderGroup{}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		list = append(list, *found[key])
	}
	slices.SortStableFunc(list, func(a, b senderGroup) int {
		if c := cmp.Compare(min(1, len(a.Reasons)), min(1, len(b.Reasons))); c != 0 {
			return c
		}
		return cmp.Compare(b.Values, a.Values)
	})
	for i := range list {
		list[i].Reasons = list[i].Reasons[:min(len(list[i].Reasons), maxReasons)]
	}
	shown := min(len(list), maxPreviewGroups)
	return list[:shown], len(list) - shown
}

// fate is what would happen to a sender, as a key. Addresses do not count:
// each sender has its own.
func (one *previewedSender) fate() string {
	var parts []string
	for r := range one.reasons {
		part := r.Kind
		if r.Kind == "metric" || r.Kind == "tag" {
			part += " " + r.What
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// add counts a sender to its group.
func (g *senderGroup) add(one *previewedSender) {
	if len(g.Names) < maxPreviewNames {
		g.Names = append(g.Names, one.name)
	}
	g.Count++
	g.Values += one.values
	g.Refused += one.refused
	for r, values := range one.reasons {
		if i := slices.IndexFunc(g.Reasons, func(o senderReason) bool { return o.Kind == r.Kind && (o.What == r.What || isPlace(r.Kind)) }); i >= 0 {
			g.Reasons[i].Values += values
			continue
		}
		r.Values = values
		g.Reasons = append(g.Reasons, r)
	}
	slices.SortFunc(g.Reasons, func(a, b senderReason) int {
		return cmp.Or(cmp.Compare(b.Values, a.Values), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
}

// isPlace reports whether a reason is about where a sender is.
func isPlace(kind string) bool { return kind == "network" || kind == "some_network" }
