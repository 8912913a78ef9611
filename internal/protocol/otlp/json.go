package otlp

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// The request as JSON has it. Integers of 64 bits are texts there, or not.
type (
	jsonRequest struct {
		ResourceMetrics json.RawMessage
	}
	jsonResource struct {
		Resource     struct{ Attributes json.RawMessage }
		ScopeMetrics json.RawMessage
	}
	jsonScope struct {
		Scope   struct{ Name string }
		Metrics json.RawMessage
	}
	jsonMetric struct {
		Name, Description, Unit string
		Gauge, Sum, Histogram   *jsonData
		ExponentialHistogram    *jsonData
		Summary                 *jsonData
	}
	jsonData struct {
		DataPoints             json.RawMessage
		AggregationTemporality jsonTemporality
		IsMonotonic            bool
	}
	jsonPoint struct {
		Attributes                      json.RawMessage
		StartTimeUnixNano, TimeUnixNano jsonUint
		AsDouble, AsInt                 *protocol.Number
		Count, ZeroCount, ZeroThreshold *protocol.Number
		Sum, Min, Max                   *protocol.Number
		BucketCounts, ExplicitBounds    []protocol.Number
		Scale                           int64
		Positive, Negative              jsonSide
		QuantileValues                  []struct{ Quantile, Value protocol.Number }
		Flags                           uint64
	}
	jsonSide struct {
		Offset       int64
		BucketCounts []protocol.Number
	}
	jsonAttribute struct {
		Key   string
		Value map[string]json.RawMessage
	}
)

// jsonUint is an integer, as a number or a text. Null is 0, as if the field
// were not there.
type jsonUint uint64

// UnmarshalJSON reads an integer.
func (n *jsonUint) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	v, err := strconv.ParseUint(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("%.40s is no whole number", b)
	}
	*n = jsonUint(v)
	return nil
}

// jsonTemporality is a number, or its name, which some senders use.
type jsonTemporality uint64

// UnmarshalJSON reads a temporality.
func (n *jsonTemporality) UnmarshalJSON(b []byte) error {
	switch text := strings.Trim(string(b), `"`); text {
	case "AGGREGATION_TEMPORALITY_DELTA", "1":
		*n = delta
	case "AGGREGATION_TEMPORALITY_CUMULATIVE", "2":
		*n = cumulative
	}
	return nil
}

// DecodeJSON adds what is in a request of JSON to b.
func (d *Decoder) DecodeJSON(body []byte, b *protocol.Batch) error {
	d.batch = b
	var req jsonRequest
	err := json.Unmarshal(body, &req)
	if err == nil {
		err = eachOf(req.ResourceMetrics, d.jsonResource)
	}
	return protocol.NotJSON("an export request of metrics", err)
}

// eachOf calls do for every element of an array.
func eachOf[T any](array json.RawMessage, do func(*T) error) error {
	var one T
	return protocol.EachJSON(array, func() any { one = *new(T); return &one }, func() error { return do(&one) })
}

func (d *Decoder) jsonResource(r *jsonResource) error {
	attrs, err := attributes(nil, r.Resource.Attributes)
	if err != nil {
		return err
	}
	d.startResource(attrs)
	return eachOf(r.ScopeMetrics, d.jsonScope)
}

func (d *Decoder) jsonScope(s *jsonScope) error {
	d.startScope(s.Scope.Name)
	return eachOf(s.Metrics, d.jsonMetric)
}

func (d *Decoder) jsonMetric(m *jsonMetric) error {
	d.metric = metric{name: m.Name, help: m.Description, unit: m.Unit}
	var data *jsonData
	for _, one := range []struct {
		kind int
		data *jsonData
	}{{aGauge, m.Gauge}, {aSum, m.Sum}, {aHistogram, m.Histogram}, {anExpHistogram, m.ExponentialHistogram}, {aSummary, m.Summary}} {
		if one.data != nil {
			d.metric.kind, data = one.kind, one.data
		}
	}
	if data == nil {
		d.startMetric()
		return nil
	}
	d.metric.temporality, d.metric.monotonic = uint64(data.AggregationTemporality), data.IsMonotonic
	if err := eachOf(data.DataPoints, func(*struct{}) error { d.metric.points++; return nil }); err != nil {
		return err
	}
	if !d.startMetric() {
		return nil
	}
	return eachOf(data.DataPoints, func(p *jsonPoint) error {
		d.point.clear(d.metric.kind)
		if err := d.point.fromJSON(p); err != nil {
			return err
		}
		return d.add()
	})
}

func (p *point) fromJSON(j *jsonPoint) (err error) {
	p.attrs, err = attributes(p.attrs, j.Attributes)
	p.start, p.time, p.flags = uint64(j.StartTimeUnixNano), uint64(j.TimeUnixNano), j.Flags
	for _, v := range []*protocol.Number{j.AsInt, j.AsDouble} {
		if v != nil {
			p.value, p.hasValue = float64(*v), true
		}
	}
	p.count, p.zero, p.width, p.scale = orZero(j.Count), orZero(j.ZeroCount), orZero(j.ZeroThreshold), j.Scale
	p.min, p.max = optional(j.Min), optional(j.Max)
	if j.Sum != nil {
		p.sum = float64(*j.Sum)
	}
	p.counts, p.bounds = floats(p.counts, j.BucketCounts), floats(p.bounds, j.ExplicitBounds)
	p.pos = side{j.Positive.Offset, floats(p.pos.counts, j.Positive.BucketCounts)}
	p.neg = side{j.Negative.Offset, floats(p.neg.counts, j.Negative.BucketCounts)}
	for _, q := range j.QuantileValues {
		p.quantiles = append(p.quantiles, quantile{float64(q.Quantile), float64(q.Value)})
	}
	return err
}

// orZero is a field that means 0 where it is left out or null.
func orZero(n *protocol.Number) float64 {
	if n == nil {
		return 0
	}
	return float64(*n)
}

func optional(n *protocol.Number) float64 {
	if n == nil {
		return math.NaN()
	}
	return float64(*n)
}

func floats(dst []float64, numbers []protocol.Number) []float64 {
	for _, n := range numbers {
		dst = append(dst, float64(n))
	}
	return dst
}

func attributes(dst []attribute, list json.RawMessage) ([]attribute, error) {
	err := eachOf(list, func(a *jsonAttribute) error {
		if len(dst) < maxAttributes {
			dst = append(dst, attribute{a.Key, jsonText(a.Value, 0)})
		}
		return nil
	})
	return dst, err
}

// jsonText returns a value as text, as readValue does.
func jsonText(value map[string]json.RawMessage, depth int) string {
	for kind, raw := range value {
		switch kind {
		case "stringValue", "bytesValue":
			var s string
			if json.Unmarshal(raw, &s) != nil {
				return ""
			}
			if depth > 0 && kind == "stringValue" {
				return strconv.Quote(s)
			}
			return s
		case "doubleValue":
			var n protocol.Number
			if json.Unmarshal(raw, &n) != nil {
				return ""
			}
			return formatDouble(float64(n))
		case "arrayValue":
			return jsonList(raw, depth)
		case "kvlistValue":
			return jsonMap(raw, depth)
		default: // boolValue, intValue
			return strings.Trim(string(raw), `"`)
		}
	}
	return ""
}

func jsonList(raw json.RawMessage, depth int) string {
	var list struct{ Values []map[string]json.RawMessage }
	if depth >= maxDepth || json.Unmarshal(raw, &list) != nil {
		return "[]"
	}
	var parts []string
	for _, v := range list.Values {
		parts = append(parts, jsonText(v, depth+1))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func jsonMap(raw json.RawMessage, depth int) string {
	var list struct{ Values []jsonAttribute }
	if depth >= maxDepth || json.Unmarshal(raw, &list) != nil {
		return "{}"
	}
	var parts []string
	for _, v := range list.Values {
		parts = append(parts, strconv.Quote(v.Key)+":"+jsonText(v.Value, depth+1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}
