package shared

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// bandLine is a line on the grid of a band: a value a step, NaN where there is
// none, from the first it has to the last.
type bandLine struct {
	metric string
	tags   tidemark.Tags
	number uint64 // random, of its own
	from   int
	values []float64
	stands int // for how many steps a value stands beyond its own
}

// isAmong reports whether l is one of those that are kept of 2^thin.
func (l *bandLine) isAmong(thin uint) bool { return l.number&(1<<thin-1) == 0 }

// scrambled is a number that looks random (the end of SplitMix64). Every other
// line would be no fair part: neighbours often differ in the same way, such as
// in which of two disks they are.
func scrambled(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// pace returns how many steps apart the values of l usually are, if that is
// more than one. Streams that are measured less often than steps go by are
// rarely measured in the same step: what a step shows would be chance.
func (l *bandLine) pace() int {
	var gaps []int
	last := 0
	for i, v := range l.values {
		if i > 0 && !math.IsNaN(v) {
			gaps = append(gaps, i-last)
			last = i
		}
	}
	if len(gaps) == len(l.values)-1 || len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	if usual := gaps[len(gaps)/2]; usual > 1 {
		return usual
	}
	return 0
}

// at returns the value that l has in step i, or NaN.
func (l *bandLine) at(i int) float64 {
	i -= l.from
	for k := min(i, len(l.values)-1); k >= max(0, i-l.stands); k-- {
		if !math.IsNaN(l.values[k]) {
			return l.values[k]
		}
	}
	return math.NaN()
}

// ends are the least values of a step, from the least on: enough of them that
// one is left when all lines that are apart are taken out.
type ends [maxApart + 1]float64

func noEnds() (e ends) {
	for i := range e {
		e[i] = math.Inf(1)
	}
	return e
}

func (e *ends) add(v float64) {
	if v >= e[maxApart] {
		return // nearly always
	}
	for i := range e {
		if v < e[i] {
			copy(e[i+1:], e[i:])
			e[i] = v
			return
		}
	}
}

// drop takes one of the values v out, if there is one.
func (e *ends) drop(v float64) {
	if i := slices.Index(e[:], v); i >= 0 {
		copy(e[i:], e[i+1:])
		e[maxApart] = math.Inf(1)
	}
}
