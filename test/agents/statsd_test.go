package agents

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// modules returns where the agents of npm are, fetching them once.
var modules = sync.OnceValue(func() string {
	dir, err := filepath.Abs("../../.cache/agents")
	if err != nil {
		panic(err)
	}
	return dir
})

func npm(t *testing.T) string {
	t.Helper()
	testdeps.Program(t, "npm")
	dir := modules()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("node", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "hot-shots")); err != nil { // the latest that was added
		run(t, dir, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	}
	return filepath.Join(dir, "node_modules")
}

// statsd starts statsd with one backend and sends it some of everything until
// the server has a metric.
func statsd(t *testing.T, s *server, settings, arrives string) {
	t.Helper()
	dir, at := npm(t), freeAddr(t, "udp")
	_, port, _ := net.SplitHostPort(at)
	_, adminPort, _ := net.SplitHostPort(freeAddr(t, "tcp"))
	config := write(t, t.TempDir(), "config.js", `{port: %s, address: "127.0.0.1", mgmt_port: %s, mgmt_address: "127.0.0.1",
		flushInterval: 1000, deleteIdleStats: true, percentThreshold: [90], %s}`, port, adminPort, settings)
	start(t, dir, nil, "node", filepath.Join(dir, "statsd", "stats.js"), config)
	conn, err := net.Dial("udp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	eventually(t, arrives, func() bool {
		// One packet, so that no interval ends between two of the timings.
		lines := "agents.requests:7|c\nagents.temp:36.5|g"
		for i := range 10 {
			lines += fmt.Sprintf("\nagents.latency:%d|ms", 10*(i+1))
		}
		fmt.Fprint(conn, lines)
		return len(s.read(arrives)) > 0
	})
}

func TestStatsdAppOptics(t *testing.T) {
	s := serve(t)
	statsd(t, s, fmt.Sprintf(`appoptics: {token: %q, api: %q, host: "web-1", tags: {Region: "eu-1"}},
		backends: [%q]`, token, s.url, filepath.Join(npm(t), "@appoptics/statsd-appoptics-backend")), "agents.latency")
	tags := map[string]string{"Region": "eu-1", "host": "web-1"}
	for _, metric := range []string{"agents.requests", "agents.temp", "agents.latency", "agents.latency.90"} {
		for _, one := range s.wait(t, metric) {
			if !maps.Equal(one.Tags, tags) {
				t.Errorf("%s has tags %v", metric, one.Tags)
			}
		}
	}
	checkTimer(t, s)
	s.always(t, "agents.temp", 36.5)
	s.always(t, "agents.latency", 55)
	s.always(t, "agents.latency.90", 50)
	packets(t, s, "agents.requests", "agents.latency")
}

// packets checks that each interval has of a counter and of a timer what as
// many packets hold: 7 and 10 of them. A metric that has the number of timings
// as its value is a count; of others it is what they were measured of.
func packets(t *testing.T, s *server, counter, timer string) {
	t.Helper()
	timings := make(map[int64]float64)
	for _, p := range s.wait(t, timer)[0].Measurements {
		timings[p.Time] = p.Count
		if strings.HasSuffix(timer, ".count") {
			timings[p.Time] = p.Value
		}
	}
	checked := 0
	for _, counts := range s.same(t, counter) {
		for at, n := range counts {
			if timings[at] == 0 {
				continue // it came after the timings were read
			}
			checked++
			if n*10 != timings[at]*7 {
				t.Errorf("at %d %s is %v, with %v timings", at, counter, n, timings[at])
			}
		}
	}
	if checked == 0 {
		t.Errorf("%s has no time of %s", counter, timer)
	}
}

// checkTimer checks the timings 10, 20, ..., 100, however often they were sent
// in one interval: their deviation is sent under a name that meant something
// else once.
func checkTimer(t *testing.T, s *server) {
	t.Helper()
	p := s.wait(t, "agents.latency")[0].Measurements[0]
	if p.Min != 10 || p.Max != 100 || p.Value != 55 || p.Count < 10 {
		t.Errorf("timer %+v", p)
	}
	if p.StdDev < 28.72 || p.StdDev > 28.73 {
		t.Errorf("timer's deviation is %v, want that of 10 to 100", p.StdDev)
	}
}

// TestStatsdLibrato has the backend send everything twice, to the API with
// tags and to the one with sources.
func TestStatsdLibrato(t *testing.T) {
	s := serve(t)
	statsd(t, s, fmt.Sprintf(`librato: {email: "ops@example.org", token: %q, api: %q, source: "web-1", writeToLegacy: true},
		backends: [%q]`, token, s.url, filepath.Join(npm(t), "statsd-librato-backend")), "agents.latency")
	checkTimer(t, s)
	s.always(t, "agents.temp", 36.5)
	s.always(t, "agents.latency", 55)
	packets(t, s, "agents.requests", "agents.latency")
	for _, metric := range []string{"agents.requests", "agents.temp", "agents.latency.90"} {
		for _, one := range s.wait(t, metric) {
			if one.Tags["source"] != "web-1" {
				t.Errorf("%s has tags %v", metric, one.Tags)
			}
		}
	}
	eventually(t, "the source", func() bool {
		status, _ := s.get("/v1/sources/web-1")
		return status == 200
	})
}
