// Package remotewrite decodes what Prometheus and its kin send: remote write
// 1.0 and 2.0, decompressed.
//
// Only a few fields of these messages matter here, so they are read directly:
// making the structs of the protocol first costs several times as much.
package remotewrite

import (
	"encoding/binary"
	"math"
	"mime"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// The versions of the protocol.
const (
	V1 = 1
	V2 = 2
)

// Version returns the version that a content type stands for.
func Version(contentType string) (int, error) {
	media, params, err := mime.ParseMediaType(contentType)
	if err == nil && media == "application/x-protobuf" {
		switch params["proto"] {
		case "", "prometheus.WriteRequest":
			return V1, nil
		case "io.prometheus.write.v2.Request":
			return V2, nil
		}
	}
	return 0, tidemark.Errorf(tidemark.Unsupported,
		"the content type %.100q is not one of remote write 1.0 or 2.0, which are application/x-protobuf", contentType)
}

// Stats counts what was taken of a request, for the answer.
type Stats struct{ Samples, Histograms int }

// Decoder decodes requests, one at a time. It keeps its memory.
type Decoder struct {
	batch     *protocol.Batch
	stats     Stats
	histogram histogram

	symbols       []string // of version 2
	names, values []string // the same in the API's alphabet, once they were needed
	refs          []uint64

	// Of the series that is being read.
	point   protocol.Point
	pending []sample // they may come before the labels
	ready   bool
	why     protocol.Reason // its points are left out
	counted int             // how many of them were counted with the labels
	le      bool
	typ     uint64
	named   string           // its labels, as they were sent
	known   *protocol.Labels // what was made of them before
}

type sample struct {
	value       float64
	time, start int64
}

// stale is the NaN that Prometheus sends where a series ends.
const stale = 0x7ff0000000000002

// nameLabel is the label that has a metric's name.
const nameLabel = "__name__"

// Decode adds what is in body to b. Samples that cannot be kept are counted
// there; an error means that the body is no such message, or too much.
func (d *Decoder) Decode(version int, body []byte, b *protocol.Batch) (Stats, error) {
	d.batch, d.stats = b, Stats{}
	read := d.readV1
	if version == V2 {
		read = d.readV2
	}
	r := pb.New(body)
	err := read(&r)
	if err == nil && r.Err != nil {
		err = tidemark.Errorf(tidemark.Invalid, "the body is not a remote write request %d.0: %v", version, r.Err)
	}
	return d.stats, err
}

func (d *Decoder) readV1(r *pb.Reader) error {
	for r.Next() {
		m := pb.Reader{}
		switch r.Field {
		case 1:
			m = r.Message()
			if err := d.seriesV1(&m); err != nil {
				return err
			}
		case 3:
			m = r.Message()
			d.metadataV1(&m)
		}
		r.Close(&m)
	}
	return nil
}

func (d *Decoder) start() {
	d.batch.StartLabels()
	d.point = protocol.Point{}
	d.pending = d.pending[:0]
	d.ready, d.why, d.counted, d.le, d.typ = false, "", 0, false, 0
	d.named, d.known = "", nil
}

func (d *Decoder) seriesV1(r *pb.Reader) error {
	d.start()
	for r.Next() {
		switch r.Field {
		case 1:
			if !d.labelsAgain(r) {
				m := r.Run()
				d.labels(&m)
				r.Close(&m)
			}
		case 2:
			d.sample(r)
		case 3:
			d.batch.Skip(protocol.Exemplar, d.point.Name)
		case 4:
			m := r.Message()
			if err := d.nativeHistogram(&m); err != nil {
				return err
			}
			r.Close(&m)
		}
	}
	return d.finish(r)
}

// form is that of labels in version 1.
const form protocol.Form = 'w'

// labelsAgain takes the labels of a series if they are those that are expected.
func (d *Decoder) labelsAgain(r *pb.Reader) bool {
	if d.named != "" {
		return false
	}
	rest := r.Rest()
	if d.known = d.batch.Next(form, rest, endsLabels); d.known == nil {
		return false
	}
	d.named = rest[:d.known.Len()]
	d.take()
	r.Skip(len(d.named))
	return true
}

// endsLabels reports whether no label follows.
func endsLabels(rest string) bool { return rest == "" || rest[0] != 1<<3|pb.Bytes }

// take makes the point one of what is known.
func (d *Decoder) take() {
	d.point.Name, d.point.Labels, d.point.Key, d.point.Ref = d.known.Name, d.known.Tags, d.known.Key, &d.known.Ref
	d.point.Upper = d.known.Upper
}

// labels takes labels that are next to each other: all of a series, unless its
// sender is an odd one.
func (d *Decoder) labels(r *pb.Reader) {
	if d.named != "" {
		d.unknown()
		d.readLabels(r)
		return
	}
	d.named = r.Lent()
	if d.known = d.batch.Recall(form, d.named); d.known == nil {
		d.readLabels(r)
	} else {
		d.take()
	}
}

// unknown goes back to reading the labels: there are more than were known.
func (d *Decoder) unknown() {
	if d.known != nil && !d.ready {
		first := pb.New([]byte(d.named))
		d.known, d.point = nil, protocol.Point{}
		d.readLabels(&first)
	}
	d.batch.Recall(form, "") // nor are they to be remembered
}

func (d *Decoder) readLabels(r *pb.Reader) {
	for r.Next() {
		if name, value, ok := pb.Pair(r.Raw()); ok {
			d.addLabel(name, value)
			continue
		}
		m := r.Message()
		d.label(&m)
		r.Close(&m)
	}
}

func (d *Decoder) label(r *pb.Reader) {
	name, value := "", ""
	for r.Next() {
		switch r.Field {
		case 1:
			name = r.Text()
		case 2:
			value = r.Text()
		}
	}
	d.addLabel(name, value)
}

func (d *Decoder) addLabel(name, value string) {
	if name == nameLabel {
		d.point.Name = d.batch.MetricName(value)
		return
	}
	d.le = d.le || name == "le"
	d.batch.AddLabel(name, value)
}

// sample takes the sample that is the field of a series.
func (d *Decoder) sample(r *pb.Reader) {
	s, ok := plainSample(r.Raw())
	if !ok {
		m := r.Message()
		s = readSample(&m)
		r.Close(&m)
	}
	if len(d.pending) <= d.batch.Limits.Points { // one more is refused
		d.pending = append(d.pending, s)
	}
}

// plainSample reads one that is a value and a time and nothing else, in this
// order, as nearly all are.
func plainSample(b []byte) (s sample, ok bool) {
	const head = 1 + 8 + 1 // bytes before the time
	if len(b) <= head || b[0] != 1<<3|pb.Fixed64 || b[head-1] != 2<<3|pb.Varint {
		return s, false
	}
	time, n := binary.Uvarint(b[head:])
	s.value, s.time = math.Float64frombits(binary.LittleEndian.Uint64(b[1:])), int64(time)
	return s, n == len(b)-head
}

func readSample(r *pb.Reader) (s sample) {
	for r.Next() {
		switch r.Field {
		case 1:
			s.value = r.Double()
		case 2:
			s.time = r.Int()
		case 3:
			s.start = r.Int()
		}
	}
	return s
}

// labelled ends the labels of a series, and reports whether its points can be
// kept. Where not, it counts the n that are at stake.
func (d *Decoder) labelled(n int) bool {
	if !d.ready {
		d.ready = true
		d.endLabels()
		n -= d.counted
	}
	if d.why != "" {
		d.batch.SkipN(d.why, d.point.Name, n)
	}
	return d.why == ""
}

func (d *Decoder) endLabels() {
	if d.known != nil {
		return
	}
	if d.point.Name == "" {
		d.batch.DropLabels()
		d.why, d.counted = protocol.NoName, 0
		return
	}
	labels, ok := d.batch.FinishLabels(d.point.Name)
	if d.point.Labels = labels; !ok {
		d.why, d.counted = protocol.TooManyLabels, 1
		return
	}
	if d.named != "" {
		d.batch.Remember(form, d.named, d.point.Name, labels, d.kind())
	}
}

// finish adds the samples of a series.
func (d *Decoder) finish(r *pb.Reader) error {
	if r.Err != nil || len(d.pending) == 0 || !d.labelled(len(d.pending)) {
		if !d.ready {
			d.batch.DropLabels()
		}
		return nil
	}
	if d.known != nil {
		d.point.Kind = d.known.Kind
	} else {
		d.point.Kind = d.kind()
	}
	for _, s := range d.pending {
		if err := d.addSample(s); err != nil {
			return err
		}
	}
	return nil
}

func (d *Decoder) addSample(s sample) error {
	p := d.point
	p.Time, p.Start, p.Value = s.time, s.start, s.value
	switch {
	case math.Float64bits(s.value) == stale:
		d.batch.Skip(protocol.Stale, p.Name)
		return nil
	case s.time <= 0:
		d.batch.Skip(protocol.BadTime, p.Name)
		return nil
	case isTooLarge(s.value):
		d.batch.Skip(protocol.TooLarge, p.Name)
		return nil
	case s.value-s.value == 0:
		d.stats.Samples++
	}
	return d.batch.AddValue(p)
}

// isTooLarge reports whether a number is none that is kept. It is left out as
// NaN is, rather than refused: a sender of a "no limit" of 1.8e308 sends it with
// every scrape, and counts all of a request as failed where one is refused.
func isTooLarge(v float64) bool { return math.Abs(v) >= tidemark.ValueLimit && !math.IsInf(v, 0) }

// kind tells totals from gauges. Version 1 does not say; then the convention
// for names must do, and only where it is kept by everybody.
func (d *Decoder) kind() protocol.Kind {
	name := d.point.Name
	switch d.typ {
	case typeCounter:
		return protocol.Counter
	case typeHistogram, typeSummary:
		if strings.HasSuffix(name, "_count") || strings.HasSuffix(name, "_sum") || strings.HasSuffix(name, "_bucket") {
			return protocol.Counter
		}
	case typeUnknown:
		if strings.HasSuffix(name, "_total") || d.le && strings.HasSuffix(name, "_bucket") {
			return protocol.Counter
		}
	}
	return protocol.Gauge
}

// The types of metrics, in both versions.
const (
	typeUnknown   = 0
	typeCounter   = 1
	typeHistogram = 3
	typeSummary   = 5
)

func typeName(t uint64) string {
	names := [...]string{"", "counter", "gauge", "histogram", "gaugehistogram", "summary", "info", "stateset"}
	if t < uint64(len(names)) {
		return names[t]
	}
	return ""
}

func (d *Decoder) metadataV1(r *pb.Reader) {
	var m protocol.Metadata
	for r.Next() {
		switch r.Field {
		case 1:
			m.Type = typeName(r.Uint())
		case 2:
			m.Name = d.batch.MetricName(r.Text())
		case 4:
			m.Help = r.Text()
		case 5:
			m.Unit = r.Text()
		}
	}
	d.addMetadata(m)
}

func (d *Decoder) addMetadata(m protocol.Metadata) {
	if m.Name != "" && len(d.batch.Metadata) < d.batch.Limits.Points {
		d.batch.Metadata = append(d.batch.Metadata, m)
	}
}
