package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// scoped is a world with a token that may send edge.* of site ams.
func scoped(t *testing.T) *world {
	t.Helper()
	w := newWorld(t).withPeople(t)
	w.token(t, w.ours, "edge", tidemark.Token{Role: tidemark.RecordOnly, Active: true, Scope: tidemark.TokenScope{
		Metrics: []string{"edge.*", "Edge_*"}, Tags: []tidemark.ScopeTag{{Name: "site", Values: []string{"ams", "fra"}}},
	}})
	return w
}

// recordingDoor is a request that records a metric of a site.
type recordingDoor func(metric, site string) (path, body string, headers []string)

// recordingDoors are all of them but the old route, by name.
func recordingDoors(t *testing.T, now int64) map[string]recordingDoor {
	t.Helper()
	snappy := func(labels ...string) string {
		return string(protocoltest.Pack(t, "snappy", protocoltest.Message(1, series1(labels, now, 1))))
	}
	otlp := func(metric, site string) string {
		return fmt.Sprintf(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":%q,"gauge":{"dataPoints":[{"timeUnixNano":"%d000000000","asDouble":1,"attributes":[{"key":"site","value":{"stringValue":%q}}]}]}}]}]}]}`, metric, now, site)
	}
	return map[string]recordingDoor{
		"POST /v1/measurements": func(metric, site string) (string, string, []string) {
			return "/v1/measurements", fmt.Sprintf(`{"measurements":[{"name":%q,"value":1,"tags":{"site":%q}}]}`, metric, site), nil
		},
		"POST /prometheus/api/v1/write": func(metric, site string) (string, string, []string) {
			return "/prometheus/api/v1/write", snappy("__name__", strings.ReplaceAll(metric, ".", "_"), "site", site), []string{"Content-Type", remoteV1, "Content-Encoding", "snappy"}
		},
		"POST /otlp/v1/metrics": func(metric, site string) (string, string, []string) {
			return "/otlp/v1/metrics", otlp(metric, site), []string{"Content-Type", "application/json"}
		},
		"POST /write": func(metric, site string) (string, string, []string) {
			return "/write?precision=s", fmt.Sprintf("%s,site=%s value=1 %d", metric, site, now), nil
		},
		"POST /api/v2/write": func(metric, site string) (string, string, []string) {
			return "/api/v2/write?precision=s", fmt.Sprintf("%s,site=%s value=1 %d", metric, site, now), nil
		},
		"POST /api/v1/series": func(metric, site string) (string, string, []string) {
			return "/api/v1/series", fmt.Sprintf(`{"series":[{"metric":%q,"points":[[%d,1]],"tags":["site:%s"]}]}`, metric, now, site), []string{"Content-Type", "application/json"}
		},
		"POST /api/v2/series": func(metric, site string) (string, string, []string) {
			return "/api/v2/series", fmt.Sprintf(`{"series":[{"metric":%q,"type":3,"points":[{"timestamp":%d,"value":1}],"tags":["site:%s"]}]}`, metric, now, site), []string{"Content-Type", "application/json"}
		},
	}
}

// TestOwnMetrics: what the server records about itself nobody else does, by
// whichever way; and the server does.
func TestOwnMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const refused = "is recorded by the server alone"
	for name, door := range recordingDoors(t, w.minute) {
		if name == "POST /prometheus/api/v1/write" {
			continue // its names have no dots
		}
		for _, who := range []string{"recorder", "admin"} {
			path, body, headers := door("Tidemark.alerting.late.max", "ams")
			if rec := w.ask(who, "POST", path, body, headers...); rec.Code != 400 || !strings.Contains(rec.Body.String(), refused) {
				t.Errorf("%s as %s: %d %s", name, who, rec.Code, rec.Body)
			}
		}
	}
	if rec := w.ask("recorder", "POST", "/v1/metrics", `{"gauges":[{"name":"tidemark.alerting.late.max","value":1}]}`); rec.Code != 400 || !strings.Contains(rec.Body.String(), refused) {
		t.Errorf("the old route: %d %s", rec.Code, rec.Body)
	}
	if _, err := w.Store.Metric(t.Context(), w.ours, "tidemark.alerting.late.max"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("it was made: %v", err)
	}
	own := []byte(`{"measurements":[{"name":"tidemark.alerting.late.max","value":1}]}`)
	if sum, problems, err := w.Recorder.Record(t.Context(), w.ours, own, "tidemark"); err != nil || sum.Accepted != 1 {
		t.Errorf("the server: %+v %+v %v", sum, problems, err)
	}
}

// TestScopeAtEveryDoor: whichever way measurements come in, those inside the
// scope of the token are recorded and those outside are refused.
func TestScopeAtEveryDoor(t *testing.T) {
	t.Parallel()
	w := scoped(t)
	doors := recordingDoors(t, w.minute)
	for _, rt := range w.Table {
		asks := rt.Name() == "POST /query" || rt.Name() == "GET /api/v1/validate" || rt.Name() == "POST /v1/metrics" // the last is below
		if rt.Sends && !asks && doors[rt.Name()] == nil {
			t.Errorf("%s takes measurements and is not tried", rt.Name())
		}
	}
	for name, door := range doors {
		send := func(metric, site string) (int, string) {
			path, body, headers := door(metric, site)
			rec := w.ask("edge", "POST", path, body, headers...)
			return rec.Code, rec.Body.String()
		}
		if code, text := send("edge.requests", "AMS"); code/100 != 2 || strings.Contains(text, "outside") {
			t.Errorf("%s inside: %d %s", name, code, text)
		}
		for _, out := range [][2]string{{"billing.sum", "ams"}, {"edge.requests", "lon"}, {"xedge.requests", "ams"}} {
			if code, text := send(out[0], out[1]); code != http.StatusForbidden {
				t.Errorf("%s with %v: %d %s", name, out, code, text)
			}
		}
	}
	for _, m := range []string{"billing.sum", "billing_sum", "xedge.requests"} {
		if _, err := w.Store.Metric(t.Context(), w.ours, m); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("%s was made: %v", m, err)
		}
	}
}

// TestAddedAtEveryDoor: whichever way measurements come in, they get the tags
// that the token adds, whatever the sender says of them.
func TestAddedAtEveryDoor(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	w.token(t, w.ours, "edge", tidemark.Token{Role: tidemark.RecordOnly, Active: true, Scope: tidemark.TokenScope{
		Add: []tidemark.AddedTag{{Name: "site", Value: "ams"}, {Name: "team", Value: "edge"}},
	}})
	doors := recordingDoors(t, w.minute)
	doors["POST /v1/metrics"] = func(metric, site string) (string, string, []string) {
		return "/v1/metrics", fmt.Sprintf(`{"source":%q,"gauges":[{"name":%q,"value":1}]}`, site, metric), nil
	}
	n := 0
	for name, door := range doors {
		n++
		metric := fmt.Sprintf("edge_%d", n)
		path, body, headers := door(metric, "lon")
		if rec := w.ask("edge", "POST", path, body, headers...); rec.Code/100 != 2 {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
		streams := 0
		for s, err := range w.Engine.Streams(t.Context(), w.ours, metric+"*", tsdb.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			streams++
			site, _ := s.Tags.Get("site")
			if team, _ := s.Tags.Get("team"); team != "edge" || site != "ams" {
				t.Errorf("%s recorded %s{%s}", name, s.Metric, s.Tags)
			}
		}
		if streams != 1 {
			t.Errorf("%s recorded %d streams", name, streams)
		}
	}
}

// TestScopeOfLegacy: the old route has names and sources only.
func TestScopeOfLegacy(t *testing.T) {
	t.Parallel()
	w := scoped(t)
	w.token(t, w.ours, "old", tidemark.Token{Role: tidemark.RecordOnly, Active: true, Scope: tidemark.TokenScope{
		Metrics: []string{"edge.*"}, Tags: []tidemark.ScopeTag{{Name: "source", Values: []string{"web-1"}}},
	}})
	for body, want := range map[string]int{
		`{"source":"web-1","gauges":[{"name":"edge.load","value":1}]}`:                                     200,
		`{"source":"web-2","gauges":[{"name":"edge.load","value":1}]}`:                                     403,
		`{"source":"web-1","gauges":[{"name":"load","value":1}]}`:                                          403,
		`{"source":"web-1","gauges":[{"name":"edge.load","value":1}],"counters":[{"name":"x","value":1}]}`: 403,
	} {
		if rec := w.ask("old", "POST", "/v1/metrics", body); rec.Code != want || want == 403 && !strings.Contains(rec.Body.String(), "is outside the scope of token old") {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
}

// TestScopeRefusesInPart: what is inside is kept, and the rest is listed.
func TestScopeRefusesInPart(t *testing.T) {
	t.Parallel()
	w := scoped(t)
	rec := w.ask("edge", "POST", "/v1/measurements", `{"tags":{"site":"fra"},"measurements":[{"name":"edge.a","value":1},{"name":"other","value":1},{"name":"edge.b","value":1,"tags":{"host":"x"}}]}`)
	if rec.Code != 202 || !strings.Contains(rec.Body.String(), `"accepted":1,"failed":2`) || strings.Count(rec.Body.String(), "is outside the scope of token edge") != 2 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// TestNetworksOfTokens: a token works from its networks only, by the address
// that trusted proxies name.
func TestNetworksOfTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.token(t, w.ours, "near", tidemark.Token{Role: tidemark.FullAccess, Active: true, Networks: []string{"192.0.2.0/24", "2001:db8:40::/48"}})
	w.token(t, w.ours, "far", tidemark.Token{Role: tidemark.FullAccess, Active: true, Networks: []string{"198.51.100.7"}})
	if rec := w.ask("near", "GET", "/v1/alerts", ""); rec.Code != 200 { // httptest's address is 192.0.2.1
		t.Errorf("from its network: %d %s", rec.Code, rec.Body)
	}
	for _, header := range []string{"", "198.51.100.7"} { // no proxy is trusted
		if rec := w.ask("far", "GET", "/v1/alerts", "", "X-Forwarded-For", header); rec.Code != 403 || !strings.Contains(rec.Body.String(), "token far may not be used from 192.0.2.1") {
			t.Errorf("from elsewhere, saying %q: %d %s", header, rec.Code, rec.Body)
		}
	}
}

// TestTokenAge: an organization may limit how long tokens are valid.
func TestTokenAge(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	w.must(t, 200, "PUT", "/v1/api_tokens/1", `{"name":"before"}`)
	if rec := w.ask("Admin", "PUT", "/ui/api/org", `{"token_max_days":30}`); rec.Code/100 != 2 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	rec := w.ask("admin", "POST", "/v1/api_tokens", `{"name":"x","role":"viewer"}`)
	if rec.Code != 201 || strings.Contains(rec.Body.String(), `"expires_at":null`) {
		t.Errorf("without an end: %d %s", rec.Code, rec.Body)
	}
	late := w.minute + 31*24*3600
	for method, path := range map[string]string{"POST": "/v1/api_tokens", "PUT": "/v1/api_tokens/1"} {
		rec := w.ask("admin", method, path, fmt.Sprintf(`{"name":"x","role":"admin","expires_at":%d}`, late))
		if rec.Code != 400 || !strings.Contains(rec.Body.String(), "your organization allows 30 days at most") {
			t.Errorf("%s too late: %d %s", method, rec.Code, rec.Body)
		}
	}
	w.must(t, 200, "PUT", "/v1/api_tokens/1", `{"name":"still without an end"}`)
}
