package ingest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// legacyTree reads JSON as the door does.
func legacyTree(t *testing.T, body string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	var tree map[string]any
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestLegacy(t *testing.T) {
	const one = " 0 {Count:1 Sum:1 Min:1 Max:1 Last:1 M2:0}"
	tests := []struct {
		name, body string
		want       []string
	}{
		{"array", `{"gauges":[{"name":"A","value":1,"source":"Web-1"}],"counters":[]}`, []string{"a{source=web-1}" + one}},
		{"no source", `{"gauges":[{"name":"a","value":1}]}`, []string{"a{source=unassigned}" + one}},
		{"source of all", `{"source":"x","gauges":[{"name":"a","value":1},{"name":"b","value":1,"source":"y"},{"name":"c","value":1,"source":null}]}`,
			[]string{"a{source=x}" + one, "b{source=y}" + one, "c{source=x}" + one}},
		{"object by name", `{"gauges":{"a":{"value":1}},"counters":{"b":{"value":"1"}}}`, []string{"a{source=unassigned}" + one, "b{source=unassigned}" + one}},
		{"object by any key", `{"gauges":{"0":{"name":"a","value":1},"1":{"name":"b","value":1}}}`, []string{"a{source=unassigned}" + one, "b{source=unassigned}" + one}},
		{"form", `{"gauges":[{"name":"a","value":"1","measure_time":"1754300400"}],"source":""}`, []string{"a{source=unassigned}" + one}},
		{"times", `{"measure_time":1754300390,"gauges":[{"name":"a","value":1},{"name":"b","value":1,"measure_time":1754300395.7}]}`,
			[]string{"a{source=unassigned} -10 {Count:1 Sum:1 Min:1 Max:1 Last:1 M2:0}", "b{source=unassigned} -5 {Count:1 Sum:1 Min:1 Max:1 Last:1 M2:0}"}},
		{"summary", `{"gauges":[{"name":"a","count":4,"sum":80,"min":10,"max":31,"sum_squares":1801}]}`,
			[]string{"a{source=unassigned} 0 {Count:4 Sum:80 Min:10 Max:31 Last:20 M2:201}"}},
		{"deviation of the sample", `{"gauges":[{"name":"a","count":3,"sum":60,"min":10,"max":30,"stddev_m2":10}]}`,
			[]string{"a{source=unassigned} 0 {Count:3 Sum:60 Min:10 Max:30 Last:20 M2:200}"}},
		{"nothing to record", `{"gauges":[{"name":"a","count":0},{"name":"b","value":1}]}`, []string{"b{source=unassigned}" + one}},
	}
	for _, test := range tests {
		b := newBench(nil)
		if err := b.RecordLegacy(t.Context(), us, legacyTree(t, test.body), "agent"); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if d := cmp.Diff(test.want, b.contents(t)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestLegacyMetric(t *testing.T) {
	b := newBench(nil)
	body := `{"period":30,"gauges":[{"name":"a","value":1,"description":"d","attributes":{"display_max":"5"}}],"counters":[{"name":"b","value":1,"period":"15"}]}`
	if err := b.RecordLegacy(t.Context(), us, legacyTree(t, body), "agent"); err != nil {
		t.Fatal(err)
	}
	thirty, fifteen, d := int64(30), int64(15), "d"
	diff(t, "metrics", b.metrics.stored, map[string]*tidemark.Metric{
		"a": {Name: "a", Type: "gauge", Period: &thirty, Description: &d, Attributes: map[string]any{"display_max": 5.0, "created_by_ua": "agent"}},
		"b": {Name: "b", Type: "counter", Period: &fifteen, Attributes: map[string]any{"created_by_ua": "agent"}},
	})
}

// TestLegacyRefuses checks that one bad measurement refuses all, in the words
// that clients look for.
func TestLegacyRefuses(t *testing.T) {
	tests := []struct {
		body string
		want map[string][]string
	}{
		{`{"gauges":[],"counters":[]}`, map[string][]string{"measurements": {"Must contain a measurement"}}},
		{`{}`, map[string][]string{"measurements": {"Must contain a measurement"}}},
		{`{"gauges":5}`, map[string][]string{"gauges": {"must be an array or an object"}}},
		{`{"gauges":[{"name":"good","value":1},{"value":1}]}`, map[string][]string{"name": {"is not present"}}},
		{`{"gauges":[{"name":"good","value":1},7]}`, map[string][]string{"name": {"is not present"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"a b","value":1}]}`, map[string][]string{"name": {"must be 1 to 255 letters, digits and . : - _"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"a","value":"x"}]}`, map[string][]string{"name": {"a"}, "value": {"is not a number"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"a","value":1e200}]}`, map[string][]string{"name": {"a"}, "value": {"is not a number"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"a"}]}`, map[string][]string{"name": {"a"}, "value": {"is not present, nor are count and sum"}}},
		{`{"counters":[{"name":"shop.hits","value":-1}]}`, map[string][]string{"name": {"shop.hits"}, "value": {"must be positive"}}},
		{`{"measure_time":1,"gauges":[{"name":"a","value":1}]}`, map[string][]string{"measure_time": {"is too far in the past"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"a","value":1,"measure_time":1754400000}]}`, map[string][]string{"measure_time": {"is too far in the future"}}},
		{`{"gauges":[{"name":"a","value":1,"measure_time":"noon"}]}`, map[string][]string{"measure_time": {"is not a number of seconds"}}},
		{`{"gauges":[{"name":"a","value":1,"source":"all"}]}`, map[string][]string{"name": {"a"}, "source": {"is reserved"}}},
		{`{"source":"a b","gauges":[{"name":"a","value":1}]}`, map[string][]string{"name": {"a"}, "source": {"must be 1 to 255 letters, digits and . : - _"}}},
		{`{"gauges":[{"name":"good","value":1},{"name":"comp","value":1}]}`, map[string][]string{"type": {"'comp' is a composite, but was submitted as different type"}}},
	}
	for _, test := range tests {
		b := newBench(nil)
		b.metrics.stored["comp"] = &tidemark.Metric{Name: "comp", Type: tidemark.Composite, Composite: "s(\"a\",\"*\")"}
		err := b.RecordLegacy(t.Context(), us, legacyTree(t, test.body), "agent")
		e, ok := errors.AsType[*tidemark.Error](err)
		if !ok || e.Kind != tidemark.Invalid {
			t.Errorf("%s: %v", test.body, err)
			continue
		}
		if d := cmp.Diff(test.want, e.Fields); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.body, d)
		}
		if got := b.contents(t); len(got) > 0 {
			t.Errorf("%s recorded %q", test.body, got)
		}
	}
}
