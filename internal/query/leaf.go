package query

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// leaf is a series(): it reads streams. With a fold it makes one series of
// them.
type leaf struct {
	public   *Leaf
	metric   string // the name or glob under which the engine knows it; may hold &
	at       compose.Span
	terms    []term
	function tsdb.Function
	quantile float64  // of a percentile
	merged   *float64 // the quantile of all values of a group, where the metric has distributions
	period   int64    // 0 if none is given
	fold     *fold    // nil if each stream is a series
	// groups are the tags of the enclosing group_by()s that the leaf takes
	// part in. An exempt leaf is in some, but takes part in none.
	groups []string
	exempt bool
}

// term is a condition on one tag.
type term struct {
	name    string
	values  []string // may hold &
	dynamic bool     // the values are those of a filter
}

var leafFunctions = map[string]tsdb.Function{
	"mean": tsdb.Mean, "sum": tsdb.Sum, "min": tsdb.Min, "max": tsdb.Max, "count": tsdb.Count,
	"last": tsdb.Last, "stddev": tsdb.StdDev,
}

// makeSeries makes a leaf of s(metric, tags, options).
func makeSeries(c *compiler, a *args) (node, error) {
	name := a.first.(*compose.Text)
	l := &leaf{
		public: &Leaf{Metric: name.Value}, at: name.Span, metric: tidemark.MetricKey(strings.TrimSpace(name.Value)),
		function: leafFunctions[a.settings.word("function")], period: a.settings.integer("period"),
		exempt: a.settings.word("group") == "false",
	}
	if q, ok := tidemark.Quantile(a.settings.word("function")); ok {
		l.function, l.quantile = tsdb.Percentile, q
	}
	if !tidemark.IsMetricName(strings.NewReplacer("*", "x", "&", "x").Replace(l.metric)) {
		return nil, compose.Errorf(name.Span, "%s cannot be the name of a metric", name)
	}
	if err := c.amp(name, l.metric); err != nil {
		return nil, err
	}
	if err := c.tags(l, a.tags); err != nil {
		return nil, err
	}
	c.metrics[strings.ReplaceAll(l.metric, "&", "*")] = true
	if !l.exempt {
		l.groups = c.groups
	}
	c.exempt = l.exempt
	return c.shared(l, a.call.String()), nil
}

// shared returns the leaf that is the same as l, if there was one before.
func (c *compiler) shared(l *leaf, text string) *leaf {
	key := text + "\x00" + strings.Join(l.groups, "\x00")
	if known := c.leaves[key]; known != nil {
		return known
	}
	c.leaves[key] = l
	return l
}

// folded returns n with its streams made one series, if n is a leaf.
func (c *compiler) folded(n node, f *fold, text string) (*leaf, bool) {
	l, ok := n.(*leaf)
	if !ok || l.fold != nil {
		return nil, false
	}
	folded := *l
	folded.fold = f
	return c.shared(&folded, text), true
}

// merging returns n such that it reads one percentile of all its values, if
// its metric has distributions and n is a leaf that says nothing else.
func (c *compiler) merging(n node, quantile float64, text string) node {
	l, ok := n.(*leaf)
	if !ok || l.fold != nil || l.function != tsdb.Mean {
		return n
	}
	merging := *l
	merging.merged = &quantile
	return c.shared(&merging, text)
}

// amp checks that & is used within map() only.
func (c *compiler) amp(at *compose.Text, text string) error {
	if strings.Contains(text, "&") && c.maps == 0 {
		return compose.Errorf(at.Span, "& stands for something within map() only")
	}
	return nil
}

// sourceTag is the tag that a text in the place of tags is about.
const sourceTag = "source"

// tags reads the second argument of series().
func (c *compiler) tags(l *leaf, e compose.Expr) error {
	switch e := e.(type) {
	case nil:
		l.public.Search = "*"
	case *compose.Text:
		l.public.Search = "*"
		if value := strings.TrimSpace(e.Value); value != "*" && value != "" {
			l.public.Search = sourceTag + "=" + value
			return c.term(l, compose.Pair{Key: compose.Text{Span: e.Span, Value: sourceTag}, Values: []compose.Text{*e}})
		}
	case *compose.Map:
		l.public.Tags = make(map[string][]string, len(e.Pairs))
		for _, p := range e.Pairs {
			if err := c.term(l, p); err != nil {
				return err
			}
			for _, v := range p.Values {
				l.public.Tags[p.Key.Value] = append(l.public.Tags[p.Key.Value], v.Value)
			}
		}
	}
	return nil
}

func (c *compiler) term(l *leaf, p compose.Pair) error {
	t := term{name: strings.ToLower(p.Key.Value)}
	if !tidemark.IsTagName(strings.TrimPrefix(t.name, "!")) {
		return compose.Errorf(p.Key.Span, "%s cannot be the name of a tag", &p.Key)
	}
	for i := range p.Values {
		v := &p.Values[i]
		if err := c.amp(v, v.Value); err != nil {
			return err
		}
		t.dynamic = t.dynamic || v.Value == "%"
		t.values = append(t.values, v.Value)
	}
	if t.dynamic {
		c.dynamic[t.name] = true
	}
	l.terms = append(l.terms, t)
	return nil
}

// isDynamic reports whether a filter fills in some of the leaf's tags.
func (l *leaf) isDynamic() bool {
	return slices.ContainsFunc(l.terms, func(t term) bool { return t.dynamic })
}

// filter returns what the leaf's tags pick.
func (l *leaf) filter(ev *evaluation, sc scope) tsdb.Filter {
	var all []tsdb.Filter
	for _, t := range l.terms {
		if t.dynamic {
			if d := entry(ev.dynamic, t.name); d != nil {
				all = append(all, valuesFilter(t.name, d.Values))
			}
			continue
		}
		values := t.values
		if sc.at.bound {
			values = make([]string, len(t.values))
			for i, v := range t.values {
				values[i] = strings.ReplaceAll(v, "&", sc.at.amp)
			}
		}
		all = append(all, valuesFilter(t.name, values))
	}
	for _, tag := range l.groups {
		all = append(all, tsdb.TagPresent(tag))
	}
	if ev.filter.Op != tsdb.Any && l.isDynamic() {
		all = append(all, ev.filter)
	}
	if len(all) == 0 {
		return tsdb.Filter{}
	}
	return tsdb.AllOf(all...)
}

func (l *leaf) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	r, err := ev.read(ctx, l, sc)
	if err != nil {
		return err
	}
	r.uses++
	if l.exempt {
		r.uses++ // each group looks at it
	}
	for _, reads := range ev.watching {
		reads[r] = true
	}
	return nil
}

func (l *leaf) eval(_ context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	r := ev.reads[readKey{l, sc.at}]
	p := r.partOf(sc.values)
	if p == nil {
		return nil, nil
	}
	if r.uses == 1 {
		return p.series, nil
	}
	return slices.Clone(p.series), ev.hold(0, len(p.series))
}

// partOf returns the part of the group with these values, nil if it has none.
func (r *read) partOf(values []string) *part {
	i, ok := 0, len(r.parts) > 0
	if r.index != nil {
		i, ok = r.index[groupKey(values)]
	}
	if !ok {
		return nil
	}
	return r.parts[i]
}

// groupKey joins the values of a group; none of them holds a byte below 2.
func groupKey(values []string) string { return strings.Join(values, "\x00") }
