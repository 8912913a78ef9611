package agents

import (
	"fmt"
	"net"
	"path/filepath"
	"testing"
)

// TestHotShots sends with the StatsD client that most Node.js programs have,
// in its Datadog dialect, straight to the server's port.
func TestHotShots(t *testing.T) {
	dir, at := npm(t), freeAddr(t, "tcp")
	host, port, _ := net.SplitHostPort(at)
	s := serveWith(t, "TIDEMARK_STATSD_LISTEN="+at, "TIDEMARK_STATSD_TOKEN="+token, "TIDEMARK_STATSD_FLUSH=1s")
	program := write(t, t.TempDir(), "send.js", `
const StatsD = require(%q);
const client = new StatsD({host: %q, port: %s, globalTags: {env: "Prod"}, errorHandler: (e) => { throw e; }});
client.increment("hot.jobs", 3, ["queue:mail"]);
client.increment("hot.jobs", 4, ["queue:mail"]);
client.gauge("hot.temp", 21.5);
client.set("hot.users", "anna");
client.set("hot.users", "bert");
for (let i = 1; i <= 100; i++) client.timing("hot.ms", i);
client.distribution("hot.size", 512);
client.close(() => {});
`, filepath.Join(dir, "hot-shots"), host, port)
	run(t, dir, nil, "node", program)
	jobs := s.wait(t, "hot.jobs")[0]
	if jobs.Tags["queue"] != "mail" || jobs.Tags["env"] != "Prod" {
		t.Errorf("%+v", jobs)
	}
	for expr, want := range map[string]float64{
		`sum(sum_over_time({"hot.jobs",queue="mail",__stat__="sum"}[5m]))`: 7, `{"hot.temp"}`: 21.5, `{"hot.users"}`: 2, `{"hot.size"}`: 512,
		`sum(sum_over_time({"hot.ms",__stat__="count"}[5m]))`: 100, `max(max_over_time({"hot.ms"}[5m]))`: 100,
	} {
		s.promql(t, expr, want)
	}
	var done float64 // in one interval or two
	for _, p := range s.read("hot.jobs")[0].Measurements {
		done += p.Sum
	}
	if done != 7 {
		t.Errorf("%v jobs by /v1, want 7", done)
	}
	s.near(t, "hot.ms", "p95", 95)
	s.always(t, "hot.temp", 21.5)
	s.always(t, "hot.users", 2)
	s.always(t, "hot.size", 512)
}

// TestStatsDGraphite runs statsd with its own backend for Graphite.
func TestStatsDGraphite(t *testing.T) {
	at := freeAddr(t, "tcp")
	host, port, _ := net.SplitHostPort(at)
	s := serveWith(t, "TIDEMARK_GRAPHITE_LISTEN="+at, "TIDEMARK_GRAPHITE_TOKEN="+token)
	settings := fmt.Sprintf(`graphiteHost: %q, graphitePort: %s, graphite: {legacyNamespace: false}, backends: ["./backends/graphite"]`, host, port)
	statsd(t, s, settings, "stats.gauges.agents.temp")
	for metric, want := range map[string]float64{
		"gauges.agents.temp": 36.5, "timers.agents.latency.mean": 55, "timers.agents.latency.lower": 10, "timers.agents.latency.upper": 100,
		"timers.agents.latency.mean_90": 50,
	} {
		s.always(t, "stats."+metric, want)
	}
	packets(t, s, "stats.counters.agents.requests.count", "stats.timers.agents.latency.count")
}
