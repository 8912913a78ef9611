package protocol

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

func TestLabels(t *testing.T) {
	b := NewBatch(DefaultLimits)
	collect := func(pairs ...string) (tidemark.Tags, bool) {
		b.StartLabels()
		for i := 0; i < len(pairs); i += 2 {
			b.AddLabel(pairs[i], pairs[i+1])
		}
		return b.FinishLabels("cpu")
	}
	first, _ := collect("a", "1", "b", "2")
	second, _ := collect("z", "1", "empty", "", "b", "2", "z", "3", "é", "x", "b", "2")
	if want := (tidemark.Tags{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}); cmp.Diff(want, first) != "" {
		t.Errorf("labels are %v", first)
	}
	if want := (tidemark.Tags{{Name: "_xe9_", Value: "x"}, {Name: "b", Value: "2"}, {Name: "z", Value: "3"}}); cmp.Diff(want, second) != "" {
		t.Errorf("labels are %v", second)
	}
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprint("l", i), "v")
	}
	if _, ok := collect(many...); ok {
		t.Error("51 labels were taken")
	}
	if got, ok := collect(many[2:]...); !ok || len(got) != 50 {
		t.Errorf("50 labels are %d, %v", len(got), ok)
	}
	want := []Skip{{DuplicateLabel, 1, "cpu: z"}, {TooManyLabels, 1, "cpu"}}
	if diff := cmp.Diff(want, b.Skipped); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	b := NewBatch(Limits{Points: 2})
	for range 2 {
		if err := b.AddValue(Point{Name: "a", Value: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddValue(Point{Name: "a", Value: math.NaN()}); err != nil {
		t.Error(err)
	}
	if err := b.AddValue(Point{Name: strings.Repeat("é", 60), Value: math.Inf(-1)}); err != nil {
		t.Error(err)
	}
	if err := b.AddValue(Point{Name: "a", Value: 1}); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("%v, want too large", err)
	}
	if diff := cmp.Diff([]Skip{{NotFinite, 2, "a"}}, b.Skipped); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Skip(Text, strings.Repeat("é", 60))
	if n := len(b.Skipped[1].Example); n != 80+len("…") {
		t.Errorf("the example has %d bytes", n)
	}
	if b.Reset(); len(b.Points)+len(b.Skipped) > 0 {
		t.Error("not empty after Reset")
	}
}

var nan, inf = math.NaN(), math.Inf(1)

func TestHistogram(t *testing.T) {
	for name, c := range map[string]struct {
		d             Dist
		sum, min, max float64
		median        float64
	}{
		"all known": {
			Dist{Count: 4, Sum: 20, Min: 2, Max: 9, Buckets: []Bucket{{-inf, 5, 2}, {5, 10, 2}}}, 20, 2, 9, 4,
		},
		"nothing known": {
			Dist{Count: 4, Sum: nan, Min: nan, Max: nan, Buckets: []Bucket{{-inf, 4, 2}, {4, 8, 1}, {8, inf, 1}}}, 18, 0, 8, 3,
		},
		"negative": {
			Dist{Count: 2, Sum: -12, Min: nan, Max: nan, Buckets: []Bucket{{-inf, -8, 1}, {-8, -4, 1}}}, -12, -8, -4, -8,
		},
		"one value": {
			Dist{Count: 1, Sum: 7, Min: nan, Max: nan, Buckets: []Bucket{{-inf, inf, 1}}}, 7, 7, 7, 7,
		},
		"no buckets but limits": {
			Dist{Count: 8, Sum: 28, Min: 0, Max: 7, Buckets: []Bucket{{-inf, inf, 8}}}, 28, 0, 7, 3,
		},
	} {
		b := NewBatch(DefaultLimits)
		if err := b.AddHistogram(Point{Name: "h", Kind: Distribution}, c.d); err != nil || len(b.Points) != 1 {
			t.Errorf("%s: %v, %v", name, err, b.Skipped)
			continue
		}
		got := b.Points[0].Dist
		s, err := sketch.Decode(got.Sketch)
		if err != nil {
			t.Fatal(err)
		}
		if got.Count != c.d.Count || got.Sum != c.sum || got.Min != c.min || got.Max != c.max || s.Count() != c.d.Count {
			t.Errorf("%s: %+v with a sketch of %v", name, got, s.Count())
		}
		if m := s.QuantileWithin(0.5, got.Min, got.Max); math.Abs(m-c.median) > 0.5 {
			t.Errorf("%s: the median is %v, want about %v", name, m, c.median)
		}
	}
}

func TestBadHistograms(t *testing.T) {
	for name, d := range map[string]Dist{
		"negative count":      {Count: -1, Sum: 1},
		"count of nothing":    {Count: nan, Sum: 1},
		"infinite count":      {Count: inf, Sum: 1},
		"infinite sum":        {Count: 1, Sum: inf, Buckets: []Bucket{{0, 1, 1}}},
		"buckets out of turn": {Count: 2, Sum: 1, Buckets: []Bucket{{1, 2, 1}, {0, 1, 1}}},
		"upside down":         {Count: 1, Sum: 1, Buckets: []Bucket{{2, 1, 1}}},
		"negative bucket":     {Count: 1, Sum: 1, Buckets: []Bucket{{0, 1, 2}, {1, 2, -1}}},
		"limits of nothing":   {Count: 1, Sum: 1, Buckets: []Bucket{{nan, 1, 1}}},
		"from infinity":       {Count: 1, Sum: 1, Buckets: []Bucket{{inf, inf, 1}}},
		"another total":       {Count: 3, Sum: 1, Buckets: []Bucket{{0, 1, 1}}},
		"min over max":        {Count: 1, Sum: 1, Min: 2, Max: 1, Buckets: []Bucket{{0, 1, 1}}},
		"nothing but a count": {Count: 1, Sum: nan, Min: nan, Max: nan, Buckets: []Bucket{{-inf, inf, 1}}},
		"too wide":            {Count: 1, Sum: 1, Min: nan, Max: nan, Buckets: []Bucket{{-math.MaxFloat64, math.MaxFloat64, 1}}},
		"too many":            {Count: 0, Sum: 1, Buckets: make([]Bucket, MaxHistogramBuckets+1)},
	} {
		b := NewBatch(DefaultLimits)
		if err := b.AddHistogram(Point{Name: "h", Kind: Distribution}, d); err != nil {
			t.Error(name, err)
		}
		if diff := cmp.Diff([]Skip{{BadHistogram, 1, "h"}}, b.Skipped); diff != "" || len(b.Points) > 0 {
			t.Errorf("%s: %v, (-want +got):\n%s", name, b.Points, diff)
		}
	}
}

// TestSince follows a cumulative histogram through growth, a widening of its
// buckets, and a restart.
func TestSince(t *testing.T) {
	cumulative := func(sum float64, buckets ...Bucket) *Dist {
		d := Dist{Sum: sum, Min: nan, Max: nan, Buckets: buckets}
		for _, b := range buckets {
			d.Count += b.Count
		}
		batch := NewBatch(DefaultLimits)
		if err := batch.AddHistogram(Point{Name: "h", Kind: CumulativeDistribution}, d); err != nil {
			t.Fatal(err)
		}
		return batch.Points[0].Dist
	}
	first := cumulative(10, Bucket{0, 1, 2}, Bucket{1, 2, 3}, Bucket{2, 4, 0}, Bucket{4, 8, 1}, Bucket{8, inf, 1})
	grown := cumulative(30, Bucket{0, 1, 2}, Bucket{1, 2, 5}, Bucket{2, 4, 1}, Bucket{4, 8, 2}, Bucket{8, inf, 1})
	wide := cumulative(31, Bucket{-inf, 2, 8}, Bucket{2, inf, 4})
	equal := cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })

	got, ok := grown.Since(first)
	want := Dist{Count: 4, Sum: 20, Min: nan, Max: nan, Buckets: []Bucket{{1, 2, 2}, {2, 4, 1}, {4, 8, 1}}}
	if diff := cmp.Diff(want, got, equal); !ok || diff != "" {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
	var s sketch.Sketch
	if sealed := got.Seal(&s); sealed.Min != 1 || sealed.Max != 8 || sealed.Count != 4 || s.Count() != 4 || len(sealed.Sketch) == 0 {
		t.Errorf("sealed as %+v", sealed)
	}
	got, ok = wide.Since(grown)
	want = Dist{Count: 1, Sum: 1, Min: nan, Max: nan, Buckets: []Bucket{{-inf, 2, 1}}}
	if diff := cmp.Diff(want, got, equal); !ok || diff != "" {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
	for name, pair := range map[string][2]*Dist{
		"fewer": {first, grown}, "narrower": {grown, wide}, "a bucket fell": {cumulative(40, Bucket{0, 1, 1}, Bucket{4, 8, 20}), first},
	} {
		if got, ok := pair[0].Since(pair[1]); ok || cmp.Diff(*pair[0], got, equal) != "" {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
}
