package api

import (
	"strings"
	"testing"
)

// TestTooManyFindings: what an agent tells at once is bounded, since every
// finding is a write.
func TestTooManyFindings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, 200, "POST", "/v1/places", `{"name":"web-01"}`)
	findings := func(n int) string {
		one := w.timely(`{"check":99,"time":NOW,"up":true,"duration":0}`)
		return `{"place":"web-01","results":[` + strings.Repeat(one+",", n-1) + one + `]}`
	}
	w.must(t, 200, "POST", "/v1/places/results", findings(1000))
	rec := w.ask("recorder", "POST", "/v1/places/results", findings(1001))
	if rec.Code != 400 || !strings.Contains(rec.Body.String(), `"results":["has more than 1000 entries"]`) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// TestBacktestOfViewers: a token that may look may ask what an alert would
// have done, also through /mcp.
func TestBacktestOfViewers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, 202, "POST", "/v1/measurements", `{"measurements":[{"name":"m1","value":5,"time":NOW-60}]}`)
	body := `{"alert":{"conditions":[{"type":"above","metric_name":"m1","threshold":1}]}}`
	if rec := w.ask("viewer", "POST", "/v1/alerts/preview", body); rec.Code != 200 || !strings.Contains(rec.Body.String(), `"incidents"`) {
		t.Errorf("viewer: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("recorder", "POST", "/v1/alerts/preview", body); rec.Code != 403 {
		t.Errorf("recorder: %d %s", rec.Code, rec.Body)
	}
}
