package draw

import (
	"math"
	"strconv"
	"strings"
)

// axis is a vertical axis: from low to high, with ticks.
type axis struct {
	low, high float64
	log       bool
	bare      bool // its ticks are names of rows, not values
	ticks     []float64
	labels    []string
}

// headroom is how much of the range is left free above the highest value.
const headroom = 0.06

// extent is the range of some values.
type extent struct{ low, high float64 }

func newExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(v float64) {
	if isNumber(v) {
		e.low, e.high = min(e.low, v), max(e.high, v)
	}
}

func (e extent) empty() bool { return e.low > e.high }

// newAxis returns an axis for values within e. Zero is part of it unless the
// lower end is fixed or it is logarithmic.
func newAxis(e extent, c *Chart, unit string, height float64) axis {
	if c.Log {
		return logAxis(e, c)
	}
	if e.empty() {
		e = extent{0, 1}
	}
	low, high := min(e.low, 0), max(e.high, 0)
	if low == high {
		high = low + 1
	}
	room := (high - low) * headroom
	if high > 0 {
		high += room
	}
	if low < 0 {
		low -= room
	}
	if c.Min != nil {
		low = *c.Min
	}
	if c.Max != nil {
		high = *c.Max
	}
	if !isNumber(low) || !isNumber(high) || !isNumber(high-low) || high <= low {
		low, high = low-0.5, low+0.5
	}
	a := axis{low: low, high: high}
	a.place(height, unit)
	return a
}

// tickSpace is the distance that ticks keep in the layout.
const tickSpace = 38

// place puts 1 to 6 ticks, and zero, on round values.
func (a *axis) place(height float64, unit string) {
	want := min(max(height/tickSpace, 1), 6)
	step := roundStep((a.high - a.low) / want)
	if step > (a.high-a.low)*0.9 {
		step /= 2 // or the only tick would be zero
	}
	for i := math.Ceil(a.low/step - 1e-9); i*step <= a.high+step*1e-9 && len(a.ticks) < 20; i++ {
		a.ticks = append(a.ticks, i*step)
	}
	a.labels = tickLabels(a.ticks, step, unit)
}

// roundStep returns the next of 1, 2, 2.5, 5 and 10 times a power of ten.
func roundStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= least*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// tickLabels writes ticks all alike: the same prefix, as many decimals as the
// step has.
func tickLabels(ticks []float64, step float64, unit string) []string {
	highest := 0.0
	for _, t := range ticks {
		highest = max(highest, math.Abs(t))
	}
	factor, prefix := 1.0, ""
	if highest >= 10_000 || isBytes(unit) && highest >= 1000 {
		for _, p := range prefixes {
			if highest >= p.factor {
				factor, prefix = p.factor, p.name
				break
			}
		}
	}
	if isBytes(unit) {
		prefix += "B"
	}
	decimals := 0
	for s := step / factor; decimals < 9 && math.Abs(s-math.Round(s)) > 1e-6*s; decimals++ {
		s *= 10
	}
	out := make([]string, len(ticks))
	for i, t := range ticks {
		if t == 0 {
			out[i] = "0"
			continue
		}
		out[i] = withUnit(group(strconv.FormatFloat(t/factor, 'f', decimals, 64)), prefix)
		if math.Abs(t) < 1e-6 || math.Abs(t) >= 1e18 {
			out[i] = strconv.FormatFloat(t, 'g', 3, 64)
		}
	}
	return out
}

// logAxis has its ticks on powers of ten. What is not above zero has no place
// on it.
func logAxis(e extent, c *Chart) axis {
	if e.empty() || e.high <= 0 {
		e = extent{1, 10}
	}
	if c.Min != nil && *c.Min > 0 {
		e.low = *c.Min
	}
	if c.Max != nil && *c.Max > 0 {
		e.high = *c.Max
	}
	if e.low <= 0 {
		e.low = e.high / 1000
	}
	first, last := math.Floor(math.Log10(e.low)+1e-9), math.Ceil(math.Log10(e.high)-1e-9)
	if last <= first {
		last = first + 1
	}
	a := axis{low: math.Pow(10, first), high: math.Pow(10, last), log: true}
	every := max(1, math.Ceil((last-first)/6))
	for p := first; p <= last; p += every {
		v := math.Pow(10, p)
		a.ticks = append(a.ticks, v)
		a.labels = append(a.labels, strings.TrimSpace(withUnit(short(v, ""))))
	}
	return a
}

// at returns where v is within a plot, in pixels of the layout. What is far
// outside stays within reach: a line to infinity takes forever to draw.
func (a *axis) at(v float64, plot rect) float64 {
	part := (v - a.low) / (a.high - a.low)
	if a.log {
		part = (math.Log10(max(v, a.low/1e3)) - math.Log10(a.low)) / (math.Log10(a.high) - math.Log10(a.low))
	}
	return plot.y1 - min(max(part, -20), 20)*plot.height()
}
