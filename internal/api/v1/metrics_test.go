package v1

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// TestAttributesOfMetrics: attributes may stand beside a metric's properties,
// and what forms and clients send as texts becomes what it is.
func TestAttributesOfMetrics(t *testing.T) {
	t.Parallel()
	n := func(s string) json.Number { return json.Number(s) }
	for _, c := range []struct{ in, want map[string]any }{
		{map[string]any{}, map[string]any{}},
		{map[string]any{"attributes": map[string]any{"color": "#f00", "own": n("1.5")}}, map[string]any{"color": "#f00", "own": 1.5}},
		{map[string]any{"color": "#f00", "attributes": map[string]any{"color": "#0f0", "own": n("2")}}, map[string]any{"color": "#f00", "own": int64(2)}},
		{map[string]any{"display_min": "5", "display_max": "5.5"}, map[string]any{"display_min": int64(5), "display_max": 5.5}},
		{map[string]any{"display_min": n("5"), "display_max": n("1e300")}, map[string]any{"display_min": int64(5), "display_max": 1e300}},
		{map[string]any{"display_min": "", "aggregate": "", "color": ""}, map[string]any{"display_min": nil, "aggregate": nil, "color": ""}},
		{map[string]any{"display_min": "low", "aggregate": "maybe"}, map[string]any{"display_min": "low", "aggregate": "maybe"}},
		{map[string]any{"aggregate": "TRUE", "gap_detection": "0", "display_stacked": true}, map[string]any{"aggregate": true, "gap_detection": false, "display_stacked": true}},
		{map[string]any{"unknown": "5"}, map[string]any{}},
	} {
		u, err := readMetric(c.in)
		if d := cmp.Diff(c.want, u.Attributes.V); d != "" || err != nil {
			t.Errorf("%v: %v %s", c.in, err, d)
		}
	}
}

// TestCompositesByDefinition: what has a definition is a composite, unless it
// says otherwise.
func TestCompositesByDefinition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]tidemark.Opt[string]{
		`{"composite":"s(\"a\",\"*\")"}`: tidemark.Some(tidemark.Composite), `{"composite":""}`: {}, `{"composite":null}`: {}, `{}`: {},
		`{"type":"gauge","composite":"s(\"a\",\"*\")"}`: tidemark.Some(tidemark.Gauge),
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		if u, err := readMetric(object); err != nil || u.Type != want {
			t.Errorf("%s: %+v, %v", text, u.Type, err)
		}
	}
}

// TestWhichMetrics: a bulk request names metrics, one or many, by names of a
// length that there can be.
func TestWhichMetrics(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 256)
	many, _ := json.Marshal(map[string]any{"names": strings.Split(strings.Repeat("a,", maxNames)+"a", ",")})
	for _, c := range []struct{ body, want, refused string }{
		{`{"names":["a","b*"],"exclude":["c"]}`, "{[a b*] [c]}", ""}, {`{"names":"a*","exclude":"b"}`, "{[a*] [b]}", ""},
		{"names[]=a&names[]=b", "{[a b] []}", ""}, {`{"names":{"0":"a"}}`, "{[a] []}", ""},
		{`{}`, "", "400 invalid parameters; names is not present"}, {`{"names":[]}`, "", "400 invalid parameters; names is not present"},
		{`{"names":[""]}`, "", "400 invalid parameters; names must not hold an empty name"}, {`{"names":[null]}`, "", "400 invalid parameters; names must not hold null"},
		{`{"names":["` + long + `"]}`, "", "400 invalid parameters; names is longer than 255 characters"},
		{`{"names":["a"],"exclude":["` + long + `"]}`, "", "400 invalid parameters; exclude is longer than 255 characters"},
		{string(many), "", "400 invalid parameters; names has more than 10000 entries"}, {`[]`, "", "400 the body must be an object"},
	} {
		w, _, err := readWhich(httptest.NewRequest("PUT", "/v1/metrics", strings.NewReader(c.body)))
		if got := fmt.Sprint(w); apitest.Said(err) != c.refused || err == nil && got != c.want {
			t.Errorf("%.40s: %.40s, %q, want %s, %q", c.body, got, apitest.Said(err), c.want, c.refused)
		}
	}
}

// TestKindsOfMetrics: a metric with measurements becomes no composite, and what
// is not a recorder's to say they cannot change.
func TestKindsOfMetrics(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", nil, apitest.Now, 1)
	const (
		definition = `{"composite":"sum(s(\"cpu\", \"*\"))"}`
		another    = `{"composite":"max(s(\"cpu\", \"*\"))"}`
		hasData    = `422 {"errors":{"params":{"type":["cannot become composite: the metric has measurements; delete it first, or use another name"]}}}`
	)
	c.Check(t,
		apitest.Exchange{Request: "PUT /v1/metrics/load", Body: definition, Want: `201 {"name":"load",...`},
		apitest.Exchange{Request: "PUT /v1/metrics/load", Body: another, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/metrics/cpu", Body: definition, Want: `400 {"errors":{"params":{"composite":["cpu is a composite: composites cannot be used within others"]}}}`},
		apitest.Exchange{Request: "PUT /v1/metrics/CPU", Body: `{"composite":"s(\"mem\", \"*\")"}`, Want: hasData},
		apitest.Exchange{Request: "PUT /v1/metrics", Body: `{"names":["c*"],"composite":"s(\"mem\", \"*\")"}`, Want: hasData},
		apitest.Exchange{Request: "PUT /v1/metrics", Body: `{"names":["none*"],"composite":"s(\"mem\""}`, Want: `400 {"errors":{"params":{"composite":[...`},
		apitest.Exchange{Request: "PUT /v1/metrics/cpu", Body: `{"type":"counter"}`, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/metrics/c%20pu", Body: `{}`, Want: `400 {"errors":{"params":{"name":["must be 1 to 255 letters, digits and . : - _"]}}}`},
	)
	c.Who = w.Token(tidemark.RecordOnly)
	c.Check(t,
		apitest.Exchange{Request: "PUT /v1/metrics/cpu", Body: `{"display_name":"CPU"}`, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/metrics/cpu", Body: `{"type":"gauge"}`, Want: `403 {"errors":{"request":["This token may record, and not change the type of a metric that has measurements"]}}`},
		apitest.Exchange{Request: "PUT /v1/metrics/load", Body: definition, Want: `403 {"errors":{"request":["This token may record, and not change the definition of a composite"]}}`},
		apitest.Exchange{Request: "PUT /v1/metrics/load", Body: another, Want: "204"}, // as it is
		apitest.Exchange{Request: "PUT /v1/metrics/new", Body: `{"type":"counter"}`, Want: `201 {"name":"new",...`},
		apitest.Exchange{Request: "PUT /v1/metrics/new", Body: `{"type":"gauge"}`, Want: "204"}, // nobody sent any yet
		apitest.Exchange{Request: "PUT /v1/metrics", Body: `{"names":["new"],"period":60}`, Want: `403 {...`},
	)
	for name, want := range map[string]string{"cpu": "counter CPU", "load": "composite <nil>", "new": "gauge <nil>"} {
		m, err := w.Store.Metric(t.Context(), w.Org, name)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(m.Type, " ", nil)
		if m.DisplayName != nil {
			got = m.Type + " " + *m.DisplayName
		}
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestManyMetricsAtOnce: one change to all that match and are not excluded, and
// what is recorded afterwards follows it; names that do not exist are no error.
func TestManyMetricsAtOnce(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	for _, name := range []string{"cpu.user", "cpu.system", "mem"} {
		w.Record(t, name, nil, apitest.Now-60, 1)
	}
	c.Check(t,
		apitest.Exchange{Request: "PUT /v1/metrics", Body: `{"names":["cpu.*","nothing"],"exclude":["*.system"],"period":60,"display_min":"0"}`, Want: "204"},
		apitest.Exchange{Request: "DELETE /v1/metrics", Body: `{"names":["cpu.system","nothing"]}`, Want: "204"},
		apitest.Exchange{Request: "DELETE /v1/metrics/mem", Want: "204"},
		apitest.Exchange{Request: "DELETE /v1/metrics/mem", Want: `404 {"errors":{"request":["Not Found"]}}`},
	)
	found, _, err := w.Store.Metrics(t.Context(), w.Org, tidemark.Page{Length: 10})
	if err != nil || len(found) != 1 || found[0].Name != "cpu.user" || *found[0].Period != 60 || found[0].Attributes["display_min"] == nil {
		t.Errorf("%+v, %v", found, err)
	}
	if n := streamsOf(t, w, "*"); n != 1 {
		t.Errorf("%d streams are left", n)
	}
}
