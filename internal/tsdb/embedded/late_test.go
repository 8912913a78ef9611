package embedded

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// late writes one record that is so many seconds late to each of the streams.
func (b *bench) late(metric string, seconds int64) {
	b.t.Helper()
	var batch tsdb.Batch
	for _, s := range []string{"0", "1", "2"} {
		batch.Add(metric, tidemark.Tags{{Name: "s", Value: s}}, b.now-seconds, 1000)
	}
	b.check(b.Write(b.t.Context(), 1, &batch))
}

// A merge of a whole day that needs none must not give away the space of what
// was sealed into it since that was decided.
func TestMergeKeepsWhatWasJustSealed(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.fill("cpu", 3, 700)
	b.check(b.Seal(t.Context()))
	b.now = midnight + 86400 + 4*margin
	b.check(b.Maintain(t.Context()))
	if s := b.upkeep.buckets[midnight/86400]; !s.settled || !s.good() {
		t.Fatalf("the day is not merged: %+v", s)
	}
	b.late("cpu", 86400)
	b.check(b.Seal(t.Context()))
	b.check(b.merge(t.Context(), midnight/86400, true))
	if got := b.points("cpu", 1); got != 3*701 {
		t.Errorf("%d records, want %d", got, 3*701)
	}
}

// Blocks that late records mark are computed again when those have stopped, and
// the days are merged once; answers are right all the while.
func TestLateBlocksWait(t *testing.T) {
	t.Parallel()
	repaired, merges := 0, 0
	b := newBench(t, Options{Hooks: Hooks{Repaired: func(n int) { repaired += n }, Merged: func(MergeInfo) { merges++ }}})
	b.fill("cpu", 3, 1)
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context())) // the hours reach to midnight
	total := func() float64 {
		sum := 0.0
		for s, err := range b.Select(t.Context(), 1, &tsdb.Query{Metric: "cpu", Start: midnight - 86400, End: midnight, Step: 3600, Function: tsdb.Sum}) {
			b.check(err)
			for _, v := range s.Values {
				sum += v
			}
		}
		return sum
	}
	for i := range 4 {
		b.now += 60
		b.late("cpu", 86400)
		if got, want := total(), float64(3000*(i+1)); got != want {
			t.Fatalf("in memory: %v, want %v", got, want)
		}
		b.check(b.Seal(t.Context()))
		b.check(b.Maintain(t.Context()))
		if got, want := total(), float64(3000*(i+1)); got != want {
			t.Fatalf("sealed: %v, want %v", got, want)
		}
	}
	if repaired != 0 || merges != 0 || b.keys(keyDirty) != 3 {
		t.Errorf("%d blocks computed anew, %d merges, %d marks while late records come; want 0, 0 and 3", repaired, merges, b.keys(keyDirty))
	}
	b.now += quiet
	b.check(b.Maintain(t.Context()))
	if repaired != 3 || merges != 1 || b.keys(keyDirty) != 0 {
		t.Errorf("%d blocks computed anew, %d merges, %d marks in the end; want 3, 1 and 0", repaired, merges, b.keys(keyDirty))
	}
	if got := total(); got != 12000 {
		t.Errorf("%v in the end, want 12000", got)
	}
}
