package app

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// ask sends one request with the first token and returns the answer.
func (s *server) ask(t *testing.T, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("token", bootstrap)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// promql returns the answer to an expression at one time.
func (s *server) promql(t *testing.T, expr string, at int64) string {
	t.Helper()
	_, text := s.ask(t, "POST", "/prometheus/api/v1/query", url.Values{"query": {expr}, "time": {fmt.Sprint(at)}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded")
	return text
}

// TestProtocols: a server as it is by default takes what other products send,
// keeps it over a restart, and answers in /v1 and in PromQL.
func TestProtocols(t *testing.T) {
	t.Parallel()
	flags := map[string]string{"bootstrap_token": bootstrap}
	cfg := settings(t, flags)
	s := start(t, cfg)
	now := time.Now().Unix()/60*60 - 60
	lines := fmt.Sprintf("cpu,host=Web-07 usage=12.5,ok=true %d\n", now)
	for _, c := range []struct {
		path, body string
		status     int
		headers    []string
	}{
		{"/write?precision=s", string(protocoltest.Pack(t, "gzip", []byte(lines))), http.StatusNoContent, []string{"Content-Encoding", "gzip"}},
		{"/api/v1/series", fmt.Sprintf(`{"series":[{"metric":"jobs","points":[[%d,3]],"type":"count"}]}`, now), http.StatusAccepted, nil},
		{"/otlp//v1/metrics/", fmt.Sprintf(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"lat","histogram":{"aggregationTemporality":1,
			"dataPoints":[{"timeUnixNano":"%d000000000","count":"100","sum":5000,"min":1,"max":100,"bucketCounts":["50","50"],"explicitBounds":[50]}]}}]}]}]}`, now), http.StatusOK, []string{"Content-Type", "application/json"}},
		{"/write", "no line", http.StatusBadRequest, nil},
	} {
		if code, text := s.ask(t, "POST", c.path, c.body, c.headers...); code != c.status {
			t.Errorf("%s: %d %s", c.path, code, text)
		}
	}
	if code, _ := s.ask(t, "GET", "/ping", ""); code != http.StatusNoContent {
		t.Errorf("/ping: %d", code)
	}
	s.end(t)
	s = start(t, cfg)
	defer s.end(t)
	for expr, want := range map[string]string{
		`{"cpu.usage", host="Web-07"}`: `"12.5"]`, `jobs`: `"3"]`, `lat{__stat__="count"}`: `"100"]`, `lat`: `"50"]`,
	} {
		if got := s.promql(t, expr, now); !strings.Contains(got, want) {
			t.Errorf("%s: %s", expr, got)
		}
	}
	for _, expr := range documentedQueries(t) {
		if got := s.promql(t, expr, now); !strings.HasPrefix(got, `{"status":"success"`) {
			t.Errorf("docs/promql.md has %s: %s", expr, got)
		}
	}
	_, text := s.ask(t, "GET", fmt.Sprintf("/v1/measurements/cpu.usage?resolution=60&start_time=%d", now), "")
	if !strings.Contains(text, `"value":12.5`) {
		t.Error(text)
	}
}

// TestRemoteWriteTooLarge: values beyond what is kept are left out and counted,
// and no reason to refuse the request, which has others that are recorded.
func TestRemoteWriteTooLarge(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, map[string]string{"bootstrap_token": bootstrap}))
	defer s.end(t)
	now := time.Now().Unix()
	var body []byte
	for name, v := range map[string]float64{"fine": 12, "most": 9e126, "huge": math.MaxFloat64, "least": -1e127, "nan": math.NaN()} {
		body = append(body, protocoltest.Message(1, protocoltest.Message(1, protocoltest.Message(1, "__name__", 2, name), 2, protocoltest.Message(1, v, 2, int(now*1000))))...)
	}
	for range 2 {
		code, text := s.ask(t, "POST", "/prometheus/api/v1/write", string(protocoltest.Pack(t, "snappy", body)), "Content-Type", "application/x-protobuf")
		if code != http.StatusNoContent {
			t.Errorf("%d %s", code, text)
		}
	}
	if got := s.promql(t, `count({__name__=~"fine|most|huge|least|nan"})`, now); !strings.Contains(got, `"2"]`) {
		t.Errorf("recorded: %s", got)
	}
	_, text := s.ask(t, "GET", "/metrics", "")
	for _, want := range []string{`tidemark_left_out_total{reason="the value has an exponent over 126"} 4`, `tidemark_left_out_total{reason="the value is NaN or infinite"} 2`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not among the metrics", want)
		}
	}
}

// TestSubqueryStep: a subquery that names no step has that of the settings.
func TestSubqueryStep(t *testing.T) {
	t.Parallel()
	for step, want := range map[string]string{"": `"20"]`, "5s": `"60"]`, "1m": `"5"]`} {
		flags := map[string]string{"bootstrap_token": bootstrap}
		if step != "" {
			flags["prometheus.subquery_step"] = step
		}
		s := start(t, settings(t, flags))
		now := time.Now().Unix() / 300 * 300
		if got := s.promql(t, "count_over_time(vector(1)[5m:])", now); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", step, got, want)
		}
		if got := s.promql(t, "count_over_time(vector(1)[30s:15s])", now); !strings.Contains(got, `"2"]`) {
			t.Errorf("%q, with a step of its own: %s", step, got)
		}
		s.end(t)
	}
}

// documentedQueries are the expressions in docs/promql.md: what is in code and
// has a selector in braces, or a function's or a range's brackets.
func documentedQueries(t *testing.T) (queries []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/promql.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`([a-z]*\\{.*?\\}.*?|[a-z]+ ?.*?\\(.*?\\)|[a-z]+\\[\\w+\\])`").FindAllStringSubmatch(string(page), -1) {
		queries = append(queries, m[1])
	}
	if len(queries) < 6 {
		t.Fatalf("docs/promql.md has the queries %q", queries)
	}
	return queries
}

// TestProtocolsOff: what the operator switched off is not there.
func TestProtocolsOff(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, map[string]string{"bootstrap_token": bootstrap, "influx.enabled": "false", "prometheus.enabled": "false"}))
	defer s.end(t)
	for path, want := range map[string]int{
		"/write": http.StatusNotFound, "/prometheus/api/v1/query": http.StatusNotFound, "/api/v2/series": http.StatusAccepted,
	} {
		if code, text := s.ask(t, "POST", path, `{"series":[]}`, "Content-Type", "application/json"); code != want {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}
