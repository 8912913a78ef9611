package alerting

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestCatching: the strictest round threshold that something exceeds in every
// incident, for as long as the rule asks.
func TestCatching(t *testing.T) {
	t.Parallel()
	steady := func(values ...float64) *streamHistory {
		s := &streamHistory{values: values}
		for i := range values {
			s.times = append(s.times, int64(i)*minute)
		}
		return s
	}
	whole := intervals{{0, 600}}
	for _, c := range []struct {
		name      string
		rule      rule
		streams   []*streamHistory
		incidents intervals
		want      float64
		found     bool
	}{
		{"the lowest", rule{kind: tidemark.Below}, []*streamHistory{steady(500, 301, 400, 900)}, whole, 310, true},
		{"a round one", rule{kind: tidemark.Below}, []*streamHistory{steady(500, 300, 400, 900)}, whole, 310, true},
		{"the highest", rule{kind: tidemark.Above}, []*streamHistory{steady(500, 301, 400, 955)}, whole, 950, true},
		{"of any stream", rule{kind: tidemark.Below}, []*streamHistory{steady(900, 500), steady(800, 224)}, whole, 230, true},
		{"in every incident", rule{kind: tidemark.Below}, []*streamHistory{steady(900, 224, 900, 301, 900)}, intervals{{60, 61}, {180, 181}}, 310, true},
		{"for a while", rule{kind: tidemark.Below, duration: 120}, []*streamHistory{steady(900, 100, 305, 207, 900)}, whole, 310, true},
		{"never for as long", rule{kind: tidemark.Below, duration: 600}, []*streamHistory{steady(900, 100)}, whole, 0, false},
		{"nothing at all", rule{kind: tidemark.Below}, []*streamHistory{steady(800, 0)}, whole, 10, true},
		{"below zero", rule{kind: tidemark.Below}, []*streamHistory{steady(-40, -83)}, whole, -82, true},
		{"small", rule{kind: tidemark.Above}, []*streamHistory{steady(0.25, 0.333)}, whole, 0.33, true},
		{"always zero", rule{kind: tidemark.Above}, []*streamHistory{steady(0, 0)}, whole, -1, true},
		{"no measurement", rule{kind: tidemark.Above}, []*streamHistory{steady(1)}, intervals{{60, 120}}, 0, false},
	} {
		tc := &backtestCondition{rule: c.rule, streams: c.streams}
		if got, found := tc.catching(c.incidents); got != c.want || found != c.found {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, found, c.want, c.found)
		}
	}
}
