package query

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// groupBy evaluates in once for each combination of values of some tags.
type groupBy struct {
	in   node
	tags []string
}

// maxGroupTags bounds the tags of one group_by().
const maxGroupTags = 16

// enterGroup reads "tag1,tag2", and makes the series() within take part.
func enterGroup(c *compiler, a *args) error {
	text := a.first.(*compose.Text)
	var tags []string
	for tag := range strings.SplitSeq(text.Value, ",") {
		tag = strings.ToLower(strings.TrimSpace(tag))
		if !tidemark.IsTagName(tag) {
			return compose.Errorf(text.Span, "%q cannot be the name of a tag", tag)
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > maxGroupTags {
		return compose.Errorf(text.Span, "group_by takes at most %d tags", maxGroupTags)
	}
	a.parsed = tags
	c.groups = slices.Concat(c.groups, tags)
	return nil
}

func makeGroupBy(_ *compiler, a *args) (node, error) {
	return &groupBy{a.set, a.parsed.([]string)}, nil
}

func (n *groupBy) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	reads := make(map[*read]bool)
	ev.watching = append(ev.watching, reads)
	err := n.in.prepare(ctx, ev, sc)
	ev.watching = ev.watching[:len(ev.watching)-1]
	if ev.groups == nil {
		ev.groups = make(map[nodeKey]map[*read]bool)
	}
	ev.groups[nodeKey{n, sc.at}] = reads
	return err
}

func (n *groupBy) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	outer := sc.values
	var all []*Series
	for _, own := range n.groups(ev, sc) {
		if err := ev.branch(ctx); err != nil {
			return nil, err
		}
		sc.values = slices.Concat(outer, own)
		mark := ev.mark()
		part, err := n.in.eval(ctx, ev, sc)
		if err != nil {
			return nil, err
		}
		ev.release(mark, part)
		stamp(part, n.tags, own)
		all = append(all, part...)
	}
	return all, nil
}

// groups returns the combinations of values that the series() within have,
// within the group that is looked at, in order.
func (n *groupBy) groups(ev *evaluation, sc scope) [][]string {
	depth := len(sc.values)
	found := make(map[string][]string)
	for r := range ev.groups[nodeKey{n, sc.at}] {
		for _, p := range r.parts {
			if len(p.values) > depth && slices.Equal(p.values[:depth], sc.values) {
				own := p.values[depth : depth+len(n.tags)]
				found[groupKey(own)] = own
			}
		}
	}
	groups := make([][]string, 0, len(found))
	for _, key := range sortedKeys(found) {
		groups = append(groups, found[key])
	}
	return groups
}

// mapped evaluates in once for each value of a tag, or each metric, which &
// stands for within.
type mapped struct {
	in      node
	tag     string // "" for metrics
	pattern string
	metrics []string // of the series() within, with * for &
}

// enterMap lets & be used within.
func enterMap(c *compiler, a *args) error {
	m := a.first.(*compose.Map)
	if len(m.Pairs) != 1 || m.Pairs[0].List {
		return compose.Errorf(m.Span, `%s needs one tag and its pattern, such as {"source": "web*"}`, a.call.Name)
	}
	p := &m.Pairs[0]
	n := &mapped{tag: strings.ToLower(p.Key.Value), pattern: strings.ToLower(p.Value().Value)}
	if n.tag == "metric" {
		n.tag = ""
	} else if !tidemark.IsTagName(n.tag) {
		return compose.Errorf(p.Key.Span, "%s cannot be the name of a tag", &p.Key)
	}
	c.maps++
	a.parsed = n
	return nil
}

func makeMap(_ *compiler, a *args) (node, error) {
	n := a.parsed.(*mapped)
	n.in = a.set
	for _, arg := range a.call.Args[1:] {
		compose.Walk(arg, func(e compose.Expr) bool {
			if c, ok := e.(*compose.Call); ok && (c.Name == "s" || c.Name == "series") {
				name := c.Args[0].(*compose.Text).Value // it was compiled: there is one
				n.metrics = append(n.metrics, strings.ReplaceAll(tidemark.MetricKey(strings.TrimSpace(name)), "&", "*"))
			}
			return true
		})
	}
	slices.Sort(n.metrics)
	n.metrics = slices.Compact(n.metrics)
	return n, nil
}

func (n *mapped) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	values, err := n.values(ctx, ev)
	if err != nil {
		return err
	}
	for _, v := range values {
		if err := ev.branch(ctx); err != nil {
			return err
		}
		if err := n.in.prepare(ctx, ev, sc.bind(v)); err != nil {
			return err
		}
	}
	return nil
}

// bind returns sc with & standing for v.
func (sc scope) bind(v string) scope {
	sc.at.amp, sc.at.bound = v, true
	return sc
}

func (n *mapped) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	var all []*Series
	for _, v := range ev.mapped[n] {
		if err := ev.branch(ctx); err != nil {
			return nil, err
		}
		mark := ev.mark()
		part, err := n.in.eval(ctx, ev, sc.bind(v))
		if err != nil {
			return nil, err
		}
		ev.release(mark, part)
		if n.tag != "" {
			stamp(part, []string{n.tag}, []string{v})
		}
		all = append(all, part...)
	}
	return all, nil
}

// values returns what & stands for, in order: the values of the tag among the
// streams of the metrics within, or the metrics that match.
func (n *mapped) values(ctx context.Context, ev *evaluation) ([]string, error) {
	if known, ok := ev.mapped[n]; ok {
		return known, nil
	}
	metrics := n.metrics
	if n.tag == "" {
		metrics = []string{n.pattern}
	}
	found := make(map[string]bool)
	for _, metric := range metrics {
		for s, err := range ev.engine.Streams(ctx, ev.org, metric, n.filter()) {
			if err != nil {
				return nil, err
			}
			value := s.Metric
			if n.tag != "" {
				value, _ = s.Tags.Get(n.tag)
			}
			if found[value] = true; len(found) > ev.limits.Branches {
				return nil, tooMany(ev.limits.Branches, branches)
			}
		}
	}
	if ev.mapped == nil {
		ev.mapped = make(map[*mapped][]string)
	}
	ev.mapped[n] = sortedKeys(found)
	if n.tag == "" { // each is about to be asked for
		for _, name := range ev.mapped[n] {
			ev.promise(name)
		}
		return ev.mapped[n], ev.keepPromises(ctx)
	}
	return ev.mapped[n], nil
}

// filter picks the streams that a map() looks at.
func (n *mapped) filter() tsdb.Filter {
	if n.tag == "" {
		return tsdb.Filter{}
	}
	return tsdb.TagIs(n.tag, n.pattern)
}
