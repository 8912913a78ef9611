package sketch_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// TestRanges: every value is counted once, in a range that it is in within the
// error, there are no more ranges than asked for, and they do not overlap.
func TestRanges(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.Float64Range(-1e12, 1e12), rapid.Float64Range(90, 110), rapid.Just(0.0), rapid.Float64Range(1e-300, 1e300))
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(value, 1, 300).Draw(t, "values")
		most := rapid.IntRange(3, 100).Draw(t, "most")
		var s sketch.Sketch
		for _, v := range values {
			s.Add(v, 1)
		}
		ranges := s.Ranges(s.ScaleFor(most))
		if len(ranges) == 0 || len(ranges) > most {
			t.Fatalf("%d ranges for %d values, at most %d", len(ranges), len(values), most)
		}
		checkCounts(t, ranges, values, s.Error())
	})
}

// checkCounts compares the counts with exact ones, of values that are moved by
// the error one way and the other.
func checkCounts(t *rapid.T, ranges []sketch.Bucket, values []float64, err float64) {
	total := 0.0
	for i, r := range ranges {
		if r.Lower > r.Upper || i > 0 && r.Lower < ranges[i-1].Upper {
			t.Fatalf("range %d of %v", i, ranges)
		}
		total += r.Count
		surely, perhaps := 0.0, 0.0
		for _, v := range values {
			off := 2 * err * math.Abs(v)
			if v-off >= r.Lower && v+off < r.Upper {
				surely++
			}
			if v+off >= r.Lower && v-off <= r.Upper || r.Upper == 0 && math.Abs(v) < 1e-307 {
				perhaps++
			}
		}
		if r.Count < surely || r.Count > perhaps {
			t.Fatalf("%v values between %v and %v, there are %v to %v", r.Count, r.Lower, r.Upper, surely, perhaps)
		}
	}
	if total != float64(len(values)) {
		t.Fatalf("%v of %d values are counted", total, len(values))
	}
}

// TestScales: what is close together is told apart as finely as it is kept,
// and ranges of one scale lie within those of a wider one.
func TestScales(t *testing.T) {
	t.Parallel()
	near, far := new(sketch.Sketch), new(sketch.Sketch)
	for i := range 100 {
		near.Add(95+float64(i)/10, 1)
		far.Add(math.Pow(10, float64(i)/10-5), 1)
	}
	if got := near.Ranges(near.ScaleFor(80)); len(got) != 6 {
		t.Errorf("95 to 105 is in %d ranges: %v", len(got), got)
	}
	coarse := far.Ranges(far.ScaleFor(80))
	for _, r := range near.Ranges(near.ScaleFor(80)) {
		if !slices.ContainsFunc(coarse, func(c sketch.Bucket) bool { return c.Lower <= r.Lower && r.Upper <= c.Upper }) {
			t.Errorf("%v is in none of %v", r, coarse)
		}
	}
	if got := new(sketch.Sketch).Ranges(1); got != nil {
		t.Errorf("nothing is in %v", got)
	}
}
