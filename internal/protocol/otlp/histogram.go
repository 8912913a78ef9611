package otlp

import (
	"math"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

func (d *Decoder) addHistogram(out protocol.Point) error {
	p := &d.point
	out.Kind = protocol.Distribution
	if d.metric.temporality == cumulative {
		out.Kind = protocol.CumulativeDistribution
	}
	fill := d.explicit
	if d.metric.kind == anExpHistogram {
		fill = d.exponential
	}
	if d.buckets = d.buckets[:0]; !fill() {
		d.batch.Skip(protocol.BadHistogram, out.Name)
		return nil
	}
	if p.count == 0 { // left out or null: the buckets say it
		for _, b := range d.buckets {
			p.count += b.Count
		}
	}
	return d.batch.AddHistogram(out, protocol.Dist{Count: p.count, Sum: p.sum, Min: p.min, Max: p.max, Buckets: d.buckets})
}

// explicit makes buckets of a histogram with limits of its own. One without
// them has a count and a sum alone.
func (d *Decoder) explicit() bool {
	p := &d.point
	if len(p.counts) == 0 && len(p.bounds) == 0 {
		d.addBucket(math.Inf(-1), math.Inf(1), p.count)
		return true
	}
	if len(p.counts) != len(p.bounds)+1 {
		return false
	}
	lower := math.Inf(-1)
	for i, n := range p.counts {
		upper := math.Inf(1)
		if i < len(p.bounds) {
			upper = p.bounds[i]
		}
		if !(lower <= upper) {
			return false
		}
		d.addBucket(lower, upper, n)
		lower = upper
	}
	return true
}

// The scales that exponential histograms have.
const (
	minScale = -10
	maxScale = 20
)

func (d *Decoder) exponential() bool {
	p := &d.point
	if p.scale < minScale || p.scale > maxScale || !(p.width >= 0) || len(p.neg.counts)+len(p.pos.counts) > protocol.MaxHistogramBuckets {
		return false
	}
	for i := len(p.neg.counts) - 1; i >= 0; i-- {
		index := p.neg.offset + int64(i)
		d.addBucket(-protocol.ExpLimit(p.scale, index+1), -max(protocol.ExpLimit(p.scale, index), p.width), p.neg.counts[i])
	}
	d.addBucket(-p.width, p.width, p.zero)
	for i, n := range p.pos.counts {
		index := p.pos.offset + int64(i)
		d.addBucket(max(protocol.ExpLimit(p.scale, index), p.width), protocol.ExpLimit(p.scale, index+1), n)
	}
	return true
}

func (d *Decoder) addBucket(lower, upper, n float64) {
	if n != 0 {
		d.buckets = append(d.buckets, protocol.Bucket{Lower: lower, Upper: upper, Count: n})
	}
}
