package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// badInput is a request that must be refused: with a status, an answer that
// has text (the field, mostly) in the documented shape, and no effect.
type badInput struct {
	name, method, target, body string
	status                     int
	text                       string
	headers                    []string
}

var (
	long    = strings.Repeat("a", tidemark.MaxName+1)
	twenty  = strings.Repeat(" ", 20<<20)
	invalid = "\xff\xfe"
)

func badInputs(t *testing.T) []badInput {
	bomb := zipped(t, `{"name":"`+strings.Repeat("a", 64<<20)+`"}`)
	gzipped := []string{"Content-Encoding", "gzip"}
	list := []badInput{
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
		{"encoding", "POST", "/v1/spaces", `{"name":"x"}`, 415, `"request":[`, []string{"Content-Encoding", "br"}},
		{"gzip that is none", "POST", "/v1/spaces", `{"name":"x"}`, 400, `"request":[`, gzipped},
		{"gzip bomb", "POST", "/v1/spaces", bomb, 413, `"request":[`, gzipped},
		{"gzip bomb of measurements", "POST", "/v1/measurements", bomb, 413, `"errors":[`, gzipped},
		{"deep", "POST", "/v1/spaces", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), 400, `"request":[`, nil},
		{"sort", "GET", "/v1/services?sort=up", "", 400, `"sort":[`, nil},
	}
	for _, path := range []string{"/v1/services", "/v1/alerts", "/v1/spaces", "/v1/api_tokens", "/v1/annotations", "/v1/metrics", "/v1/sources", "/v1/audit"} {
		for query, field := range map[string]string{"offset=-1": "offset", "length=0": "length", "length=-5": "length", "offset=99999999999999999999": "offset", "length=99999999999999999999": "length", "offset=x": "offset"} {
			list = append(list, badInput{"page", "GET", path + "?" + query, "", 400, `"` + field + `":[`, nil})
		}
	}
	return append(list, badBodies()...)
}

// badBodies are bodies that no write takes.
func badBodies() (list []badInput) {
	for _, target := range []string{
		"POST /v1/services", "PUT /v1/services/1", "POST /v1/alerts", "PUT /v1/alerts/1", "POST /v1/alerts/1/services", "POST /v1/spaces", "PUT /v1/spaces/1",
		"POST /v1/spaces/1/charts", "PUT /v1/spaces/1/charts/1", "PUT /v1/metrics/m1", "PUT /v1/metrics", "DELETE /v1/metrics", "POST /v1/metrics",
		"POST /v1/annotations/m1", "PUT /v1/annotations/m1", "PUT /v1/annotations/m1/1", "POST /v1/annotations/m1/1/links",
		"POST /v1/api_tokens", "PUT /v1/api_tokens/1", "POST /v1/api_tokens/1/rotate", "POST /v1/snapshots",
	} {
		method, path, _ := strings.Cut(target, " ")
		jsonType := []string{"Content-Type", "application/json"}
		list = append(list,
			badInput{"malformed", method, path, `{"name":`, 400, `errors`, jsonType},
			badInput{"a text", method, path, `"SECRET"`, 400, `errors`, jsonType},
			badInput{"not even text", method, path, invalid, 400, `errors`, jsonType},
			badInput{"trailing", method, path, `{} {}`, 400, `errors`, jsonType},
		)
		if path != "/v1/metrics" || method != "POST" {
			list = append(list, badInput{"20 MiB", method, path, twenty, 413, `errors`, jsonType})
		}
	}
	return append(list, badInput{"20 MiB", "POST", "/v1/measurements", twenty, 413, `errors`, nil}, badInput{"20 MiB", "POST", "/v1/metrics", twenty, 413, `errors`, nil})
}

// TestBadInput sends everything that must be refused and looks for what it
// must not do: change something, or log a secret.
func TestBadInput(t *testing.T) {
	w := ownWorld(t)
	var log lockedBuffer
	w.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	before := w.everything(t)
	for _, in := range badInputs(t) {
		rec := w.ask("admin", in.method, in.target, in.body, in.headers...)
		about := fmt.Sprintf("%s: %s %.80s %.80q", in.name, in.method, in.target, in.body)
		if rec.Code != in.status || !strings.Contains(rec.Body.String(), in.text) {
			t.Errorf("%s: %d %.300s, want %d with %s", about, rec.Code, rec.Body, in.status, in.text)
		}
		if !json.Valid(rec.Body.Bytes()) || rec.Header().Get("Content-Type") != contentJSON {
			t.Errorf("%s: not JSON: %.300s", about, rec.Body)
		}
		if strings.Contains(rec.Body.String(), "SECRET") {
			t.Errorf("%s: repeats the secret: %.300s", about, rec.Body)
		}
	}
	equal(t, before, w.everything(t))
	if strings.Contains(log.String(), "SECRET") || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("the log has %s", log.String())
	}
}

// everything is all that an organization has, as the API shows it.
func (w *world) everything(t *testing.T) (all []string) {
	t.Helper()
	for _, path := range []string{"/v1/services", "/v1/alerts", "/v1/spaces", "/v1/spaces/1/charts", "/v1/metrics", "/v1/annotations", "/v1/annotations/m1?count=100", "/v1/audit"} {
		all = append(all, w.must(t, http.StatusOK, "GET", path, ""))
	}
	tokens := w.object(t, http.StatusOK, "GET", "/v1/api_tokens", "")
	for i := range tokens["api_tokens"].([]any) {
		token := dig(t, tokens, "api_tokens", i).(map[string]any)
		all = append(all, fmt.Sprint(token["id"], token["name"], token["token"], token["active"], token["role"], token["updated_at"]))
	}
	return all
}

// TestBadPaths puts what names nothing into every part of every path.
func TestBadPaths(t *testing.T) {
	w := ownWorld(t)
	before := w.everything(t)
	for _, rt := range w.table {
		f := strings.Fields(rt.pattern)
		for _, part := range pathPart.FindAllString(f[1], -1) {
			for _, bad := range []string{":id", "0", "-1", "%00", "..", "%2e%2e", ".", "%2F", "1e3", "99999999999999999999", "%ff", "a%0Ab", "*", long} {
				method, path := fill(f[0] + " " + strings.Replace(f[1], part, bad, 1))
				rec := w.ask("admin", method, path, `{"service":1,"rel":"new","href":"https://example.org","title":"t"}`)
				names := part == "{name}" && (bad == ":id" || bad == "0" || bad == "-1" || bad == "." || bad == ".." || bad == "1e3" || strings.HasPrefix(bad, "9"))
				token := strings.Contains(path, "/api_tokens/") && rec.Code == http.StatusOK // a search by name
				if rec.Code >= 500 || rec.Code < 400 && !names && !token {
					t.Errorf("%s %.100s: %d %.200s", method, path, rec.Code, rec.Body)
				}
			}
		}
	}
	equal(t, before[:4], w.everything(t)[:4]) // the rest has names, of which some are good
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
