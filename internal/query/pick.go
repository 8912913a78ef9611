package query

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// pick chooses some series of a set by one number each.
type pick struct {
	in     node
	number func(values []float64) float64
	choose func(in []judged) []judged
}

// judged is a series and its number.
type judged struct {
	*Series
	number float64
}

func (n *pick) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	return n.in.prepare(ctx, ev, sc)
}

func (n *pick) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	in, err := n.in.eval(ctx, ev, sc)
	if err != nil {
		return nil, err
	}
	if err := ev.work.Yield(ctx); err != nil {
		return nil, err
	}
	all := make([]judged, 0, len(in))
	for _, s := range in {
		if len(s.Values) > 0 { // nothing has no number
			all = append(all, judged{s, n.number(s.Values)})
		}
	}
	out := in[:0]
	for _, j := range n.choose(all) {
		out = append(out, j.Series)
	}
	return out, nil
}

var pickFunctions = map[string]func([]float64) float64{
	"mean": meanOf, "sum": sumOf, "min": slices.Min[[]float64], "max": slices.Max[[]float64],
}

// makeTop makes top, where order is -1, and bottom, where it is 1. Of equals
// the earlier comes first.
func makeTop(order int) maker {
	return func(_ *compiler, a *args) (node, error) {
		count := int(a.settings.integer("count"))
		return &pick{a.set, pickFunctions[a.settings.word("function")], func(in []judged) []judged {
			slices.SortStableFunc(in, func(a, b judged) int { return order * cmp.Compare(a.number, b.number) })
			return in[:min(count, len(in))]
		}}, nil
	}
}

// makeFilter makes filter, which needs at least one bound.
func makeFilter(_ *compiler, a *args) (node, error) {
	s := a.settings
	if !s.has("gt") && !s.has("gte") && !s.has("lt") && !s.has("lte") {
		return nil, needsOption(a.call, "gt, gte, lt or lte: a number")
	}
	bound := func(name string, none float64) float64 {
		if !s.has(name) {
			return none
		}
		return s.number(name)
	}
	gt, gte := bound("gt", math.Inf(-1)), bound("gte", math.Inf(-1))
	lt, lte := bound("lt", math.Inf(1)), bound("lte", math.Inf(1))
	return &pick{a.set, pickFunctions[s.word("function")], func(in []judged) []judged {
		return slices.DeleteFunc(in, func(j judged) bool {
			return !(j.number > gt && j.number >= gte && j.number < lt && j.number <= lte)
		})
	}}, nil
}
