//go:build agents

// These are run by make test-agents: what they need is larger than all of the
// rest.

package agents

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// TestOpenTelemetry sends with OpenTelemetry's SDK for Go, over HTTP and gRPC:
// totals, gauges, and histograms of everything since the start.
func TestOpenTelemetry(t *testing.T) {
	grpc := freeAddr(t, "tcp")
	s := serveWith(t, "TIDEMARK_OTLP_LISTEN="+grpc)
	bin := build(t, "otel", "otel")
	for how, endpoint := range map[string]string{"http": s.url + "/otlp/v1/metrics", "grpc": "http://" + grpc} {
		run(t, t.TempDir(), []string{
			"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=" + endpoint, "OTEL_EXPORTER_OTLP_METRICS_HEADERS=Authorization=Bearer " + token,
			"OTEL_SERVICE_NAME=Shop", "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION=gzip",
		}, bin, how)
		name := "otel." + how
		requests := s.wait(t, name+".requests")[0]
		if last := requests.Measurements[len(requests.Measurements)-1]; requests.Tags["service.name"] != "Shop" || last.Value != 15 {
			t.Errorf("%s: %+v", how, requests)
		}
		for expr, want := range map[string]float64{
			fmt.Sprintf(`{%q,"http.route"="/cart/{id}",code="200"}`, name+".requests"):            15,
			fmt.Sprintf(`{%q}`, name+".queue"):                                                    7,
			fmt.Sprintf(`sum(sum_over_time({%q,__stat__="count"}[5m]))`, name+".latency"):         300,
			fmt.Sprintf(`sum(sum_over_time({%q,__stat__="sum"}[5m]))`, name+".latency"):           3 * 4950,
			fmt.Sprintf(`min(min_over_time({%q,__stat__="min"}[5m])) >= bool 0`, name+".latency"): 1,
		} {
			s.promql(t, expr, want)
		}
		s.near(t, name+".latency", "p50", 49.5)
	}
}

// TestCollector has OpenTelemetry's collector take what its SDK sends, and send
// it on over HTTP and over gRPC, to two servers: what they have is what was
// sent to the collector.
func TestCollector(t *testing.T) {
	grpc, in := freeAddr(t, "tcp"), freeAddr(t, "tcp")
	overHTTP, overGRPC := serve(t), serveWith(t, "TIDEMARK_OTLP_LISTEN="+grpc)
	dir := t.TempDir()
	config := write(t, dir, "collector.yml", `
receivers:
  otlp: {protocols: {http: {endpoint: %q}}}
exporters:
  otlphttp: {endpoint: %q, headers: {Authorization: Bearer %s}}
  otlp: {endpoint: %q, tls: {insecure: true}, headers: {Authorization: Bearer %s}}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    metrics: {receivers: [otlp], exporters: [otlphttp, otlp]}
`, in, overHTTP.url+"/otlp", token, grpc, token)
	start(t, dir, nil, build(t, "collector", "collector"), "--config="+config)
	eventually(t, "the collector to listen", func() bool {
		conn, err := net.Dial("tcp", in)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
	run(t, t.TempDir(), []string{
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://" + in + "/v1/metrics", "OTEL_SERVICE_NAME=Shop",
	}, build(t, "otel", "otel"), "http")
	for how, s := range map[string]*server{"http": overHTTP, "grpc": overGRPC} {
		requests := s.wait(t, "otel.http.requests")[0]
		if last := requests.Measurements[len(requests.Measurements)-1]; requests.Tags["service.name"] != "Shop" || last.Value != 15 {
			t.Errorf("%s: %+v", how, requests)
		}
		for expr, want := range map[string]float64{
			`{"otel.http.requests","http.route"="/cart/{id}",code="200"}`: 15,
			`{"otel.http.queue"}`: 7,
			`sum(sum_over_time({"otel.http.latency",__stat__="count"}[5m]))`:         300,
			`sum(sum_over_time({"otel.http.latency",__stat__="sum"}[5m]))`:           3 * 4950,
			`min(min_over_time({"otel.http.latency",__stat__="min"}[5m])) >= bool 0`: 1,
		} {
			s.promql(t, expr, want)
		}
		s.near(t, "otel.http.latency", "p50", 49.5)
	}
}

// TestPrometheus has Debian's Prometheus scrape a program and write to the
// server.
func TestPrometheus(t *testing.T) {
	bin := os.Getenv("PROMETHEUS")
	if bin == "" {
		testdeps.Missing(t, "PROMETHEUS does not name Prometheus: scripts/test-agents.sh does it")
	}
	scraped := 0
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		scraped++
		fmt.Fprintf(w, `# HELP agents_requests_total Requests.
# TYPE agents_requests_total counter
agents_requests_total{path="/cart/{id}",method="GET"} %d
# TYPE agents_latency histogram
agents_latency_bucket{le="0.1"} 50
agents_latency_bucket{le="0.5"} 90
agents_latency_bucket{le="+Inf"} 100
agents_latency_sum 20
agents_latency_count 100
# TYPE agents_temp gauge
agents_temp 36.5
agents_nan NaN
`, 10*scraped)
	}))
	defer target.Close()
	s := serve(t)
	dir := t.TempDir()
	config := write(t, dir, "prometheus.yml", `
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: Shop
    static_configs: [{targets: [%q]}]
remote_write:
  - url: %s/prometheus/api/v1/write
    basic_auth: {username: token, password: %s}
    queue_config: {batch_send_deadline: 1s}
`, target.Listener.Addr(), s.url, token)
	start(t, dir, nil, bin, "--config.file="+config, "--storage.tsdb.path="+dir+"/data", "--web.listen-address="+freeAddr(t, "tcp"))
	s.wait(t, "agents_requests_total")
	for expr, want := range map[string]float64{
		`agents_temp{job="Shop"}`: 36.5, `histogram_quantile(0.5, agents_latency_bucket)`: 0.1, `count(agents_latency_bucket{le="+Inf"})`: 1,
		`up{job="Shop"}`: 1, `absent(agents_nan)`: 1, `count(agents_requests_total{path="/cart/{id}",method="GET"})`: 1,
		`irate(agents_requests_total[30s]) > bool 5`: 1,
	} {
		s.promql(t, expr, want)
	}
	if temp := s.wait(t, "agents_temp")[0]; temp.Tags["job"] != "Shop" || temp.Measurements[0].Value != 36.5 {
		t.Errorf("%+v", temp)
	}
}

// TestPrometheusSnapshot has Debian's Prometheus scrape for a while and make a
// snapshot, which is imported: every series has the values that Prometheus
// answers for the same times.
func TestPrometheusSnapshot(t *testing.T) {
	bin := os.Getenv("PROMETHEUS")
	if bin == "" {
		testdeps.Missing(t, "PROMETHEUS does not name Prometheus: scripts/test-agents.sh does it")
	}
	var scraped atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# TYPE snap_requests_total counter\nsnap_requests_total{path=\"/cart/{id}\"} %d\n# TYPE snap_temp gauge\nsnap_temp{room=\"A\"} 36.5\n", 10*scraped.Add(1))
	}))
	defer target.Close()
	dir, at := t.TempDir(), freeAddr(t, "tcp")
	config := write(t, dir, "prometheus.yml", `
global: {scrape_interval: 1s}
scrape_configs: [{job_name: Shop, static_configs: [{targets: [%q]}]}]
`, target.Listener.Addr())
	start(t, dir, nil, bin, "--config.file="+config, "--storage.tsdb.path="+dir+"/data", "--web.listen-address="+at, "--web.enable-admin-api")
	eventually(t, "ten scrapes", func() bool { return scraped.Load() >= 10 })
	resp, err := http.Post("http://"+at+"/api/v1/admin/tsdb/snapshot", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var made struct{ Data struct{ Name string } }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || made.Data.Name == "" {
		t.Fatalf("snapshot: %s, %v", resp.Status, err)
	}
	s := serve(t)
	run(t, t.TempDir(), nil, s.bin, "import", "prometheus", dir+"/data/snapshots/"+made.Data.Name, "--data", s.data)
	for expr, want := range map[string]float64{
		`snap_temp{job="Shop",room="A"}`: 36.5, `count(snap_requests_total{path="/cart/{id}"})`: 1, `max_over_time(up[5m])`: 1,
	} {
		s.promql(t, expr, want)
	}
	known := make(map[int64]float64) // as Prometheus has it
	for _, p := range prometheusPoints(t, at, `snap_requests_total[10m]`) {
		known[int64(p[0])] = p[1]
	}
	points := s.wait(t, "snap_requests_total")[0].Measurements
	for _, p := range points {
		if known[p.Time] != p.Value {
			t.Errorf("at %d: %v, Prometheus has %v", p.Time, p.Value, known[p.Time])
		}
	}
	if len(points) < 8 {
		t.Errorf("%d points", len(points))
	}
}

// prometheusPoints are the times and values that Prometheus has of one series.
func prometheusPoints(t *testing.T, at, expr string) (list [][2]float64) {
	t.Helper()
	resp, err := http.Get("http://" + at + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		Data struct {
			Result []struct{ Values [][2]any }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || len(answer.Data.Result) != 1 {
		t.Fatalf("%s: %+v, %v", expr, answer, err)
	}
	for _, pair := range answer.Data.Result[0].Values {
		var v float64
		if _, err := fmt.Sscan(fmt.Sprint(pair[1]), &v); err != nil {
			t.Fatal(err)
		}
		seconds, _ := pair[0].(float64)
		list = append(list, [2]float64{seconds, v})
	}
	return list
}
