package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

func newRequest(method, target string) *http.Request { return httptest.NewRequest(method, target, nil) }

func (w *world) serve1(r *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

// TestClientsOfAlertsAndCharts is the list of what breaks clients of alerts, services, spaces,
// charts and composites.
func TestClientsOfAlertsAndCharts(t *testing.T) {
	checkClients(t, append(append(clientsOfAlerts, clientsOfDashboards...), clientsElsewhere...))
}

const (
	hook      = `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/secret","n":1,"b":true}}`
	condition = `{"type":"above","metric_name":"m","threshold":10,"tags":[{"name":"z","values":["b","a"]},{"name":"a","values":["1"]}]}`
	formType  = "application/x-www-form-urlencoded"
)

// withAlert makes a metric, a service and an alert, each with id 1.
func withAlert(t *testing.T, w *world) {
	t.Helper()
	w.must(t, 201, "PUT", "/v1/metrics/m", `{}`)
	w.must(t, 201, "POST", "/v1/services", hook)
	w.must(t, 201, "POST", "/v1/alerts", `{"name":"cpu.high","services":[1],"conditions":[`+condition+`]}`)
}

var clientsOfAlerts = []clientCase{
	{"types that the Go client decodes", func(t *testing.T, w *world) {
		withAlert(t, w)
		var alert struct {
			ID, CreatedAt, UpdatedAt, RearmSeconds int64
			Services                               []struct {
				ID       int64
				Settings map[string]string
			}
		}
		if err := json.Unmarshal([]byte(w.must(t, 200, "GET", "/v1/alerts/1", "")), &alert); err != nil || alert.Services[0].Settings["n"] != "1" || alert.Services[0].Settings["b"] != "true" {
			t.Errorf("%v %+v", err, alert)
		}
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"s"}`)
		w.must(t, 201, "POST", "/v1/spaces/1/charts", `{"name":"c","streams":[{"metric":"m","min":0,"max":"100","period":60}]}`)
		var space struct{ Charts []map[string]int }
		if err := json.Unmarshal([]byte(w.must(t, 200, "GET", "/v1/spaces/1", "")), &space); err != nil {
			t.Error(err)
		}
		equal(t, []map[string]int{{"id": 1}}, space.Charts)
		var list struct{ Query map[string]int }
		if err := json.Unmarshal([]byte(w.must(t, 200, "GET", "/v1/spaces", "")), &list); err != nil {
			t.Error(err)
		}
		var chart struct {
			Streams []struct{ Min, Max, Period int }
		}
		if err := json.Unmarshal([]byte(w.must(t, 200, "GET", "/v1/spaces/1/charts/1", "")), &chart); err != nil || chart.Streams[0].Max != 100 {
			t.Errorf("%v %+v", err, chart)
		}
		snapshot := w.object(t, 202, "POST", "/v1/snapshots", `{"subject":{"chart":{"id":1}}}`)
		if at, _ := snapshot["created_at"].(string); !rfcText.MatchString(at) {
			t.Errorf("created_at of a snapshot is %v", snapshot["created_at"])
		}
	}},
	{"defaults are not echoed", func(t *testing.T, w *world) {
		withAlert(t, w)
		alert := w.object(t, 200, "GET", "/v1/alerts/1", "")
		c := dig(t, alert, "conditions", 0).(map[string]any)
		for _, key := range []string{"summary_function", "duration", "detect_reset"} {
			if v, there := c[key]; there && v != nil {
				t.Errorf("%s is echoed as %v", key, v)
			}
		}
		equal(t, any(map[string]any{}), alert["attributes"])
		// What Terraform hashes, as it writes it.
		equal(t, "above-m-false-0-10.000000--", fmt.Sprintf("%v-%v-%v-%v-%f-%v-", c["type"], c["metric_name"], c["detect_reset"] == true, orZero(c["duration"]), c["threshold"], orEmpty(c["summary_function"])))
	}},
	{"order of tags and values", func(t *testing.T, w *world) {
		withAlert(t, w)
		tags := dig(t, w.object(t, 200, "GET", "/v1/alerts/1", ""), "conditions", 0, "tags")
		equal(t, any([]any{map[string]any{"name": "z", "values": []any{"b", "a"}}, map[string]any{"name": "a", "values": []any{"1"}}}), tags)
	}},
	{"PUT without conditions empties them", func(t *testing.T, w *world) {
		withAlert(t, w)
		w.must(t, 204, "PUT", "/v1/alerts/1", `{"conditions":[`+condition+`,`+condition+`]}`)
		equal(t, 2, len(w.object(t, 200, "GET", "/v1/alerts/1", "")["conditions"].([]any)))
		w.must(t, 204, "PUT", "/v1/alerts/1", `{"description":"d"}`)
		alert := w.object(t, 200, "GET", "/v1/alerts/1", "")
		equal(t, any([]any{}), alert["conditions"])
		equal(t, any("cpu.high"), alert["name"])
		equal(t, 1, len(alert["services"].([]any)))
	}},
	{"services as ints, texts and objects", func(t *testing.T, w *world) {
		withAlert(t, w)
		for i, services := range []string{`[1]`, `["1"]`, `[{"id":1}]`, `[{"id":"1"}]`} {
			alert := w.object(t, 201, "POST", "/v1/alerts", fmt.Sprintf(`{"name":"a%d","services":%s}`, i, services))
			equal(t, any("hook"), dig(t, alert, "services", 0, "title"))
		}
	}},
	{"keys that are indexed without asking", func(t *testing.T, w *world) {
		w.must(t, 201, "POST", "/v1/services", hook)
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"s"}`)
		w.must(t, 201, "POST", "/v1/spaces/1/charts", `{}`)
		alert := w.object(t, 201, "POST", "/v1/alerts", `{"name":"bare"}`)
		for _, key := range required["alerts"] {
			dig(t, alert, key)
		}
		equal(t, nil, alert["description"])
		for _, key := range required["services"] {
			dig(t, w.object(t, 200, "GET", "/v1/services/1", ""), key)
		}
		for _, key := range []string{"id", "name"} {
			dig(t, w.object(t, 200, "GET", "/v1/spaces/1", ""), key)
			dig(t, w.object(t, 200, "GET", "/v1/spaces/1/charts/1", ""), key)
		}
	}},
	{"the exact name comes first", func(t *testing.T, w *world) {
		for _, name := range []string{"a.cpu", "cpu", "cpu.b", "CPUs"} {
			w.must(t, 201, "POST", "/v1/alerts", `{"name":"`+name+`"}`)
		}
		answer := w.object(t, 200, "GET", "/v1/alerts?name=cpu", "")
		equal(t, any("cpu"), dig(t, answer, "alerts", 0, "name"))
		equal(t, any(4.), dig(t, answer, "query", "found"))
	}},
	{"counts of a page", func(t *testing.T, w *world) {
		for i := range 3 {
			w.must(t, 201, "POST", "/v1/alerts", fmt.Sprintf(`{"name":"a%d"}`, i))
		}
		page := w.object(t, 200, "GET", "/v1/alerts?length=2&offset=2", "")
		equal(t, any(map[string]any{"found": 3., "total": 3., "offset": 2., "length": 1.}), page["query"])
		past := w.object(t, 200, "GET", "/v1/alerts?offset=3&length=100", "")
		equal(t, any(map[string]any{"found": 3., "total": 3., "offset": 3., "length": 0.}), past["query"])
		equal(t, any([]any{}), past["alerts"])
	}},
	{"404 right after delete", func(t *testing.T, w *world) {
		withAlert(t, w)
		w.must(t, 200, "GET", "/v1/alerts/1", "")
		w.must(t, 204, "DELETE", "/v1/alerts/1", "")
		for _, method := range []string{"GET", "DELETE", "PUT"} {
			equal(t, `{"errors":{"request":["Not Found"]}}`, w.must(t, 404, method, "/v1/alerts/1", ""))
		}
	}},
	{"shapes of errors", func(t *testing.T, w *world) {
		withAlert(t, w)
		equal(t, `{"errors":{"params":{"name":["is not present"]}}}`, w.must(t, 400, "POST", "/v1/alerts", `{}`))
		for _, bad := range []struct{ path, body string }{
			{"/v1/alerts", `{"name":"x","conditions":[{"type":"above","metric_name":"m","tags":"z"}]}`},
			{"/v1/alerts", `{"name":"x","conditions":"z","attributes":[[]],"services":{"a":{}}}`},
			{"/v1/alerts", `{"name":"x","conditions":[{"type":"above","metric_name":"m","threshold":1,"tags":[{"name":{},"values":[{}]}]}]}`},
			{"/v1/services", `{"type":"mail","title":"x","settings":{"addresses":{"a":{"b":1}}}}`},
			{"/v1/spaces", `{"name":[1]}`},
			{"/v1/alerts", `{`},
		} {
			answer := w.object(t, 400, "POST", bad.path, bad.body)
			if err := readableErrors(answer["errors"]); err != "" {
				t.Errorf("%s: %s: %v", bad.body, err, answer)
			}
		}
	}},
	{"gzip without a body, forms, JSON under the form type", func(t *testing.T, w *world) {
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"json as form"}`, "Content-Type", formType)
		w.must(t, 201, "POST", "/v1/spaces", `name=CPUs`, "Content-Type", formType)
		w.must(t, 201, "POST", "/v1/spaces", `name=CPUs`, "Content-Type", "")
		w.must(t, 200, "GET", "/v1/spaces/2", "", "Content-Encoding", "gzip")
		w.must(t, 204, "DELETE", "/v1/spaces/2", "", "Content-Encoding", "gzip")
		// Every other route: TestFormsEqualJSON.
	}},
	{"status wins over an id, clear is a POST", func(t *testing.T, w *world) {
		withAlert(t, w)
		equal(t, `{"cleared":[],"firing":[]}`, w.must(t, 200, "GET", "/v1/alerts/status", ""))
		equal(t, `{"alert":{"id":1},"status":"ok"}`, w.must(t, 200, "GET", "/v1/alerts/1/status", ""))
		equal(t, "", w.must(t, 204, "POST", "/v1/alerts/1/clear", ""))
		w.must(t, 405, "GET", "/v1/alerts/1/clear", "")
	}},
	{"threshold 0 on absent conditions", func(t *testing.T, w *world) {
		withAlert(t, w)
		w.must(t, 201, "POST", "/v1/alerts", `{"name":"x","conditions":[{"type":"absent","metric_name":"m","duration":300,"threshold":0}]}`)
	}},
	{"loose conditions", func(t *testing.T, w *world) {
		withAlert(t, w)
		for i, c := range []string{`"duration":0`, `"duration":null`, `"summary_function":null`, `"source":"*"`, `"source":null`, `"tags":{}`, `"tags":[]`, `"tags":null`} {
			alert := w.object(t, 201, "POST", "/v1/alerts", fmt.Sprintf(`{"name":"a%d","rearm_seconds":null,"conditions":[{"type":"above","metric_name":"m","threshold":1,%s}]}`, i, c))
			equal(t, any(600.), alert["rearm_seconds"])
			if _, ok := dig(t, alert, "conditions", 0, "tags").([]any); !ok {
				t.Errorf("%s: tags is no list: %v", c, alert)
			}
		}
	}},
	{"active and version as texts", func(t *testing.T, w *world) {
		alert := w.object(t, 201, "POST", "/v1/alerts", `{"name":"x","active":"false","version":"2"}`)
		equal(t, any(false), alert["active"])
		equal(t, any(2.), alert["version"])
		w.must(t, 204, "PUT", "/v1/alerts/1", `{"active":"true"}`)
		equal(t, any(true), w.object(t, 200, "GET", "/v1/alerts/1", "")["active"])
	}},
	{"conditions name metrics that exist", func(t *testing.T, w *world) {
		const alert = `{"name":"x","conditions":[{"type":"above","metric_name":"later","threshold":1}]}`
		answer := w.object(t, 400, "POST", "/v1/alerts", alert)
		dig(t, answer, "errors", "params", "conditions", "metric_name")
		w.must(t, 201, "PUT", "/v1/metrics/later", `{"type":"gauge"}`)
		w.must(t, 201, "POST", "/v1/alerts", alert)
	}},
	{"durations are seconds", func(t *testing.T, w *world) {
		withAlert(t, w)
		alert := w.object(t, 201, "POST", "/v1/alerts", `{"name":"x","rearm_seconds":1200,"conditions":[{"type":"absent","metric_name":"m","duration":3600}]}`)
		equal(t, any(3600.), dig(t, alert, "conditions", 0, "duration"))
		equal(t, any(1200.), alert["rearm_seconds"])
		w.must(t, 400, "POST", "/v1/alerts", `{"name":"y","conditions":[{"type":"absent","metric_name":"m","duration":10}]}`)
	}},
	{"updated_at moves on PUT", func(t *testing.T, w *world) {
		withAlert(t, w)
		before := w.object(t, 200, "GET", "/v1/alerts/1", "")["updated_at"].(float64)
		time.Sleep(time.Until(time.Unix(int64(before)+1, 0))) // it has whole seconds
		w.must(t, 204, "PUT", "/v1/alerts/1", `{"description":"again"}`)
		seen := w.object(t, 200, "GET", "/v1/alerts/1", "")["updated_at"].(float64)
		if seen <= before {
			t.Errorf("updated_at stays at %v", seen)
		}
	}},
}

func orZero(v any) any {
	if v == nil {
		return 0
	}
	return v
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// readableErrors says what one client would panic over: request must be a
// list of texts, params lists of texts or one level of objects of such lists.
func readableErrors(errs any) string {
	object, ok := errs.(map[string]any)
	if !ok {
		return "errors is no object"
	}
	for key, v := range object {
		if params, isObject := v.(map[string]any); isObject && key == "params" {
			for field, msgs := range params {
				below, deep := msgs.(map[string]any)
				if !deep && !textList(msgs) {
					return field + " is no list of texts"
				}
				for inner, msgs := range below {
					if !textList(msgs) {
						return field + "." + inner + " is no list of texts"
					}
				}
			}
		} else if !textList(v) {
			return key + " is no list of texts"
		}
	}
	return ""
}

func textList(v any) bool {
	list, ok := v.([]any)
	for _, item := range list {
		if _, isText := item.(string); !isText {
			return false
		}
	}
	return ok
}

var clientsOfDashboards = []clientCase{
	{"PUT of a chart answers the chart", func(t *testing.T, w *world) {
		withAlert(t, w)
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"s"}`)
		w.must(t, 201, "POST", "/v1/spaces/1/charts", `{"name":"c"}`)
		equal(t, any("d"), w.object(t, 200, "PUT", "/v1/spaces/1/charts/1", `{"name":"d"}`)["name"])
		for _, path := range []string{"/v1/spaces/1", "/v1/alerts/1"} {
			equal(t, "", w.must(t, 204, "PUT", path, `{"name":"x"}`))
		}
		equal(t, "", w.must(t, 204, "PUT", "/v1/services/1", `{"title":"x"}`))
	}},
	{"the list of charts is a bare array", func(t *testing.T, w *world) {
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"s"}`)
		equal(t, `[]`, w.must(t, 200, "GET", "/v1/spaces/1/charts", ""))
		w.must(t, 201, "POST", "/v1/spaces/1/charts", `{"name":"c"}`)
		if body := w.must(t, 200, "GET", "/v1/spaces/1/charts", ""); !strings.HasPrefix(body, `[{"id":1,`) {
			t.Errorf("%s", body)
		}
	}},
	{"settings come back verbatim", func(t *testing.T, w *world) {
		service := w.object(t, 201, "POST", "/v1/services", `{"type":"pagerduty","title":"p","settings":{"service_key":"SECRET","event_type":"trigger","description":"d","extra":"kept"}}`)
		equal(t, service, w.object(t, 200, "GET", "/v1/services/1", ""))
		equal(t, any(map[string]any{"service_key": "SECRET", "event_type": "trigger", "description": "d", "extra": "kept"}), service["settings"])
		if rec := w.ask("viewer", "GET", "/v1/services/1", ""); strings.Contains(rec.Body.String(), "SECRET") {
			t.Errorf("a viewer reads %s", rec.Body)
		}
	}},
	{"PUT of a chart without streams keeps their ids", func(t *testing.T, w *world) {
		w.must(t, 201, "POST", "/v1/spaces", `{"name":"s"}`)
		before := w.object(t, 201, "POST", "/v1/spaces/1/charts", `{"name":"c","streams":[{"metric":"a"},{"metric":"b"}]}`)
		after := w.object(t, 200, "PUT", "/v1/spaces/1/charts/1", `{"name":"d"}`)
		equal(t, before["streams"], after["streams"])
	}},
}

var clientsElsewhere = []clientCase{
	{"what the webhook is sent", func(t *testing.T, _ *world) {
		// The golden files of internal/notify have every byte of it.
		n := notify.Notification{
			Org: 1, IncidentKey: "tidemark-1-2", Alert: notify.Alert{ID: 1, Name: "cpu.high"}, Time: 1700000000, Conditions: []notify.Condition{{ID: 7, Type: "above", Threshold: new(float64)}},
			Violations: map[string][]notify.Violation{"host=a": {{Metric: "m", Value: 1.5, RecordedAt: 1700000000, Condition: 7}}},
		}
		keys := make([]any, 0, 2)
		for _, clear := range []string{"", "auto"} {
			n.Clear = clear
			payload := webhookPayload(t, n)
			for _, key := range []string{"alert", "account", "trigger_time", "incident_key"} {
				dig(t, payload, key)
			}
			if clear != "" {
				equal(t, any("normal"), payload["clear"])
			} else {
				equal(t, any(1.5), dig(t, payload, "violations", "host=a", 0, "value"))
			}
			equal(t, any(1700000000.), payload["trigger_time"])
			keys = append(keys, payload["incident_key"])
		}
		equal(t, keys[0], keys[1])
	}},
	{"resets", func(t *testing.T, w *world) {
		// In a composite a counter that begins again counts as its new value;
		// in an alert it counts as 0: TestSignal of internal/alerting, "a reset
		// counts nothing".
		for i, v := range []int{10, 20, 4} {
			w.must(t, 202, "POST", "/v1/measurements", fmt.Sprintf(`{"measurements":[{"name":"c","value":%d,"time":%d}]}`, v, w.minute-int64(180-60*i)))
		}
		target := w.timely(`/v1/measurements?compose=derive(s("c","*"),{detect_reset:"true"})&start_time=NOW-180&end_time=NOW&resolution=60`)
		got := []any{}
		for _, p := range dig(t, w.object(t, 200, "GET", target, ""), "series", 0, "measurements").([]any) {
			got = append(got, p.(map[string]any)["value"])
		}
		equal(t, []any{10., 4.}, got)
	}},
	{"divide of other than two series", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1,"time":NOW}]}`)
		answer := w.object(t, 200, "GET", w.timely(`/v1/measurements?compose=divide([s("a","*")])&start_time=NOW-60&end_time=NOW&resolution=60`), "")
		equal(t, any([]any{}), answer["series"])
	}},
	{"spellings of options", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1,"time":NOW}]}`)
		for _, options := range []string{`{period:"60"}`, `{"period":"60"}`, `{"period":"60",function:"mean"}`, `{period:"60","function":"mean"}`} {
			answer := w.object(t, 200, "GET", w.timely(`/v1/measurements?compose=s("a","*",`+options+`)&start_time=NOW-60&end_time=NOW&resolution=60`), "")
			equal(t, any(1.), dig(t, answer, "series", 0, "measurements", 0, "value"))
		}
	}},
}

// webhookPayload is what a webhook's one field says.
func webhookPayload(t *testing.T, n notify.Notification) map[string]any {
	t.Helper()
	s := &tidemark.Service{Type: "webhook", Settings: map[string]string{"url": "https://example.org/hook"}}
	p, err := notify.MakePreview(s, n, "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.Type, formType) {
		t.Fatalf("a webhook is sent %s", p.Type)
	}
	_, text, found := strings.Cut(string(p.Body), "payload")
	var tree map[string]any
	begin := strings.Index(text, "{")
	if !found || begin < 0 {
		t.Fatalf("no payload: %s", p.Body)
	}
	if err := json.Unmarshal([]byte(text[begin:]), &tree); err != nil {
		t.Fatalf("%v\n%s", err, cmp.Diff("", string(p.Body)))
	}
	return tree
}
