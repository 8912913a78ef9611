package tsdb_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func distributionOf(values ...float64) tsdb.Distribution {
	d := tsdb.Distribution{Sketch: new(sketch.Sketch)}
	for _, v := range values {
		one := tsdb.Single(v)
		d.Summary.Merge(&one)
		d.Sketch.Add(v, 1)
	}
	return d
}

func TestDistributionMerge(t *testing.T) {
	t.Parallel()
	single, several := tsdb.Distribution{Summary: tsdb.Single(9)}, distributionOf(5, 6)
	several.Sketch = nil
	for _, test := range []struct {
		name  string
		a, b  tsdb.Distribution
		known []float64 // nil: there is no sketch
	}{
		{"two sketches", distributionOf(1, 2), distributionOf(3), []float64{1, 2, 3}},
		{"a single value after", distributionOf(1, 2), single, []float64{1, 2, 9}},
		{"a single value before", single, distributionOf(1, 2), []float64{1, 2, 9}},
		{"several unknown after", distributionOf(1, 2), several, []float64{1, 2}},
		{"several unknown before", several, distributionOf(1, 2), []float64{1, 2}},
		{"nothing before", tsdb.Distribution{}, distributionOf(1), []float64{1}},
		{"single values", single, single, nil},
		{"nothing known", several, several, nil},
	} {
		count := test.a.Summary.Count + test.b.Summary.Count
		test.a.Merge(&test.b)
		if test.a.Summary.Count != count {
			t.Errorf("%s: count %v, want %v", test.name, test.a.Summary.Count, count)
		}
		if (test.a.Sketch != nil) != (test.known != nil) {
			t.Errorf("%s: sketch %v, want one of %v", test.name, test.a.Sketch, test.known)
			continue
		}
		if test.known == nil {
			if p := test.a.Percentile(0.5); !math.IsNaN(p) {
				t.Errorf("%s: a percentile %v", test.name, p)
			}
			continue
		}
		want := distributionOf(test.known...)
		if !bytes.Equal(test.a.Sketch.AppendBinary(nil), want.Sketch.AppendBinary(nil)) {
			t.Errorf("%s: the sketch is not of %v", test.name, test.known)
		}
	}
}

func TestBatchSketches(t *testing.T) {
	t.Parallel()
	one, two := distributionOf(1, 2, 3), distributionOf(7)
	a, b := one.Sketch.AppendBinary(nil), two.Sketch.AppendBinary(nil)
	var batch tsdb.Batch
	for range 2 {
		batch.Reset()
		if batch.HasSketches() {
			t.Fatal("an empty batch has sketches")
		}
		batch.AddKey([]byte("cpu"), 1, tsdb.Single(1))
		batch.AddDistribution([]byte("lat"), 1, one.Summary, a)
		batch.AddDistribution([]byte("lat"), 2, two.Summary, nil)
		batch.AddDistribution([]byte("lat"), 3, two.Summary, b)
		batch.AddKey([]byte("cpu"), 2, tsdb.Single(1))
		for i, want := range [][]byte{nil, a, nil, b, nil} {
			if got := batch.Sketch(i); !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("sketch %d is %x, want %x", i, got, want)
			}
		}
		if err := batch.ValidateSketches(); err != nil || !batch.HasSketches() {
			t.Errorf("got %v", err)
		}
	}
	batch.AddDistribution([]byte("lat"), 4, two.Summary, a)
	if err := batch.ValidateSketches(); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "record 5") {
		t.Errorf("got %v, want the record that is wrong", err)
	}
}

// TestSeriesCloneSketches: a copy stays as it is when the series is used again.
func TestSeriesCloneSketches(t *testing.T) {
	t.Parallel()
	d := distributionOf(1, 2)
	s := tsdb.Series{Times: []int64{0}, Summaries: []tsdb.Summary{d.Summary}, Sketches: []*sketch.Sketch{d.Sketch}}
	c := s.Clone()
	d.Sketch.Reset()
	if len(c.Sketches) != 1 || c.Sketches[0].Count() != 2 {
		t.Errorf("the copy has %v", c.Sketches)
	}
}
