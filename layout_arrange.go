package tidemark

import (
	"cmp"
	"slices"
)

// maxShownRows is how many rows of the grid a chart takes at most.
const maxShownRows = 40

// Kind is how c is shown: as its attributes say, or by its type.
func (c *Chart) Kind() string {
	if kind, _ := c.Attributes[chartKind].(string); kind != "" {
		return kind
	}
	return c.Type
}

// gridSize is how many columns and rows of the grid something takes.
type gridSize struct{ width, height int }

// usualSize is what a chart takes that nobody has put anywhere.
func usualSize(kind string) gridSize {
	switch kind {
	case "bignumber":
		return gridSize{3, 2}
	case "gauge":
		return gridSize{3, 4}
	case "text":
		return gridSize{4, 5}
	}
	return gridSize{6, 5}
}

// leastSize is what a chart takes at least.
func leastSize(kind string) gridSize {
	switch kind {
	case "bignumber", "text":
		return gridSize{2, 2}
	case "gauge":
		return gridSize{2, 3}
	}
	return gridSize{3, 3}
}

// Arrange returns where up to most of the charts of a space are, in reading
// order: as l says, and where nothing is yet for those it does not know. It is
// the twin of arrange in the interface, for those who have only a picture.
func (l *Layout) Arrange(charts []*Chart, most int) []GridPosition {
	kinds := make(map[int64]string, len(charts))
	for _, c := range charts {
		kinds[c.ID] = c.Kind()
	}
	known := slices.DeleteFunc(slices.Clone(l.Places), func(p GridPosition) bool { return kinds[p.Chart] == "" })
	slices.SortStableFunc(known, readingOrder)
	known = known[:min(len(known), most)]
	placed := make(map[int64]bool, len(known))
	for i := range known {
		known[i] = known[i].within(leastSize(kinds[known[i].Chart]))
		placed[known[i].Chart] = true
	}
	boxes := settle(known)
	for _, c := range charts {
		if len(boxes) < most && !placed[c.ID] {
			boxes = append(boxes, freePlace(boxes, c.ID, usualSize(c.Kind())))
		}
	}
	slices.SortStableFunc(boxes, readingOrder)
	return boxes
}

func readingOrder(a, b GridPosition) int {
	return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
}

// within keeps p inside the grid and not smaller than its kind allows.
func (p GridPosition) within(least gridSize) GridPosition {
	p.Width = min(max(p.Width, least.width), gridColumns)
	p.Height = min(max(p.Height, least.height), maxShownRows)
	p.Col = min(max(p.Col, 0), gridColumns-p.Width)
	p.Row = max(p.Row, 0)
	return p
}

// sharesColumn reports whether p and q are above or below each other.
func (p GridPosition) sharesColumn(q GridPosition) bool {
	return p.Section == q.Section && p.Col < q.Col+q.Width && q.Col < p.Col+p.Width
}

func (p GridPosition) overlaps(q GridPosition) bool {
	return p.sharesColumn(q) && p.Row < q.Row+q.Height && q.Row < p.Row+p.Height
}

// at is p on another row.
func (p GridPosition) at(row int) GridPosition {
	p.Row = row
	return p
}

// settle lets boxes rise as far as they can, and fall where others are.
func settle(boxes []GridPosition) []GridPosition {
	sorted := slices.Clone(boxes)
	slices.SortStableFunc(sorted, func(a, b GridPosition) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
	})
	placed := make([]GridPosition, 0, len(sorted))
	for _, b := range sorted {
		placed = append(placed, b.at(clearOf(b, roof(b, placed), placed)))
	}
	return placed
}

// roof is how far up b can rise among others: to below the lowest that is above
// it, or nowhere if one is in its way.
func roof(b GridPosition, others []GridPosition) int {
	top := 0
	for _, o := range others {
		if !b.sharesColumn(o) {
			continue
		}
		if b.at(b.Row - 1).overlaps(o) {
			return b.Row
		}
		if bottom := o.Row + o.Height; bottom <= b.Row {
			top = max(top, bottom)
		}
	}
	return top
}

// clearOf is the first row from a given one on where b overlaps no other.
func clearOf(b GridPosition, row int, others []GridPosition) int {
	for {
		next := row
		for _, o := range others {
			if b.at(row).overlaps(o) {
				next = max(next, o.Row+o.Height)
			}
		}
		if next == row {
			return row
		}
		row = next
	}
}

// freePlace is the first place from the top where a chart of that size fits.
func freePlace(boxes []GridPosition, chart int64, size gridSize) GridPosition {
	best := GridPosition{Chart: chart, Row: -1, Width: size.width, Height: size.height}
	for col := range gridColumns - size.width + 1 {
		p := best
		p.Col = col
		if p.Row = clearOf(p, 0, boxes); best.Row < 0 || p.Row < best.Row {
			best = p
		}
	}
	return best
}
