package sketch_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// shapes are distributions that sketches get wrong in different ways.
var shapes = map[string]func(r *rand.Rand) float64{
	"uniform":   func(r *rand.Rand) float64 { return r.Float64() * 1000 },
	"lognormal": func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()*1.5 + 3) },
	"bimodal": func(r *rand.Rand) float64 {
		if r.IntN(10) == 0 {
			return 5000 + r.NormFloat64()*100
		}
		return 10 + r.Float64()
	},
	"constant": func(*rand.Rand) float64 { return 42.5 },
	"negative": func(r *rand.Rand) float64 { return -math.Exp(r.NormFloat64()) },
	"zero":     func(*rand.Rand) float64 { return 0 },
	"zeros":    func(r *rand.Rand) float64 { return float64(r.IntN(3)) },
	"mixed":    func(r *rand.Rand) float64 { return r.NormFloat64() * 100 },
	"integers": func(r *rand.Rand) float64 { return float64(r.IntN(50) - 5) },
	"powers":   func(r *rand.Rand) float64 { return math.Ldexp(1, r.IntN(40)-20) },
	"huge":     func(r *rand.Rand) float64 { return 1e300 * (1 + r.Float64()*1e7) },
	"tiny":     func(r *rand.Rand) float64 { return 1e-300 * r.Float64() },
	"edges": func(r *rand.Rand) float64 {
		all := []float64{math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, -0x1p-1022, 1, -1}
		return all[r.IntN(len(all))]
	},
}

var quantiles = []float64{0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

// TestQuantiles holds the promised error against the exact quantiles, of one
// sketch and of many that were merged in any order and nesting.
func TestQuantiles(t *testing.T) {
	for name, draw := range shapes {
		for _, n := range []int{1, 2, 10, 100, 10_000} {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				r := source(uint64(n))
				values := make([]float64, n)
				var one sketch.Sketch
				for i := range values {
					values[i] = draw(r)
					if !one.Add(values[i], 1) {
						t.Fatalf("%v was not added", values[i])
					}
				}
				checkQuantiles(t, &one, values, one.Error())
				if e := one.Error(); e > 0.01 {
					t.Errorf("error is %v", e)
				}
				merged := mergeAtRandom(t, r, values)
				if !bytes.Equal(merged.AppendBinary(nil), one.AppendBinary(nil)) {
					t.Error("merging makes another sketch than adding")
				}
			})
		}
	}
}

func checkQuantiles(t *testing.T, s *sketch.Sketch, values []float64, most float64) {
	t.Helper()
	values = slices.Clone(values)
	slices.Sort(values)
	least, largest := values[0], values[len(values)-1]
	if s.Count() != float64(len(values)) {
		t.Fatalf("count is %v, want %d", s.Count(), len(values))
	}
	for _, q := range quantiles {
		want := values[int(q*float64(len(values)-1))]
		for _, got := range []float64{s.Quantile(q), s.QuantileWithin(q, least, largest)} {
			if math.Abs(got-want) > most*math.Abs(want)*(1+1e-9) {
				t.Errorf("quantile %v is %v, want %v", q, got, want)
			}
		}
		if got := s.QuantileWithin(q, least, largest); got < least || got > largest {
			t.Errorf("quantile %v is %v, outside of %v to %v", q, got, least, largest)
		}
	}
	if got := s.QuantileWithin(0, least, largest); got != least {
		t.Errorf("quantile 0 is %v, want %v", got, least)
	}
	if got := s.QuantileWithin(1, least, largest); got != largest {
		t.Errorf("quantile 1 is %v, want %v", got, largest)
	}
}

// mergeAtRandom adds the values to some sketches and merges these, two at a
// time, until one is left.
func mergeAtRandom(t *testing.T, r *rand.Rand, values []float64) *sketch.Sketch {
	t.Helper()
	parts := make([]*sketch.Sketch, 1+r.IntN(20))
	for i := range parts {
		parts[i] = new(sketch.Sketch)
	}
	for _, i := range r.Perm(len(values)) {
		parts[r.IntN(len(parts))].Add(values[i], 1)
	}
	for len(parts) > 1 {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		last := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		if r.IntN(2) == 0 {
			parts[0].Merge(last)
		} else if err := parts[0].MergeEncoded(last.AppendBinary(nil)); err != nil {
			t.Fatal(err)
		}
	}
	return parts[0]
}

// TestCoarse fills a sketch over its limit: the error grows as announced, for
// all quantiles alike, and the order still does not matter.
func TestCoarse(t *testing.T) {
	r := source(5)
	values := make([]float64, 50_000)
	for i := range values {
		values[i] = math.Pow(10, r.Float64()*600-300)
		if r.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	var one sketch.Sketch
	for _, v := range values {
		one.Add(v, 1)
	}
	if e := one.Error(); e < 0.8 || e > 0.9 {
		t.Fatalf("error is %v", e)
	}
	checkQuantiles(t, &one, values, one.Error())
	for range 3 {
		if merged := mergeAtRandom(t, r, values); !bytes.Equal(merged.AppendBinary(nil), one.AppendBinary(nil)) {
			t.Error("merging makes another sketch than adding")
		}
	}
	if n := len(slices.Collect(one.Buckets())); n > sketch.MaxBuckets || n < sketch.MaxBuckets/4 {
		t.Errorf("%d buckets", n)
	}
	if n := len(one.AppendBinary(nil)); n > sketch.MaxEncoded {
		t.Errorf("%d bytes", n)
	}
}

// TestDifferentLevels merges a fine sketch into a coarse one and the other
// way round.
func TestDifferentLevels(t *testing.T) {
	r := source(6)
	var coarse, fine sketch.Sketch
	for range 20_000 {
		coarse.Add(math.Pow(10, r.Float64()*300-150), 1)
		fine.Add(r.Float64(), 1)
	}
	a, b, c, d := coarse.Clone(), fine.Clone(), coarse.Clone(), fine.Clone()
	a.Merge(&fine)
	b.Merge(&coarse)
	if err := c.MergeEncoded(fine.AppendBinary(nil)); err != nil {
		t.Fatal(err)
	}
	if err := d.MergeEncoded(coarse.AppendBinary(nil)); err != nil {
		t.Fatal(err)
	}
	want := a.AppendBinary(nil)
	for i, s := range []*sketch.Sketch{b, c, d} {
		if !bytes.Equal(s.AppendBinary(nil), want) {
			t.Errorf("%d: the order of merging matters", i)
		}
	}
	if a.Error() <= 0.01 || fine.Error() > 0.01 || a.Count() != 40_000 {
		t.Errorf("errors %v and %v, count %v", a.Error(), fine.Error(), a.Count())
	}
}

func TestAddRefuses(t *testing.T) {
	var s sketch.Sketch
	for _, c := range [][2]float64{
		{math.NaN(), 1}, {math.Inf(1), 1}, {math.Inf(-1), 1}, {1, 0}, {1, -1}, {1, math.NaN()}, {1, 1e-9}, {1, math.Inf(-1)},
	} {
		if s.Add(c[0], c[1]) {
			t.Errorf("%v was added %v times", c[0], c[1])
		}
	}
	if s.Count() != 0 || !math.IsNaN(s.Quantile(0.5)) || s.AppendBinary(nil) != nil {
		t.Errorf("not empty: %v", s.Count())
	}
	s.Add(1, 1)
	if !math.IsNaN(s.Quantile(-0.1)) || !math.IsNaN(s.Quantile(1.1)) || !math.IsNaN(s.Quantile(math.NaN())) {
		t.Error("a quantile outside of 0 to 1 has a value")
	}
}

// TestWeights holds that fractions are counted exactly enough, and that
// counts too large do not wrap around.
func TestWeights(t *testing.T) {
	var s sketch.Sketch
	for range 300 {
		s.Add(1, 1/0.3)
		s.Add(100, 1)
	}
	if got := s.Count(); math.Abs(got-1300) > 0.01 {
		t.Errorf("count is %v, want 1300", got)
	}
	if got := s.Quantile(0.75); math.Abs(got-1) > 0.01 {
		t.Errorf("quantile 0.75 is %v, want 1", got)
	}
	if got := s.Quantile(0.8); math.Abs(got-100) > 1 {
		t.Errorf("quantile 0.8 is %v, want 100", got)
	}
	back, err := sketch.Decode(s.AppendBinary(nil))
	if err != nil || back.Count() != s.Count() {
		t.Errorf("%v, %v", back.Count(), err)
	}
	for range 5 {
		s.Add(1, math.Inf(1))
		s.Merge(s.Clone())
	}
	if got := s.Count(); got < 7e13 || got > 8e13 {
		t.Errorf("count is %v", got)
	}
}

func TestBuckets(t *testing.T) {
	var s sketch.Sketch
	values := []float64{-70, -0.5, 0, 0, 1, 3, 3, 1000}
	for _, v := range values {
		s.Add(v, 1)
	}
	total, before := 0.0, math.Inf(-1)
	for b := range s.Buckets() {
		if b.Lower < before || b.Upper < b.Lower || b.Upper-b.Lower > 0.0201*max(math.Abs(b.Lower), math.Abs(b.Upper)) {
			t.Errorf("bucket %+v", b)
		}
		inside := 0.0
		for _, v := range values {
			if v >= b.Lower && v < b.Upper || v == b.Upper && v <= 0 {
				inside++
			}
		}
		if inside != b.Count {
			t.Errorf("bucket %+v has %v values", b, inside)
		}
		total, before = total+b.Count, b.Upper
	}
	if total != s.Count() {
		t.Errorf("buckets hold %v of %v", total, s.Count())
	}
	for range s.Buckets() {
		break // a caller that has seen enough
	}
}

// TestSpread holds that a coarse bucket becomes values all over it, and that
// whole counts stay whole.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ lower, upper, n float64 }{
		{0, 10, 100}, {5, 5, 3}, {1, 1.001, 10}, {-10, 10, 80}, {-4, -2, 7}, {1, 2, 1}, {0.25, 0.5, 2.5}, {0, 0.005, 1},
	} {
		var s sketch.Sketch
		if !s.Spread(c.lower, c.upper, c.n) {
			t.Fatalf("%+v was refused", c)
		}
		if math.Abs(s.Count()-c.n) > 1e-3 {
			t.Errorf("%+v counts %v", c, s.Count())
		}
		mid, width := (c.lower+c.upper)/2, c.upper-c.lower
		if got := s.QuantileWithin(0.5, c.lower, c.upper); c.n > 10 && math.Abs(got-mid) > width/8+0.01*math.Abs(mid) {
			t.Errorf("%+v has the median %v", c, got)
		}
		for b := range s.Buckets() {
			if b.Upper < c.lower || b.Lower > c.upper {
				t.Errorf("%+v has the bucket %+v", c, b)
			}
			if c.n == math.Trunc(c.n) && b.Count != math.Trunc(b.Count) {
				t.Errorf("%+v has a fraction: %+v", c, b)
			}
		}
	}
	var s sketch.Sketch
	for _, c := range [][3]float64{{1, 0, 1}, {math.NaN(), 1, 1}, {0, math.Inf(1), 1}, {0, 1, 0}, {0, 1, math.NaN()}, {0, 1, math.Inf(1)}} {
		if s.Spread(c[0], c[1], c[2]) {
			t.Errorf("%v was taken", c)
		}
	}
}
