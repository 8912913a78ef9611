package api

import (
	"strings"
	"testing"
)

// TestMetricsByStreams asks for the metrics with most streams first.
func TestMetricsByStreams(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	rec := w.ask("admin", "POST", "/v1/measurements", `{"measurements":[
		{"name":"a.few","value":1,"tags":{"host":"one"}},
		{"name":"b.many","value":1,"tags":{"host":"one"}},{"name":"b.many","value":1,"tags":{"host":"two"}}]}`)
	if rec.Code != 202 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	for path, first := range map[string]string{
		"/ui/api/metrics?q=*.*&length=1":              `"name":"a.few"`,
		"/ui/api/metrics?q=*.*&length=1&sort=streams": `"name":"b.many"`,
	} {
		if body := w.ask("Viewer", "GET", path, "").Body.String(); !strings.Contains(body, first) {
			t.Errorf("GET %s has no %s:\n%s", path, first, body)
		}
	}
}
