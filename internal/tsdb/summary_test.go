package tsdb_test

import (
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

// TestMerge cuts values anywhere, merges the summaries of the parts, and
// compares with two passes over the values.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 50).Draw(t, "values")
		var got, part tsdb.Summary
		for _, v := range values {
			one := tsdb.Single(v)
			part.Merge(&one)
			if rapid.Bool().Draw(t, "cut") {
				got.Merge(&part)
				part = tsdb.Summary{}
			}
		}
		got.Merge(&part)
		want := summarize(values)
		if got.Count != want.Count || got.Min != want.Min || got.Max != want.Max || got.Last != want.Last {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		size := 0.0
		for _, v := range values {
			size += v * v
		}
		if math.Abs(got.Sum-want.Sum) > 1e-9*math.Sqrt(size)*got.Count || math.Abs(got.M2-want.M2) > 1e-9*size {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func summarize(values []float64) tsdb.Summary {
	s := tsdb.Summary{Count: float64(len(values)), Min: math.Inf(1), Max: math.Inf(-1), Last: values[len(values)-1]}
	for _, v := range values {
		s.Sum += v
		s.Min, s.Max = math.Min(s.Min, v), math.Max(s.Max, v)
	}
	for _, v := range values {
		s.M2 += (v - s.Mean()) * (v - s.Mean())
	}
	return s
}

func TestMergeEmpty(t *testing.T) {
	s, empty := tsdb.Single(3), tsdb.Summary{}
	s.Merge(&empty)
	if s != tsdb.Single(3) {
		t.Errorf("merging nothing made %+v", s)
	}
	empty.Merge(&s)
	if empty != tsdb.Single(3) {
		t.Errorf("merging into nothing made %+v", empty)
	}
}

func TestSummaryValue(t *testing.T) {
	s := tsdb.Summary{Count: 4, Sum: 20, Min: 2, Max: 9, Last: 6, M2: 26}
	for f, want := range map[tsdb.Function]float64{
		tsdb.Mean: 5, tsdb.Sum: 20, tsdb.Count: 4, tsdb.Min: 2, tsdb.Max: 9, tsdb.Last: 6,
		tsdb.StdDev: math.Sqrt(6.5), tsdb.Derivative: 6, tsdb.All: 5,
	} {
		if got := s.Value(f); got != want {
			t.Errorf("function %d gives %v, want %v", f, got, want)
		}
	}
	// Rounding may leave a deviation a little below nothing.
	s.M2 = -1e-12
	if got := s.StdDev(); got != 0 {
		t.Errorf("deviation is %v, want 0", got)
	}
}

func TestIsSingle(t *testing.T) {
	one := tsdb.Single(-2.5)
	if !one.IsSingle() {
		t.Errorf("%+v is not single", one)
	}
	for name, spoil := range map[string]func(*tsdb.Summary){
		"count": func(s *tsdb.Summary) { s.Count = 2 },
		"sum":   func(s *tsdb.Summary) { s.Sum = 2 },
		"min":   func(s *tsdb.Summary) { s.Min = -3 },
		"max":   func(s *tsdb.Summary) { s.Max = 3 },
		"last":  func(s *tsdb.Summary) { s.Last = 2 },
		"m2":    func(s *tsdb.Summary) { s.M2 = 2 },
	} {
		s := one
		spoil(&s)
		if s.IsSingle() {
			t.Errorf("with another %s, %+v is single", name, s)
		}
	}
}

func TestValidate(t *testing.T) {
	invalid := func(what string, err error) {
		t.Helper()
		if tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: got %v, want an Invalid error", what, err)
		}
	}
	for _, r := range []tsdb.Record{{Time: 0, Summary: tsdb.Single(1)}, {Time: tsdb.MaxTime, Summary: tsdb.Summary{Count: 1.5}}} {
		if err := r.Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, r := range []tsdb.Record{
		{Time: -1, Summary: tsdb.Single(1)}, {Time: tsdb.MaxTime + 1, Summary: tsdb.Single(1)}, {},
		{Summary: tsdb.Summary{Count: math.NaN()}}, {Summary: tsdb.Summary{Count: -1}},
	} {
		invalid("record", r.Validate())
	}
	for _, m := range []tsdb.Mode{{}, {Period: -1}, {Fold: true, Period: 1}, {Fold: true, Period: 600}} {
		if err := m.Validate(); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	for _, m := range []tsdb.Mode{{Fold: true}, {Fold: true, Period: -60}, {Fold: true, Period: math.MaxInt64}} {
		invalid("mode", m.Validate())
	}
	if err := (&tsdb.Query{Step: 1, Start: 5, End: 3, Group: true, GroupBy: []string{"a"}}).Validate(); err != nil {
		t.Error(err)
	}
	for _, q := range []tsdb.Query{
		{}, {Step: -60}, {Step: 1, Function: tsdb.Distributions + 1}, {Step: 1, GroupFunction: tsdb.GroupMerge + 1},
		{Step: 1, Function: tsdb.Percentile, Quantile: -0.1}, {Step: 1, Function: tsdb.Percentile, Quantile: math.NaN()}, {Step: 1, Quantile: 0.5},
		{Step: 1, Group: true, Function: tsdb.Distributions}, {Step: 1, Group: true, GroupFunction: tsdb.GroupMerge, Function: tsdb.Derivative},
		{Step: 1, Group: true, Function: tsdb.All}, {Step: 1, GroupBy: []string{"a"}}, {Step: 1, Filter: tsdb.Filter{Op: tsdb.Not}},
	} {
		invalid("query", q.Validate())
	}
}
