package tsdb_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestBatchFolds: what is folded into a record is counted there, and its sketch
// has what is known of both, whichever of them had one.
func TestBatchFolds(t *testing.T) {
	t.Parallel()
	encoded := func(values ...float64) []byte {
		var s sketch.Sketch
		for _, v := range values {
			s.Add(v, 1)
		}
		return s.AppendBinary(nil)
	}
	two := tsdb.Single(1)
	two.Merge(new(tsdb.Single(2)))
	var b tsdb.Batch
	b.AddKey([]byte("plain"), 60, tsdb.Single(5))
	b.AddDistribution([]byte("dist"), 60, two, encoded(1, 2))
	b.AddKey([]byte("late"), 60, tsdb.Single(7))
	for i, fold := range []struct {
		record int
		s      tsdb.Summary
		sketch []byte
	}{{1, tsdb.Single(3), nil}, {2, two, encoded(1, 2)}, {0, tsdb.Single(6), nil}, {1, two, encoded(1, 2)}} {
		if err := b.Fold(fold.record, fold.s, fold.sketch); err != nil {
			t.Fatal(i, err)
		}
	}
	for i, want := range []struct{ count, sum, known float64 }{{2, 11, 0}, {5, 9, 5}, {3, 10, 3}} {
		var s sketch.Sketch
		if known := b.Sketch(i); known != nil {
			if err := s.MergeEncoded(known); err != nil {
				t.Fatal(err)
			}
		}
		if got := b.Records[i].Summary; got.Count != want.count || got.Sum != want.sum || s.Count() != want.known {
			t.Errorf("record %d: %+v, of which %v are known; want %+v", i, got, s.Count(), want)
		}
	}
	if err := b.ValidateSketches(); err != nil {
		t.Error(err)
	}
	if err := b.Fold(0, tsdb.Single(1), []byte("no sketch")); err == nil || b.Records[0].Summary.Count != 2 {
		t.Errorf("folded what is no sketch: %v %+v", err, b.Records[0])
	}
}
