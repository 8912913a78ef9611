//go:build agents

// These are run by make test-agents: what they need is larger than all of the
// rest.

package agents

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

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
		if last := requests.Measurements[len(requests.Measurements)-1]; requests.Tags["service.name"] != "shop" || last.Value != 15 {
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
	waitFor(t, in)
	run(t, t.TempDir(), []string{
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://" + in + "/v1/metrics", "OTEL_SERVICE_NAME=Shop",
	}, build(t, "otel", "otel"), "http")
	for how, s := range map[string]*server{"http": overHTTP, "grpc": overGRPC} {
		requests := s.wait(t, "otel.http.requests")[0]
		if last := requests.Measurements[len(requests.Measurements)-1]; requests.Tags["service.name"] != "shop" || last.Value != 15 {
			t.Errorf("%s: %+v", how, requests)
		}
		for expr, want := range map[string]float64{
			`{"otel.http.requests","http.route"="/cart/{id}",code="200"}`:            15,
			`{"otel.http.queue"}`:                                                    7,
			`sum(sum_over_time({"otel.http.latency",__stat__="count"}[5m]))`:         300,
			`sum(sum_over_time({"otel.http.latency",__stat__="sum"}[5m]))`:           3 * 4950,
			`min(min_over_time({"otel.http.latency",__stat__="min"}[5m])) >= bool 0`: 1,
		} {
			s.promql(t, expr, want)
		}
		s.near(t, "otel.http.latency", "p50", 49.5)
	}
}

// waitFor waits until something accepts connections at an address.
func waitFor(t *testing.T, addr string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("nobody listens at %s: %v", addr, err)
		}
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
	if temp := s.wait(t, "agents_temp")[0]; temp.Tags["job"] != "shop" || temp.Measurements[0].Value != 36.5 {
		t.Errorf("%+v", temp)
	}
}
