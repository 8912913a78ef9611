package protocol

import (
	"cmp"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Dist is a distribution. That of a cumulative point has Buckets, of which
// those of the point before must be taken away before it says something about
// a span of time; any other has its encoded Sketch.
type Dist struct {
	Count, Sum float64
	Min, Max   float64 // NaN in a cumulative one
	Sketch     []byte
	Buckets    []Bucket // in order, those that hold something
}

// Bucket is how many values are over Lower and not over Upper. The outermost
// may be infinite.
type Bucket struct{ Lower, Upper, Count float64 }

// MaxHistogramBuckets is how many buckets one histogram may have.
const MaxHistogramBuckets = 4096

// AddHistogram appends a point of a histogram that has buckets. Sum, Min and
// Max are NaN where the sender does not know them. What makes no sense is
// left out, and a span without values is no point.
func (b *Batch) AddHistogram(p Point, d Dist) error {
	switch {
	case !d.valid():
		b.Skip(BadHistogram, p.Name)
		return nil
	case p.Kind == CumulativeDistribution:
		d.Buckets = b.keepBuckets(d.Buckets)
		if d.Min, d.Max = math.NaN(), math.NaN(); math.IsNaN(d.Sum) {
			d.Sum = d.guessSum()
		}
		return b.addDist(p, d)
	case d.Count == 0:
		return nil
	}
	d = d.fill(&b.sketch)
	return b.AddSketch(p, d, &b.sketch)
}

// AddSketch appends a point of the values in s.
func (b *Batch) AddSketch(p Point, d Dist, s *sketch.Sketch) error {
	at := len(b.bytes)
	b.bytes = s.AppendBinary(b.bytes)
	p.Kind, d.Sketch = Distribution, b.bytes[at:len(b.bytes):len(b.bytes)]
	return b.addDist(p, d)
}

func (b *Batch) addDist(p Point, d Dist) error {
	b.dists = append(b.dists, d)
	p.Dist = &b.dists[len(b.dists)-1]
	return b.Add(p)
}

// keepBuckets copies those buckets that hold something. One that has no width
// is part of that before it, where it begins: of limits beyond float64 several
// are the same, and Since must tell buckets by their limits.
func (b *Batch) keepBuckets(buckets []Bucket) []Bucket {
	at := len(b.buckets)
	for _, one := range buckets {
		last := len(b.buckets) - 1
		switch {
		case one.Count == 0:
		case last >= at && one.Lower == one.Upper && b.buckets[last].Upper == one.Upper:
			b.buckets[last].Count += one.Count
		default:
			b.buckets = append(b.buckets, one)
		}
	}
	return b.buckets[at:len(b.buckets):len(b.buckets)]
}

func (d *Dist) valid() bool {
	if !(d.Count >= 0) || math.IsInf(d.Count, 0) || math.IsInf(d.Sum, 0) || math.IsInf(d.Min, 0) || math.IsInf(d.Max, 0) ||
		d.Min > d.Max || len(d.Buckets) > MaxHistogramBuckets {
		return false
	}
	before, total := math.Inf(-1), 0.0
	for _, b := range d.Buckets {
		if !(b.Lower >= before && b.Lower <= b.Upper && b.Count >= 0) || math.IsInf(b.Lower, 1) || math.IsInf(b.Upper, -1) {
			return false
		}
		if lower, upper := d.finite(b); math.IsNaN(lower) || math.IsInf(upper-lower, 0) {
			return false
		}
		before, total = b.Upper, total+b.Count
	}
	return math.Abs(total-d.Count) <= 1e-6*d.Count
}

// Since returns what d has more than before, which is of the same stream. It
// reports false where d restarted, and then all of d is new.
//
// Buckets of before may be narrower than those of d, as exponential ones are
// widened when they become many.
func (d *Dist) Since(before *Dist) (Dist, bool) {
	out := Dist{Count: d.Count - before.Count, Sum: d.Sum - before.Sum, Min: math.NaN(), Max: math.NaN()}
	out.Buckets = slices.Clone(d.Buckets)
	if out.Count < 0 {
		return *d, false
	}
	for _, old := range before.Buckets {
		i, _ := slices.BinarySearchFunc(out.Buckets, old, func(b, old Bucket) int {
			return cmp.Compare(b.Upper, old.Upper-rounding(old.Upper))
		})
		if i == len(out.Buckets) || out.Buckets[i].Lower > old.Lower+rounding(old.Lower) || out.Buckets[i].Count < old.Count {
			return *d, false
		}
		out.Buckets[i].Count -= old.Count
	}
	out.Buckets = slices.DeleteFunc(out.Buckets, func(b Bucket) bool { return b.Count == 0 })
	return out, true
}

// rounding is by how much two calculations of one limit may differ.
func rounding(limit float64) float64 {
	if math.IsInf(limit, 0) {
		return 0
	}
	return 1e-9 * math.Abs(limit)
}

// Seal returns d with a sketch in place of buckets, and with the least and
// largest values that the buckets tell, where they are not known. It uses s.
func (d *Dist) Seal(s *sketch.Sketch) Dist {
	out := d.fill(s)
	out.Sketch = s.AppendBinary(nil)
	return out
}

func (d *Dist) fill(s *sketch.Sketch) Dist {
	s.Reset()
	out := Dist{Count: d.Count, Sum: d.Sum, Min: d.Min, Max: d.Max}
	if math.IsNaN(out.Sum) {
		out.Sum = d.guessSum()
	}
	for _, b := range d.Buckets {
		if b.Count == 0 {
			continue
		}
		lower, upper := d.finite(b)
		if math.IsNaN(out.Min) {
			out.Min = lower
		}
		if math.IsNaN(d.Max) {
			out.Max = upper
		}
		s.Spread(lower, upper, b.Count)
	}
	return out
}

// finite returns the limits of a bucket, as close as they are known.
func (d *Dist) finite(b Bucket) (lower, upper float64) {
	lower, upper = b.Lower, b.Upper
	if d.Min > lower { // not so where it is NaN
		lower = min(d.Min, upper)
	}
	if d.Max < upper {
		upper = max(d.Max, lower)
	}
	switch {
	case math.IsInf(lower, -1) && math.IsInf(upper, 1):
		mean := d.Sum / d.Count
		return mean, mean
	case math.IsInf(lower, -1):
		lower = min(upper, 0) // most things that are measured are not negative
	case math.IsInf(upper, 1):
		upper = lower
	}
	return lower, upper
}

// guessSum is the sum of values that are in the middle of their buckets.
func (d *Dist) guessSum() (sum float64) {
	for _, b := range d.Buckets {
		if lower, upper := d.finite(b); b.Count > 0 {
			sum += b.Count * (lower/2 + upper/2)
		}
	}
	return sum
}

// ExpLimit returns the limit with a number between exponential buckets: base
// to that power, where base is 2^(2^-scale). Limits out of range are those of
// float64.
func ExpLimit(scale, index int64) float64 {
	return min(math.Exp2(math.Ldexp(float64(index), int(-scale))), math.MaxFloat64)
}
