package movein

import (
	"math"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/value"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxTotals is how many histograms are remembered, so that the first of a block
// says something about the time since the last of the block before.
const maxTotals = 10_000

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
		before, had := x.totals[key]
		if had || len(x.totals) < maxTotals {
			x.totals[key] = d
		}
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
