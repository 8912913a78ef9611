package query_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// distributions is a catalog of one metric that has some.
type distributions struct{ query.Catalog }

func (distributions) Metric(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
	m := &tidemark.Metric{Name: name, Type: tidemark.Gauge, Attributes: map[string]any{}}
	if name == "lat" {
		m.Attributes["distribution"] = true
	}
	return m, nil
}

// filled has an engine with two hosts whose values from 1 to 1000 are shared
// out so that no host's percentile is that of both, in two minutes each.
func filled(t *testing.T) *query.Querier {
	t.Helper()
	db := memory.New()
	var b tsdb.Batch
	for i, host := range []string{"a", "b"} {
		for minute := range int64(2) {
			var s sketch.Sketch
			d := tsdb.Distribution{Sketch: &s}
			for v := 1; v <= 1000; v++ {
				if (v > 900) == (i == 1) { // b is slow, and seldom asked
					one := tsdb.Single(float64(v))
					d.Summary.Merge(&one)
					s.Add(float64(v), 1)
				}
			}
			tags := tidemark.Tags{{Name: "host", Value: host}}
			b.AddDistribution(tsdb.AppendKey(nil, "lat", tags), 600+60*minute, d.Summary, s.AppendBinary(nil))
			b.Add("plain", tags, 600+60*minute, float64(10*(i+1)))
		}
	}
	if err := db.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	return query.New(query.Options{Engine: db, Catalog: distributions{}})
}

func close1(got, want float64) bool { return math.Abs(got-want) <= want/100+1e-9 }

// TestPercentileSummaries: the percentile of a group is that of all its
// values, over any time.
func TestPercentileSummaries(t *testing.T) {
	q := filled(t)
	for _, c := range []struct {
		summary, function string
		group             []string
		resolution        int64
		want              []float64 // of the first point of each series
	}{
		{"p50", "", nil, 60, []float64{450, 950}},
		{"p95", "", []string{"*"}, 60, []float64{950}},
		{"P95", "mean", []string{"*"}, 600, []float64{950}},
		{"p999", "mean", []string{"host"}, 600, []float64{900, 1000}},
		{"p50", "max", []string{"*"}, 60, []float64{950}},
		{"p50", "sum", []string{"*"}, 60, []float64{1400}},
	} {
		all, err := q.Select(t.Context(), 1, query.Request{Metric: "lat", Start: 600, End: 719, Resolution: c.resolution,
			Summary: c.summary, GroupBy: c.group, GroupFunction: c.function})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for s, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s.Values[0])
		}
		ok := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			ok = ok && close1(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestPercentileComposites: percentile() around a series() of distributions is
// one of all values, in groups too; of others it is what it was.
func TestPercentileComposites(t *testing.T) {
	q := filled(t)
	for text, want := range map[string][]float64{
		`percentile(s("lat", "*"), {p: "95"})`:                                    {950, 950},
		`percentile(s("lat", {"host": "a"}), {p: "50"})`:                          {450, 450},
		`group_by("host", percentile(s("lat", "*"), {p: "50"}))`:                  {450, 450, 950, 950},
		`s("lat", {"host": "b"}, {function: "p50"})`:                              {950, 950},
		`max(s("lat", "*", {function: "p50"}))`:                                   {950, 950},
		`percentile(s("lat", "*", {function: "max"}), {p: "100"})`:                {1000, 1000},
		`percentile(s("plain", "*"), {p: "50"})`:                                  {15, 15},
		`percentile(s("lat", "*"), {p: "50"})`:                                    {500, 500},
		`sum([percentile(s("lat", "*"), {p: "50"}), mean(s("lat", "*"))])`:        {500 + (450.5+950.5)/2, 500 + (450.5+950.5)/2},
		`percentile([s("plain", {"host":"a"}), s("plain", {"host":"b"})], {p:0})`: {10, 10},
	} {
		e, err := query.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		result, err := q.Eval(t.Context(), 1, e, query.Window{Start: 600, End: 720, Step: 60}, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []float64
		for _, s := range result.Series {
			got = append(got, s.Values...)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if !close1(got[i], want[i]) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
	}
	if _, err := query.Parse(fmt.Sprintf(`s("lat", "*", {function: %q})`, "p42")); err == nil {
		t.Error("p42 was taken")
	}
}
