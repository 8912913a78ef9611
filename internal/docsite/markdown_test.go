package docsite

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMarkdown: a document becomes a page with its title, its headings and what
// stands below each, for the search; its HTML stays out.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	p := &page{Address: "sending/curl/"}
	source := "# Sending with `curl`\n\nFirst  words\nof *it*.\n\n## Both `tags` & more\n\n| a | b |\n|---|---|\n| cell | x |\n\n```sh\ncurl -u x\n```\n\n### Deeper\n\n<script>alert(1)</script>\n\n## Both tags & more\n"
	if err := markdown(p, []byte(source), "sending"); err != nil {
		t.Fatal(err)
	}
	want := []heading{
		{ID: "sending-with-curl", Title: "Sending with curl", Level: 1, Text: "Sending with curl First words of it . "},
		{ID: "both-tags--more", Title: "Both tags & more", Level: 2, Text: "Both tags & more a b cell x curl -u x "},
		{ID: "deeper", Title: "Deeper", Level: 3, Text: "Deeper "},
		{ID: "both-tags--more-1", Title: "Both tags & more", Level: 2, Text: "Both tags & more "},
	}
	if diff := cmp.Diff(want, p.Headings); diff != "" {
		t.Error(diff)
	}
	if p.Title != "Sending with curl" || strings.Contains(p.Body, "<script>") || !strings.Contains(p.Body, `<h2 id="both-tags--more-1">`) || !strings.Contains(p.Body, "<td>cell</td>") {
		t.Errorf("%s:\n%s", p.Title, p.Body)
	}
	if got := p.Outline(); len(got) != 2 || got[0].ID != "both-tags--more" || got[1].ID != "both-tags--more-1" {
		t.Errorf("outline %v", got)
	}
	for _, untitled := range []string{"", "only text\n", "## A second level\n"} {
		if err := markdown(new(page), []byte(untitled), "."); err == nil || err.Error() != "the document has no title" {
			t.Errorf("%q: %v", untitled, err)
		}
	}
}

// TestAnchors: headings have the names that public forges give them, each once.
func TestAnchors(t *testing.T) {
	t.Parallel()
	a := anchors{}
	for _, tt := range [][2]string{
		{"Behind a proxy", "behind-a-proxy"}, {"Behind a proxy", "behind-a-proxy-1"}, {"Behind a Proxy", "behind-a-proxy-2"}, {"GET /v1/metrics", "get-v1metrics"},
		{"Größe_1 – 2", "größe_1--2"}, {"---", "---"}, {"?!", ""}, {"a  b", "a--b"},
	} {
		if got := string(a.Generate([]byte(tt[0]), 0)); got != tt[1] {
			t.Errorf("%q is %q, want %q", tt[0], got, tt[1])
		}
	}
	a.Put([]byte("given"))
	if got := string(a.Generate([]byte("Given"), 0)); got != "given-1" {
		t.Errorf("a name that was given by hand is given again: %q", got)
	}
}

// TestLinkOfADocument: links between documents lead to their pages wherever the
// site is put, and those to other places stay.
func TestLinkOfADocument(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ address, dir, to, want string }{
		{"running/", ".", "alerting.md", "../alerting/"},
		{"running/", ".", "alerting.md#labels", "../alerting/#labels"},
		{"running/", ".", "sending/README.md", "../sending/"},
		{"running/", ".", "screenshots/a.png", "../screenshots/a.png"},
		{"running/", ".", "openapi.yaml", "../reference/"},
		{"sending/curl/", "sending", "../running.md#limits", "../../running/#limits"},
		{"sending/curl/", "sending", "statsd.md", "../../sending/statsd/"},
		{"sending/curl/", "sending", "../openapi.yaml", "../../reference/"},
		{"running/", ".", "#limits", "#limits"},
		{"running/", ".", "https://example.org/a.md", "https://example.org/a.md"},
		{"running/", ".", "mailto:a@example.org", "mailto:a@example.org"},
		{"", ".", "running.md", "./running/"},
	} {
		if got := (&page{Address: tt.address}).link(tt.to, tt.dir); got != tt.want {
			t.Errorf("%s on %s leads to %s, want %s", tt.to, tt.address, got, tt.want)
		}
	}
}

// TestSchemaInWords: what a value is and how large it may be, in a few words.
func TestSchemaInWords(t *testing.T) {
	t.Parallel()
	ref := schema{Ref: "#/components/schemas/Alert"}
	for _, tt := range []struct {
		s           schema
		kind, about string
	}{
		{schema{}, "anything", ""},
		{schema{Type: "string", Description: "Its name", MaxLength: 255}, "string", "Its name. At most 255 characters"},
		{schema{Type: []any{"integer", "null"}, Minimum: 0, Maximum: 60}, "integer or null", "At least 0. At most 60"},
		{ref, "Alert", ""},
		{schema{Type: "array", Items: &ref, MaxItems: 100, Description: "All"}, "list of Alert", "All. At most 100 entries"},
		{schema{OneOf: []schema{ref, {Type: "integer"}}}, "Alert or integer", ""},
		{schema{AnyOf: []schema{ref, {Type: "null"}}, Description: "If any"}, "Alert or null", "If any"},
		{schema{Type: "object", AnyOf: []schema{{Required: []string{"a"}}}}, "object", ""},
		{schema{AllOf: []schema{ref, {Type: "object"}}}, "Alert and object", ""},
		{schema{Const: 2}, "2", ""},
		{schema{Type: "string", Enum: []any{"asc", "desc"}}, "string", "One of asc, desc"},
		{schema{Type: []any{"string", "null"}, Enum: []any{"auto", nil}}, "string or null", "One of auto, null"},
		{schema{Items: &schema{}}, "list of anything", ""},
	} {
		if tt.s.kind() != tt.kind || tt.s.about() != tt.about {
			t.Errorf("%+v: %q, %q; want %q, %q", tt.s, tt.s.kind(), tt.s.about(), tt.kind, tt.about)
		}
	}
}

// TestReferenceFollowsReferences: shared parameters, bodies, answers and objects
// are written out where they are used, what is required first.
func TestReferenceFollowsReferences(t *testing.T) {
	t.Parallel()
	var d openAPI
	d.Components.Parameters = map[string]parameter{"length": {Name: "length", In: "query", Description: "How many", Schema: schema{Type: "integer", Maximum: 100}}}
	text := schema{Type: "string"}
	d.Components.Schemas = map[string]schema{
		"Base":  {Properties: map[string]schema{"name": text, "note": text}, Required: []string{"name"}},
		"Write": {AllOf: []schema{{Ref: "#/c/Base"}, {Properties: map[string]schema{"steps": {Items: &schema{Ref: "#/c/Step"}}}, Required: []string{"steps"}}}},
		"Step":  {Description: "One of them", Properties: map[string]schema{"next": {Ref: "#/c/Step"}, "after": {Type: "integer"}}},
		"Other": {},
	}
	json := func(s schema) (b body) {
		b.Content = map[string]struct {
			Schema schema `yaml:"schema"`
		}{"application/json": {s}}
		return b
	}
	d.Components.RequestBodies = map[string]body{"write": json(schema{Ref: "#/c/Write"})}
	d.Components.Responses = map[string]body{"bad": {Description: "Not so"}}
	d.Paths = map[string]pathItem{
		"/b": {Post: &operation{ID: "postB", Tags: []string{"x"}, RequestBody: body{Ref: "#/c/write"}, Responses: map[string]body{"default": {Ref: "#/c/bad"}, "201": {Description: "Made"}}}},
		"/a": {Parameters: []parameter{{Name: "id", In: "path", Required: true, Schema: schema{Type: "integer"}}}, Get: &operation{ID: "getA", Tags: []string{"x"}, Parameters: []parameter{{Ref: "#/c/length"}}}},
		"/c": {Get: &operation{ID: "getC", Tags: []string{"y"}}},
	}
	calls := d.calls("x")
	want := []call{
		{Method: "GET", Path: "/a", ID: "getA", Parameters: []field{{Name: "id", In: "path", Kind: "integer", Required: true}, {Name: "length", In: "query", Kind: "integer", About: "How many. At most 100"}}},
		{Method: "POST", Path: "/b", ID: "postB", BodyKind: "Write", Answers: []answer{{Status: "201", About: "Made"}, {Status: "otherwise", About: "Not so"}},
			Body: []field{{Name: "name", Kind: "string", Required: true}, {Name: "steps", Kind: "list of Step", Required: true}, {Name: "note", Kind: "string"}}},
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	objects := []object{{Name: "Step", About: "One of them", Fields: []field{{Name: "after", Kind: "integer"}, {Name: "next", Kind: "Step"}}}}
	if diff := cmp.Diff(objects, d.objects(calls)); diff != "" {
		t.Errorf("objects: %s", diff)
	}
}

// TestNothingIsNil: no value of the program itself is printed into a page.
func TestNothingIsNil(t *testing.T) {
	t.Parallel()
	broken := regexp.MustCompile(`&lt;nil&gt;|%!|\{\{|map\[|0xc0`)
	for name, content := range mustBuild(t).files {
		if strings.HasPrefix(name, referenceRoot) && broken.Match(content) {
			t.Errorf("%s says %s", name, broken.Find(content))
		}
	}
}

// TestServeHeaders: pages run no script but the site's own, are asked for again,
// and a folder without its slash leads to it wherever the site is.
func TestServeHeaders(t *testing.T) {
	t.Parallel()
	h := Handler("/docs/")
	ask := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w
	}
	w := ask("GET", "/docs/alerting/")
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "script-src 'self';") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("policy %q", csp)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("headers %v", w.Header())
	}
	if w := ask("GET", "/docs/reference/alerts"); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "alerts/" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if w := ask("GET", "/docs/alerting"); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "alerting/" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if w := ask("HEAD", "/docs/docs.css"); w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d, %d bytes", w.Code, w.Body.Len())
	}
	for _, path := range []string{"/docs/../secrets.key", "/docs/alerting/index.html/", "/docs/ALERTING/", "/docs//"} {
		if w := ask("GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestWriteWhereItCannot: a folder that is in the way is named.
func TestWriteWhereItCannot(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := Write(filepath.Join(file, "site")); n != 0 || err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%d files, %v", n, err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "docs.css"), fs.ModePerm); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir); err == nil || !strings.Contains(err.Error(), "docs.css") {
		t.Errorf("a folder with the name of a file: %v", err)
	}
}
