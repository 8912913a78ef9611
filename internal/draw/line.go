package draw

import (
	"math"
	"slices"
)

// partialDash and partialFade are how a bucket that is not complete is drawn.
var partialDash = []float64{3, 3}

const partialFade = 0.5

// drawLines draws the series in reverse order, so that the first is on top;
// of a crowd the grey ones come first.
func (p *plotter) drawLines() {
	order := make([]int, len(p.c.Series))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return boolInt(p.pens[a].named) - boolInt(p.pens[b].named)
	})
	for _, i := range order {
		p.drawLine(&p.c.Series[i], p.pens[i])
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// run is a stretch of a series without gaps.
type run struct {
	points  []point
	samples int
	partial bool
}

func (p *plotter) drawLine(s *Series, with pen) {
	a := &p.left
	if s.Right {
		a = &p.right
	}
	for _, r := range p.runs(s, a) {
		colour, dash := with.color, with.dash
		if r.partial {
			colour, dash = fade(colour, partialFade), partialDash
		}
		if len(r.points) > 1 {
			p.stroke(r.points, with.width, colour, dash)
		}
		// Few samples in a row are points: a line of one has no length.
		if r.samples < 3 && !r.partial {
			for _, at := range r.points {
				p.fill([][]point{disc(at, 2.2)}, colour)
			}
		}
	}
}

// runs cuts s at gaps and where its last, incomplete bucket begins.
func (p *plotter) runs(s *Series, a *axis) []run {
	var out []run
	var current run
	flush := func() {
		if len(current.points) > 0 {
			current.points = p.thin(current.points)
			out = append(out, current)
		}
		current = run{}
	}
	last := int64(math.MinInt64)
	for i, t := range s.Times {
		v := s.Values[i]
		if t < p.c.Start-s.Period || t > p.c.End+s.Period {
			continue
		}
		if !isNumber(v) || a.log && v <= 0 {
			flush()
			last = math.MinInt64
			continue
		}
		if last != math.MinInt64 && s.Period > 0 && (t-last)/s.Period-1 > 2 {
			flush()
		}
		at := point{p.x(t), a.at(v, p.plot)}
		if partial := s.PartialFrom != 0 && t >= s.PartialFrom; partial && !current.partial {
			var join []point
			if n := len(current.points); n > 0 {
				join = []point{current.points[n-1]}
			}
			flush()
			current = run{points: join, partial: true}
		}
		current.points = append(current.points, at)
		current.samples++
		last = t
	}
	flush()
	return out
}

// thin leaves at most four points for each pixel across: the first, the
// lowest, the highest and the last, which look the same as all of them.
func (p *plotter) thin(points []point) []point {
	if float64(len(points)) <= 2*p.plot.width()*p.scale {
		return points
	}
	var out []point
	for i := 0; i < len(points); {
		column := math.Floor(points[i].x * p.scale)
		j, low, high := i, i, i
		for ; j < len(points) && math.Floor(points[j].x*p.scale) == column; j++ {
			if points[j].y < points[low].y {
				low = j
			}
			if points[j].y > points[high].y {
				high = j
			}
		}
		keep := []int{i, low, high, j - 1}
		slices.Sort(keep)
		for _, k := range slices.Compact(keep) {
			out = append(out, points[k])
		}
		i = j
	}
	return out
}
