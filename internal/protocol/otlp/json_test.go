package otlp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// metrics is a request with one scope that has the given metrics.
func metrics(list string) string {
	return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[` + list + `]}]}]}`
}

// decodeJSON returns what a request of JSON says.
func decodeJSON(t *testing.T, body string) string {
	t.Helper()
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := otlp.New(otlp.DefaultResource).DecodeJSON([]byte(body), b); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	Check(t, b)
	return Text(b)
}

// TestJSONNumbers: integers may be texts or numbers, and a field that is null
// is one that is not there.
func TestJSONNumbers(t *testing.T) {
	t.Parallel()
	for point, want := range map[string]string{
		`{"timeUnixNano":"5000000","asInt":"7"}`:                            "m{} gauge @5 7\n",
		`{"timeUnixNano":5000000,"asInt":7}`:                                "m{} gauge @5 7\n",
		`{"timeUnixNano":5000000,"asDouble":"1.5"}`:                         "m{} gauge @5 1.5\n",
		`{"timeUnixNano":null,"startTimeUnixNano":null,"asDouble":1}`:       "m{} gauge @0 1\n",
		`{"timeUnixNano":5000000,"attributes":null,"asDouble":1}`:           "m{} gauge @5 1\n",
		`{"timeUnixNano":5000000,"asInt":null,"asDouble":2,"flags":null}`:   "m{} gauge @5 2\n",
		`{"timeUnixNano":5000000,"asInt":"9007199254740993"}`:               "m{} gauge @5 9.007199254740992e+15\n",
		`{"timeUnixNano":5000000}`:                                          "- 1 has no value: m\n",
		`{"timeUnixNano":5000000,"asDouble":"NaN"}`:                         "- 1 the value is NaN or infinite: m\n",
		`{"timeUnixNano":5000000,"asDouble":1,"flags":1}`:                   "- 1 a stale marker: the sender lost sight of the series: m\n",
		`{"timeUnixNano":5000000,"asDouble":1,"exemplars":[{"asInt":"1"}]}`: "m{} gauge @5 1\n",
	} {
		got := decodeJSON(t, metrics(`{"name":"m","gauge":{"dataPoints":[`+point+`]}}`))
		if got = strings.Replace(got, "# m: gauge \"\" \"\"\n", "", 1); got != want {
			t.Errorf("%s: got %s want %s", point, got, want)
		}
	}
}

// TestJSONValues: an attribute is the same text whatever kind of value it has,
// as from protocol buffers.
func TestJSONValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`{"stringValue":"a \"b\""}`: `a "b"`, `{"boolValue":true}`: "true", `{"intValue":"12"}`: "12", `{"intValue":12}`: "12",
		`{"doubleValue":1.5}`: "1.5", `{"doubleValue":"1e30"}`: "1e+30", `{"bytesValue":"aGk="}`: "aGk=",
		`{"arrayValue":{"values":[{"stringValue":"a"},{"intValue":"1"},{}]}}`:                              `["a",1,]`,
		`{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":false}},{"key":"l"}]}}`:                 `{"k":false,"l":}`,
		`{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"k","value":{"stringValue":"v"}}]}}]}}`: `[{"k":"v"}]`,
		`{"arrayValue":{}}`: "[]", `{"kvlistValue":{"values":7}}`: "{}", `{"arrayValue":7}`: "[]",
	} {
		got := decodeJSON(t, metrics(`{"name":"m","gauge":{"dataPoints":[{"asInt":1,"attributes":[{"key":"a","value":`+value+`}]}]}}`))
		if want := "m{a=" + protocol.LabelValue(want) + "} gauge @0 1\n"; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s want %s", value, got, want)
		}
	}
	for _, nothing := range []string{`{"stringValue":7}`, `{"doubleValue":"x"}`, `{}`, `null`, `{"stringValue":""}`} {
		got := decodeJSON(t, metrics(`{"name":"m","gauge":{"dataPoints":[{"asInt":1,"attributes":[{"key":"a","value":`+nothing+`}]}]}}`))
		if !strings.HasPrefix(got, "m{} gauge @0 1\n") {
			t.Errorf("%s: got %s", nothing, got)
		}
	}
}

// TestLongLists: lists that differ only at their ends become different labels,
// the same ones from both forms.
func TestLongLists(t *testing.T) {
	t.Parallel()
	labels := make(map[string]bool)
	for _, last := range []string{"--port=1", "--port=2"} {
		var items []any
		var texts []string
		for range 100 {
			items, texts = append(items, 1, Message(1, "--verbose")), append(texts, `{"stringValue":"--verbose"}`)
		}
		items, texts = append(items, 1, Message(1, last)), append(texts, `{"stringValue":"`+last+`"}`)
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := otlp.New(nil).Decode(gauge(6, uint64(1), 7, Message(1, "args", 2, Message(5, Message(items...)))), b); err != nil {
			t.Fatal(err)
		}
		Check(t, b)
		other := decodeJSON(t, metrics(`{"name":"m","gauge":{"dataPoints":[{"asInt":1,"attributes":[{"key":"args","value":{"arrayValue":{"values":[`+strings.Join(texts, ",")+`]}}}]}]}}`))
		if Text(b) != other {
			t.Errorf("%s\nand from JSON %s", Text(b), other)
		}
		labels[b.Points[0].Labels.String()] = true
	}
	if len(labels) != 2 {
		t.Errorf("two lists are %v", labels)
	}
}

// TestJSONKinds: every kind of metric is told by its field, and what cannot be
// kept is counted by its points.
func TestJSONKinds(t *testing.T) {
	t.Parallel()
	for metric, want := range map[string]string{
		`{"name":"m","sum":{"aggregationTemporality":"AGGREGATION_TEMPORALITY_DELTA","isMonotonic":true,"dataPoints":[{"asInt":1,"startTimeUnixNano":"1000000"}]}}`: "m{} delta @0 from 1 1\n# m: counter \"\" \"\"\n",
		`{"name":"m","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{"asInt":1,"startTimeUnixNano":"1000000"}]}}`:                               "m{} counter @0 from 1 1\n# m: counter \"\" \"\"\n",
		`{"name":"m","sum":{"aggregationTemporality":2,"dataPoints":[{"asInt":1,"startTimeUnixNano":"1000000"}]}}`:                                                  "m{} gauge @0 1\n# m: gauge \"\" \"\"\n",
		`{"name":"m","sum":{"dataPoints":[{"asInt":1},{"asInt":2}]}}`:                                                                                               "- 2 is not understood: m: the aggregation temporality is neither delta nor cumulative\n",
		`{"name":"m","sum":{"aggregationTemporality":"SOMEHOW","dataPoints":[]}}`:                                                                                   "- 1 is not understood: m: the aggregation temporality is neither delta nor cumulative\n",
		`{"name":"m"}`: "- 1 is not understood: m: the kind of metric is unknown\n",
		`{"gauge":{"dataPoints":[{"asInt":1},{"asInt":1},{"asInt":1}]}}`: "- 3 has no name: \n",
		`{"name":"m","description":"d","unit":"s","summary":{"dataPoints":[{"count":"2","sum":3,"quantileValues":[{"quantile":0.5,"value":1.5},{"quantile":1,"value":null}]}]}}`: "m_count{} counter @0 2\nm_sum{} counter @0 3\nm{quantile=0.5} gauge @0 1.5\n# m: summary \"d\" \"s\"\n- 1 the value is NaN or infinite: m\n",
		`{"name":"m","summary":{"dataPoints":[{}]}}`: "m_count{} counter @0 0\nm_sum{} counter @0 0\n# m: summary \"\" \"\"\n",
	} {
		if got := decodeJSON(t, metrics(metric)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", metric, got, want)
		}
	}
}

// TestHistograms: buckets of either kind of histogram are those that the sender
// counted in, from both forms of the protocol, and what makes no sense is
// counted.
func TestHistograms(t *testing.T) {
	t.Parallel()
	const bad = "- 1 is a histogram whose buckets are inconsistent: m\n"
	for point, want := range map[string]string{
		`"count":"3","sum":6,"bucketCounts":["1","2"],"explicitBounds":[5]`:  "count 3 sum 6 min NaN max NaN (-Inf,5]=1 (5,+Inf]=2\n",
		`"count":3,"sum":6,"bucketCounts":[1,0,2],"explicitBounds":[5,"10"]`: "count 3 sum 6 min NaN max NaN (-Inf,5]=1 (10,+Inf]=2\n",
		`"count":2,"sum":6`: "count 2 sum 6 min NaN max NaN (-Inf,+Inf]=2\n",
		`"count":null,"sum":6,"bucketCounts":[1,2],"explicitBounds":[5]`: "count 3 sum 6 min NaN max NaN (-Inf,5]=1 (5,+Inf]=2\n",
		`"sum":6,"bucketCounts":[1,2],"explicitBounds":[5]`:              "count 3 sum 6 min NaN max NaN (-Inf,5]=1 (5,+Inf]=2\n",
		`"count":0`: "count 0 sum 0 min NaN max NaN\n",
		`"count":3,"bucketCounts":[1,2],"explicitBounds":[5,10]`:      bad,
		`"count":3,"bucketCounts":[1,1,1],"explicitBounds":[10,5]`:    bad,
		`"count":3,"bucketCounts":[1,1,1],"explicitBounds":["NaN",5]`: bad,
		`"count":9,"sum":1,"bucketCounts":[1,2],"explicitBounds":[5]`: bad,
		`"count":2,"bucketCounts":[3,-1],"explicitBounds":[5]`:        bad,
	} {
		got := decodeJSON(t, metrics(`{"name":"m","histogram":{"aggregationTemporality":2,"dataPoints":[{`+point+`}]}}`))
		if got = strings.Replace(got, "# m: histogram \"\" \"\"\n", "", 1); strings.TrimPrefix(got, "m{} cumulative distribution @0 ") != want {
			t.Errorf("%s: got %s want %s", point, got, want)
		}
	}
	for point, want := range map[string]string{
		`"count":4,"sum":1,"scale":0,"zeroCount":1,"zeroThreshold":0.5,"positive":{"offset":1,"bucketCounts":["1","1"]},"negative":{"offset":-1,"bucketCounts":[1]}`: "count 4 sum 1 min NaN max NaN (-1,-0.5]=1 (-0.5,0.5]=1 (2,4]=1 (4,8]=1\n",
		`"count":1,"sum":3,"scale":1,"positive":{"offset":2,"bucketCounts":[1]}`:                                                                                     "count 1 sum 3 min NaN max NaN (2,2.828]=1\n",
		`"count":null,"zeroCount":null,"zeroThreshold":null,"sum":3,"scale":1,"positive":{"offset":2,"bucketCounts":[1]}`:                                            "count 1 sum 3 min NaN max NaN (2,2.828]=1\n",
		`"count":1,"sum":3,"scale":21,"positive":{"bucketCounts":[1]}`:                                                                                               bad,
		`"count":1,"sum":3,"scale":-11,"positive":{"bucketCounts":[1]}`:                                                                                              bad,
		`"count":1,"sum":3,"zeroThreshold":-1,"zeroCount":1`:                                                                                                         bad,
		`"count":1,"sum":3,"zeroThreshold":3,"positive":{"bucketCounts":[1]}`:                                                                                        bad,
		`"count":1,"sum":3,"positive":{"bucketCounts":[` + strings.Repeat("0,", protocol.MaxHistogramBuckets) + `1]}`:                                                bad,
	} {
		got := decodeJSON(t, metrics(`{"name":"m","exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{`+point+`}]}}`))
		if got = strings.Replace(got, "# m: histogram \"\" \"\"\n", "", 1); strings.TrimPrefix(got, "m{} cumulative distribution @0 ") != want {
			t.Errorf("%.100s: got %s want %s", point, got, want)
		}
	}
}

// TestJSONErrors: what is wrong with a body is said with where it is.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"resourceMetrics":{}}`: `the body is not an export request of metrics: {} is no list`,
		`{"resourceMetrics":[{"resource":{"attributes":[{"key":7}]}}]}`:               `the body is not an export request of metrics: element 0: element 0: Key is a number`,
		`{"resourceMetrics":[{"scopeMetrics":7}]}`:                                    `the body is not an export request of metrics: element 0: 7 is no list`,
		metrics(`{"name":"m","gauge":{"dataPoints":7}}`):                              `the body is not an export request of metrics: element 0: element 0: element 0: 7 is no list`,
		metrics(`{"name":"m","gauge":{"dataPoints":[{"asInt":"x"}]}}`):                `the body is not an export request of metrics: element 0: element 0: element 0: element 0: "x" is no number`,
		metrics(`{"name":"m","gauge":{"dataPoints":[{"timeUnixNano":-1}]}}`):          `the body is not an export request of metrics: element 0: element 0: element 0: element 0: -1 is no whole number`,
		metrics(`{"name":"m","gauge":{"dataPoints":[{"asInt":1,"attributes":[7]}]}}`): `the body is not an export request of metrics: element 0: element 0: element 0: element 0: element 0:  is a number`,
	} {
		err := otlp.New(nil).DecodeJSON([]byte(body), protocol.NewBatch(protocol.DefaultLimits))
		if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%s:\n%v\nwant %s", body, err, want)
		}
	}
	small := protocol.NewBatch(protocol.Limits{Points: 1})
	err := otlp.New(nil).DecodeJSON([]byte(metrics(`{"name":"m","summary":{"dataPoints":[{"count":1}]}}`)), small)
	if tidemark.KindOf(err) != tidemark.TooLarge || err.Error() != "more than 1 points in one request" {
		t.Errorf("two points where one may be: %v", err)
	}
}

// TestWhoseAttributeCounts: that of the point before that of the scope, and
// that before the resource's, of which only some become labels.
func TestWhoseAttributeCounts(t *testing.T) {
	t.Parallel()
	attribute := func(key, value string) string {
		return fmt.Sprintf(`{"key":%q,"value":{"stringValue":%q}}`, key, value)
	}
	body := `{"resourceMetrics":[{"resource":{"attributes":[` + attribute("host.name", "of the resource") + `,` + attribute("service.name", "shop") + `,` + attribute("process.pid", "7") + `,` + attribute("otel.scope.name", "resource") + `]},
		"scopeMetrics":[{"scope":{"name":"lib"},"metrics":[{"name":"m","gauge":{"dataPoints":[{"asInt":1,"attributes":[` + attribute("host.name", "of the point") + `]},{"asInt":2}]}}]},
			{"metrics":[{"name":"n","gauge":{"dataPoints":[{"asInt":3}]}}]}]},
		{"scopeMetrics":[{"metrics":[{"name":"o","gauge":{"dataPoints":[{"asInt":4}]}}]}]}]}`
	want := "m{host.name=of the point,otel.scope.name=lib,service.name=shop} gauge @0 1\n" +
		"m{host.name=of the resource,otel.scope.name=lib,service.name=shop} gauge @0 2\n" +
		"n{host.name=of the resource,service.name=shop} gauge @0 3\n" +
		"o{} gauge @0 4\n"
	if got := decodeJSON(t, body); !strings.HasPrefix(got, want) {
		t.Errorf("got %s want %s", got, want)
	}
}

// TestResponses: an answer says how many points were rejected and why, and
// nothing where all were taken.
func TestResponses(t *testing.T) {
	t.Parallel()
	if got := otlp.Response(0, ""); len(got) != 0 {
		t.Errorf("all taken: %q", got)
	}
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		rejected int
		message  string
		want     []byte
	}{
		{3, "why", Message(1, Message(1, 3, 2, "why"))},
		{300, long, Message(1, Message(1, 300, 2, long))},
		{0, "a warning", Message(1, Message(2, "a warning"))},
		{2, "", Message(1, Message(1, 2))},
	} {
		if got := otlp.Response(c.rejected, c.message); string(got) != string(c.want) {
			t.Errorf("%d %.10s: %q, want %q", c.rejected, c.message, got, c.want)
		}
	}
	if got := otlp.Status(16, "who are you"); string(got) != string(Message(1, 16, 2, "who are you")) {
		t.Errorf("status: %q", got)
	}
}
