package promql

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// reduction makes one sample of those in one cell of time. Windows begin and
// end where cells do, so a function of windows sees whole cells only.
type reduction struct {
	cell  int64                                                // milliseconds
	merge func(a, carry, b float64) (merged, newCarry float64) // nil: there is nothing to reduce
}

// merges are the functions that give the same for merged samples.
var merges = map[string]func(a, carry, b float64) (float64, float64){
	"max_over_time": func(a, _, b float64) (float64, float64) {
		if b > a || math.IsNaN(a) {
			return b, 0
		}
		return a, 0
	},
	"min_over_time": func(a, _, b float64) (float64, float64) {
		if b < a || math.IsNaN(a) {
			return b, 0
		}
		return a, 0
	},
	"last_over_time":    func(_, _, b float64) (float64, float64) { return b, 0 },
	"present_over_time": func(_, _, b float64) (float64, float64) { return b, 0 },
	"sum_over_time":     addExactly,
}

// addExactly adds as Prometheus does (Neumaier): what rounding takes is carried.
func addExactly(a, carry, b float64) (float64, float64) {
	sum := a + b
	switch {
	case math.IsInf(sum, 0):
		return sum, 0
	case math.Abs(a) >= math.Abs(b):
		return sum, carry + (a - sum + b)
	}
	return sum, carry + (b - sum + a)
}

// reductionFor returns what can be reduced for a function of windows.
func reductionFor(w *window, function string) reduction {
	if w.step == 0 || w.span == 0 {
		return reduction{}
	}
	cell := gcd(w.step, w.span)
	if w.single(0) {
		cell = w.span
	}
	return reduction{cell: cell, merge: merges[function]}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// wholes are the functions of a window that can be computed from a summary of it,
// with what each must be of.
var wholes = map[string][]tsdb.Function{
	"max_over_time": {tsdb.Max}, "min_over_time": {tsdb.Min}, "last_over_time": {tsdb.Last},
	"sum_over_time": {tsdb.Sum, tsdb.Count},
}

const (
	wholeStep = 3600 << 21 // seconds: everything there is lies in one step
	wholeFrom = 2 * 3600_000
)

// isWhole reports whether a selector is answered by one summary of each
// stream, which storage puts together from the coarsest tiers that fit. The
// end of the window must be where records are kept as they are: further back
// it may lie within a summary, and that would be left out.
func (e *Engine) isWhole(w *window, function string, f tsdb.Function) bool {
	if w.span < wholeFrom || !w.single(0) {
		return false
	}
	parts := e.segments(ceilSecond(w.start), floorSecond(w.end)+1)
	if len(parts) == 0 || parts[len(parts)-1].step != 1 {
		return false
	}
	return slices.Contains(wholes[function], f)
}
