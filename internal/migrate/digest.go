package migrate

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Digest is what tells some records from others.
type Digest struct {
	Records int64   `json:"records"`
	Count   float64 `json:"count"` // of the values that they are of
	Sum     float64 `json:"sum"`
	first   int64   // time of the earliest
	largest float64 // how large values get, in either direction
	hash    uint64  // of everything, in any order
}

// mark is what is noted of a digest.
func (d *Digest) mark() int64 { return int64(d.hash) ^ d.Records }

// equal reports whether both are of the same records. Of what was computed
// from other records on either side, only counts and sums can be compared.
func (d *Digest) equal(o *Digest, w *window) bool {
	if !w.settled {
		return d.hash == o.hash && d.Records == o.Records
	}
	if math.Abs(d.Sum-o.Sum) > 1e-9*max(d.largest, o.largest)*max(d.Count, 1) {
		return false
	}
	return d.Count == o.Count
}

// point is a record as it is digested.
type point struct {
	stream uint64 // hash of its key
	time   int64
	s      *tsdb.Summary
	sketch []byte
	buf    []byte
}

func (d *Digest) add(p *point) {
	if d.Records == 0 || p.time < d.first {
		d.first = p.time
	}
	d.Records++
	d.Count += p.s.Count
	d.Sum += p.s.Sum
	d.largest = max(d.largest, math.Abs(p.s.Min), math.Abs(p.s.Max))
	b := binary.LittleEndian.AppendUint64(p.buf[:0], p.stream)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.time))
	for _, v := range [...]float64{p.s.Count, p.s.Sum, p.s.Min, p.s.Max, p.s.Last} {
		b = appendFloat(b, v)
	}
	if !math.IsInf(p.s.Sum, 0) && !math.IsNaN(p.s.Sum) { // deviations from it mean nothing then
		b = appendFloat(b, p.s.M2)
	}
	p.buf = append(b, p.sketch...)
	d.hash += xxhash.Sum64(p.buf)
}

// appendFloat takes a zero for a zero, and what is no number for no number: an
// engine that sums may change the sign of one and the bits of the other.
func appendFloat(b []byte, v float64) []byte {
	switch {
	case v == 0:
		v = 0
	case math.IsNaN(v):
		v = math.NaN()
	}
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

// digests are those of metrics, by name.
type digests map[string]*Digest

// of returns that of a metric.
func (d digests) of(metric string) *Digest {
	if d[metric] == nil {
		d[metric] = new(Digest)
	}
	return d[metric]
}

// eachPoint calls do with the points of a series, each with its sketch encoded.
func eachPoint(s *tsdb.Series, key []byte, do func(i int, p *point)) {
	p := &point{stream: xxhash.Sum64(key)}
	for i, t := range s.Times {
		p.time, p.s, p.sketch = t, &s.Summaries[i], p.sketch[:0]
		if k := s.SketchAt(i); k != nil {
			p.sketch = k.AppendBinary(p.sketch)
		}
		do(i, p)
	}
}

// digest reads a window and returns what each metric has in it.
func (r *reader) digest(ctx context.Context, w window) (digests, error) {
	found := make(digests)
	var key []byte
	err := r.each(ctx, w, func(s *tsdb.Series) error {
		d := found.of(s.Metric)
		key = tsdb.AppendKey(key[:0], s.Metric, s.Tags)
		eachPoint(s, key, func(_ int, p *point) { d.add(p) })
		return nil
	})
	return found, err
}

// days reads one metric in a window and returns what it has on each day.
func (r *reader) days(ctx context.Context, w window, metric string) (map[int64]*Digest, error) {
	found := make(map[int64]*Digest)
	var key []byte
	err := r.only(metric).each(ctx, w, func(s *tsdb.Series) error {
		key = tsdb.AppendKey(key[:0], s.Metric, s.Tags)
		eachPoint(s, key, func(_ int, p *point) {
			at := p.time / day * day
			if found[at] == nil {
				found[at] = new(Digest)
			}
			found[at].add(p)
		})
		return nil
	})
	return found, err
}
