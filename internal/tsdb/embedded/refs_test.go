package embedded

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestSharedRefs: where two organizations have a stream of the same name, and so
// the same Ref, each has its own records; so has one whose metric was deleted
// in between.
func TestSharedRefs(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	key, ref := tsdb.AppendKey(nil, "cpu", tidemark.Tags{{Name: "host", Value: "a"}}), new(streamref.Ref)
	write := func(org tidemark.OrgID, value float64) {
		t.Helper()
		var batch tsdb.Batch
		batch.AddRef(key, ref, b.now-100+int64(value), tsdb.Single(value))
		b.check(b.Write(t.Context(), org, &batch))
	}
	has := func(org tidemark.OrgID, want ...float64) {
		t.Helper()
		var got []float64
		for s, err := range b.Select(t.Context(), org, &tsdb.Query{Metric: "cpu", Start: b.now - 200, End: b.now, Step: 1}) {
			b.check(err)
			got = append(got, s.Values...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("organization %d has %v, want %v", org, got, want)
		}
	}
	for _, value := range []float64{1, 2, 3} {
		write(1, value)
		write(2, 10*value)
	}
	has(1, 1, 2, 3)
	has(2, 10, 20, 30)
	b.check(b.Delete(t.Context(), 1, "cpu"))
	write(2, 40)
	write(1, 5)
	has(1, 5)
	has(2, 10, 20, 30, 40)
}
