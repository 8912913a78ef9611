package api

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// malformedRequest is a request that must be refused: with a status, an answer that
// has text (the field, mostly) in the documented shape, and no effect.
type malformedRequest struct {
	name, method, target, body string
	status                     int
	text                       string
	headers                    []string
}

var (
	long   = strings.Repeat("a", tidemark.MaxName+1)
	twenty = strings.Repeat(" ", 20<<20)
)

func malformedRequests() []malformedRequest {
	return []malformedRequest{
		{"unknown service type", "POST", "/v1/services", `{"type":"pigeon","title":"x","settings":{}}`, 400, `"type":[`, nil},
		{"missing setting", "POST", "/v1/services", `{"type":"mail","title":"x","settings":{}}`, 400, `"addresses":["Is required"]`, nil},
		{"settings of a wrong type", "POST", "/v1/services", `{"type":"mail","title":"x","settings":"y"}`, 400, `"settings":[`, nil},
		{"title of 256", "POST", "/v1/services", `{"type":"mail","title":"` + long + `","settings":{"addresses":"a@example.org"}}`, 400, `"title":[`, nil},
		{"space name of 256", "POST", "/v1/spaces", `{"name":"` + long + `"}`, 400, `"name":[`, nil},
		{"space name with a NUL", "POST", "/v1/spaces", `{"name":"a\u0000b"}`, 400, `"name":[`, nil},
		{"space name that is no text", "POST", "/v1/spaces", `{"name":{"a":1}}`, 400, `"name":[`, nil},
		{"chart type", "POST", "/v1/spaces/1/charts", `{"name":"c","type":"pie"}`, 400, `"type":[`, nil},
		{"chart streams", "POST", "/v1/spaces/1/charts", `{"name":"c","streams":7}`, 400, `"streams":[`, nil},
		{"chart color", "POST", "/v1/spaces/1/charts", `{"name":"c","streams":[{"metric":"m1","color":"red"}]}`, 400, `"color":[`, nil},
		{"alert name of 256", "POST", "/v1/alerts", `{"name":"` + long + `"}`, 400, `"name":[`, nil},
		{"alert name with illegal characters", "POST", "/v1/alerts", `{"name":"a/b"}`, 400, `"name":[`, nil},
		{"alert name taken", "POST", "/v1/alerts", `{"name":"a1"}`, 422, `"name":[`, nil},
		{"alert rearm", "POST", "/v1/alerts", `{"name":"x","rearm_seconds":61}`, 400, `"rearm_seconds":[`, nil},
		{"alert with an unknown service", "POST", "/v1/alerts", `{"name":"x","services":[99]}`, 400, `"services":[`, nil},
		{"alert with an unknown metric", "POST", "/v1/alerts", `{"name":"x","conditions":[{"type":"above","metric_name":"none","threshold":1}]}`, 400, `"metric_name":[`, nil},
		{"condition without a threshold", "PUT", "/v1/alerts/1", `{"conditions":[{"type":"above","metric_name":"m1"}]}`, 400, `"threshold":[`, nil},
		{"attach an unknown service", "POST", "/v1/alerts/1/services", `{"service":99}`, 400, `"service":[`, nil},
		{"metric name of 256", "PUT", "/v1/metrics/" + long, `{}`, 400, `"name":[`, nil},
		{"metric name with illegal characters", "PUT", "/v1/metrics/a%20b", `{}`, 400, `"name":[`, nil},
		{"metric period", "PUT", "/v1/metrics/m1", `{"period":"soon"}`, 400, `"period":[`, nil},
		{"metric attributes", "PUT", "/v1/metrics/m1", `{"attributes":7}`, 400, `"attributes":[`, nil},
		{"metric composite", "PUT", "/v1/metrics/m1", `{"composite":"s("}`, 400, `"composite":[`, nil},
		{"bulk without names", "DELETE", "/v1/metrics", `{}`, 400, `"names":[`, nil},
		{"event without a title", "POST", "/v1/annotations/m1", `{}`, 400, `"title":[`, nil},
		{"stream name of 256", "POST", "/v1/annotations/" + long, `{"title":"t"}`, 400, `"name":[`, nil},
		{"event time", "POST", "/v1/annotations/m1", `{"title":"t","start_time":"noon"}`, 400, `"start_time":[`, nil},
		{"link without href", "POST", "/v1/annotations/m1/1/links", `{"rel":"x"}`, 400, `"href":[`, nil},
		{"duplicate rel", "POST", "/v1/annotations/m1/1/links", `{"rel":"r1","href":"https://example.org"}`, 422, `"rel":[`, nil},
		{"token role", "POST", "/v1/api_tokens", `{"name":"x","role":"owner"}`, 400, `"role":[`, nil},
		// Names of tokens may have any length, as they always could; the bound is that of texts.
		{"token name of 32 KiB and one", "POST", "/v1/api_tokens", `{"name":"` + strings.Repeat("a", 32<<10+1) + `","role":"viewer"}`, 400, `"name":[`, nil},
		{"token that expired", "POST", "/v1/api_tokens", `{"name":"x","role":"viewer","expires_at":1000}`, 400, `"expires_at":[`, nil},
		{"token import", "POST", "/v1/api_tokens", `{"name":"x","role":"viewer","import_token":"SECRET"}`, 400, `"import_token":[`, nil},
		{"token overlap", "POST", "/v1/api_tokens/1/rotate", `{"overlap":-1}`, 400, `"overlap":[`, nil},
		{"not JSON measurements", "POST", "/v1/measurements", `{`, 400, `"message":"Unable to process JSON`, nil},
		{"no measurements", "POST", "/v1/measurements", `{"measurements":[]}`, 400, `"errors":["Payload must include at least 1 measurement"]`, nil},
		{"measurements as a form", "POST", "/v1/measurements", `a=1`, 415, `"errors":[`, []string{"Content-Type", formType}},
		{"compose", "GET", "/v1/measurements?compose=s(&start_time=1&resolution=60", "", 400, `"compose":[`, nil},
		{"resolution", "GET", "/v1/measurements/m1?duration=60", "", 400, `"resolution":[`, nil},
	}
}

// TestMalformedRequests sends everything that must be refused and looks for what it
// must not do: change something, or log a secret.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	in := newInspector(t)
	for _, bad := range malformedRequests() {
		about := fmt.Sprintf("%s: %s %.80s %.80q", bad.name, bad.method, bad.target, bad.body)
		rec := in.send(about, "admin", bad.method, bad.target, bad.body, bad.headers...)
		if rec.Code != bad.status || !strings.Contains(rec.Body.String(), bad.text) {
			t.Errorf("%s: %d %.300s, want %d with %s", about, rec.Code, rec.Body, bad.status, bad.text)
		}
	}
	in.checkLog()
}

// malformedBodies are bodies that no route takes.
func malformedBodies(t *testing.T) []malformedRequest {
	jsonType := []string{"Content-Type", "application/json"}
	gzipped := []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}
	return []malformedRequest{
		{name: "malformed", body: `{"name":`, status: 400, headers: jsonType},
		{name: "a text", body: `"` + marker + `"`, status: 400, headers: jsonType},
		{name: "a list", body: `["` + marker + `"]`, status: 400, headers: jsonType},
		{name: "a number", body: `7`, status: 400, headers: jsonType},
		{name: "not even text", body: "\xff\xfe", status: 400, headers: jsonType},
		{name: "more than one", body: `{} {}`, status: 400, headers: jsonType},
		{name: "deep", body: strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), status: 400, headers: jsonType},
		{name: "20 MiB", body: twenty, status: 413, headers: jsonType},
		{name: "not gzip", body: `{}`, status: 400, headers: gzipped},
		{name: "half of gzip", body: zipped(t, `{"name":"x"}`)[:15], status: 400, headers: gzipped},
		{name: "a bomb", body: zipped(t, `{"name":"`+strings.Repeat("a", 20<<20)+`"}`), status: 413, headers: gzipped},
		{name: "brotli", body: `{}`, status: 415, headers: []string{"Content-Encoding", "br"}},
		{name: "a form that is none", body: `a=%zz`, status: 400, headers: []string{"Content-Type", formType}},
	}
}

// TestMalformedBodies sends every route that takes a body those that none takes.
func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	bodies := malformedBodies(t)
	in := newInspector(t)
	for _, rt := range in.Table {
		if goodBody(rt) == "" || rt.Name() == "POST /ui/api/services/{id}/test" { // which says all in its path
			continue
		}
		method, target, _ := in.goodRequest(rt)
		for _, bad := range bodies {
			about := rt.Name() + ": " + bad.name
			want := bad.status
			if rt.Name() == "POST /v1/measurements" && bad.headers[1] == formType {
				want = http.StatusUnsupportedMediaType
			}
			rec := in.send(about, mightiest(rt), method, target, bad.body, bad.headers...)
			if rec.Code != want {
				t.Errorf("%s: %d %.300s, want %d", about, rec.Code, rec.Body, want)
			}
		}
	}
	in.checkLog()
}

// malformedParts name nothing in any path.
var malformedParts = []string{
	":id", "0", "-1", "%00", "..", "%2e%2e", ".", "%2F", "1e3", "1.5", "0x1", "99999999999999999999", "%ff", "a%0Ab", "*", long, "%F0%9F%8C%8A",
}

// TestMalformedPaths puts what names nothing into every part of every path.
func TestMalformedPaths(t *testing.T) {
	t.Parallel()
	in := newInspector(t)
	for _, rt := range in.Table {
		if rt.Protocol != "" {
			continue // TestMalformedForeign
		}
		f := strings.Fields(rt.Pattern)
		for _, part := range pathPart.FindAllString(f[1], -1) {
			for _, bad := range malformedParts {
				other := rest.Route{Pattern: f[0] + " " + strings.Replace(f[1], part, bad, 1)}
				method, target, _ := in.goodRequest(other)
				about := fmt.Sprintf("%s with %.20q", rt.Name(), bad)
				rec := in.send(about, mightiest(rt), method, target+asks[rt.Name()], in.timely(goodBody(rt)))
				if rec.Code < 400 && !isNamed(rt, part, bad) {
					t.Errorf("%s: %d %.200s", about, rec.Code, rec.Body)
				}
				if rec.Code < 300 && method != http.MethodGet {
					in.checkLog()
					in = newInspector(t)
				}
			}
		}
	}
	in.checkLog()
}

// isNamed reports whether what looks wrong is a good name after all.
func isNamed(rt rest.Route, part, bad string) bool {
	switch name, err := url.PathUnescape(bad); {
	case rt.Name() == "GET /v1/api_tokens/{id}":
		return err == nil && strings.Trim(bad, "0123456789") != "" // a search by name
	case part == "{name}":
		return tidemark.IsMetricName(name) && foundAnyway[rt.Name()] != 0
	}
	return false
}

// TestMalformedPages asks every list for pages that are none.
func TestMalformedPages(t *testing.T) {
	t.Parallel()
	in := newInspector(t)
	for _, path := range []string{
		"/v1/services", "/v1/alerts", "/v1/spaces", "/v1/api_tokens", "/v1/annotations", "/v1/metrics", "/v1/sources", "/v1/audit",
		"/v1/metrics/m1/streams", "/v1/alerts/1/incidents", "/v1/alerts/1/deliveries", "/v1/services/1/deliveries",
	} {
		for query, field := range map[string]string{
			"offset=-1": "offset", "offset=x": "offset", "offset=1.5": "offset", "offset=99999999999999999999": "offset", "offset=4294967296": "offset",
			"length=0": "length", "length=-5": "length", "length=99999999999999999999": "length", "length=%00": "length", "sort=up": "sort",
			"name=" + long: "name", "name=%00": "name", "name=%ff": "name",
		} {
			about := "GET " + path + "?" + query
			rec := in.send(about, "admin", "GET", path+"?"+query, "")
			if rec.Code != http.StatusBadRequest || !names(rec, place{field}) {
				t.Errorf("%.80s: %d %.200s", about, rec.Code, rec.Body)
			}
		}
		for _, query := range []string{"offset=2147483647", "length=2147483647", "offset=1&length=1000000"} { // more than there is
			if rec := in.send(path, "admin", "GET", path+"?"+query, ""); rec.Code != http.StatusOK {
				t.Errorf("GET %s?%s: %d %.200s", path, query, rec.Code, rec.Body)
			}
		}
	}
	in.checkLog()
}

// lockedBuffer is a log that a test reads.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
