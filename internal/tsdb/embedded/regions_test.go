package embedded

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"pgregory.net/rapid"
)

// TestRegions: each second of a window is answered once, by the coarsest tier
// whose windows fit the steps, lie whole in the window and are kept.
func TestRegions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, 4_000_000_000).Draw(t, "now")
		e := engineAt(now)
		e.o = Options{RawRetention: 8 * day, MinuteRetention: 62 * day, HourRetention: 400 * day}
		near := rapid.Int64Range(-70*86400, 7200)
		q := &tsdb.Query{Start: now + near.Draw(t, "start"), End: now + near.Draw(t, "end"), Step: rapid.SampledFrom([]int64{1, 7, 60, 90, 120, 3600, 5400, 7200, 86400}).Draw(t, "step")}
		lo, hi := max(q.Start, 0), min(q.End, tsdb.MaxTime+1)
		tierOf := func(at int64) int {
			for tier := hours; tier >= raw; tier-- {
				w := int64(window[tier])
				from := (max(lo, now-e.retention(tier)) + w - 1) / w * w
				if q.Step%w == 0 && at >= from && at < hi/w*w {
					return tier
				}
			}
			return -1
		}
		all := e.regions(q)
		for i, g := range all {
			if g.lo >= g.hi || i > 0 && g.lo < all[i-1].hi {
				t.Fatalf("regions %v", all)
			}
			for _, at := range []int64{g.lo, (g.lo + g.hi) / 2, g.hi - 1} {
				if want := tierOf(at); g.tier != want {
					t.Fatalf("%d is answered by tier %d, want %d: %v", at, g.tier, want, all)
				}
			}
		}
		for range 20 {
			at := rapid.Int64Range(now-75*86400, now+7200).Draw(t, "at")
			covered := slices.ContainsFunc(all, func(g region) bool { return at >= g.lo && at < g.hi })
			if want := lo < hi && at >= lo && at < hi && tierOf(at) >= 0; covered != want {
				t.Fatalf("%d is answered: %v, want %v: %v", at, covered, want, all)
			}
		}
	})
}

// TestBatchSize: a query reads at least one stream at a time, at most 64, and
// fewer where each has many points.
func TestBatchSize(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		targets, workers int
		span, step       int64
		want             int
	}{
		{0, 4, 60, 1, 8}, {10, 4, 60, 1, 8}, {400, 4, 60, 1, 25}, {100_000, 4, 60, 1, 64}, {100_000, 4, 8192, 1, 16}, {100_000, 4, 1 << 30, 1, 1}, {100_000, 4, 1 << 30, 1 << 30, 64},
	} {
		p := &plan{q: &tsdb.Query{Step: tt.step}, regions: []region{{raw, 0, tt.span}}, targets: make([]target, tt.targets)}
		if got := p.batchSize(tt.workers); got != tt.want {
			t.Errorf("%+v: got %d", tt, got)
		}
	}
}

// TestOverdueChunks: overdue records are kept in order of arrival, each in the
// chunk of its day.
func TestOverdueChunks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []chunk.Overdue
		want := make(map[uint32][]chunk.Overdue)
		for range rapid.IntRange(0, 30).Draw(t, "records") {
			o := chunk.Overdue{T: uint32(20_000*86400 + rapid.IntRange(0, 3*86400-1).Draw(t, "time"))}
			if n := len(list); n > 0 && rapid.IntRange(0, 9).Draw(t, "again") > 0 {
				o.T = list[n-1].T // so that hours have many
			}
			o.Sum = tsdb.Single(rapid.Float64Range(-1e9, 1e9).Draw(t, "value"))
			if rapid.Bool().Draw(t, "several") {
				o.Sum = tsdb.Summary{Count: 3, Sum: 6, Min: 1, Max: 3, Last: 2, M2: 2}
			}
			list = append(list, o)
			want[o.T/86400] = append(want[o.T/86400], o)
		}
		chunks := appendOverdueChunks(nil, list, 7, 9, true)
		if len(chunks) != len(want) {
			t.Fatalf("%d chunks of %d days", len(chunks), len(want))
		}
		for _, c := range chunks {
			if c.key.metric != 7 || c.key.stream != 9 || c.key.start != c.key.bucket*86400 {
				t.Fatalf("key %+v", c.key)
			}
			got, err := chunk.ReadOverdue(c.value, c.key.start, bucketLen[overdue], nil)
			if err != nil || !slices.EqualFunc(got, want[c.key.bucket], func(a, b chunk.Overdue) bool { return a.T == b.T && a.Sum == b.Sum }) {
				t.Fatalf("day %d: %v, %v, want %v", c.key.bucket, got, err, want[c.key.bucket])
			}
			checkSums(t, &c, want[c.key.bucket])
		}
	})
}

// checkSums checks that the sums of a chunk, if it has any, come to what it holds.
func checkSums(t *rapid.T, c *overdueChunk, list []chunk.Overdue) {
	sums, err := chunk.ReadOverdue(c.sums, c.key.start, bucketLen[overdue], nil)
	if err != nil || worthSums*len(sums) > len(list) {
		t.Fatalf("%d sums of %d records, %v", len(sums), len(list), err)
	}
	if len(sums) == 0 {
		return
	}
	var got, want tsdb.Summary
	for i := range sums {
		got.Merge(&sums[i].Sum)
	}
	for i := range list {
		want.Merge(&list[i].Sum)
	}
	if got.Count != want.Count || got.Min != want.Min || got.Max != want.Max || got.Last != want.Last {
		t.Fatalf("sums come to %+v, want %+v", got, want)
	}
}

// TestLateAndExpired: what the tiers do not hold yet is not dropped, however
// old it is, and is dropped once they do.
func TestLateAndExpired(t *testing.T) {
	t.Parallel()
	var expired []int64
	b := newBench(t, Options{Hooks: Hooks{Expired: func(window int64, _ time.Time) { expired = append(expired, window) }}})
	b.fill("cpu", 1, 60)
	start := b.now - 600
	b.now += 10 * 86400 // records are over, but still in memory
	b.check(b.expireRaw(t.Context()))
	if len(expired) > 0 || b.state.Load().frozen != 0 {
		t.Fatalf("expired %v before the tiers have it", expired)
	}
	for range 3 {
		b.check(b.Seal(t.Context()))
		b.check(b.Maintain(t.Context()))
	}
	if !slices.Contains(expired, 1) || b.chunks(raw, fresh)+b.chunks(raw, merged) != 0 {
		t.Errorf("expired %v, %d chunks are left", expired, b.chunks(raw, fresh)+b.chunks(raw, merged))
	}
	sum := 0.0
	for s, err := range b.Select(t.Context(), 1, &tsdb.Query{Metric: "cpu", Start: start, End: tsdb.MaxTime, Step: 60, Function: tsdb.Count}) {
		b.check(err)
		for _, v := range s.Values {
			sum += v
		}
	}
	if sum != 60 {
		t.Errorf("the minutes count %v records, want 60", sum)
	}
}
