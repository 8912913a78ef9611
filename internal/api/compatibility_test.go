package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// clientCase is one thing that breaks a real client when a server gets it wrong.
type clientCase struct {
	name  string
	check func(t *testing.T, w *world)
}

// checkClients runs every case against a server of its own.
func checkClients(t *testing.T, cases []clientCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, newWorld(t))
		})
	}
}

// must asks as the admin and fails unless the status is the one wanted.
func (w *world) must(t *testing.T, status int, method, target, body string, headers ...string) string {
	t.Helper()
	rec := w.ask("admin", method, target, w.timely(body), headers...)
	if rec.Code != status {
		t.Fatalf("%s %s %.200s: %d %.500s, want %d", method, target, body, rec.Code, rec.Body, status)
	}
	return rec.Body.String()
}

// object is must for an answer that is an object.
func (w *world) object(t *testing.T, status int, method, target, body string, headers ...string) map[string]any {
	t.Helper()
	var tree map[string]any
	text := w.must(t, status, method, target, body, headers...)
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%s %s: %v: %s", method, target, err, text)
	}
	return tree
}

// dig walks into a tree: keys of objects and indices of lists.
func dig(t *testing.T, tree any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := tree.(map[string]any)
			if _, there := object[step]; !ok || !there {
				t.Fatalf("there is no %q in %v", step, tree)
			}
			tree = object[step]
		case int:
			list, ok := tree.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("there is no [%d] in %v", step, tree)
			}
			tree = list[step]
		}
	}
	return tree
}

func equal(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

const accepted = `{"measurements":{"summary":{"total":1,"accepted":1,"failed":0,"filtered":0}}}`

// TestClientsOfMeasurements is the list of what breaks clients of measurements, metrics,
// annotations and tokens.
func TestClientsOfMeasurements(t *testing.T) {
	checkClients(t, append(clientsOfAnswers, clientsOfRequests...))
}

var clientsOfAnswers = []clientCase{
	{"204 vs body", func(t *testing.T, w *world) {
		if body := w.must(t, 201, "PUT", "/v1/metrics/a", `{"type":"gauge"}`); !strings.HasPrefix(body, `{"name":"a"`) {
			t.Errorf("a new metric needs a body: %q", body)
		}
		equal(t, "", w.must(t, 204, "PUT", "/v1/metrics/a", `{"period":60}`))
		equal(t, "", w.must(t, 204, "DELETE", "/v1/metrics/a", ""))
		id := w.object(t, 201, "POST", "/v1/api_tokens", `{"name":"x","role":"viewer"}`)["id"]
		equal(t, any("y"), w.object(t, 200, "PUT", fmt.Sprintf("/v1/api_tokens/%v", int64(id.(float64))), `{"name":"y"}`)["name"])
	}},
	{"202 vs 200", func(t *testing.T, w *world) {
		equal(t, accepted, w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`))
		equal(t, "", w.must(t, 200, "POST", "/v1/metrics", `{"gauges":[{"name":"a","value":1}]}`))
	}},
	{"spaced JSON", func(t *testing.T, w *world) {
		body := w.must(t, 202, "POST", "/v1/measurements", `{ "measurements" : [ { "name" : "a", "value" : 1 } ] }`)
		if !strings.Contains(body, `"failed":0`) || strings.ContainsAny(body, " \n\t") {
			t.Errorf("%s", body)
		}
	}},
	{"errors on success", func(t *testing.T, w *world) {
		if body := w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`); strings.Contains(body, "errors") {
			t.Errorf("%s", body)
		}
	}},
	{"errors as an object in a 202", func(t *testing.T, w *world) {
		answer := w.object(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1},{"name":"b","value":1,"tags":{"le":"+Inf"}}]}`)
		if list, ok := answer["errors"].([]any); !ok || len(list) != 1 {
			t.Errorf("errors is %T %v, want a list of one", answer["errors"], answer["errors"])
		}
	}},
	{"x-partial-failure false", func(t *testing.T, w *world) {
		whole := w.ask("admin", "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`)
		if v, there := whole.Header()["X-Partial-Failure"]; there {
			t.Errorf("a success has the header: %q", v)
		}
		part := w.ask("admin", "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1},{"name":"?","value":1}]}`)
		equal(t, "true", part.Header().Get("X-Partial-Failure"))
	}},
	{"query of an empty page", func(t *testing.T, w *world) {
		for i := range 101 {
			w.must(t, 201, "PUT", fmt.Sprintf("/v1/metrics/m%03d", i), `{}`)
		}
		first := w.object(t, 200, "GET", "/v1/metrics", "")
		equal(t, any(map[string]any{"found": 101., "total": 101., "offset": 0., "length": 100.}), first["query"])
		past := w.object(t, 200, "GET", "/v1/metrics?offset=200", "")
		equal(t, any(map[string]any{"found": 101., "total": 101., "offset": 200., "length": 0.}), past["query"])
		equal(t, any([]any{}), past["metrics"])
		none := w.object(t, 200, "GET", "/v1/metrics?name=nothing", "")
		equal(t, any(map[string]any{"found": 0., "total": 101., "offset": 0., "length": 0.}), none["query"])
		more := w.object(t, 200, "GET", "/v1/metrics?length=5000", "")
		equal(t, 100, len(more["metrics"].([]any)))
	}},
	{"list keys", func(t *testing.T, w *world) {
		for path, noun := range map[string]string{
			"/v1/metrics": "metrics", "/v1/annotations": "annotations", "/v1/api_tokens": "api_tokens", "/v1/sources": "sources",
			"/v1/alerts": "alerts", "/v1/services": "services", "/v1/spaces": "spaces",
		} {
			answer := w.object(t, 200, "GET", path, "")
			if _, ok := answer[noun].([]any); !ok || len(answer) != 2 {
				t.Errorf("%s: %v", path, answer)
			}
		}
	}},
	{"period and attributes are always there", func(t *testing.T, w *world) {
		w.must(t, 201, "PUT", "/v1/metrics/plain", `{}`)
		w.must(t, 201, "PUT", "/v1/metrics/comp", `{"composite":"s(\"plain\",\"*\")"}`)
		for _, name := range []string{"plain", "comp"} {
			m := w.object(t, 200, "GET", "/v1/metrics/"+name, "")
			equal(t, nil, dig(t, m, "period"))
			equal(t, any(map[string]any{}), dig(t, m, "attributes"))
		}
	}},
	{"texts where numbers and booleans belong", func(t *testing.T, w *world) {
		w.must(t, 201, "PUT", "/v1/metrics/a", `{"period":"60","attributes":{"display_stacked":"true","gap_detection":"false","aggregate":"1","display_min":"0"}}`)
		m := w.object(t, 200, "GET", "/v1/metrics/a", "")
		equal(t, any(60.), m["period"])
		equal(t, any(map[string]any{"display_stacked": true, "gap_detection": false, "aggregate": true, "display_min": 0.}), m["attributes"])
		e := w.object(t, 201, "POST", "/v1/annotations/s", `{"title":"t","start_time":"1234567890","end_time":"1234567899"}`)
		equal(t, any(1.), e["id"])
		equal(t, any(1234567890.), e["start_time"])
		equal(t, any(1234567899.), e["end_time"])
		// Jobs have numbers as ids by their type; see testdata/requests.txt.
	}},
	{"a bare array of series", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1,"time":NOW}]}`)
		answer := w.object(t, 200, "GET", w.timely(`/v1/measurements?compose=s("a","*")&start_time=NOW-60&end_time=NOW&resolution=60`), "")
		equal(t, any(`s("a","*")`), answer["compose"])
		equal(t, any(60.), answer["resolution"])
		equal(t, any(1.), dig(t, answer, "series", 0, "measurements", 0, "value"))
	}},
	{"formats of times", func(t *testing.T, w *world) {
		token := w.object(t, 201, "POST", "/v1/api_tokens", `{"name":"x","role":"viewer"}`)
		if at, _ := token["created_at"].(string); !dateText.MatchString(at) {
			t.Errorf("created_at of a token is %v", token["created_at"])
		}
		alert := w.object(t, 201, "POST", "/v1/alerts", `{"name":"a"}`)
		if at, ok := alert["created_at"].(float64); !ok || at < float64(w.minute) {
			t.Errorf("created_at of an alert is %v", alert["created_at"])
		}
	}},
	{"the body of a 404", func(t *testing.T, w *world) {
		for _, path := range []string{"/v1/nothing", "/nothing", "/v1", "/v1/metrics/none", "/v1/services/9", "/v1/spaces/x", "/v1/a/b/c/d/e/f", "/v1/services/../alerts", "/v1/annotations/none/1/links/x"} {
			rec := w.ask("admin", "GET", path, "")
			if path == "/v1/annotations/none/1/links/x" { // which has DELETE alone
				rec = w.ask("admin", "DELETE", path, "")
			}
			equal(t, 404, rec.Code)
			equal(t, `{"errors":{"request":["Not Found"]}}`, rec.Body.String())
			equal(t, rest.ContentJSON, rec.Header().Get("Content-Type"))
		}
	}},
}

var clientsOfRequests = []clientCase{
	{"gzip header without a body", func(t *testing.T, w *world) {
		w.must(t, 201, "PUT", "/v1/metrics/a", zipped(t, `{"type":"gauge"}`), "Content-Encoding", "gzip")
		w.must(t, 200, "GET", "/v1/metrics/a", "", "Content-Encoding", "gzip", "Content-Type", "application/json")
		w.must(t, 204, "DELETE", "/v1/metrics/a", "", "Content-Encoding", "gzip", "Content-Type", "application/json")
		id := w.object(t, 201, "POST", "/v1/alerts", zipped(t, `{"name":"a"}`), "Content-Encoding", "gzip")["id"]
		w.must(t, 204, "POST", fmt.Sprintf("/v1/alerts/%v/clear", id), "", "Content-Encoding", "gzip")
	}},
	{"token in the password field", func(t *testing.T, w *world) {
		secret := w.secrets["admin"]
		for _, fields := range [][2]string{{secret, ""}, {"token", secret}, {"", secret}, {"ops@example.org", secret}, {secret, "x"}, {secret, secret}} {
			r := newRequest("GET", "/v1/services")
			r.SetBasicAuth(fields[0], fields[1])
			equal(t, 200, w.serve1(r).Code)
		}
		for _, header := range []string{"Bearer " + secret, "bearer " + secret} {
			r := newRequest("GET", "/v1/services")
			r.Header.Set("Authorization", header)
			equal(t, 200, w.serve1(r).Code)
		}
		equal(t, 401, w.ask("nobody", "GET", "/v1/services?token="+secret, "").Code)
	}},
	{"a slash at the end is no redirect", func(t *testing.T, w *world) {
		equal(t, accepted, w.must(t, 202, "POST", "/v1/measurements/", `{"measurements":[{"name":"a","value":1}]}`))
		w.must(t, 200, "GET", w.timely(`/v1/measurements/?compose=s("a","*")&start_time=NOW&resolution=60`), "")
		// Every other route: TestTrailingSlash.
	}},
	{"tags are never merged", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"time":NOW,"tags":{"top":"1"},"measurements":[{"name":"own","value":1,"tags":{"a":"b"}},{"name":"empty","value":1,"tags":{}},{"name":"null","value":1,"tags":null},{"name":"none","value":1}]}`)
		for name, want := range map[string]map[string]any{"own": {"a": "b"}, "empty": {"top": "1"}, "null": {"top": "1"}, "none": {"top": "1"}} {
			equal(t, any(want), dig(t, w.read(t, name), "series", 0, "tags"))
		}
	}},
	{"one bad point does not sink the batch", func(t *testing.T, w *world) {
		answer := w.object(t, 202, "POST", "/v1/measurements", `{"time":NOW,"measurements":[{"name":"good","value":7},{"name":"bad name","value":1},{"name":"nothing"},{"name":"ahead","value":1,"time":NOW+9000},{"name":"tag","value":1,"tags":{"le":"+Inf"}}]}`)
		equal(t, any(map[string]any{"total": 5., "accepted": 1., "failed": 4., "filtered": 0.}), dig(t, answer, "measurements", "summary"))
		equal(t, any(7.), dig(t, w.read(t, "good"), "series", 0, "measurements", 0, "value"))
	}},
	{"dots are no format suffix", func(t *testing.T, w *world) {
		for _, name := range []string{"p.99", "db.json", "a.xml"} {
			w.must(t, 201, "PUT", "/v1/metrics/"+name, `{}`)
			equal(t, any(name), w.object(t, 200, "GET", "/v1/metrics/"+name, "")["name"])
		}
		w.must(t, 404, "GET", "/v1/metrics/db", "")
	}},
	{"case of names and tags", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"time":NOW,"measurements":[{"name":"iNtEgRaTiOn","value":1,"tags":{"Host":"WEB-1"}}]}`)
		w.must(t, 202, "POST", "/v1/measurements", `{"time":NOW-60,"measurements":[{"name":"INTEGRATION","value":2,"tags":{"host":"web-1"}}]}`)
		equal(t, any("iNtEgRaTiOn"), w.object(t, 200, "GET", "/v1/metrics/integration", "")["name"])
		answer := w.read(t, "Integration")
		equal(t, 1, len(answer["series"].([]any)))
		equal(t, any(map[string]any{"Host": "WEB-1"}), dig(t, answer, "series", 0, "tags"))
		equal(t, 2, len(dig(t, answer, "series", 0, "measurements").([]any)))
	}},
	{"what was read can be written", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1,"attributes":{"l2met_type":"measurement","aggregate":false}}]}`, "User-Agent", "some-agent/1")
		read := w.must(t, 200, "GET", "/v1/metrics/a", "")
		if !strings.Contains(read, `"created_by_ua":"some-agent/1"`) || !strings.Contains(read, `"l2met_type":"measurement"`) {
			t.Errorf("%s", read)
		}
		w.must(t, 204, "PUT", "/v1/metrics/a", read)
		equal(t, read, w.must(t, 200, "GET", "/v1/metrics/a", ""))
	}},
	{"bulk changes", func(t *testing.T, w *world) {
		for _, name := range []string{"my.1", "my.2", "my.3", "other"} {
			w.must(t, 201, "PUT", "/v1/metrics/"+name, `{}`)
		}
		w.must(t, 204, "PUT", "/v1/metrics", `{"names":"my.*","exclude":["my.3"],"display_max":100}`)
		for name, want := range map[string]map[string]any{"my.1": {"display_max": 100.}, "my.2": {"display_max": 100.}, "my.3": {}, "other": {}} {
			equal(t, any(want), w.object(t, 200, "GET", "/v1/metrics/"+name, "")["attributes"])
		}
		w.must(t, 204, "DELETE", "/v1/metrics", `{"names":["my.1","missing"]}`)
		w.must(t, 204, "DELETE", "/v1/metrics", "names=my.*&exclude[]=my.3", "Content-Type", "application/x-www-form-urlencoded")
		w.must(t, 204, "DELETE", "/v1/metrics", `{"names":["missing"]}`)
		equal(t, any(2.), dig(t, w.object(t, 200, "GET", "/v1/metrics", ""), "query", "found"))
	}},
	{"5xx for clients' mistakes", func(t *testing.T, w *world) {
		for _, rt := range w.Table { // TestMalformedRequests and the fuzz targets look closer
			method, path := fill(rt.Pattern)
			if rt.People {
				continue
			}
			for _, body := range []string{`{`, `[]`, `null`, `"x"`, `1e999`, `{"name":{}}`, "\x00\xff"} {
				if rec := w.ask("admin", method, path, body); rec.Code >= 500 {
					t.Errorf("%s %s %q: %d %s", method, path, body, rec.Code, rec.Body)
				}
			}
		}
	}},
	{"content type on a GET without a body", func(t *testing.T, w *world) {
		w.must(t, 201, "PUT", "/v1/metrics/a", `{}`)
		for _, kind := range []string{"application/json", "application/x-www-form-urlencoded", "text/nonsense", ";;"} {
			for _, path := range []string{"/v1/metrics", "/v1/metrics/a", "/v1/services", "/v1/measurements/a?resolution=60&duration=60"} {
				w.must(t, 200, "GET", path, "", "Content-Type", kind)
			}
		}
	}},
	{"coercions", func(t *testing.T, w *world) {
		w.must(t, 202, "POST", "/v1/measurements", `{"time":0,"tags":null,"measurements":[
			{"name":"text","value":"1.5","time":"NOW"},{"name":"float","value":1.5,"time":NOW.37},{"name":"null","value":null,"sum":3,"count":2,"time":NOW},
			{"name":"tags","value":1.5,"time":NOW,"tags":{"a":true,"b":3}}]}`)
		for _, name := range []string{"text", "float", "null", "tags"} {
			answer := w.read(t, name)
			equal(t, any(1.5), dig(t, answer, "series", 0, "measurements", 0, "value"))
			equal(t, any(float64(w.minute)), dig(t, answer, "series", 0, "measurements", 0, "time"))
		}
		equal(t, any(map[string]any{"a": "true", "b": "3"}), dig(t, w.read(t, "tags"), "series", 0, "tags"))
		m := w.object(t, 201, "PUT", "/v1/metrics/form", "period=60&attributes%5Bdisplay_min%5D=0&attributes[aggregate]=true&display_name=", "Content-Type", "application/x-www-form-urlencoded")
		equal(t, any(60.), m["period"])
		equal(t, any(map[string]any{"display_min": 0., "aggregate": true}), m["attributes"])
	}},
	{"an old statsd backend reads errors.params.type", func(t *testing.T, w *world) {
		// Its bug is to index the value without asking whether it is there, and
		// nothing that is still in use has it. What can be kept: the answer to
		// its legacy POST names the field that is wrong, in the documented shape.
		answer := w.object(t, 400, "POST", "/v1/metrics", `{"gauges":[{"name":"bad name","value":1}]}`)
		if params, ok := dig(t, answer, "errors", "params").(map[string]any); !ok || len(params) == 0 {
			t.Errorf("%v", answer)
		}
	}},
}

// read returns the last minutes of a metric.
func (w *world) read(t *testing.T, metric string) map[string]any {
	t.Helper()
	minute := strconv.FormatInt(w.minute, 10)
	return w.object(t, http.StatusOK, "GET", "/v1/measurements/"+metric+"?resolution=60&duration=600&end_time="+minute, "")
}
