package query

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/compose"
)

// shifted evaluates in once for each of some offsets in time.
type shifted struct {
	in      node
	offsets []int64 // seconds back
}

const (
	maxOffsets = 64
	maxOffset  = 20 * 366 * 86400 // seconds
)

var units = map[byte]int64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 604800}

// makeShift reads "0,1,2w". A number without a unit has that of the next one
// with a unit.
func makeShift(_ *compiler, a *args) (node, error) {
	text := a.first.(*compose.Text)
	fields := strings.Split(text.Value, ",")
	if len(fields) > maxOffsets {
		return nil, compose.Errorf(text.Span, "timeshift takes at most %d offsets", maxOffsets)
	}
	n := &shifted{in: a.set, offsets: make([]int64, len(fields))}
	unit := int64(0)
	for i := len(fields) - 1; i >= 0; i-- {
		field := strings.ToLower(strings.TrimSpace(fields[i]))
		if field != "" && units[field[len(field)-1]] != 0 {
			unit = units[field[len(field)-1]]
			field = field[:len(field)-1]
		}
		v, err := strconv.ParseInt(field, 10, 64)
		if err != nil || unit == 0 || v < -maxOffset/unit || v > maxOffset/unit {
			return nil, compose.Errorf(text.Span, `expected offsets such as "0,1,2w" (units s, m, h, d, w), found %s`, text)
		}
		back := v * unit
		switch {
		case strings.HasPrefix(field, "+"):
			back = -back
		case v < 0: // 7d and -7d are both a week ago
			back = -back
		}
		n.offsets[i] = back
	}
	return n, nil
}

func (n *shifted) prepare(ctx context.Context, ev *evaluation, sc scope) error {
	for _, off := range n.offsets {
		if err := ev.branch(ctx); err != nil {
			return err
		}
		if err := n.in.prepare(ctx, ev, sc.shift(off)); err != nil {
			return err
		}
	}
	return nil
}

func (n *shifted) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	var all []*Series
	for _, off := range n.offsets {
		if err := ev.branch(ctx); err != nil {
			return nil, err
		}
		mark := ev.mark()
		part, err := n.in.eval(ctx, ev, sc.shift(off))
		if err != nil {
			return nil, err
		}
		ev.release(mark, part)
		all = append(all, part...)
	}
	return all, nil
}

// shift returns sc further back in time.
func (sc scope) shift(back int64) scope {
	sc.at.shift += back
	return sc
}

// constant is a series with the same value in every step.
type constant struct {
	value  float64
	period int64
}

func makeConstant(_ *compiler, a *args) (node, error) {
	text := a.first.(*compose.Text)
	v, ok := parseNumber(text.Value)
	if !ok {
		return nil, compose.Errorf(text.Span, "constant needs a number, found %s", text)
	}
	return &constant{v.number, a.settings.integer("period")}, nil
}

func (n *constant) prepare(context.Context, *evaluation, scope) error { return nil }

func (n *constant) eval(_ context.Context, ev *evaluation, _ scope) ([]*Series, error) {
	step := max(n.period, ev.window.Step)
	s := &Series{step: step, Period: step, combined: true}
	s, err := fillSteps(ev, s, n.value)
	if err != nil {
		return nil, err
	}
	return []*Series{s}, nil
}
