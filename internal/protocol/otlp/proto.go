package otlp

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// Decode adds what is in a request of protocol buffers to b. Points that
// cannot be kept are counted there.
func (d *Decoder) Decode(body []byte, b *protocol.Batch) error {
	d.batch = b
	r := pb.New(body)
	err := each(&r, 1, d.readResource)
	if err == nil && r.Err != nil {
		err = tidemark.Errorf(tidemark.Invalid, "the body is not an export request of metrics: %v", r.Err)
	}
	return err
}

// each calls do for every message in a field, until one fails.
func each(r *pb.Reader, field int, do func(*pb.Reader) error) error {
	for r.Next() {
		if r.Field != field {
			continue
		}
		m := r.Message()
		err := do(&m)
		if r.Close(&m); err != nil {
			return err
		}
	}
	return nil
}

func (d *Decoder) readResource(r *pb.Reader) error {
	again := *r
	attrs := d.point.attrs[:0]
	if err := each(r, 1, func(resource *pb.Reader) error {
		return each(resource, 1, func(kv *pb.Reader) error {
			if a := readAttribute(kv); len(attrs) < maxAttributes {
				attrs = append(attrs, a)
			}
			return nil
		})
	}); err != nil || r.Err != nil {
		return err
	}
	d.startResource(attrs)
	d.point.attrs = attrs
	*r = again
	return each(r, 2, d.readScope)
}

func (d *Decoder) readScope(r *pb.Reader) error {
	again, name := *r, ""
	if err := each(r, 1, func(scope *pb.Reader) error {
		for scope.Next() {
			if scope.Field == 1 {
				name = scope.Text()
			}
		}
		return nil
	}); err != nil || r.Err != nil {
		return err
	}
	d.startScope(name)
	*r = again
	return each(r, 2, d.readMetric)
}

// readMetric reads what the points have in common first, wherever it is.
func (d *Decoder) readMetric(r *pb.Reader) error {
	d.metric = metric{}
	m := &d.metric
	var data pb.Reader
	for r.Next() {
		switch r.Field {
		case 1:
			m.name = r.Text()
		case 2:
			m.help = r.Text()
		case 3:
			m.unit = r.Text()
		case aGauge, aSum, aHistogram, anExpHistogram, aSummary:
			m.kind, data = r.Field, r.Message()
		}
	}
	again := data
	for data.Next() {
		switch {
		case data.Field == 1:
			m.points++
		case data.Field == 2 && m.kind != aGauge && m.kind != aSummary:
			m.temporality = data.Uint()
		case data.Field == 3 && m.kind == aSum:
			m.monotonic = data.Uint() != 0
		}
	}
	if r.Close(&data); r.Err != nil || !d.startMetric() {
		return nil
	}
	return d.readPoints(r, again)
}

// readPoints reads the points in data, which is a field of r.
func (d *Decoder) readPoints(r *pb.Reader, data pb.Reader) error {
	for data.Next() {
		if data.Field != 1 {
			continue
		}
		m := data.Message()
		err := d.readPoint(&m)
		if data.Close(&m); err != nil {
			return err
		}
	}
	r.Close(&data)
	return nil
}

func (d *Decoder) readPoint(r *pb.Reader) error {
	p := &d.point
	p.clear(d.metric.kind)
	switch d.metric.kind {
	case aHistogram:
		p.readHistogram(r)
	case anExpHistogram:
		p.readExponential(r)
	default: // the fields of numbers and of summaries differ but for these
		p.readNumber(r, d.metric.kind == aSummary)
	}
	if r.Err == nil {
		d.recall(r)
	}
	if r.Err != nil {
		return nil
	}
	return d.add()
}

// readCommon reads what all points have.
func (p *point) readCommon(r *pb.Reader, attributes, flags int) {
	switch r.Field {
	case attributes:
		p.attributes(r)
	case 2:
		p.start = r.Fixed()
	case 3:
		p.time = r.Fixed()
	case flags:
		p.flags = r.Uint()
	}
}

// attributes takes attributes that are next to each other: all of a point,
// unless its sender is an odd one. Those are not read yet.
func (p *point) attributes(r *pb.Reader) {
	run := r.Run()
	if p.sent.Lent() == "" && len(p.attrs) == 0 {
		p.sent = run
		return
	}
	for _, part := range []*pb.Reader{&p.sent, &run} {
		p.readAttributes(part)
		r.Close(part)
	}
}

func (p *point) readAttributes(r *pb.Reader) {
	for r.Next() {
		if len(p.attrs) >= maxAttributes {
			continue
		}
		if a, ok := textAttribute(r.Raw()); ok {
			p.attrs = append(p.attrs, a)
			continue
		}
		m := r.Message()
		p.attrs = append(p.attrs, readAttribute(&m))
		r.Close(&m)
	}
}

func (p *point) readNumber(r *pb.Reader, summary bool) {
	for r.Next() {
		switch {
		case summary && r.Field >= 4 && r.Field <= 6:
			p.readSummary(r)
		case !summary && r.Field == 4:
			p.value, p.hasValue = r.Double(), true
		case !summary && r.Field == 6:
			p.value, p.hasValue = float64(int64(r.Fixed())), true
		default:
			p.readCommon(r, 7, 8)
		}
	}
}

func (p *point) readSummary(r *pb.Reader) {
	switch r.Field {
	case 4:
		p.count = float64(r.Fixed())
	case 5:
		p.sum = r.Double()
	case 6:
		m := r.Message()
		var q quantile
		for m.Next() {
			switch m.Field {
			case 1:
				q.q = m.Double()
			case 2:
				q.value = m.Double()
			}
		}
		if len(p.quantiles) < maxAttributes {
			p.quantiles = append(p.quantiles, q)
		}
		r.Close(&m)
	}
}

func (p *point) readHistogram(r *pb.Reader) {
	for r.Next() {
		switch r.Field {
		case 4:
			p.count = float64(r.Fixed())
		case 5:
			p.sum = r.Double()
		case 6:
			r.Fixeds(func(v uint64) { p.counts = append(p.counts, float64(v)) })
		case 7:
			r.Doubles(func(v float64) { p.bounds = append(p.bounds, v) })
		case 11:
			p.min = r.Double()
		case 12:
			p.max = r.Double()
		default:
			p.readCommon(r, 9, 10)
		}
	}
}

func (p *point) readExponential(r *pb.Reader) {
	for r.Next() {
		switch r.Field {
		case 4:
			p.count = float64(r.Fixed())
		case 5:
			p.sum = r.Double()
		case 6:
			p.scale = r.Zigzag()
		case 7:
			p.zero = float64(r.Fixed())
		case 8:
			p.pos.read(r)
		case 9:
			p.neg.read(r)
		case 12:
			p.min = r.Double()
		case 13:
			p.max = r.Double()
		case 14:
			p.width = r.Double()
		default:
			p.readCommon(r, 1, 10)
		}
	}
}

func (s *side) read(r *pb.Reader) {
	m := r.Message()
	for m.Next() {
		switch m.Field {
		case 1:
			s.offset = m.Zigzag()
		case 2:
			m.Numbers(func(v uint64) {
				if len(s.counts) <= protocol.MaxHistogramBuckets { // one more is refused
					s.counts = append(s.counts, float64(v))
				}
			})
		}
	}
	r.Close(&m)
}
