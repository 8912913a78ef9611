package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// Cells is what a heatmap shows: rows of cells whose colour is their value.
type Cells struct {
	Rows []CellRow // from the top
	Step int64     // the seconds of a cell
	// Ranges are rows that stand for values from Low to High, on the vertical
	// axis; the others are all as high.
	Ranges bool
	Soft   bool   // weak cells have stronger colours than by their share
	Unit   string // of the values of cells
	Of     string // what the highest is a part of, after it
}

// CellRow is a row of cells.
type CellRow struct {
	Name      string
	Low, High float64
	Times     []int64
	Values    []float64
}

const (
	nameRoom  = 130 // for names of rows
	nameSpace = 14  // the distance that names keep
	rampWidth = 84
	weakest   = 0.08 // of a colour: it is still to be seen
	wideRange = 10   // values that are spread further are shown by powers
)

// percentileInks are the places in the palette of lines over cells, which have
// the first: those first that differ most from it and each other.
var percentileInks = []int{2, 1, 5, 3, 4, 7, 6}

func (c *Cells) cleaned() *Cells {
	if c == nil {
		return nil
	}
	out := *c
	out.Unit, out.Of, out.Step = words(c.Unit), words(c.Of), max(c.Step, 1)
	out.Rows = nil
	for _, r := range c.Rows[:min(len(c.Rows), maxSeries)] {
		n := min(len(r.Times), len(r.Values))
		r.Name, r.Times, r.Values = words(r.Name), r.Times[:n], r.Values[:n]
		if !c.Ranges || isNumber(r.Low) && isNumber(r.High) {
			out.Rows = append(out.Rows, r)
		}
	}
	return &out
}

// cellAxis is the vertical axis of a heatmap: of values, or the names of rows.
func (p *plotter) cellAxis(height float64) axis {
	cells := p.c.Cells
	if cells.Ranges {
		return p.rangeAxis(height)
	}
	n := len(cells.Rows)
	a := axis{low: 0, high: float64(max(n, 1)), bare: true}
	every := max(1, int(math.Ceil(nameSpace*float64(n)/max(height, 1))))
	for i := 0; i < n; i += every {
		a.ticks = append(a.ticks, float64(n-i)-0.5)
		a.labels = append(a.labels, p.fit(cells.Rows[i].Name, axisStyle, min(nameRoom, p.w/4)))
	}
	return a
}

// rangeAxis reaches from the lowest range to the highest, and to thresholds
// that are not far from them.
func (p *plotter) rangeAxis(height float64) axis {
	e, above := newExtent(), newExtent() // of all, and of what is above zero
	add := func(v float64) {
		e.add(v)
		if v > 0 {
			above.add(v)
		}
	}
	for _, r := range p.c.Cells.Rows {
		add(r.Low)
		add(r.High)
	}
	for _, s := range p.c.Series {
		for _, v := range s.Values {
			add(v)
		}
	}
	for _, t := range p.c.Thresholds {
		if t.Value > 0 && t.Value <= 1.5*e.high {
			add(t.Value)
		}
	}
	if e.low >= 0 && !above.empty() && (p.c.Log || above.high/above.low > wideRange) {
		return logAxis(above, &p.c)
	}
	if p.c.Min == nil && !e.empty() {
		p.c.Min = &e.low
	}
	return newAxis(e, &p.c, p.c.Unit, height)
}

// reach is between which values the colours are.
func (c *Cells) reach() extent {
	e := newExtent()
	for _, r := range c.Rows {
		for _, v := range r.Values {
			e.add(v)
		}
	}
	if c.Ranges {
		e.low = 0
	}
	return e
}

// drawCells fills each cell. Thresholds are lines where rows are ranges of
// values; else they colour the cells beyond them.
func (p *plotter) drawCells() {
	cells, reach := p.c.Cells, p.c.Cells.reach()
	for i, r := range cells.Rows {
		y0, y1 := p.rowAt(i)
		for k, t := range r.Times {
			v := r.Values[k]
			if t+cells.Step <= p.c.Start || t > p.c.End || !isNumber(v) || cells.Ranges && v == 0 {
				continue
			}
			colour := p.theme.palette[0]
			if hit := worst(p.c.Thresholds, v); hit != nil && !cells.Ranges {
				colour = p.theme.limit(hit)
			}
			x0, x1 := p.span(t, t+cells.Step)
			p.block(rect{x0, y0, x1, y1}, fade(colour, cells.strength(v, reach)))
		}
	}
}

// rowAt is where a row begins and ends.
func (p *plotter) rowAt(i int) (y0, y1 float64) {
	cells := p.c.Cells
	high, low := cells.Rows[i].High, cells.Rows[i].Low
	if !cells.Ranges {
		high = float64(len(cells.Rows) - i)
		low = high - 1
	}
	within := func(y float64) float64 { return min(max(y, p.plot.y0), p.plot.y1) }
	return within(p.left.at(high, p.plot)), within(p.left.at(low, p.plot))
}

// strength is how strong the colour of a cell is.
func (c *Cells) strength(v float64, e extent) float64 {
	part := 1.0
	if e.high > e.low {
		part = min(max((v-e.low)/(e.high-e.low), 0), 1)
	}
	if c.Soft {
		part = math.Sqrt(part)
	}
	return weakest + (1-weakest)*part
}

// block fills whole pixels, at least one: cells meet without seams.
func (cv *canvas) block(r rect, c color.NRGBA) {
	px := func(v float64) int { return int(math.Round(v * cv.scale)) }
	b := image.Rect(px(r.x0), px(r.y0), max(px(r.x1), px(r.x0)+1), max(px(r.y1), px(r.y0)+1))
	draw.Draw(cv.img, b.Intersect(cv.img.Bounds()), image.NewUniform(c), image.Point{}, draw.Over)
}

// inkPercentiles gives the series colours that are no cell's.
func (p *plotter) inkPercentiles() {
	for i := range p.pens {
		p.pens[i].color = p.theme.palette[percentileInks[i%len(percentileInks)]]
	}
}

// drawPercentiles draws the series over the cells, with an edge in the colour
// of the panel: they are to be seen on cells of any strength.
func (p *plotter) drawPercentiles() {
	for i := range p.c.Series {
		p.drawLine(&p.c.Series[i], pen{color: fade(p.theme.panel, 0.8), width: 4.5})
	}
	p.drawLines()
}

// ramp says what the colours stand for, in the last row of the legend.
func (p *plotter) ramp() {
	cells, e := p.c.Cells, p.c.Cells.reach()
	if e.empty() || p.rampHeight() == 0 {
		return
	}
	y := p.h - pad - legendRow + 14
	x := p.text(pad, y, Format(e.low, cells.Unit), axisStyle, p.theme.t2, left) + 6
	for i := range rampWidth {
		part := e.low + (e.high-e.low)*float64(i)/rampWidth
		p.block(rect{x + float64(i), y - 8, x + float64(i) + 1, y}, fade(p.theme.palette[0], cells.strength(part, e)))
	}
	high := Format(e.high, cells.Unit)
	if cells.Of != "" {
		high += " " + cells.Of
	}
	p.text(x+rampWidth+6, y, high, axisStyle, p.theme.t2, left)
}

func (p *plotter) rampHeight() float64 {
	if p.c.Cells == nil || p.h < 140 {
		return 0
	}
	return legendRow
}
