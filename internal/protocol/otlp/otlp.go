// Package otlp decodes metrics as OpenTelemetry sends them over HTTP or gRPC:
// an ExportMetricsServiceRequest, as protocol buffers or JSON.
//
// Attributes of a point become its labels, and with them some of those of its
// resource, and the name of its scope as otel.scope.name. Where they have the
// same name, that of the point counts, then that of the scope.
package otlp

import (
	"fmt"
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/pb"
)

// DefaultResource are the attributes of a resource that become labels. Others
// describe it further, but would make no stream that these do not make, or
// new ones with every restart, as the number of a process does.
var DefaultResource = []string{
	"service.name", "service.namespace", "service.instance.id", "deployment.environment", "deployment.environment.name",
	"host.name", "container.name", "cloud.region", "cloud.availability_zone",
	"k8s.cluster.name", "k8s.namespace.name", "k8s.node.name", "k8s.pod.name", "k8s.container.name",
	"k8s.deployment.name", "k8s.statefulset.name", "k8s.daemonset.name", "k8s.cronjob.name", "k8s.job.name",
}

// Decoder decodes requests, one at a time. It keeps its memory.
type Decoder struct {
	resource map[string]bool // nil: all attributes become labels
	batch    *protocol.Batch
	base     tidemark.Tags // labels of resource and scope
	scope    int           // where those of the scope start
	metric   metric
	point    point
	buckets  []protocol.Bucket

	named  []byte // base, and after it the attributes of a point as they were sent
	common int    // where those start
}

// New returns a decoder that makes labels of the given attributes of a
// resource. "*" stands for all.
func New(resource []string) *Decoder {
	d := &Decoder{resource: make(map[string]bool)}
	for _, name := range resource {
		if name == "*" {
			d.resource = nil
			break
		}
		d.resource[name] = true
	}
	return d
}

// The ways in which points can be put together.
const (
	delta      = 1
	cumulative = 2
)

// The kinds of metrics, by the number of their field.
const (
	aGauge         = 5
	aSum           = 7
	aHistogram     = 9
	anExpHistogram = 10
	aSummary       = 11
)

// metric is what the points of a metric have in common.
type metric struct {
	name, help, unit string
	kind             int
	temporality      uint64
	monotonic        bool
	points           int
}

// point is a point of any kind.
type point struct {
	attrs         []attribute
	sent          pb.Reader        // the attributes, as they were sent, where that is known
	known         *protocol.Labels // what was made of them before
	start, time   uint64           // nanoseconds
	flags         uint64
	value         float64
	hasValue      bool
	count         float64
	sum, min, max float64 // NaN where there is none
	counts        []float64
	bounds        []float64
	scale         int64
	zero, width   float64
	pos, neg      side
	quantiles     []quantile
}

type attribute struct{ name, value string }

type quantile struct{ q, value float64 }

// side are the exponential buckets on one side of zero.
type side struct {
	offset int64
	counts []float64
}

// clear makes p ready for a point of a kind. Of a summary, what is not sent is
// 0, not unknown.
func (p *point) clear(kind int) {
	nan := math.NaN()
	*p = point{
		attrs: p.attrs[:0], counts: p.counts[:0], bounds: p.bounds[:0], quantiles: p.quantiles[:0],
		pos: side{counts: p.pos.counts[:0]}, neg: side{counts: p.neg.counts[:0]}, sum: nan, min: nan, max: nan,
	}
	if kind == aSummary {
		p.sum = 0
	}
}

// noValue is the flag of a point that says that there is nothing to say.
const noValue = 1

// startResource begins with the attributes of a resource.
func (d *Decoder) startResource(attrs []attribute) {
	d.base = d.base[:0]
	for _, a := range attrs {
		if d.resource == nil || d.resource[a.name] {
			d.addBase(a)
		}
	}
	d.scope = len(d.base)
}

// startScope begins with a scope of the resource.
func (d *Decoder) startScope(name string) {
	d.base = d.base[:d.scope]
	d.addBase(attribute{"otel.scope.name", name})
	d.named = d.named[:0]
	for _, t := range d.base {
		d.named = append(append(append(append(d.named, t.Name...), 0), t.Value...), 0)
	}
	d.named = append(d.named, 1) // which is in no label: what is after it was sent
	d.common = len(d.named)
}

// form is that of the labels of resource and scope with the attributes of a
// point.
const form protocol.Form = 'o'

// recall looks for what was made of the attributes of the point before, or
// reads them.
func (d *Decoder) recall(r *pb.Reader) {
	p := &d.point
	if len(p.attrs) > 0 { // in several places
		d.batch.Recall(form, "")
		return
	}
	d.named = append(d.named[:d.common], p.sent.Lent()...)
	if p.known = d.batch.Recall(form, pb.Text(d.named)); p.known == nil || d.metric.kind == aSummary {
		p.known = nil
		p.readAttributes(&p.sent)
		r.Close(&p.sent)
	}
}

func (d *Decoder) addBase(a attribute) {
	if a.name != "" && a.value != "" {
		d.base = append(d.base, tidemark.Tag{Name: d.batch.LabelName(a.name), Value: d.batch.LabelValue(a.value)})
	}
}

// startMetric begins with a metric. It reports false where its points cannot
// be kept, which it counts.
func (d *Decoder) startMetric() bool {
	m := &d.metric
	why := ""
	switch {
	case m.name == "":
		d.batch.SkipN(protocol.NoName, "", m.points)
		return false
	case m.kind == 0:
		why = "the kind of metric is unknown"
	case m.kind != aGauge && m.kind != aSummary && m.temporality != delta && m.temporality != cumulative:
		why = "the aggregation temporality is neither delta nor cumulative"
	}
	if why != "" {
		d.batch.SkipN(protocol.NotUnderstood, m.name+": "+why, max(m.points, 1))
		return false
	}
	if len(d.batch.Metadata) < d.batch.Limits.Points {
		d.batch.Metadata = append(d.batch.Metadata, protocol.Metadata{
			Name: d.batch.MetricName(m.name), Help: m.help, Unit: m.unit, Type: m.typeName(),
		})
	}
	return true
}

func (m *metric) typeName() string {
	switch {
	case m.kind == aSum && m.monotonic:
		return "counter"
	case m.kind == aHistogram || m.kind == anExpHistogram:
		return "histogram"
	case m.kind == aSummary:
		return "summary"
	}
	return "gauge"
}

// add adds the point that was read.
func (d *Decoder) add() error {
	p, m := &d.point, &d.metric
	out := protocol.Point{Name: d.batch.MetricName(m.name), Time: int64(p.time / 1e6), Start: int64(p.start / 1e6)}
	if p.flags&noValue != 0 {
		d.batch.Skip(protocol.Stale, out.Name)
		return nil
	}
	if !d.label(&out) {
		return nil
	}
	switch m.kind {
	case aGauge, aSum:
		return d.addNumber(out)
	case aSummary:
		return d.addSummary(out)
	}
	return d.addHistogram(out)
}

// label sets the labels of a point. It reports false where there are too many.
func (d *Decoder) label(out *protocol.Point) (ok bool) {
	if known := d.point.known; known != nil {
		out.Labels, out.Key, out.Upper = known.Tags, known.Key, known.Upper
		return true
	}
	out.Labels, ok = d.labels(attribute{})
	if ok {
		d.batch.Remember(form, pb.Text(d.named), "", out.Labels, protocol.Gauge)
	}
	return ok
}

// labels returns the labels of a point, and one more.
func (d *Decoder) labels(more attribute) (tidemark.Tags, bool) {
	d.batch.StartLabels()
	for _, a := range d.point.attrs {
		d.batch.AddLabel(a.name, a.value)
	}
	d.batch.AddLabel(more.name, more.value)
	for _, t := range d.base {
		if !d.batch.Collected(t.Name) {
			d.batch.AddMapped(t)
		}
	}
	return d.batch.FinishLabels(d.metric.name)
}

func (d *Decoder) addNumber(out protocol.Point) error {
	if !d.point.hasValue {
		d.batch.Skip(protocol.NoValue, out.Name)
		return nil
	}
	out.Value = d.point.value
	switch m := &d.metric; {
	case m.kind == aSum && m.temporality == delta:
		out.Kind = protocol.Delta
	case m.kind == aSum && m.monotonic:
		out.Kind = protocol.Counter
	default: // also a sum that goes up and down: it is a level
		out.Start = 0
	}
	return d.batch.AddValue(out)
}

// addSummary adds count and sum as totals, and each quantile as a gauge with
// the label quantile, as Prometheus has them.
func (d *Decoder) addSummary(out protocol.Point) error {
	p, name := &d.point, d.metric.name
	total := out
	total.Kind = protocol.Counter
	for _, part := range []struct {
		suffix string
		value  float64
	}{{"_count", p.count}, {"_sum", p.sum}} {
		total.Name, total.Value = d.batch.MetricName(name+part.suffix), part.value
		if err := d.batch.AddValue(total); err != nil {
			return err
		}
	}
	out.Start, out.Key, out.Upper = 0, "", nil
	for _, q := range p.quantiles {
		var ok bool
		if out.Labels, ok = d.labels(attribute{"quantile", fmt.Sprint(q.q)}); !ok {
			continue
		}
		out.Value = q.value
		if err := d.batch.AddValue(out); err != nil {
			return err
		}
	}
	return nil
}
