package migrate

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestPlan: windows follow each other without a gap, whenever the migration
// began, finer ones later, and none is of two partitions of ClickHouse.
func TestPlan(t *testing.T) {
	t.Parallel()
	one := []tsdb.Tier{{Window: 1, Retention: 8 * day}, {Window: 60, Retention: 62 * day}, {Window: 3600, Retention: 1830 * day}}
	many := []tsdb.Tier{{Window: 1, Retention: 5 * day}, {Window: 3600, Retention: 900 * day}}
	const now = 20_000*day + 12345
	for _, to := range [][]tsdb.Tier{one, many} {
		for started := int64(now - 100*day); started <= now; started += 7 * day / 2 {
			all := plan(one, to, started, now)
			last := all[len(all)-1]
			if last.end != 20_002*day || last.step != 1 || last.settled || all[0].start != keptFrom(common(one, to)[len(to)-1], now) {
				t.Fatalf("from %+v to %+v", all[0], last)
			}
			for i, w := range all {
				if i > 0 && (w.start != all[i-1].end || w.step > all[i-1].step) {
					t.Fatalf("%+v after %+v", w, all[i-1])
				}
				if w.start >= w.end || w.start/lengths[w.step] != (w.end-1)/lengths[w.step] {
					t.Fatalf("%+v", w)
				}
				if kept := keptFrom(tsdb.Tier{Retention: retention(common(one, to), w.step)}, now); w.settled != (w.start < kept) {
					t.Fatalf("%+v, kept from %d", w, kept)
				}
			}
		}
	}
}

func retention(tiers []tsdb.Tier, step int64) int64 {
	for _, t := range tiers {
		if t.Window == step {
			return t.Retention
		}
	}
	return 0
}

// TestSlices: parts of a window have a bounded number of records and whole
// steps.
func TestSlices(t *testing.T) {
	t.Parallel()
	for _, w := range []window{{start: 0, end: day, step: 1}, {start: 30 * day, end: 60 * day, step: 3600}} {
		for _, streams := range []int64{0, 1, 1000, 500_000, 10_000_000} {
			at := w.start
			for _, p := range w.slices(streams) {
				if p.start != at || p.start%w.step != 0 || p.end > w.end || p.end <= p.start {
					t.Fatalf("%d streams: %+v after %d", streams, p, at)
				}
				if steps := (p.end - p.start) / max(w.step, 10); steps > 1 && steps*streams > rowsAtOnce {
					t.Fatalf("%d streams: %+v has %d records", streams, p, steps*streams)
				}
				at = p.end
			}
			if at != w.end {
				t.Fatalf("%d streams: ends at %d", streams, at)
			}
		}
	}
}
