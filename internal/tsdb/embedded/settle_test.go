package embedded

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
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

// imported returns an engine that was given so many days just now.
func imported(t *testing.T, days int) *bench {
	t.Helper()
	b := newBench(t, Options{})
	b.fill("other", 1, 1)
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context())) // the tiers reach to now
	b.importDays(days)
	return b
}

// Straight after an import nothing is left to tidy up: no clock moves here.
func TestSettleAfterImport(t *testing.T) {
	t.Parallel()
	const days = 30
	b := imported(t, days)
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

// TestOverdueSums: what is older than raw records are kept is read as hours
// while it waits to be added to the tiers, where nothing is lost by that.
func TestOverdueSums(t *testing.T) {
	t.Parallel()
	b := imported(t, 30)
	end := (b.now - 20*86400) / 3600 * 3600
	count := func(step int64) (n float64) {
		q := &tsdb.Query{Metric: "cpu", Start: end - 2*86400, End: end, Step: step, Function: tsdb.Count}
		for s, err := range b.Select(t.Context(), 1, q) {
			b.check(err)
			for _, v := range s.Values {
				n += v
			}
		}
		return n
	}
	const want = 2 * 1440 * 3
	check := func(step int64, want float64, when string) {
		t.Helper()
		if got := count(step); got != want {
			t.Errorf("%v records by steps of %d s %s, want %v", got, step, when, want)
		}
	}
	check(3600, want, "in memory")
	b.check(b.Seal(t.Context()))
	check(3600, want, "sealed")
	check(60, want, "sealed")
	if b.chunks(overdue, merged) == 0 {
		t.Fatal("there are no sums")
	}
	b.head.sketched.Store(true)
	check(3600, want, "where single values may count in sketches")
	b.head.sketched.Store(false)
	b.check(b.tables.Apply(t.Context(), true, func(w *tables.Writer) error {
		return w.DeleteRange(bucketsBefore(overdue, fresh, uint32(b.now/86400)))
	}))
	check(3600, want, "without the records themselves")
	check(60, 0, "without the records themselves") // else they are not what was deleted
}

// TestOverdueSumsFolded: sums go with the records that they are of.
func TestOverdueSumsFolded(t *testing.T) {
	t.Parallel()
	b := imported(t, 30)
	b.check(b.Settle(t.Context()))
	if a, c := b.chunks(overdue, merged), b.chunks(overdue, fresh); a != 0 || c != 0 {
		t.Errorf("%d sums and %d chunks are left", a, c)
	}
}
