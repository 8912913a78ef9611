package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tidemark-metrics/tidemark/docs"
)

var document = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(docs.OpenAPI)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(context.Background())
})

// TestOpenAPI compares the document with the route table, both ways.
func TestOpenAPI(t *testing.T) {
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	documented := make(map[string]bool)
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			documented[method+" "+path] = true
		}
	}
	for _, rt := range newWorld(t).Table {
		pattern := strings.Join(strings.Fields(rt.Pattern), " ")
		if strings.Contains(pattern, " /ui/api/") || rt.Protocol != "" {
			continue // docs/interface.md has those, docs/sending and docs/promql.md what others speak
		}
		if !documented[pattern] {
			t.Errorf("%s is not in docs/openapi.yaml", pattern)
		}
		delete(documented, pattern)
	}
	for _, pattern := range slices.Sorted(maps.Keys(documented)) {
		t.Errorf("docs/openapi.yaml has %s, the API has not", pattern)
	}
}

// checkAgainstOpenAPI validates an answer against what the document promises
// of it.
func checkAgainstOpenAPI(t *testing.T, w *world, method, target string, rec *httptest.ResponseRecorder) {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, target, nil)
	pattern := w.Match(r)
	_, path, _ := strings.Cut(pattern, " ")
	item := doc.Paths.Value(path)
	if item == nil || item.GetOperation(method) == nil || rec.Body.Len() == 0 || !strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json") {
		return
	}
	responses := item.GetOperation(method).Responses
	resp := responses.Value(strconv.Itoa(rec.Code))
	if resp == nil {
		if rec.Code < 400 {
			t.Errorf("%s %s answers %d, which docs/openapi.yaml does not have", method, path, rec.Code)
			return
		}
		resp = responses.Default()
	}
	schema := resp.Value.Content.Get("application/json")
	if schema == nil {
		t.Errorf("%s %s answers %d with a body, docs/openapi.yaml has none", method, path, rec.Code)
		return
	}
	answer := promised{schema.Schema.Value, rec.Body.String()}
	if _, ok := kept.Load(answer); ok {
		return
	}
	if err := validate(schema.Schema.Value, rec.Body.Bytes()); err != nil {
		t.Errorf("%s %s: the answer %d is not what docs/openapi.yaml says: %v\n%s", method, target, rec.Code, err, rec.Body)
		return
	}
	if rec.Code >= 400 {
		kept.Store(answer, true)
	}
}

// promised is an answer and what the document promises of it.
type promised struct {
	schema *openapi3.Schema
	body   string
}

// kept has the refusals that are what the document says: thousands of wrong
// requests are refused in the same few hundred words.
var kept sync.Map

func validate(schema *openapi3.Schema, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	return schema.VisitJSON(v, openapi3.EnableJSONSchema2020())
}
