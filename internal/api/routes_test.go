package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/docs"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"go.yaml.in/yaml/v3"
)

// unspoken are the routes whose good answers are in no transcript, each with
// the test that has them instead.
var unspoken = map[string]string{
	"GET /ui/api/service_types":                     "TestOwnLists: it is the vocabulary's own list",
	"GET /ui/api/compose/functions":                 "TestOwnLists: it is the language's own list",
	"GET /v1/openapi.json":                          "TestOpenAPIServed: it is docs/openapi.yaml",
	"GET /prometheus/api/v1/status/buildinfo":       "internal/promql/promapi has it: it names the version of Go",
	"POST /prometheus/api/v1/write":                 "TestRemoteWrite: its bodies are no text",
	"GET /ui/api/oidc/start":                        "TestOIDC: it takes an issuer",
	"GET /ui/api/oidc/callback":                     "TestOIDC: it takes an issuer",
	"GET /ui/api/session/second":                    "TestSecondStep: it takes a first one",
	"POST /ui/api/session/second":                   "TestSecondStep: it takes the time of day",
	"PUT /ui/api/second_factor/totp":                "TestSecondStep: it takes the time of day",
	"DELETE /ui/api/second_factor/totp":             "TestSecondStep: it takes the time of day",
	"POST /ui/api/second_factor/codes":              "TestSecondStep: it takes the time of day",
	"POST /ui/api/session/second/passkey":           "TestPasskeys: it takes an authenticator",
	"PUT /ui/api/session/second/passkey":            "TestPasskeys: it takes an authenticator",
	"PUT /ui/api/session/passkey":                   "TestPasskeys: it takes an authenticator",
	"POST /ui/api/second_factor/passkeys":           "TestPasskeys: it takes an authenticator",
	"PUT /ui/api/second_factor/passkeys/{id}":       "TestPasskeys: it takes an authenticator",
	"DELETE /ui/api/second_factor/passkeys/{id}":    "TestPasskeys: it takes an authenticator",
	"POST /ui/api/proof/passkey":                    "TestPasskeys: it takes an authenticator",
	"GET /ui/api/limits":                            "TestLimitsAnswered: it is the table of limits",
	"GET /admin/limits":                             "TestLimitsAnswered: it is the table of limits",
	"GET /admin/secrets":                            "internal/cli: TestScripts, secrets: keys differ each time",
	"POST /admin/secrets/rotate":                    "internal/cli: TestScripts, secrets: keys differ each time",
	"POST /admin/secrets/prepare":                   "internal/cli: TestScripts, secrets: keys differ each time",
	"POST /admin/secrets/new-key":                   "internal/cli: TestScripts, secrets: keys differ each time",
	"GET /ui/api/incidents/{id}":                    "TestIncident: it takes an incident",
	"POST /ui/api/incidents/{id}/comments":          "TestComments: it takes an incident",
	"PUT /ui/api/incidents/{id}/comments/{comment}": "TestComments: it takes an incident",
	"GET /ui/api/acknowledge/{key}":                 "TestAcknowledgeByLink: it takes an incident",
	"POST /ui/api/acknowledge/{key}":                "TestAcknowledgeByLink: it takes an incident",
	"GET /ui/api/operator/machines":                 "TestOperatorMachines: times and sizes differ each time",
	"GET /ui/api/operator/limits":                   "TestOperatorLimits: it has the table of limits",
	"GET /ui/api/operator/orgs/{id}/limits":         "TestOperatorLimits: it has the table of limits",
}

// unfailing are the routes that have nothing to refuse.
var unfailing = map[string]bool{"GET /ui/api/signin": true, "GET /ping": true, "GET /health": true,
	"POST /ui/api/session/passkey": true,
}

// TestEveryRouteHasATranscript: a route without a success and a failure in
// testdata/*.txt fails.
func TestEveryRouteHasATranscript(t *testing.T) {
	w := newWorld(t)
	admin := w.Admin().(*Server)
	good, bad := make(map[string]bool), make(map[string]bool)
	eachExchange(t, func(_, method, target, answer string) {
		pattern := admin.Match(httptest.NewRequest(method, w.timely(repeated(target)), nil))
		if answer[0] < '4' {
			good[pattern] = true
		} else {
			bad[pattern] = true
		}
	})
	for _, rt := range admin.Table {
		if unspoken[rt.Name()] != "" {
			good[rt.Name()] = true
		}
		if unfailing[rt.Name()] {
			bad[rt.Name()] = true
		}
		if !good[rt.Name()] || !bad[rt.Name()] {
			t.Errorf("%s: success in a transcript: %v, failure: %v", rt.Name(), good[rt.Name()], bad[rt.Name()])
		}
	}
}

// eachExchange calls f with every request and its answer, in all transcripts.
func eachExchange(t *testing.T, f func(file, method, target, answer string)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(text), "\n\n") {
			question, answer, _ := strings.Cut(block, "\n---\n")
			for line := range strings.SplitSeq(question, "\n") {
				if m := requestLine.FindStringSubmatch(line); m != nil && answer != "" {
					f(file, m[1], m[2], answer)
				}
			}
		}
	}
}

// TestOwnLists: the interface is told every type of service and every function
// of composites that the server knows.
func TestOwnLists(t *testing.T) {
	w := newWorld(t).withPeople(t)
	for path, want := range map[string]any{
		"/ui/api/service_types":     map[string]any{"types": tidemark.ServiceTypes()},
		"/ui/api/compose/functions": map[string]any{"functions": query.Functions()},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		rec := w.ask("Viewer", http.MethodGet, path, "")
		checkContract(t, w, http.MethodGet, path, rec)
		var a, b any
		if err := errors.Join(json.Unmarshal(text, &a), json.Unmarshal(rec.Body.Bytes(), &b)); err != nil {
			t.Fatal(err)
		}
		equal(t, a, b)
		equal(t, http.StatusOK, rec.Code)
	}
}

// TestExtraSlashes: a slash at the end changes no answer of any route, nor do two
// slashes where there should be one.
func TestExtraSlashes(t *testing.T) {
	for name, spell := range map[string]func(string) string{
		"at the end": func(path string) string { return path + "/" },
		"doubled":    func(path string) string { return strings.ReplaceAll(path, "/", "//") },
		"all over":   func(path string) string { return "/" + path + "///" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with, without := ownWorld(t), ownWorld(t)
			for _, rt := range with.Table {
				if rt.People || strings.HasPrefix(rt.Pattern, "POST   /v1/api_tokens") {
					continue // new secrets differ
				}
				method, path := fill(rt.Pattern)
				a, b := with.ask("admin", method, spell(path), "{}"), without.ask("admin", method, path, "{}")
				if a.Code != b.Code || with.steady(a.Body.String()) != without.steady(b.Body.String()) {
					t.Errorf("%s %s: %d %.300s, else %d %.300s", method, spell(path), a.Code, a.Body, b.Code, b.Body)
				}
				if a.Header().Get("Location") != b.Header().Get("Location") {
					t.Errorf("%s %s: Location %q, else %q", method, spell(path), a.Header().Get("Location"), b.Header().Get("Location"))
				}
			}
		})
	}
}

// bodiless are the writes that say all in their path.
var bodiless = map[string]bool{
	"POST /v1/alerts/{id}/clear": true, "POST /v1/alerts/{id}/test": true, "POST /v1/deliveries/{id}/retry": true,
}

// TestFormsEqualJSON sends every write as JSON and as a form, and wants one answer. It
// also holds the bodies against what the document says of them.
func TestFormsEqualJSON(t *testing.T) {
	asJSON, asForm := ownWorld(t), ownWorld(t)
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for _, rt := range asJSON.Table {
		pattern := strings.Join(strings.Fields(rt.Pattern), " ")
		method, path := fill(rt.Pattern)
		body, ok := writes[pattern]
		if rt.People || rt.Protocol != "" || !ok && (method == "GET" || method == "DELETE" || bodiless[pattern]) {
			continue
		}
		if !ok {
			t.Errorf("%s: no body in writes", pattern)
			continue
		}
		body = asJSON.timely(body)
		a := asJSON.ask("admin", method, path, body, "Content-Type", "application/json")
		b := asForm.ask("admin", method, path, form(t, body), "Content-Type", formType)
		same := asJSON.steady(a.Body.String()) == asForm.steady(b.Body.String()) || pattern == "POST /v1/snapshots" // whose subject comes back as it was sent
		if pattern == "POST /v1/measurements" {                                                                     // takes JSON alone
			b, same = a, b.Code == http.StatusUnsupportedMediaType
		}
		if a.Code >= 300 || a.Code != b.Code || !same {
			t.Errorf("%s: as JSON %d %s\nas a form %d %s", pattern, a.Code, a.Body, b.Code, b.Body)
		}
		_, template, _ := strings.Cut(pattern, " ")
		op := doc.Paths.Value(template).GetOperation(method)
		if op.RequestBody == nil || op.RequestBody.Value.Content.Get("application/json") == nil {
			t.Errorf("%s: docs/openapi.yaml has no body", pattern)
			continue
		}
		if err := validate(op.RequestBody.Value.Content.Get("application/json").Schema.Value, []byte(body)); err != nil {
			t.Errorf("%s: the body is not what docs/openapi.yaml says: %v", pattern, err)
		}
	}
}

// form writes a JSON object as the form that means the same.
func form(t *testing.T, body string) string {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(body), &tree); err != nil {
		t.Fatal(err)
	}
	values := url.Values{}
	for key, v := range tree {
		addForm(values, key, v)
	}
	return values.Encode()
}

func addForm(values url.Values, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			addForm(values, name+"["+key+"]", item)
		}
	case []any:
		for i, item := range v {
			addForm(values, name+"["+strconv.Itoa(i)+"]", item)
		}
	case float64:
		values.Set(name, strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		values.Set(name, strconv.FormatBool(v))
	case string:
		values.Set(name, v)
	}
}

// TestOpenAPIServed: the document that is served is the one in docs.
func TestOpenAPIServed(t *testing.T) {
	w := newWorld(t)
	rec := w.ask("viewer", http.MethodGet, "/v1/openapi.json", "")
	var served, written any
	if err := json.Unmarshal(rec.Body.Bytes(), &served); err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%d %v", rec.Code, err)
	}
	if err := yaml.Unmarshal(docs.OpenAPI, &written); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &written); err != nil || !reflect.DeepEqual(served, written) {
		t.Errorf("the served document differs from docs/openapi.yaml (%v)", err)
	}
}
