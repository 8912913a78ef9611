package embedded_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestNoDistributions: a sketch is refused in words, with the whole batch,
// rather than dropped; so are questions that need one.
func TestNoDistributions(t *testing.T) {
	t.Parallel()
	e, err := embedded.Open(t.Context(), embedded.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var s sketch.Sketch
	s.Add(1, 1)
	var b tsdb.Batch
	b.Add("cpu", nil, 1000, 1)
	b.AddDistribution([]byte("lat"), 1000, tsdb.Single(1), s.AppendBinary(nil))
	if err := e.Write(t.Context(), 1, &b); tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("Write: got %v, want an Invalid error", err)
	}
	for _, f := range []tsdb.Function{tsdb.Percentile, tsdb.Distributions} {
		for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "*", End: tsdb.MaxTime, Step: 1, Function: f}) {
			if tidemark.KindOf(err) != tidemark.Invalid {
				t.Errorf("function %d: got %v, %v, want an Invalid error", f, s, err)
			}
		}
	}
	for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "*", End: tsdb.MaxTime, Step: 1}) {
		t.Errorf("got %v, %v, want nothing stored", s, err)
	}
}
