package movein

import (
	"math"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/value"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxTotals is of how many streams the last histogram is remembered, so that the
// first of a block says something about the time since the block before.
const maxTotals = 10_000

// totals are the last native histograms of streams: of the one that is read, and
// of some that were read before.
type totals struct {
	of     map[string]protocol.Dist
	key    string // of the stream that is read
	latest protocol.Dist
}

// replace remembers the histogram of a stream, and returns the one before.
func (t *totals) replace(key string, d protocol.Dist) (before protocol.Dist, had bool) {
	if before, had = t.of[key]; !had && t.key == key {
		before, had = t.latest, true
	}
	t.key, t.latest = key, d
	if _, kept := t.of[key]; kept || len(t.of) < maxTotals {
		t.of[key] = d
	}
	return before, had
}

// native adds a native histogram to s as the distribution that it is: of what it
// has more than the one before, as remote write would have brought it. The first
// of a stream tells only what there was before it, and adds nothing; one that
// was sent before an interruption is only remembered.
func (x *snapshotting) native(s *tsdb.Series, at int64, h *histogram.FloatHistogram, sent bool) {
	if value.IsStaleNaN(h.Sum) {
		return
	}
	d, ok := distOf(h)
	if !ok && sent {
		return // it was counted
	}
	if !ok {
		x.cursor.Done.refuse(s.Metric + ": a native histogram is malformed")
		return
	}
	if h.CounterResetHint != histogram.GaugeType {
		key := string(tsdb.AppendKey(nil, s.Metric, s.Tags))
		before, had := x.totals.replace(key, d)
		if !had {
			return
		}
		d, _ = d.Since(&before)
	}
	if d.Count == 0 || sent {
		return
	}
	of := new(sketch.Sketch)
	d = d.Seal(of)
	s.Times, s.Sketches = append(s.Times, at), append(s.Sketches, of)
	sum := tsdb.Summary{Count: d.Count, Sum: d.Sum, Min: d.Min, Max: d.Max}
	sum.Complete(of)
	s.Summaries = append(s.Summaries, sum)
}

// distOf is a native histogram with its buckets in order. It reports false for
// one that contradicts itself.
func distOf(h *histogram.FloatHistogram) (protocol.Dist, bool) {
	d := protocol.Dist{Count: h.Count, Sum: h.Sum, Min: math.NaN(), Max: math.NaN()}
	if h.Validate() != nil || math.IsNaN(h.Sum) || math.IsInf(h.Sum, 0) || math.IsInf(h.Count, 0) {
		return d, false
	}
	for it := h.AllBucketIterator(); it.Next(); {
		if b := it.At(); b.Count > 0 {
			d.Buckets = append(d.Buckets, protocol.Bucket{Lower: b.Lower, Upper: b.Upper, Count: b.Count})
		}
	}
	return d, len(d.Buckets) <= protocol.MaxHistogramBuckets
}
