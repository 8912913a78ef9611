package draw

import (
	"image/color"
	"slices"
)

// stack is series on top of each other: tops[i][k] is the sum of the first i+1
// of them at times[k].
type stack struct {
	times []int64
	tops  [][]float64
	apart []bool // nothing was measured between times[k-1] and times[k]
}

// newStack adds the series up. What is missing counts as nothing, but where
// all are missing there is a gap. Times closer than a pixel are one.
func newStack(series []Series, start, end int64, pixels float64) *stack {
	s := &stack{}
	width := max(int64(float64(end-start)/max(pixels, 1)), 1)
	var period int64
	for i := range series {
		period = max(period, series[i].Period)
		for j, t := range series[i].Times {
			if t >= start && t <= end && isNumber(series[i].Values[j]) {
				s.times = append(s.times, start+(t-start)/width*width)
			}
		}
	}
	slices.Sort(s.times)
	s.times = slices.Compact(s.times)
	s.apart = make([]bool, len(s.times))
	for k := 1; k < len(s.times); k++ {
		s.apart[k] = period > 0 && (s.times[k]-s.times[k-1])/period-1 > 2
	}
	below := make([]float64, len(s.times))
	for i := range series {
		top := slices.Clone(below)
		for k, v := range s.means(&series[i], start, end, width) {
			top[k] += v
		}
		s.tops = append(s.tops, top)
		below = top
	}
	return s
}

// means returns the value of a series at each time of the stack: the mean of
// those that fall together, and nothing where there are none.
func (s *stack) means(one *Series, start, end, width int64) []float64 {
	sums, counts := make([]float64, len(s.times)), make([]int, len(s.times))
	k := 0
	for j, t := range one.Times {
		if t < start || t > end || !isNumber(one.Values[j]) {
			continue
		}
		at := start + (t-start)/width*width
		for k < len(s.times) && s.times[k] < at {
			k++
		}
		if k == len(s.times) {
			break
		}
		sums[k] += one.Values[j]
		counts[k]++
	}
	for k := range sums {
		if counts[k] > 0 {
			sums[k] /= float64(counts[k])
		}
	}
	return sums
}

func (s *stack) extent() extent {
	e := newExtent()
	for _, top := range s.tops {
		for _, v := range top {
			e.add(v)
		}
	}
	return e
}

// drawStack draws layers from the bottom up, each with an edge on top.
func (p *plotter) drawStack() {
	zero := max(p.left.low, 0)
	base := make([]float64, len(p.stack.times))
	for k := range base {
		base[k] = zero
	}
	for i, top := range p.stack.tops {
		colour := p.pens[i].color
		for _, r := range p.stack.pieces() {
			p.drawLayer(r[0], r[1], base, top, fade(colour, p.theme.stackFill), colour)
		}
		base = top
	}
}

// pieces are the stretches between gaps, as ranges of times.
func (s *stack) pieces() [][2]int {
	var out [][2]int
	from := 0
	for k := 1; k <= len(s.times); k++ {
		if k == len(s.times) || s.apart[k] {
			out = append(out, [2]int{from, k})
			from = k
		}
	}
	return out
}

// drawLayer fills between two lines.
func (p *plotter) drawLayer(from, to int, base, top []float64, area, edge color.NRGBA) {
	n := to - from
	shape := make([]point, 0, 2*n)
	for k := from; k < to; k++ {
		shape = append(shape, point{p.x(p.stack.times[k]), p.left.at(top[k], p.plot)})
	}
	line := slices.Clone(shape)
	for k := to - 1; k >= from; k-- {
		shape = append(shape, point{p.x(p.stack.times[k]), p.left.at(base[k], p.plot)})
	}
	p.fill([][]point{shape}, area)
	p.stroke(line, 1, edge, nil)
}
