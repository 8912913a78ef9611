package ui

import (
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func built() fstest.MapFS {
	return fstest.MapFS{
		"index.html":          {Data: []byte(`<meta name="csp-nonce" content="__NONCE__">`)},
		"favicon.svg":         {Data: []byte("<svg/>")},
		"assets/app-1a.js":    {Data: []byte("plain")},
		"assets/app-1a.js.br": {Data: []byte("small")},
		".gitkeep":            {},
	}
}

func get(t *testing.T, h http.Handler, target, encoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := res.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

func TestFilesAndPages(t *testing.T) {
	t.Parallel()
	h := newHandler(built(), http.NotFoundHandler(), "")
	for _, c := range []struct {
		name, target, encoding, want, cache, kind string
		status                                    int
	}{
		{"a hashed file is kept for ever", "/assets/app-1a.js", "", "plain", "public, max-age=31536000, immutable", "text/javascript; charset=utf-8", 200},
		{"compressed where taken", "/assets/app-1a.js", "gzip, br", "small", "public, max-age=31536000, immutable", "text/javascript; charset=utf-8", 200},
		{"not where refused", "/assets/app-1a.js", "br;q=0", "plain", "public, max-age=31536000, immutable", "text/javascript; charset=utf-8", 200},
		{"other files are asked for again", "/favicon.svg", "", "<svg/>", "no-cache", "image/svg+xml", 200},
		{"pages are the index", "/spaces/12?from=-6h", "", "csp-nonce", "no-store", "text/html; charset=utf-8", 200},
		{"so is the root", "/", "", "csp-nonce", "no-store", "text/html; charset=utf-8", 200},
		{"what tries to climb out finds nothing", "/../../etc/passwd", "", "404", "", "text/plain; charset=utf-8", 404},
		{"nor does who looks for profiles", "/debug/pprof/", "", "404", "", "text/plain; charset=utf-8", 404},
		{"or for another server's reload", "/-/reload", "", "404", "", "text/plain; charset=utf-8", 404},
		{"a part that is gone is gone", "/assets/app-0b.js", "", "404", "", "text/plain; charset=utf-8", 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			res := get(t, h, c.target, c.encoding)
			if res.StatusCode != c.status {
				t.Errorf("status %d, want %d", res.StatusCode, c.status)
			}
			if got := res.Header.Get("Cache-Control"); got != c.cache {
				t.Errorf("Cache-Control %q, want %q", got, c.cache)
			}
			if got := res.Header.Get("Content-Type"); got != c.kind {
				t.Errorf("Content-Type %q, want %q", got, c.kind)
			}
			if got := text(t, res); !strings.Contains(got, c.want) {
				t.Errorf("body %q, want %q in it", got, c.want)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	h := newHandler(built(), http.NotFoundHandler(), "")
	nonce := regexp.MustCompile(`'nonce-([^']+)'`)
	seen := map[string]bool{}
	for range 3 {
		res := get(t, h, "/", "")
		policy := res.Header.Get("Content-Security-Policy")
		m := nonce.FindStringSubmatch(policy)
		if m == nil || !strings.Contains(text(t, res), `content="`+m[1]+`"`) {
			t.Fatalf("the page does not hold the nonce of %q", policy)
		}
		seen[m[1]] = true
		if strings.Contains(policy, "unsafe-inline") || !strings.Contains(policy, "script-src 'self';") {
			t.Errorf("policy %q lets inline scripts run", policy)
		}
		if res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Error("nosniff is missing")
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d nonces for 3 answers", len(seen))
	}
}

// TestPolicyOfParts: scripts that run beside the page have a policy of their own.
func TestPolicyOfParts(t *testing.T) {
	t.Parallel()
	res := get(t, newHandler(built(), http.NotFoundHandler(), ""), "/assets/app-1a.js", "")
	if got := res.Header.Get("Content-Security-Policy"); got != "default-src 'none'; script-src 'self'; connect-src 'self'" {
		t.Errorf("policy %q", got)
	}
	if res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Error("nosniff is missing")
	}
}

func TestWithoutBuild(t *testing.T) {
	t.Parallel()
	res := get(t, newHandler(fstest.MapFS{".gitkeep": {}}, http.NotFoundHandler(), ""), "/spaces", "")
	if got := text(t, res); !strings.Contains(got, "make build") {
		t.Errorf("body %q does not say what to do", got)
	}
}

func TestOnlyReading(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
	w := httptest.NewRecorder()
	newHandler(built(), http.NotFoundHandler(), "").ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("status %d, want 405", w.Code)
	}
}

// TestMissingPage: people who mistype an address get a page that says so.
func TestMissingPage(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	req := httptest.NewRequest(http.MethodGet, "/spacse", nil)
	req.Header.Set("Accept", "text/html,*/*")
	newHandler(built(), http.NotFoundHandler(), "").ServeHTTP(rec, req)
	if rec.Code != http.StatusNotFound || !strings.Contains(rec.Body.String(), "csp-nonce") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// TestPages compares the pages with the routes of the interface.
func TestPages(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("src/routes.tsx")
	if err != nil {
		t.Fatal(err)
	}
	inSettings := regexp.MustCompile(`getParentRoute: (inSettings|\(\) => tokens),`)
	var firsts []string
	for _, route := range strings.Split(string(text), "createRoute(")[1:] {
		found := regexp.MustCompile(`path: "/([^"/]*)`).FindStringSubmatch(route)
		if found != nil && !inSettings.MatchString(route) {
			firsts = append(firsts, found[1])
		}
	}
	slices.Sort(firsts)
	if firsts = slices.Compact(firsts); !slices.Equal(firsts, pages) {
		t.Errorf("src/routes.tsx has %q, the server knows %q", firsts, pages)
	}
}

// TestPrograms: what is no page and no file is no page for a program either,
// which could not read one.
func TestPrograms(t *testing.T) {
	t.Parallel()
	programs := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	h := newHandler(built(), programs, "")
	for _, c := range []struct {
		name, method, target, accept, credentials string
		status                                    int
	}{
		{"credentials", "GET", "/alerts", "", "Basic x", http.StatusTeapot},
		{"JSON", "GET", "/alerts", "application/json", "", http.StatusTeapot},
		{"a write", "POST", "/measurements", "", "Basic x", http.StatusTeapot},
		{"a browser", "GET", "/alerts", "text/html,application/xhtml+xml", "", http.StatusOK},
		{"a browser behind a proxy with a password", "GET", "/alerts", "text/html", "Basic x", http.StatusOK},
		{"its parts", "GET", "/assets/app-1a.js", "*/*", "Basic x", http.StatusOK},
		{"neither", "GET", "/alerts", "*/*", "", http.StatusOK},
		{"neither, and no page", "GET", "/wp-login", "*/*", "", http.StatusTeapot},
		{"a page of an organization", "GET", "/o/7/alerts", "*/*", "", http.StatusOK},
		{"the first page of an organization", "GET", "/o/7/", "*/*", "", http.StatusOK},
		{"no page of an organization", "GET", "/o/7/wp-login", "*/*", "", http.StatusTeapot},
		{"a form of some page", "POST", "/alerts", "*/*", "", http.StatusMethodNotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), c.method, c.target, nil)
			r.Header.Set("Accept", c.accept)
			if c.credentials != "" {
				r.Header.Set("Authorization", c.credentials)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
		})
	}
}

// Pages have addresses of any depth: what they load must not depend on it.
func TestPrefix(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"index.html": {Data: []byte(`<meta content="__PREFIX__"><link href="./favicon.svg"><script src="./assets/a.js">`)}}
	for prefix, want := range map[string]string{
		"":          `<meta content=""><link href="/favicon.svg"><script src="/assets/a.js">`,
		"/tidemark": `<meta content="/tidemark"><link href="/tidemark/favicon.svg"><script src="/tidemark/assets/a.js">`,
	} {
		if got := text(t, get(t, newHandler(files, http.NotFoundHandler(), prefix), "/spaces/12", "")); got != want {
			t.Errorf("prefix %q: %s, want %s", prefix, got, want)
		}
	}
}

// Texts are compressed in the binary; who cannot take that gets them as they
// were.
func TestCompressedAlone(t *testing.T) {
	t.Parallel()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("const a = 1")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	h := newHandler(fstest.MapFS{"assets/a.js.gz": {Data: []byte(packed.String())}, "assets/bad.js.gz": {Data: []byte("no gzip")}}, http.NotFoundHandler(), "")
	for encoding, want := range map[string]string{"": "const a = 1", "br": "const a = 1", "gzip": packed.String()} {
		res := get(t, h, "/assets/a.js", encoding)
		if got := text(t, res); got != want || res.StatusCode != http.StatusOK {
			t.Errorf("%q: %d %q", encoding, res.StatusCode, got)
		}
		if got := res.Header.Get("Content-Encoding"); (got == "gzip") != (encoding == "gzip") {
			t.Errorf("%q: Content-Encoding is %q", encoding, got)
		}
	}
	for _, name := range []string{"/assets/bad.js", "/assets/none.js"} {
		if res := get(t, h, name, ""); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}
