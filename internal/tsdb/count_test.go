package tsdb_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestCountOfDistribution: the least and the largest value are known exactly,
// though a bucket holds values beside them.
func TestCountOfDistribution(t *testing.T) {
	t.Parallel()
	var known sketch.Sketch
	for _, v := range []float64{300, 301, 302, 900} {
		known.Add(v, 1)
	}
	d := tsdb.Distribution{Summary: tsdb.Summary{Min: 300, Max: 900}, Sketch: &known}
	for limit, want := range map[float64]float64{299.9: 0, 500: 3, 850: 3, 900: 4, 1000: 4} {
		if n, all := d.CountUpTo(limit); n != want || all != 4 {
			t.Errorf("%v of %v up to %v, want %v", n, all, limit, want)
		}
	}
	if n, all := (&tsdb.Distribution{}).CountUpTo(1); n != 0 || all != 0 {
		t.Errorf("%v of %v of what is not known", n, all)
	}
}

// TestLeaveOut: points go whose steps have a moment in an interval.
func TestLeaveOut(t *testing.T) {
	t.Parallel()
	s := &tsdb.Series{Times: []int64{0, 60, 120, 180, 240, 300}, Values: []float64{1, 2, 3, 4, 5, 6}}
	s.LeaveOut([]tidemark.Interval{{119, 120}, {181, 240}, {300, 301}}, 60)
	if diff := cmp.Diff(&tsdb.Series{Times: []int64{0, 120, 240}, Values: []float64{1, 3, 5}}, s); diff != "" {
		t.Error(diff)
	}
	(*tsdb.Series)(nil).LeaveOut([]tidemark.Interval{{0, 1}}, 60)
}
