package tsdb

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// stepOf is a step with a value of 2 n times, and a sketch of them if asked for.
func stepOf(n float64, sketched bool) *Distribution {
	d := &Distribution{Summary: Summary{Count: n, Sum: 2 * n, Min: 2, Max: 2, Last: n}}
	if sketched {
		d.Sketch = new(sketch.Sketch)
		d.Sketch.Add(2, n)
	}
	return d
}

func TestSeriesAppend(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		q     Query
		steps []*Distribution
		want  Series
	}{
		{"values", Query{Function: Sum}, []*Distribution{stepOf(1, false), stepOf(3, false)}, Series{Times: []int64{60, 120}, Values: []float64{2, 6}}},
		{"summaries", Query{Function: All}, []*Distribution{stepOf(3, false)}, Series{Times: []int64{60}, Summaries: []Summary{stepOf(3, false).Summary}}},
		{"a step without a distribution has no percentile", Query{Function: Distributions}, []*Distribution{{Summary: Summary{Count: 1}, Sketch: new(sketch.Sketch)}}, Series{}},
		{"a derivative has one point less", Query{Function: Derivative}, []*Distribution{stepOf(1, false), stepOf(3, false), stepOf(4, false)}, Series{Times: []int64{120, 180}, Values: []float64{2, 1}}},
		{"a derivative of nothing", Query{Function: Derivative}, nil, Series{}},
	}
	for _, tt := range tests {
		var got Series
		for i, d := range tt.steps {
			got.Append(&tt.q, int64(i+1)*60, d)
		}
		got.Finish(&tt.q)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSeriesAppendDistributions(t *testing.T) {
	t.Parallel()
	var all, median Series
	all.Append(&Query{Function: Distributions}, 60, stepOf(3, true))
	median.Append(&Query{Function: Percentile, Quantile: 0.5}, 60, stepOf(3, true))
	if len(all.Summaries) != 1 || len(all.Sketches) != 1 || all.Sketches[0].Len() != 1 {
		t.Errorf("distributions: %+v", all)
	}
	if len(median.Values) != 1 || median.Values[0] < 1.98 || median.Values[0] > 2.02 {
		t.Errorf("percentile: %+v", median)
	}
}

func TestGroupTags(t *testing.T) {
	t.Parallel()
	tags := tidemark.Tags{{Name: "host", Value: "a"}, {Name: "region", Value: "eu"}, {Name: "zone", Value: "1"}}
	q := Query{GroupBy: []string{"zone", "host", "zone"}}
	got, ok := GroupTags(tags, q.GroupNames())
	if want := (tidemark.Tags{{Name: "host", Value: "a"}, {Name: "zone", Value: "1"}}); !ok || cmp.Diff(want, got) != "" {
		t.Errorf("%v, %v, want %v", got, ok, want)
	}
	if got, ok := GroupTags(tags[:2], q.GroupNames()); ok {
		t.Errorf("%v without a zone", got)
	}
}

func TestTagCounts(t *testing.T) {
	t.Parallel()
	names, hosts := make(TagCounts), make(TagCounts)
	for _, tags := range []tidemark.Tags{
		{{Name: "host", Value: "b"}, {Name: "region", Value: "a"}},
		{{Name: "host", Value: "a"}},
		{{Name: "host", Value: "b"}},
		nil,
	} {
		names.AddNames(tags)
		hosts.AddValue(tags, "host")
	}
	if diff := cmp.Diff([]TagCount{{"host", 3}, {"region", 1}}, names.Sorted()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]TagCount{{"a", 1}, {"b", 2}}, hosts.Sorted()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got := (TagCounts{}).Sorted(); got != nil {
		t.Errorf("%v of nothing", got)
	}
}
