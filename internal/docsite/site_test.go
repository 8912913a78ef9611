package docsite

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func mustBuild(t *testing.T) *site {
	t.Helper()
	s, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	linkTo = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks: every link of the site that stays on it leads somewhere, anchors
// included.
func TestLinks(t *testing.T) {
	t.Parallel()
	s := mustBuild(t)
	links := 0
	for name, content := range s.files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range linkTo.FindAllStringSubmatch(string(content), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			links++
			file, id, _ := strings.Cut(m[1], "#")
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			} else if strings.HasSuffix(file, "/") {
				target = path.Join(target, "index.html")
			}
			there, ok := s.files[target]
			if !ok {
				t.Errorf("%s links to %s, which is not on the site", name, m[1])
			} else if id != "" && !hasAnchor(there, id) {
				t.Errorf("%s links to %s, which has no such part", name, m[1])
			}
		}
	}
	if links < 1000 {
		t.Errorf("found only %d links", links)
	}
}

func hasAnchor(content []byte, id string) bool {
	for _, m := range anchor.FindAllSubmatch(content, -1) {
		if string(m[1]) == id {
			return true
		}
	}
	return false
}

// TestReference: every call of the API is in the reference, with its fields.
func TestReference(t *testing.T) {
	t.Parallel()
	s := mustBuild(t)
	doc, err := readOpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for name, content := range s.files {
		if strings.HasPrefix(name, referenceRoot) {
			text.Write(content)
		}
	}
	for p, item := range doc.Paths {
		for _, op := range []*operation{item.Get, item.Post, item.Put, item.Delete} {
			if op != nil && !strings.Contains(text.String(), `id="`+op.ID+`"`) {
				t.Errorf("the reference has no %s (%s)", op.ID, p)
			}
		}
	}
	for _, want := range []string{"<code>rearm_seconds</code>", "list of ConditionWrite", "integer or null", "One of asc, desc", "At most 255 characters"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the reference does not say %q", want)
		}
	}
}

// TestServe asks for pages as a browser does.
func TestServe(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler("/docs/"))
	defer server.Close()
	for _, c := range []struct {
		address string
		status  int
		kind    string
		holds   string
	}{
		{"/docs/", 200, "text/html", "Prometheus"},
		{"/docs/alerting/", 200, "text/html", "<h1"},
		{"/docs/alerting", 200, "text/html", "<h1"}, // after a redirect
		{"/docs/sending/", 200, "text/html", "Sending measurements"},
		{"/docs/reference/alerts/", 200, "text/html", "/v1/alerts/{id}/snooze"},
		{"/docs/docs.js", 200, "text/javascript", "search"},
		{"/docs/search.json", 200, "application/json", "Percentiles"},
		{"/docs/screenshots/alert-dark.png", 200, "image/png", "PNG"},
		{"/docs/none/", 404, "text/plain", "not found"},
	} {
		res, err := http.Get(server.URL + c.address)
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != c.status || !strings.HasPrefix(res.Header.Get("Content-Type"), c.kind) || !strings.Contains(string(content), c.holds) {
			t.Errorf("%s: %s, %s, %d bytes; want %d, %s with %q", c.address, res.Status, res.Header.Get("Content-Type"), len(content), c.status, c.kind, c.holds)
		}
	}
}

// TestWrite: what is published is what is served.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, err := Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		written++
		content, err := os.ReadFile(filepath.Join(dir, name))
		if string(content) != string(mustBuild(t).files[name]) {
			t.Errorf("%s differs from what is served", name)
		}
		return err
	})
	if err != nil || written != n || n == 0 {
		t.Errorf("%d files of %d, %v", written, n, err)
	}
}
