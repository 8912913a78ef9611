package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// absent is what nothing is called, for each part of a path.
var absent = map[string]string{
	"name": "none", "id": "999999", "service": "999999", "space": "999999", "rel": "none", "key": "NOSUCHKEY", "user": "999999", "template": "nothing", "comment": "999999", "limit": "none", "kind": "nothing", "number": "999999",
}

// foundAnyway are the routes for which a name that nobody has is none of a
// mistake, each with the status it gets and why.
var foundAnyway = map[string]int{
	"PUT /v1/metrics/{name}":          http.StatusCreated, // makes the metric
	"POST /v1/annotations/{name}":     http.StatusCreated, // makes the stream
	"PUT /v1/sources/{name}":          http.StatusCreated, // names the source
	"GET /ui/api/metrics/{name}/uses": http.StatusOK,      // nothing uses it

	"GET /prometheus/api/v1/label/{name}/values": http.StatusOK, // a label that nothing has
}

// TestNotFound asks every route for what does not exist: for each part of its
// path in turn, while the other parts name something that does. What it is
// told is in testdata/tables/notfound.txt.
func TestNotFound(t *testing.T) {
	w := ownWorld(t)
	var out strings.Builder
	out.WriteString("# What every route tells an admin who asks for what does not exist.\n")
	for _, rt := range w.Table {
		for _, part := range pathPart.FindAllStringSubmatch(rt.Pattern, -1) {
			if absent[part[1]] == "" {
				t.Errorf("%s: what is the %s that nothing has?", rt.Name(), part[0])
			}
			method, target, body := w.goodRequest(rest.Route{Pattern: strings.Replace(rt.Pattern, part[0], absent[part[1]], 1)})
			if good := writes[rt.Name()] + pages[rt.Name()]; good != "" {
				body = good
			}
			target += asks[rt.Name()]
			who := "admin"
			if rt.People {
				who = "Admin"
			}
			rec := w.ask(who, method, target, w.timely(body))
			fmt.Fprintf(&out, "\n%s %s\n  %d %s\n", method, target, rec.Code, w.short(rec))
			if rec.Code == http.StatusCreated {
				w = ownWorld(t)
			}
			want, text := http.StatusNotFound, `{"errors":{"request":["Not Found"]}}`
			if code := foundAnyway[rt.Name()]; code != 0 {
				want, text = code, rec.Body.String()
			}
			if rec.Code != want || rec.Body.String() != text {
				t.Errorf("%s %s: %d %s, want %d", method, target, rec.Code, rec.Body, want)
			}
		}
	}
	golden(t, "testdata/tables/notfound.txt", out.String())
}
