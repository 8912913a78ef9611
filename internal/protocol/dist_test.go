package protocol

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"pgregory.net/rapid"
)

// TestExpLimit: limits of exponential buckets are powers of the base that the
// scale says, and stay numbers however far out they are.
func TestExpLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scale, index int64
		want         float64
	}{
		{0, 0, 1}, {0, 3, 8}, {0, -1, 0.5}, {1, 2, 2}, {2, 4, 2}, {-1, 1, 4}, {-4, 1, 65536}, {20, 1 << 20, 2},
		{0, 2000, math.MaxFloat64}, {-10, 5, math.MaxFloat64}, {0, math.MaxInt64, math.MaxFloat64}, {0, -2000, 0}, {0, math.MinInt64, 0},
	} {
		if got := ExpLimit(c.scale, c.index); got != c.want {
			t.Errorf("limit %d of scale %d is %v, want %v", c.index, c.scale, got, c.want)
		}
	}
}

// histogram draws one whose buckets are in order and do not overlap.
func histogram(t *rapid.T, counts *rapid.Generator[int]) Dist {
	limits := rapid.SliceOfNDistinct(rapid.Float64Range(-1e6, 1e6), 2, 12, rapid.ID).Draw(t, "limits")
	slices.SortFunc(limits, cmp.Compare)
	d := Dist{Sum: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	for i := 1; i < len(limits); i++ {
		n := float64(counts.Draw(t, "count"))
		d.Buckets = append(d.Buckets, Bucket{limits[i-1], limits[i], n})
		d.Count += n
	}
	if rapid.Bool().Draw(t, "open below") {
		d.Buckets[0].Lower = math.Inf(-1)
	}
	if len(d.Buckets) > 1 && rapid.Bool().Draw(t, "open above") { // of one that is open on both sides nothing is known
		d.Buckets[len(d.Buckets)-1].Upper = math.Inf(1)
	}
	return d
}

// TestHistogramsKeepTheirValues: the distribution that a histogram becomes
// counts as many values, all between its smallest and largest, and its
// quantiles lie in the buckets that hold them.
func TestHistogramsKeepTheirValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := histogram(t, rapid.IntRange(0, 50))
		b := NewBatch(DefaultLimits)
		if err := b.AddHistogram(Point{Name: "h", Kind: Distribution}, d); err != nil || len(b.Skipped) > 0 {
			t.Fatalf("%v, %v", err, b.Skipped)
		}
		if d.Count == 0 {
			if len(b.Points) > 0 {
				t.Fatalf("a point of nothing: %+v", b.Points)
			}
			return
		}
		got := b.Points[0].Dist
		s, err := sketch.Decode(got.Sketch)
		if err != nil || math.Abs(s.Count()-d.Count) > 1e-6*d.Count || got.Count != d.Count || !(got.Min <= got.Max) {
			t.Fatalf("%+v became %+v of %v values, %v", d, got, s.Count(), err)
		}
		if mean := got.Sum / got.Count; mean < got.Min-1e-6 || mean > got.Max+1e-6 {
			t.Fatalf("the mean %v is not between %v and %v", mean, got.Min, got.Max)
		}
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		at, below := s.QuantileWithin(q, got.Min, got.Max), 0.0
		for _, one := range d.Buckets {
			if below += one.Count; one.Count > 0 && below >= q*d.Count+1 { // surely at or beyond that value
				lower, upper := d.finite(one)
				if slack := 0.02*math.Max(math.Abs(lower), math.Abs(upper)) + 1e-6; at > upper+slack {
					t.Fatalf("the %v quantile of %+v is %v, over %v", q, d.Buckets, at, upper)
				}
				return
			}
		}
	})
}

// TestSinceIsTheDifference: of a histogram that grew, what it has more is what
// was added, bucket by bucket; one that lost values started again.
func TestSinceIsTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := histogram(t, rapid.IntRange(0, 5))
		before.Sum = rapid.Float64Range(-1e3, 1e3).Draw(t, "sum")
		now := Dist{Count: before.Count, Sum: before.Sum + 17, Buckets: slices.Clone(before.Buckets)}
		added := make(map[float64]float64)
		for i := range now.Buckets {
			n := float64(rapid.IntRange(0, 3).Draw(t, "added"))
			now.Buckets[i].Count += n
			now.Count += n
			if n > 0 {
				added[now.Buckets[i].Upper] = n
			}
		}
		batch := NewBatch(DefaultLimits)
		for _, d := range []Dist{before, now} {
			if err := batch.AddHistogram(Point{Name: "h", Kind: CumulativeDistribution}, d); err != nil || len(batch.Skipped) > 0 {
				t.Fatal(err, batch.Skipped)
			}
		}
		first, second := batch.Points[0].Dist, batch.Points[1].Dist
		more, ok := second.Since(first)
		if !ok || more.Count != now.Count-before.Count || math.Abs(more.Sum-17) > 1e-9 || len(more.Buckets) != len(added) {
			t.Fatalf("%+v is %+v more than %+v, %v", second, more, first, ok)
		}
		for _, one := range more.Buckets {
			if added[one.Upper] != one.Count {
				t.Fatalf("%+v, want %v more", one, added)
			}
		}
		if len(added) > 0 {
			if all, ok := first.Since(second); ok || all.Count != first.Count {
				t.Fatalf("one that fell is %+v more, %v", all, ok)
			}
		}
		if len(first.Buckets) != len(batch.Points[0].Dist.Buckets) || first.Count != before.Count {
			t.Fatal("what was before has changed")
		}
	})
}

// TestBucketsBeyondNumbers: buckets whose limits are all the largest number, or
// all 0, are one, so that a histogram that grew is not taken for a new one.
func TestBucketsBeyondNumbers(t *testing.T) {
	t.Parallel()
	d := Dist{Count: 15, Sum: 1, Buckets: []Bucket{{0, 0, 1}, {0, 0, 2}, {0, 1, 3}, {1, math.MaxFloat64, 4}, {math.MaxFloat64, math.MaxFloat64, 5}}}
	b := NewBatch(DefaultLimits)
	if err := b.AddHistogram(Point{Name: "h", Kind: CumulativeDistribution}, d); err != nil || len(b.Points) != 1 {
		t.Fatal(err, b.Skipped)
	}
	got := b.Points[0].Dist
	if want := []Bucket{{0, 0, 3}, {0, 1, 3}, {1, math.MaxFloat64, 9}}; !slices.Equal(got.Buckets, want) {
		t.Errorf("%v, want %v", got.Buckets, want)
	}
	if more, ok := got.Since(got); !ok || more.Count != 0 || len(more.Buckets) != 0 {
		t.Errorf("it is %+v more than itself, %v", more, ok)
	}
}

// TestBatchesAreUsedAgain: what a batch held before it was reset does not show
// in what comes after, and what was taken out of it stays as it was.
func TestBatchesAreUsedAgain(t *testing.T) {
	t.Parallel()
	b := NewBatch(Limits{Points: 3})
	fill := func(value string, count float64) {
		t.Helper()
		b.Reset()
		for range 3 {
			b.StartLabels()
			b.AddLabel("größe", value)
			if !b.Collected("gr_xf6__xdf_e") || b.Collected("größe") {
				t.Error("labels are collected under the names that they have here")
			}
			labels, ok := b.FinishLabels("m")
			if !ok {
				t.Fatal("refused")
			}
			d := Dist{Count: count, Sum: count, Min: nan, Max: nan, Buckets: []Bucket{{0, 1, count}}}
			if err := b.AddHistogram(Point{Name: b.MetricName("m/1"), Labels: labels, Kind: CumulativeDistribution}, d); err != nil {
				t.Fatal(err)
			}
		}
		b.Skip(NotFinite, value)
	}
	fill("first", 5)
	fill("second", 7)
	b.Forget()
	if len(b.Points) != 3 || len(b.Skipped) != 1 || b.Skipped[0].Example != "second" {
		t.Fatalf("%+v %+v", b.Points, b.Skipped)
	}
	for _, p := range b.Points {
		if p.Name != "m_x2f_1" || p.Labels[0].Value != "second" || p.Dist.Count != 7 || p.Dist.Buckets[0].Count != 7 {
			t.Errorf("%s{%s} %+v", p.Name, p.Labels, p.Dist)
		}
	}
	if err := b.AddHistogram(Point{Name: "one more", Kind: Distribution}, Dist{Count: 1, Sum: 1, Min: 1, Max: 1, Buckets: []Bucket{{0, 1, 1}}}); err == nil || err.Error() != "more than 3 points in one request" {
		t.Errorf("one more: %v", err)
	}
}

// TestNamesWithoutABatch: the same text has the same name with and without a
// batch, in each of the alphabets.
func TestNamesWithoutABatch(t *testing.T) {
	t.Parallel()
	b := NewBatch(DefaultLimits)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		for name, pair := range map[string][2]func(string) string{
			"metric": {MetricName, b.MetricName}, "label": {LabelName, b.LabelName}, "value": {LabelValue, b.LabelValue},
		} {
			if one, other := pair[0](s), pair[1](s); one != other {
				t.Fatalf("%s %q is %q and %q", name, s, one, other)
			}
		}
	})
}
