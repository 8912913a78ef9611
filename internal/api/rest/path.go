package rest

import (
	"net/http"
	"net/url"
	"strings"
)

// OneSlash returns r with every run of slashes in its path as one: some
// clients join a base address that ends in one to a path that begins with one.
// A mux would redirect them, and they take that for success.
func OneSlash(r *http.Request) *http.Request {
	escaped := r.URL.EscapedPath()
	if !strings.Contains(escaped, "//") {
		return r
	}
	for strings.Contains(escaped, "//") {
		escaped = strings.ReplaceAll(escaped, "//", "/")
	}
	path, _ := url.PathUnescape(escaped) // it came from a path that was unescaped
	return withPath(r, path, escaped)
}

// withPath returns r with another path.
func withPath(r *http.Request, path, raw string) *http.Request {
	r2, u := *r, *r.URL
	u.Path, u.RawPath = path, raw
	r2.URL = &u
	return &r2
}

// OldRoot is where the old service's own pages had the API besides /v1; some
// clients still look for it there.
const OldRoot = "/metrics-api"

// withoutOldRoot makes /metrics-api/v1/metrics mean /v1/metrics.
func withoutOldRoot(r *http.Request) *http.Request {
	if !strings.HasPrefix(r.URL.Path, OldRoot+"/v1/") {
		return r
	}
	return withPath(r, strings.TrimPrefix(r.URL.Path, OldRoot), strings.TrimPrefix(r.URL.RawPath, OldRoot))
}

// withoutTrailingSlash makes /v1/measurements/ mean /v1/measurements, which
// two clients really send; a redirect would lose the bodies of others.
func withoutTrailingSlash(r *http.Request) *http.Request {
	if len(r.URL.Path) < 2 || !strings.HasSuffix(r.URL.Path, "/") {
		return r
	}
	return withPath(r, strings.TrimSuffix(r.URL.Path, "/"), strings.TrimSuffix(r.URL.RawPath, "/"))
}

// canonical returns r with the path that the table has: clients write some in
// other ways.
func canonical(r *http.Request) *http.Request {
	return withoutOldRoot(withoutTrailingSlash(OneSlash(r)))
}
