package otlp_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"pgregory.net/rapid"
)

// both is a part of a request in both forms.
type both struct {
	fields []any // of protocol buffers
	json   []string
}

func (b *both) add(field int, name string, pb any, text string) {
	b.fields = append(b.fields, field, pb)
	b.json = append(b.json, fmt.Sprintf("%q:%s", name, text))
}

func (b *both) object() string { return "{" + strings.Join(b.json, ",") + "}" }

// quote is a text in JSON, which Go quotes otherwise.
func quote(s string) string {
	text, _ := json.Marshal(s) // a text
	return string(text)
}

// drawAttributes adds attributes of every simple kind.
func drawAttributes(t *rapid.T, b *both, field int) {
	var list []string
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "host.name", "größe", "", "quantile"}), 0, 3, rapid.ID).Draw(t, "keys") {
		var value []byte
		var text string
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			s := rapid.StringMatching(`[a-zé"\\ ]{0,200}`).Draw(t, "text")
			value, text = Message(1, s), `{"stringValue":`+quote(s)+`}`
		case 1:
			v := rapid.Bool().Draw(t, "bool")
			value, text = Message(2, map[bool]int{true: 1}[v]), fmt.Sprintf(`{"boolValue":%v}`, v)
		case 2:
			n := rapid.Int32().Draw(t, "int")
			value, text = Message(3, int(n)), fmt.Sprintf(`{"intValue":"%d"}`, n)
		case 3:
			v := rapid.Float64Range(-1e9, 1e9).Draw(t, "double")
			value, text = Message(4, v), fmt.Sprintf(`{"doubleValue":%v}`, v)
		case 4:
			var items []any
			var texts []string
			for _, s := range rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,80}`), 0, 9).Draw(t, "list") {
				items, texts = append(items, 1, Message(1, s)), append(texts, `{"stringValue":`+quote(s)+`}`)
			}
			value, text = Message(5, Message(items...)), `{"arrayValue":{"values":[`+strings.Join(texts, ",")+`]}}`
		}
		b.fields = append(b.fields, field, Message(1, key, 2, value))
		list = append(list, fmt.Sprintf(`{"key":%s,"value":%s}`, quote(key), text))
	}
	b.json = append(b.json, `"attributes":[`+strings.Join(list, ",")+`]`)
}

// fixeds are numbers of 8 bytes each, packed.
func fixeds(list []uint64) (packed []byte, text string) {
	var texts []string
	for _, n := range list {
		packed = binary.LittleEndian.AppendUint64(packed, n)
		texts = append(texts, fmt.Sprintf(`"%d"`, n))
	}
	return packed, "[" + strings.Join(texts, ",") + "]"
}

// drawMetric draws a metric of one of the kinds with one point.
func drawMetric(t *rapid.T) both {
	var point, data, metric both
	kind := rapid.SampledFrom([]string{"gauge", "sum", "histogram", "exponentialHistogram"}).Draw(t, "kind")
	field := map[string]int{"gauge": 5, "sum": 7, "histogram": 9, "exponentialHistogram": 10}[kind]
	drawAttributes(t, &point, map[string]int{"gauge": 7, "sum": 7, "histogram": 9, "exponentialHistogram": 1}[kind])
	at := uint64(rapid.Int64Range(0, 2e18).Draw(t, "time"))
	point.add(3, "timeUnixNano", at, fmt.Sprintf(`"%d"`, at))
	counts := rapid.SliceOfN(rapid.Uint64Range(0, 20), 1, 5).Draw(t, "counts")
	total := uint64(0)
	for _, n := range counts {
		total += n
	}
	switch kind {
	case "gauge", "sum":
		v := rapid.Float64Range(-1e12, 1e12).Draw(t, "value")
		point.add(4, "asDouble", v, fmt.Sprint(v))
	case "histogram":
		packed, text := fixeds(counts)
		point.add(6, "bucketCounts", packed, text)
		var bounds []byte
		var texts []string
		for i := range len(counts) - 1 {
			bounds = binary.LittleEndian.AppendUint64(bounds, math.Float64bits(float64(i*i)))
			texts = append(texts, fmt.Sprint(i*i))
		}
		point.add(7, "explicitBounds", bounds, "["+strings.Join(texts, ",")+"]")
	case "exponentialHistogram":
		scale, offset := rapid.IntRange(-11, 8).Draw(t, "scale"), rapid.IntRange(-5, 5).Draw(t, "offset")
		var packed []byte
		for _, n := range counts {
			packed = binary.AppendUvarint(packed, n)
		}
		_, text := fixeds(counts)
		point.add(6, "scale", Zigzag(scale), fmt.Sprint(scale))
		point.add(8, "positive", Message(1, Zigzag(offset), 2, packed), fmt.Sprintf(`{"offset":%d,"bucketCounts":%s}`, offset, text))
	}
	if field >= 9 {
		point.add(4, "count", total, fmt.Sprintf(`"%d"`, total))
		point.add(5, "sum", float64(total)*2.5, fmt.Sprint(float64(total)*2.5))
	}
	data.add(1, "dataPoints", Message(point.fields...), "["+point.object()+"]")
	if field >= 7 {
		temporality := rapid.IntRange(0, 2).Draw(t, "temporality")
		data.add(2, "aggregationTemporality", temporality, fmt.Sprint(temporality))
	}
	name := rapid.SampledFrom([]string{"m", "http.server/duration", ""}).Draw(t, "name")
	metric.add(1, "name", name, quote(name))
	metric.add(field, kind, Message(data.fields...), data.object())
	return metric
}

// TestBothFormsSayTheSame: whatever a request holds, it is read alike from
// protocol buffers and from JSON.
func TestBothFormsSayTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var scope, resource, group both
		drawAttributes(rt, &resource, 1)
		var fields []any
		var texts []string
		for range rapid.IntRange(1, 3).Draw(rt, "metrics") {
			m := drawMetric(rt)
			fields, texts = append(fields, 2, Message(m.fields...)), append(texts, m.object())
		}
		scope.fields, scope.json = fields, []string{`"metrics":[` + strings.Join(texts, ",") + `]`}
		group.add(1, "resource", Message(resource.fields...), resource.object())
		group.add(2, "scopeMetrics", Message(scope.fields...), "["+scope.object()+"]")
		d, first, second := otlp.New(otlp.DefaultResource), protocol.NewBatch(protocol.DefaultLimits), protocol.NewBatch(protocol.DefaultLimits)
		if err := d.Decode(Message(1, Message(group.fields...)), first); err != nil {
			rt.Fatal(err)
		}
		text := `{"resourceMetrics":[` + group.object() + `]}`
		if err := d.DecodeJSON([]byte(text), second); err != nil {
			rt.Fatalf("%s: %v", text, err)
		}
		Check(t, first)
		if one, other := Text(first), Text(second); one != other {
			rt.Fatalf("%s:\nprotocol buffers %s\nJSON             %s", text, one, other)
		}
	})
}
