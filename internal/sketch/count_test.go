package sketch_test

import (
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"pgregory.net/rapid"
)

// TestCountUpTo: what is counted as v or less is all that is, and none that is
// more than two limits of buckets above it.
func TestCountUpTo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s sketch.Sketch
		values := rapid.SliceOf(rapid.Float64Range(-1e6, 1e6)).Draw(t, "values")
		for _, v := range values {
			s.Add(v, 1)
		}
		v := rapid.Float64Range(-1e6, 1e6).Draw(t, "v")
		if len(values) > 0 && rapid.Bool().Draw(t, "one of them") {
			v = rapid.SampledFrom(values).Draw(t, "which")
		}
		least, most := 0.0, 0.0
		for _, o := range values {
			if o <= v {
				least++
			}
			if o <= v+0.021*math.Abs(v)+1e-300 {
				most++
			}
		}
		if n := s.CountUpTo(v); n < least || n > most {
			t.Fatalf("%v of %v up to %v, want %v to %v", n, values, v, least, most)
		}
	})
	var s sketch.Sketch
	s.Add(-5, 2)
	s.Add(0, 1)
	s.Add(7, 0.5)
	for v, want := range map[float64]float64{math.Inf(-1): 0, -6: 0, -5: 2, -1: 2, 0: 3, 1: 3, 7: 3.5, math.Inf(1): 3.5} {
		if n := s.CountUpTo(v); n != want {
			t.Errorf("%v up to %v, want %v", n, v, want)
		}
	}
	if n := s.CountUpTo(math.NaN()); n != 0 {
		t.Errorf("%v up to what is no number", n)
	}
}
