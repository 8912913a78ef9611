package agents

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// TestOwnAgent runs the agent against a server that is killed, and kills the
// agent too while the server is away. Whatever it had on disk arrives, once.
func TestOwnAgent(t *testing.T) {
	s := serve(t)
	exporter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "# TYPE jobs_total counter\njobs_total{queue=\"mail\"} 12\n")
	}))
	defer exporter.Close()
	a := newAgent(t, s, exporter.URL)
	a.kill = a.start(t)
	eventually(t, "the agent's first measurements", func() bool {
		return len(s.read("host.cpu.percent")) == 1 && len(s.read("jobs_total")) == 1 && len(s.read("greeting")) == 1
	})
	sent := a.count(t, s, 0)
	eventually(t, "the agent to know that they arrived", func() bool { return a.spooled(t) == 0 })

	s.kill()
	sent = a.count(t, nil, sent)
	a.kill() // while the server is away
	a.kill = a.start(t)
	sent = a.count(t, nil, sent)
	s.start(t)
	eventually(t, "everything to arrive", func() bool { return s.sum("counted") == float64(sent) })
	eventually(t, "an empty spool", func() bool { return len(a.waiting()) == 0 })
	if got := s.sum("counted"); got != float64(sent) {
		t.Errorf("%v of %d", got, sent)
	}
	for _, metric := range []string{"host.load.1", "host.memory.percent", "host.disk.percent", "host.network.in", "host.processes", "host.uptime", "script.exit", "scrape.up"} {
		series := s.read(metric)
		if len(series) == 0 || series[0].Tags["host"] != "testbed" || series[0].Tags["role"] != "test" {
			t.Errorf("%s: %+v", metric, series)
		}
	}
	if lost := s.sum("agent.dropped"); lost != 0 {
		t.Errorf("%v measurements dropped", lost)
	}
}

type ownAgent struct {
	bin, spool, statsd, settings string
	kill                         func()
}

func newAgent(t *testing.T, s *server, scrape string) *ownAgent {
	t.Helper()
	a := &ownAgent{bin: build(t, "../../cmd/tidemark-agent", "tidemark-agent"), spool: t.TempDir(), statsd: freeAddr(t, "udp"),
		settings: filepath.Join(t.TempDir(), "agent.yaml")}
	text := fmt.Sprintf("server: %s\ntoken: %s\nhost: testbed\ntags: {role: test}\nevery: 1s\nspool: {dir: %s}\nstatsd: %s\nscrape: [{url: %s, every: 1s}]\nscripts: [{name: hello, command: 'echo greeting 1', every: 1s}]\n",
		s.url, token, a.spool, a.statsd, scrape)
	if err := os.WriteFile(a.settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *ownAgent) start(t *testing.T) func() {
	t.Helper()
	return start(t, t.TempDir(), nil, a.bin, "--settings", a.settings)
}

// waiting are the requests in the spool.
func (a *ownAgent) waiting() []string {
	files, _ := filepath.Glob(filepath.Join(a.spool, "*.json.gz"))
	return files
}

// spooled is how many counts are in the spool.
func (a *ownAgent) spooled(t *testing.T) (sum float64) {
	t.Helper()
	for _, name := range a.waiting() {
		packed, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was sent meanwhile
		} else if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		var body struct {
			Measurements []struct {
				Name  string
				Value float64
			}
		}
		text, err := gzip.NewReader(packed)
		if err == nil {
			err = json.NewDecoder(text).Decode(&body)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range body.Measurements {
			if m.Name == "counted" {
				sum += m.Value
			}
		}
	}
	return sum
}

// count sends a hundred counts, and waits until they arrived where there is a
// server, or are on disk where there is none. It returns how many there are.
func (a *ownAgent) count(t *testing.T, s *server, before int) int {
	t.Helper()
	c, err := net.Dial("udp", a.statsd)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	eventually(t, "the agent to listen", func() bool { // a refusal comes with the write after
		_, err1 := c.Write([]byte("ping:1|g"))
		_, err2 := c.Write([]byte("ping:1|g"))
		return err1 == nil && err2 == nil
	})
	spooled := a.spooled(t)
	for range 100 {
		if _, err := c.Write([]byte("counted:1|c")); err != nil {
			t.Fatal(err)
		}
	}
	if s != nil {
		eventually(t, "counts to arrive", func() bool { return s.sum("counted") == float64(before+100) })
	} else {
		eventually(t, "counts to be on disk", func() bool { return a.spooled(t) == spooled+100 })
	}
	return before + 100
}

// sum is the sum of all values of a metric.
func (s *server) sum(metric string) (sum float64) {
	for _, one := range s.read(metric) {
		for _, p := range one.Measurements {
			sum += p.Sum
		}
	}
	return sum
}
