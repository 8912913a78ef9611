package tidemark

import (
	"slices"
	"testing"
)

// box is where a chart is: its number, then column, row, width, height and, of
// one in a section, that.
func box(chart int64, at ...int) GridPosition {
	p := GridPosition{Chart: chart, Col: at[0], Row: at[1], Width: at[2], Height: at[3]}
	if len(at) > 4 {
		p.Section = at[4]
	}
	return p
}

// TestArrange: what was put somewhere is there, as far as its size and others
// allow; the rest fills what is free.
func TestArrange(t *testing.T) {
	t.Parallel()
	chart := func(id int64, kind string) *Chart {
		c := &Chart{ID: id, Type: kind}
		if kind != "line" && kind != "stacked" && kind != "bignumber" {
			c.Type, c.Attributes = "line", map[string]any{"kind": kind}
		}
		return c
	}
	lines := []*Chart{chart(1, "line"), chart(2, "line"), chart(3, "line")}
	for name, c := range map[string]struct {
		layout Layout
		charts []*Chart
		most   int
		want   []GridPosition
	}{
		"nobody put anything anywhere": {
			charts: []*Chart{chart(1, "line"), chart(2, "bignumber"), chart(3, "gauge"), chart(4, "text"), chart(5, "table")}, most: 9,
			want: []GridPosition{box(1, 0, 0, 6, 5), box(2, 6, 0, 3, 2), box(3, 9, 0, 3, 4), box(4, 6, 4, 4, 5), box(5, 0, 5, 6, 5)},
		},
		"as it was saved": {
			layout: Layout{Places: []GridPosition{box(3, 6, 0, 6, 5), box(1, 0, 0, 6, 5), box(2, 0, 5, 12, 3)}}, charts: lines, most: 9,
			want: []GridPosition{box(1, 0, 0, 6, 5), box(3, 6, 0, 6, 5), box(2, 0, 5, 12, 3)},
		},
		"a chart that is gone leaves no hole": {
			layout: Layout{Places: []GridPosition{box(8, 0, 0, 12, 5), box(1, 0, 5, 6, 5), box(2, 0, 10, 6, 5), box(3, 6, 10, 6, 5)}}, charts: lines, most: 9,
			want: []GridPosition{box(1, 0, 0, 6, 5), box(3, 6, 0, 6, 5), box(2, 0, 5, 6, 5)},
		},
		"on top of each other": {
			layout: Layout{Places: []GridPosition{box(1, 0, 0, 6, 5), box(2, 3, 0, 6, 5), box(3, 0, 2, 12, 5)}}, charts: lines, most: 9,
			want: []GridPosition{box(1, 0, 0, 6, 5), box(2, 3, 5, 6, 5), box(3, 0, 10, 12, 5)},
		},
		"too small, too high, over the edge": {
			layout: Layout{Places: []GridPosition{box(1, 11, 0, 1, 1), box(2, 0, 0, 9, 100)}}, charts: lines[:2], most: 9,
			want: []GridPosition{box(2, 0, 0, 9, 40), box(1, 9, 0, 3, 3)},
		},
		"each section has a grid of its own": {
			layout: Layout{Places: []GridPosition{box(1, 0, 4, 6, 5, 2), box(2, 0, 0, 6, 5), box(3, 0, 0, 6, 5, 1)}}, charts: lines, most: 9,
			want: []GridPosition{box(2, 0, 0, 6, 5), box(3, 0, 0, 6, 5, 1), box(1, 0, 0, 6, 5, 2)},
		},
		"no more than are wanted": {
			layout: Layout{Places: []GridPosition{box(3, 0, 0, 6, 5), box(2, 6, 0, 6, 5)}}, charts: lines, most: 1,
			want: []GridPosition{box(3, 0, 0, 6, 5)},
		},
	} {
		if got := c.layout.Arrange(c.charts, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, c.want)
		}
	}
}
