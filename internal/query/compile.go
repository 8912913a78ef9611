package query

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
)

// Expr is an expression that was read and checked.
type Expr struct {
	tree    compose.Expr
	root    node
	metrics []string
	dynamic []string // tags that are left open for a filter, in order
}

// Parse reads and checks an expression: it names functions that exist, with
// options and arguments that they take. The error is a *compose.Error.
func Parse(text string) (*Expr, error) {
	tree, err := compose.Parse(text)
	if err != nil {
		return nil, err
	}
	c := newCompiler()
	root, err := c.expr(tree)
	if err != nil {
		return nil, err
	}
	return &Expr{tree: tree, root: root, metrics: sortedKeys(c.metrics), dynamic: sortedKeys(c.dynamic)}, nil
}

// groupedBy returns the root of e as if e were within a group_by() of the
// dynamic tags that filters ask to be grouped by.
func (e *Expr) groupedBy(filters []tidemark.TagFilter) (node, error) {
	var tags []string
	for _, tag := range e.dynamic {
		if f := entry(filters, tag); f != nil && f.IsGrouped() {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return e.root, nil
	}
	c := newCompiler()
	c.groups = tags
	in, err := c.expr(e.tree)
	return &groupBy{in, tags}, err
}

// String returns the expression in its canonical form, on one line.
func (e *Expr) String() string { return e.tree.String() }

// Format returns the expression in its canonical form, on several lines if it
// is long.
func (e *Expr) Format() string { return compose.Format(e.tree) }

// Metrics returns the names of the metrics that the expression reads, in lower
// case and in order. A name may hold *, which is also what & becomes.
func (e *Expr) Metrics() []string { return slices.Clone(e.metrics) }

// Dynamic reports whether the expression has tags that are open to a filter.
func (e *Expr) Dynamic() bool { return len(e.dynamic) > 0 }

// node is a part of an expression that stands for a set of series.
type node interface {
	// prepare registers what the node reads. It is called once for each time
	// that eval is, but for the groups of a group_by, which are not yet known.
	prepare(ctx context.Context, ev *evaluation, sc scope) error
	// eval returns the series. The slice is the caller's; series may be
	// written to through own only.
	eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error)
}

// compiler makes nodes of a tree.
type compiler struct {
	leaves  map[string]*leaf // so that what is written twice is read once
	metrics map[string]bool  // that are read
	groups  []string         // tags of the enclosing group_by()s, outermost first
	maps    int              // enclosing map()s
	exempt  bool             // the last node compiled is the same for all groups
	dynamic map[string]bool  // tags that are left open
}

func newCompiler() *compiler {
	return &compiler{leaves: make(map[string]*leaf), metrics: make(map[string]bool), dynamic: make(map[string]bool)}
}

// expr compiles a call or a set.
func (c *compiler) expr(e compose.Expr) (node, error) {
	switch e := e.(type) {
	case *compose.Call:
		return c.call(e)
	case *compose.Set:
		return c.set(e.Exprs)
	case *compose.Text:
		return nil, compose.Errorf(e.Span, "expected series, found %s", shorten(e)).Suggest("s(" + shorten(e) + ")")
	}
	return nil, compose.Errorf(e.Pos(), "expected series, found %s", shorten(e))
}

// shorten returns e as errors show it.
func shorten(e compose.Expr) string {
	const most = 40
	s := e.String()
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// set compiles expressions to one node.
func (c *compiler) set(exprs []compose.Expr) (node, error) {
	exempt := true
	nodes := make([]node, len(exprs))
	for i, e := range exprs {
		n, err := c.expr(e)
		if err != nil {
			return nil, err
		}
		nodes[i], exempt = n, exempt && c.exempt
	}
	c.exempt = exempt
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return set(nodes), nil
}

// call compiles a call.
func (c *compiler) call(call *compose.Call) (node, error) {
	f := lookup(call.Name)
	if f == nil {
		return nil, unknownFunction(call)
	}
	a := args{call: call}
	rest := call.Args
	var err error
	if a.first, rest, err = f.takeFirst(call, rest); err != nil {
		return nil, err
	}
	if rest, err = a.takeOptions(f, rest); err != nil {
		return nil, err
	}
	switch {
	case f.takes&takesSet != 0:
		if err := c.within(f, &a, rest); err != nil {
			return nil, err
		}
	case len(rest) > 0:
		return nil, compose.Errorf(rest[0].Pos(), "%s takes no further argument", call.Name)
	default:
		c.exempt = true // until it is a series() that says otherwise
	}
	n, err := f.make(c, &a)
	if err != nil {
		return nil, err
	}
	if _, isLeaf := n.(*leaf); c.exempt && len(c.groups) > 0 && !isLeaf {
		n = &once{n} // rather than once for each group
	}
	return n, nil
}

// within compiles the arguments that are series, in the surroundings that f
// makes for them.
func (c *compiler) within(f *function, a *args, exprs []compose.Expr) error {
	if len(exprs) == 0 {
		return compose.Errorf(a.call.Span, "%s needs series to work on", a.call.Name)
	}
	groups, maps := c.groups, c.maps
	if f.enter != nil {
		if err := f.enter(c, a); err != nil {
			return err
		}
	}
	var err error
	a.set, err = c.set(exprs)
	c.groups, c.maps = groups, maps
	return err
}

func unknownFunction(call *compose.Call) error {
	suggestion := synonyms[strings.ToLower(call.Name)]
	if suggestion == "" {
		names := make([]string, len(functions))
		for i := range functions {
			names[i] = functions[i].name
		}
		suggestion = nearest(call.Name, names)
	}
	return compose.Errorf(call.NameSpan, "unknown function %s", call.Name).Suggest(suggestion)
}

// args are the checked arguments of a call.
type args struct {
	call     *compose.Call
	first    compose.Expr // the argument before the series: a text or a map
	tags     compose.Expr // of series(): the tags, if given
	settings settings
	set      node
	parsed   any // what enter made of first
}

// takeFirst takes the argument that comes before the series, if f has one.
func (f *function) takeFirst(call *compose.Call, rest []compose.Expr) (compose.Expr, []compose.Expr, error) {
	if f.takes&(takesText|takesMap) == 0 {
		return nil, rest, nil
	}
	if len(rest) == 0 {
		return nil, nil, compose.Errorf(call.Span, "%s needs %s", call.Name, f.firstIs)
	}
	switch e := rest[0].(type) {
	case *compose.Text:
		if f.takes&takesText != 0 {
			return e, rest[1:], nil
		}
	case *compose.Map:
		if f.takes&takesMap != 0 {
			return e, rest[1:], nil
		}
	}
	return nil, nil, compose.Errorf(rest[0].Pos(), "%s needs %s, found %s", call.Name, f.firstIs, shorten(rest[0]))
}

// takeOptions takes the tags of a series(), and the options at the end.
func (a *args) takeOptions(f *function, rest []compose.Expr) ([]compose.Expr, error) {
	if f.takes&takesTags != 0 && len(rest) > 0 {
		switch rest[0].(type) {
		case *compose.Text, *compose.Map:
			a.tags, rest = rest[0], rest[1:]
		default:
			return nil, compose.Errorf(rest[0].Pos(), "expected tags such as {\"host\": \"*\"}, found %s", shorten(rest[0]))
		}
	}
	var given *compose.Map
	if n := len(rest); n > 0 {
		if m, ok := rest[n-1].(*compose.Map); ok {
			given, rest = m, rest[:n-1]
		}
	}
	var err error
	a.settings, err = f.settings(a.call, given)
	return rest, err
}

// set is a list of sets, one after the other.
type set []node

func (s set) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	for _, n := range s {
		if err := n.prepare(ctx, ev, sc); err != nil {
			return err
		}
	}
	return nil
}

func (s set) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	var all []*Series
	for _, n := range s {
		part, err := n.eval(ctx, ev, sc)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}
