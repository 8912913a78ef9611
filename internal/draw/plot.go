package draw

import "math"

const (
	pad         = 16
	titleRow    = 20
	subtitleRow = 17
	axisWidth   = 40
	timeRow     = 20
	flagRow     = 14
	labelWidth  = 560 // a chart narrower than this has no words at its flags
)

// plotter draws a chart with axes.
type plotter struct {
	*canvas
	c           Chart
	pens        []pen
	plot        rect
	left, right axis
	hasRight    bool
	stack       *stack
}

func drawPlot(cv *canvas, c Chart) {
	p := &plotter{canvas: cv, c: c, pens: cv.theme.pens(c.Series)}
	if c.Cells != nil {
		p.inkPercentiles()
	}
	if c.Kind == Stacked {
		p.stack = newStack(c.Series, c.Start, c.End, cv.w*cv.scale)
	}
	legend := p.legend()
	p.layout(legend)
	cv.header(c)
	p.bands()
	p.grid()
	cv.clip = rect{p.plot.x0 - 2, p.plot.y0 - 1, p.plot.x1 + 2, p.plot.y1 + 1}
	switch {
	case p.stack != nil:
		p.drawStack()
	case c.Cells != nil:
		p.drawCells()
		p.drawPercentiles()
	default:
		p.drawLines()
	}
	cv.clip = rect{0, 0, cv.w, cv.h}
	p.thresholds()
	p.annotations()
	legend.draw(p)
	if c.Cells != nil {
		p.ramp()
	}
	if p.empty() {
		cv.text((p.plot.x0+p.plot.x1)/2, (p.plot.y0+p.plot.y1)/2+4, noData, legendStyle, cv.theme.t3, center)
	}
}

const noData = "No data for these tags in this range"

// layout divides the picture: header, plot, times, legend.
func (p *plotter) layout(l *legend) {
	p.plot = rect{pad, pad + p.headerHeight(p.c) + 10, p.w - pad, p.h - pad - timeRow - l.height() - p.rampHeight()}
	if len(p.c.Annotations) > 0 {
		p.plot.y0 += flagRow
	}
	p.plot.y1 = max(p.plot.y1, p.plot.y0+10)
	if p.c.Cells != nil {
		p.left = p.cellAxis(p.plot.height())
		p.plot.x0 += p.widest(p.left)
		return
	}
	lower, upper := p.extents()
	p.left = newAxis(lower, &p.c, p.unitOf(false), p.plot.height())
	p.plot.x0 += p.widest(p.left)
	if p.hasRight = !upper.empty(); p.hasRight {
		other := p.c
		other.Min, other.Max = nil, nil
		p.right = newAxis(upper, &other, p.unitOf(true), p.plot.height())
		p.plot.x1 -= p.widest(p.right)
	}
}

// unitOf returns the unit of an axis: that of its first series.
func (p *plotter) unitOf(right bool) string {
	for i := range p.c.Series {
		if s := &p.c.Series[i]; s.Right == right && p.stack == nil {
			return s.unit(&p.c)
		}
	}
	return p.c.Unit
}

// widest is the room that an axis takes: the same for nearly all charts, so
// that those in a column align.
func (p *plotter) widest(a axis) float64 {
	room := float64(axisWidth)
	for _, label := range a.labels {
		room = max(room, p.measure(label, axisStyle)+10)
	}
	for _, t := range p.c.Thresholds {
		room = max(room, p.measure(p.thresholdLabel(t), labelStyle)+10)
	}
	return room
}

// extents are the ranges of values of the left and the right axis.
func (p *plotter) extents() (lower, upper extent) {
	lower, upper = newExtent(), newExtent()
	if p.stack != nil {
		lower = p.stack.extent()
	}
	for i := range p.c.Series {
		s := &p.c.Series[i]
		if p.stack != nil {
			break
		}
		e := &lower
		if s.Right {
			e = &upper
		}
		for j, t := range s.Times {
			if t >= p.c.Start && t <= p.c.End {
				e.add(s.Values[j])
			}
		}
	}
	for _, t := range p.c.Thresholds {
		lower.add(t.Value)
	}
	return lower, upper
}

func (p *plotter) empty() bool {
	if p.c.Cells != nil && !p.c.Cells.reach().empty() {
		return false
	}
	for i := range p.c.Series {
		s := &p.c.Series[i]
		for j, t := range s.Times {
			if t >= p.c.Start && t <= p.c.End && isNumber(s.Values[j]) {
				return false
			}
		}
	}
	return true
}

// x returns where a time is.
func (p *plotter) x(t int64) float64 {
	return p.plot.x0 + float64(t-p.c.Start)/float64(p.c.End-p.c.Start)*p.plot.width()
}

// headerHeight is that of the header: the subtitle has a row of its own where
// title, subtitle and time do not fit into one and there is room below.
func (cv *canvas) headerHeight(c Chart) float64 {
	if cv.isTwoRows(c) {
		return titleRow + subtitleRow
	}
	return titleRow
}

func (cv *canvas) isTwoRows(c Chart) bool {
	if c.Subtitle == "" || c.Title == "" || cv.h < 220 || c.Kind == Number {
		return false
	}
	width := cv.measure(c.Title, titleStyle) + 8 + cv.measure(c.Subtitle, unitStyle) + 16 + cv.measure(cv.when(c), axisStyle)
	return width > cv.w-2*pad
}

// header writes title, subtitle and time. What is shown matters more than
// when, which the axis says as well, so the time goes if there is no room.
func (cv *canvas) header(c Chart) {
	when := cv.when(c)
	whenWidth := cv.measure(when, axisStyle)
	end := cv.w - pad
	if cv.isTwoRows(c) {
		cv.text(pad, pad+titleRow+12, cv.fit(c.Subtitle, unitStyle, cv.w-2*pad), unitStyle, cv.theme.t3, left)
		c.Subtitle = ""
	}
	x := cv.text(pad, pad+14, cv.fit(c.Title, titleStyle, cv.w-2*pad), titleStyle, cv.theme.t1, left)
	if c.Subtitle != "" {
		if c.Title != "" {
			x += 8
		}
		limit := end - x
		if cv.measure(c.Subtitle, unitStyle)+16+whenWidth <= limit {
			limit -= 16 + whenWidth
		}
		x = cv.text(x, pad+14, cv.fit(c.Subtitle, unitStyle, limit), unitStyle, cv.theme.t3, left)
	}
	if x+16+whenWidth <= end {
		cv.text(end, pad+14, when, axisStyle, cv.theme.t3, right)
	}
}

// when says what time a chart shows, where that is not said elsewhere.
func (cv *canvas) when(c Chart) string {
	if cv.untimed {
		return ""
	}
	return rangeText(c.Start, c.End, c.Zone)
}

// grid draws the horizontal lines and the words along both axes.
func (p *plotter) grid() {
	for i, v := range p.left.ticks {
		y := p.left.at(v, p.plot)
		if !p.left.bare {
			p.hairline(p.plot.x0, p.plot.x1, y, p.theme.grid)
		}
		if !p.underThreshold(y) {
			p.text(p.plot.x0-8, y+4, p.left.labels[i], axisStyle, p.theme.t3, right)
		}
	}
	if p.hasRight {
		for i, v := range p.right.ticks {
			p.text(p.plot.x1+8, p.right.at(v, p.plot)+4, p.right.labels[i], axisStyle, p.theme.t3, left)
		}
	}
	end := math.Inf(-1)
	for _, t := range timeTicks(p.c.Start, p.c.End, p.plot.width(), p.c.Zone) {
		half := p.measure(t.label, axisStyle) / 2
		x := min(max(p.x(t.at), p.plot.x0+half-8), p.w-pad-half)
		if x-half < end+8 {
			continue
		}
		p.text(x, p.plot.y1+15, t.label, axisStyle, p.theme.t3, center)
		end = x + half
	}
}

// bands are what lies under the lines: incidents, and annotations that last.
func (p *plotter) bands() {
	p.clip = p.plot
	defer func() { p.clip = rect{0, 0, p.w, p.h} }()
	for _, s := range p.c.Incidents {
		if s.End >= s.Start && s.End >= p.c.Start && s.Start <= p.c.End {
			x0, x1 := p.span(s.Start, s.End)
			p.rectangle(rect{x0, p.plot.y0, max(x1, x0+1.5), p.plot.y1}, fade(p.theme.red, p.theme.incidentOpacity))
		}
	}
	for _, a := range p.c.Annotations {
		if a.End > a.Start && a.End >= p.c.Start && a.Start <= p.c.End {
			x0, x1 := p.span(a.Start, a.End)
			p.rectangle(rect{x0, p.plot.y0, x1, p.plot.y1}, fade(p.theme.annotation, 0.10))
		}
	}
}

// span returns where a stretch of time is, as far as it is seen.
func (p *plotter) span(start, end int64) (x0, x1 float64) {
	return p.x(max(start, p.c.Start)), p.x(min(end, p.c.End))
}

// thresholds are dashed lines over the data. Their values stand with those of
// the axis, where they hide nothing.
func (p *plotter) thresholds() {
	last := math.Inf(-1)
	for _, t := range p.c.Thresholds {
		y, seen := p.thresholdAt(t)
		if !seen {
			continue
		}
		colour := p.theme.limit(&t)
		at, width := p.crisp(y, 1.25)
		p.stroke([]point{{p.plot.x0, at}, {p.plot.x1, at}}, width, colour, []float64{6, 4})
		if math.Abs(y-last) >= thresholdRoom {
			p.text(p.plot.x0-8, y+4, p.thresholdLabel(t), labelStyle, colour, right)
		}
		if t.Label != "" {
			p.text(p.plot.x0+4, y-5, p.fit(t.Label, labelStyle, p.plot.width()-8), labelStyle, colour, left)
		}
		last = y
	}
}

// thresholdRoom is the distance that words along the axis keep from the value
// of a threshold.
const thresholdRoom = 11

func (p *plotter) thresholdAt(t Threshold) (y float64, seen bool) {
	y = p.left.at(t.Value, p.plot)
	return y, !p.left.bare && isNumber(t.Value) && y >= p.plot.y0-1 && y <= p.plot.y1+1
}

// thresholdLabel is the value without its unit, like those of the axis.
func (p *plotter) thresholdLabel(t Threshold) string {
	if isBytes(p.c.Unit) {
		return Format(t.Value, p.c.Unit)
	}
	return Format(t.Value, "")
}

func (p *plotter) underThreshold(y float64) bool {
	for _, t := range p.c.Thresholds {
		if at, seen := p.thresholdAt(t); seen && math.Abs(at-y) < thresholdRoom {
			return true
		}
	}
	return false
}

// annotations are dashed lines with a flag, and words where there is room.
func (p *plotter) annotations() {
	end := math.Inf(-1)
	for i, a := range p.c.Annotations {
		if a.Start >= p.c.Start && a.Start <= p.c.End {
			x := p.x(a.Start)
			p.mark(x)
			p.flag(x)
			if next := p.nextFlag(i); p.w >= labelWidth && x+7 > end {
				end = p.flagLabel(a.Title, x, next)
			}
		}
		if a.End > a.Start && a.End >= p.c.Start && a.End <= p.c.End {
			p.mark(p.x(a.End))
		}
	}
}

func (p *plotter) mark(x float64) {
	at, width := p.crisp(x, 1)
	p.stroke([]point{{at, p.plot.y0}, {at, p.plot.y1}}, width, p.theme.annotation, []float64{3, 3})
}

func (p *plotter) flag(x float64) {
	y := p.plot.y0 - 1
	p.fill([][]point{{{x - 4, y - 6}, {x + 4, y - 6}, {x, y}}}, p.theme.annotation)
}

// nextFlag returns where the next flag after i is.
func (p *plotter) nextFlag(i int) float64 {
	next := p.plot.x1 + pad
	for _, a := range p.c.Annotations {
		if a.Start > p.c.Annotations[i].Start && a.Start <= p.c.End {
			next = min(next, p.x(a.Start)-6)
		}
	}
	return next
}

// flagLabel writes a title beside its flag, up to the next one, and returns
// where it ends. A scrap of a title is worse than none.
func (p *plotter) flagLabel(title string, x, next float64) float64 {
	label := p.fit(title, labelStyle, next-x-9)
	if len([]rune(label)) < min(len([]rune(title)), 6) {
		return x + 7
	}
	return p.text(x+8, p.plot.y0-2, label, labelStyle, p.theme.annotation, left)
}
