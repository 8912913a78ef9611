package draw

import "image/color"

// drawNumber draws one value, large, over the line of how it came about.
func drawNumber(cv *canvas, c Chart) {
	cv.header(c)
	value, known := numberValue(c)
	tone, crossed := cv.tone(c, value, known)
	size := min(max(min(cv.h*0.22, cv.w*0.15), 24), 120)
	baseline := pad + titleRow + 6 + size*0.92
	digits, unit := "–", ""
	if known {
		digits, unit = short(value, c.Unit)
	}
	x := cv.text(pad, baseline, digits, style{bold, size}, tone, left)
	if unit != "" {
		x = cv.text(x+size*0.14, baseline, unit, style{bold, size * 0.5}, cv.theme.t3, left)
	}
	cv.note(c, crossed, tone, x, baseline, size)
	cv.sparkline(c, baseline+size*0.35+14, tone, crossed != "")
}

func numberValue(c Chart) (float64, bool) {
	if c.Value != nil {
		return *c.Value, isNumber(*c.Value)
	}
	if len(c.Series) == 0 {
		return 0, false
	}
	return c.Series[0].last()
}

// tone is the colour of the number and, if a threshold is crossed, which.
func (cv *canvas) tone(c Chart, v float64, known bool) (color.NRGBA, string) {
	t := worst(c.Thresholds, v)
	if !known || t == nil {
		return cv.theme.t1, ""
	}
	return cv.theme.limit(t), map[string]string{">": "above ", "<": "below ", "=": "at "}[t.Operator] + Format(t.Value, c.Unit)
}

// worst is the threshold that v has crossed, or nil; red wins over amber.
func worst(thresholds []Threshold, v float64) (hit *Threshold) {
	for i := range thresholds {
		switch t := &thresholds[i]; {
		case !t.crossedBy(v):
		case !t.Amber:
			return t
		default:
			hit = t
		}
	}
	return hit
}

func (t Threshold) crossedBy(v float64) bool {
	switch t.Operator {
	case ">":
		return v > t.Value
	case "<":
		return v < t.Value
	case "=":
		return v == t.Value
	}
	return false
}

// note writes the one sentence, beside the number or, without room, below. If
// a threshold is crossed it has a triangle before it.
func (cv *canvas) note(c Chart, crossed string, tone color.NRGBA, x, baseline, size float64) {
	note := crossed
	if c.Note != "" {
		if note != "" {
			note += ", "
		}
		note += c.Note
	}
	if note == "" {
		return
	}
	s := style{regular, min(max(size*0.2, 12), 16)}
	mark := 0.0
	if crossed != "" {
		mark = s.size * 1.2
	}
	at := point{x + 14, baseline}
	if cv.measure(note, s)+mark+6 > cv.w-pad-at.x {
		at = point{pad, baseline + s.size + 10}
	}
	if mark > 0 {
		cv.warning(at.x, at.y-s.size*0.34, mark, tone)
		at.x += mark + 6
	}
	cv.text(at.x, at.y, cv.fit(note, s, cv.w-pad-at.x), s, cv.theme.t2, left)
}

// sparkline is the first series from edge to edge of the panel, below top.
func (cv *canvas) sparkline(c Chart, top float64, tone color.NRGBA, crossed bool) {
	if len(c.Series) == 0 || cv.h-top < 16 {
		return
	}
	p := &plotter{canvas: cv, c: c, pens: cv.theme.pens(c.Series[:1]), plot: rect{0, top + 6, cv.w, cv.h - 4}}
	e := newExtent()
	s := &c.Series[0]
	for j, t := range s.Times {
		if t >= c.Start && t <= c.End {
			e.add(s.Values[j])
		}
	}
	if e.empty() {
		return
	}
	if e.low == e.high {
		e.low, e.high = e.low-1, e.high+1
	}
	room := (e.high - e.low) * 0.15
	p.left = axis{low: e.low - room, high: e.high}
	colour := p.pens[0].color
	if crossed {
		colour = tone
	}
	for _, r := range p.runs(s, &p.left) {
		if n := len(r.points); n > 1 {
			area := append([]point{{r.points[0].x, cv.h}}, r.points...)
			cv.fill([][]point{append(area, point{r.points[n-1].x, cv.h})}, fade(colour, 0.14))
		}
	}
	p.drawLine(s, pen{color: colour, width: lineWidth})
}

// warning is a triangle with a bar and a dot in it.
func (cv *canvas) warning(x, y, size float64, c color.NRGBA) {
	h := size * 0.88
	at := func(dx, dy float64) point { return point{x + size/2 + dx*size, y + dy*h} }
	corners := []point{at(0, -0.5), at(0.5, 0.5), at(-0.5, 0.5), at(0, -0.5)}
	stroke := max(size*0.08, 1.4)
	cv.stroke(corners, stroke, c, nil)
	cv.stroke([]point{at(0, -0.16), at(0, 0.16)}, stroke, c, nil)
	cv.fill([][]point{disc24(at(0, 0.32), stroke*0.6)}, c)
}
