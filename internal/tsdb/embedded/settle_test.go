package embedded

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// importDays writes so many days of minutes of three streams, all of them
// late, as an import does into an engine that has run for a while.
func (b *bench) importDays(days int) {
	b.t.Helper()
	var batch tsdb.Batch
	for d := days; d > 0; d-- {
		batch.Reset()
		for t := b.now - int64(d)*86400; t < b.now-int64(d-1)*86400; t += 60 {
			for _, s := range []string{"0", "1", "2"} {
				batch.Add("cpu", tidemark.Tags{{Name: "s", Value: s}}, t, 1)
			}
		}
		b.check(b.Write(b.t.Context(), 1, &batch))
	}
}

// Straight after an import nothing is left to tidy up: no clock moves here.
func TestSettleAfterImport(t *testing.T) {
	t.Parallel()
	const days = 30
	b := newBench(t, Options{})
	b.fill("other", 1, 1)
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context())) // the tiers reach to now
	b.importDays(days)
	total := func() (sum float64) {
		q := &tsdb.Query{Metric: "cpu", Start: b.now - days*86400, End: b.now, Step: 3600, Function: tsdb.Sum, Group: true, GroupFunction: tsdb.GroupSum}
		for s, err := range b.Select(t.Context(), 1, q) {
			b.check(err)
			for _, v := range s.Values {
				sum += v
			}
		}
		return sum
	}
	before := total()
	if want := float64(days * 1440 * 3); before != want {
		t.Fatalf("%v before it is settled, want %v", before, want)
	}
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context()))
	if b.keys(keyDirty) == 0 {
		t.Fatal("nothing is left to do after an ordinary round: the test shows nothing")
	}
	b.check(b.Settle(t.Context()))
	if got := total(); got != before {
		t.Errorf("%v after it is settled, want %v", got, before)
	}
	if n := b.keys(keyDirty); n != 0 {
		t.Errorf("%d blocks are still to be made", n)
	}
	for bucket, s := range b.upkeep.buckets {
		if end := int64(bucket+1) * 86400; end+margin < b.now && s.freshGens > 0 {
			t.Errorf("the day %d is not merged: %+v", bucket, s)
		}
	}
	if n := b.tiers.count.Load(); n != 0 {
		t.Errorf("%d marks are left", n)
	}
}
