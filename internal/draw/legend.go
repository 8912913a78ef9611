package draw

import (
	"fmt"
	"image/color"
	"slices"
)

const (
	legendRow  = 20
	legendGap  = 18
	swatch     = 14
	legendRows = 2
)

// legend names the series, each with its last value, in at most two rows.
type legend struct {
	items []legendItem
	rows  int
	rest  string // what is said of those that found no place
}

type legendItem struct {
	name, value string
	style       style
	pen         pen
	row         int
	x           float64
}

// legend lays the names out below the plot.
func (p *plotter) legend() *legend {
	l := &legend{}
	most := legendRows
	switch {
	case p.h < 140:
		return l
	case p.h < 200:
		most = 1
	}
	named := 0
	for _, pen := range p.pens {
		named += boolInt(pen.named)
	}
	const restWidth = 40
	x, row, shown := float64(pad), 0, 0
	for _, i := range p.legendOrder() {
		item := p.legendItem(i)
		width := swatch + 6 + p.measure(item.name, item.style) + 6 + p.measure(item.value, valueStyle)
		room := p.w - pad - x
		if row == most-1 && shown < named-1 {
			room -= restWidth
		}
		if width > room && x > pad {
			if row == most-1 {
				break
			}
			row, x = row+1, pad
		}
		item.row, item.x = row, x
		l.items = append(l.items, item)
		x += width + legendGap
		shown++
	}
	if shown > 0 {
		l.rows = row + 1
	}
	switch {
	case named < len(p.c.Series):
		l.rest = fmt.Sprintf("%d of %d in colour", named, len(p.c.Series))
		if p.measure(l.rest, legendStyle) > p.w-pad-x {
			l.rows++
		}
	case shown < named:
		l.rest = fmt.Sprintf("+ %d", named-shown)
	}
	return l
}

// legendOrder returns the series that have a name in the legend: in order, or
// from the highest down where they were chosen by that.
func (p *plotter) legendOrder() []int {
	var order []int
	for i := range p.pens {
		if p.pens[i].named {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.pens[a].rank - p.pens[b].rank })
	return order
}

func (p *plotter) legendItem(i int) legendItem {
	s := &p.c.Series[i]
	item := legendItem{style: legendStyle, pen: p.pens[i], value: "–"}
	if s.Mono {
		item.style = tagStyle
	}
	name := s.Name
	if name == "" {
		name = p.c.Title
	}
	item.name = p.fit(name, item.style, p.w*0.45)
	if v, ok := s.last(); ok {
		item.value = Format(v, s.unit(&p.c))
	}
	return item
}

func (l *legend) height() float64 {
	if l.rows == 0 {
		return 0
	}
	return float64(l.rows)*legendRow + 2
}

func (l *legend) draw(p *plotter) {
	top := p.h - pad - l.height() - p.rampHeight() + 4
	x, row := float64(pad), 0
	for _, item := range l.items {
		y := top + float64(item.row)*legendRow + 14
		p.swatch(item.x, y-4, item.pen)
		x = p.text(item.x+swatch+6, y, item.name, item.style, p.theme.t2, left)
		x = p.text(x+6, y, item.value, valueStyle, p.theme.t1, left)
		row = item.row
	}
	if l.rest == "" {
		return
	}
	if p.measure(l.rest, legendStyle)+legendGap > p.w-pad-x {
		row, x = row+1, pad-legendGap
	}
	p.text(x+legendGap, top+float64(row)*legendRow+14, l.rest, legendStyle, p.theme.t3, left)
}

// swatch shows how a series is drawn: a piece of its line, or a square of its
// layer.
func (p *plotter) swatch(x, y float64, with pen) {
	if p.stack != nil {
		p.rounded(rect{x + 2, y - 5, x + 12, y + 5}, 2, with.color)
		return
	}
	p.stroke([]point{{x + 1, y}, {x + swatch - 1, y}}, 2.5, with.color, with.dash)
}

// rounded fills a rectangle with round corners.
func (cv *canvas) rounded(r rect, radius float64, c color.NRGBA) {
	var shape []point
	for _, corner := range []struct {
		at   point
		from int
	}{
		{point{r.x1 - radius, r.y1 - radius}, 0}, {point{r.x0 + radius, r.y1 - radius}, 6},
		{point{r.x0 + radius, r.y0 + radius}, 12}, {point{r.x1 - radius, r.y0 + radius}, 18},
	} {
		circle := disc24(corner.at, radius)
		for i := corner.from; i <= corner.from+6; i++ {
			shape = append(shape, circle[i%24])
		}
	}
	cv.fill([][]point{shape}, c)
}
