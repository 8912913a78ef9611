package rest

import (
	"context"
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

// OrgRoot is what an address begins with that names an organization:
// /o/7/v1/alerts is /v1/alerts of organization 7, and /o/shop/v1/alerts that of
// the one with this short name. People who belong to several
// have one of them in each tab, and nothing but the address says which.
const OrgRoot = "/o/"

// CutOrg takes the organization off the path of a request to the API.
func CutOrg(path string) (org, rest string, ok bool) {
	tail, found := strings.CutPrefix(path, OrgRoot)
	org, rest, more := strings.Cut(tail, "/")
	rest = "/" + rest
	isAPI := strings.HasPrefix(rest, "/v1/") || strings.HasPrefix(rest, "/ui/api/")
	return org, rest, found && more && isAPI
}

type orgKey struct{}

// withoutOrg makes /o/7/v1/alerts mean /v1/alerts, and remembers the 7.
func withoutOrg(r *http.Request) *http.Request {
	org, path, ok := CutOrg(r.URL.Path)
	if !ok {
		return r
	}
	_, raw, _ := CutOrg(r.URL.RawPath)
	if r.URL.RawPath == "" {
		raw = ""
	}
	return withPath(r.WithContext(context.WithValue(r.Context(), orgKey{}, org)), path, raw)
}

// NamedOrg returns what the address of r calls the organization that it is
// about, its ID or its short name; ok is false if it names none.
func NamedOrg(r *http.Request) (org string, ok bool) {
	org, ok = r.Context().Value(orgKey{}).(string)
	return org, ok
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
	return withoutOrg(withoutOldRoot(withoutTrailingSlash(OneSlash(r))))
}
