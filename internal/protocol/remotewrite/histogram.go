package remotewrite

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// histogram is a native histogram as both versions have it.
type histogram struct {
	count, sum, zero, zeroWidth float64
	schema                      int64
	reset                       uint64
	time, start                 int64
	positive, negative          side
	custom                      []float64
	buckets                     []protocol.Bucket
}

// side is the buckets on one side of zero: runs of neighbours, and counts.
type side struct {
	spans  []span
	counts []float64 // of integers: the difference to the one before
	deltas bool
}

type span struct {
	offset int64
	length uint64
}

const (
	customSchema = -53
	minSchema    = -4
	maxSchema    = 8
	resetGauge   = 3 // the histogram is of now, not since a start
)

func (h *histogram) clear() {
	*h = histogram{
		positive: side{spans: h.positive.spans[:0], counts: h.positive.counts[:0]},
		negative: side{spans: h.negative.spans[:0], counts: h.negative.counts[:0]},
		custom:   h.custom[:0], buckets: h.buckets[:0],
	}
}

func (h *histogram) read(r *pb.Reader) {
	h.clear()
	for r.Next() {
		switch r.Field {
		case 1:
			h.count = float64(r.Uint())
		case 2:
			h.count = r.Double()
		case 3:
			h.sum = r.Double()
		case 4:
			h.schema = r.Zigzag()
		case 5:
			h.zeroWidth = r.Double()
		case 6:
			h.zero = float64(r.Uint())
		case 7:
			h.zero = r.Double()
		case 8, 9, 10:
			h.negative.read(r, r.Field-8)
		case 11, 12, 13:
			h.positive.read(r, r.Field-11)
		case 14:
			h.reset = r.Uint()
		case 15:
			h.time = r.Int()
		case 16:
			r.Doubles(func(v float64) { h.custom = append(h.custom, v) })
		case 17:
			h.start = r.Int()
		}
	}
}

// read reads one of the three fields that a side has.
func (s *side) read(r *pb.Reader, field int) {
	switch field {
	case 0:
		m := r.Message()
		var one span
		for m.Next() {
			switch m.Field {
			case 1:
				one.offset = m.Zigzag()
			case 2:
				one.length = m.Uint()
			}
		}
		if len(s.spans) <= protocol.MaxHistogramBuckets {
			s.spans = append(s.spans, one)
		}
		r.Close(&m)
	case 1:
		s.deltas = true
		r.Zigzags(func(v int64) { s.addCount(float64(v)) })
	case 2:
		r.Doubles(s.addCount)
	}
}

// addCount adds the count of a bucket, of which no more than one too many are
// kept.
func (s *side) addCount(v float64) {
	if len(s.counts) <= protocol.MaxHistogramBuckets {
		s.counts = append(s.counts, v)
	}
}

// each calls do with the index and count of every bucket. It reports false
// where the counts are not as many as the spans say.
func (s *side) each(do func(index int64, n float64)) bool {
	index, used, before := int64(0), 0, 0.0
	for _, one := range s.spans {
		index += one.offset
		if one.length > uint64(len(s.counts)-used) {
			return false
		}
		for range one.length {
			n := s.counts[used]
			if s.deltas {
				n += before
			}
			do(index, n)
			before, index, used = n, index+1, used+1
		}
	}
	return used == len(s.counts)
}

// fill makes a list of buckets, in order.
func (h *histogram) fill() bool {
	if h.schema == customSchema {
		return len(h.negative.counts) == 0 && h.zero == 0 && h.positive.each(func(index int64, n float64) {
			h.add(h.customLimit(index-1), h.customLimit(index), n)
		})
	}
	if h.schema < minSchema || h.schema > maxSchema || !(h.zeroWidth >= 0) {
		return false
	}
	if !h.negative.each(func(index int64, n float64) { h.add(-h.limit(index), -h.limit(index-1), n) }) {
		return false
	}
	slices.Reverse(h.buckets)
	for i := range h.buckets {
		h.buckets[i].Upper = min(h.buckets[i].Upper, -h.zeroWidth)
	}
	if h.zero != 0 {
		h.add(-h.zeroWidth, h.zeroWidth, h.zero)
	}
	return h.positive.each(func(index int64, n float64) {
		h.add(max(h.limit(index-1), h.zeroWidth), h.limit(index), n)
	})
}

func (h *histogram) add(lower, upper, n float64) {
	if n != 0 && len(h.buckets) <= protocol.MaxHistogramBuckets {
		h.buckets = append(h.buckets, protocol.Bucket{Lower: lower, Upper: upper, Count: n})
	}
}

// limit returns the upper limit of an exponential bucket.
func (h *histogram) limit(index int64) float64 { return protocol.ExpLimit(h.schema, index) }

func (h *histogram) customLimit(index int64) float64 {
	switch {
	case index < 0:
		return math.Inf(-1)
	case index < int64(len(h.custom)):
		return h.custom[index]
	}
	return math.Inf(1)
}

// nativeHistogram adds a histogram of the series that is being read.
func (d *Decoder) nativeHistogram(r *pb.Reader) error {
	h := &d.histogram
	if h.read(r); r.Err != nil || !d.labelled(1) {
		return nil
	}
	p := d.point
	p.Kind, p.Time, p.Start = protocol.CumulativeDistribution, h.time, h.start
	if h.reset == resetGauge {
		p.Kind = protocol.Distribution
	}
	switch {
	case math.Float64bits(h.sum) == stale:
		d.batch.Skip(protocol.Stale, p.Name)
	case h.time <= 0:
		d.batch.Skip(protocol.BadTime, p.Name)
	case isTooLarge(h.sum) || isTooLarge(h.count):
		d.batch.Skip(protocol.TooLarge, p.Name)
	case !h.fill():
		d.batch.Skip(protocol.BadHistogram, p.Name)
	default:
		before := len(d.batch.Points)
		dist := protocol.Dist{Count: h.count, Sum: h.sum, Min: math.NaN(), Max: math.NaN(), Buckets: h.buckets}
		err := d.batch.AddHistogram(p, dist)
		d.stats.Histograms += len(d.batch.Points) - before
		return err
	}
	return nil
}
