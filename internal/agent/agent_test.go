package agent

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

func testAgent(t *testing.T, server string) *Agent {
	t.Helper()
	cfg := Defaults()
	cfg.Server, cfg.Token, cfg.Host, cfg.Spool.Dir = server, "secret", "web-01", t.TempDir()
	a, err := New(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.spool.close)
	return a
}

func values(all []sentMeasurement) map[string]float64 {
	got := make(map[string]float64)
	for _, m := range all {
		tags := tidemark.MakeTags(m.Tags)
		got[m.Name+" "+tags.String()] = m.Value
	}
	return got
}

func (a *Agent) taken(t *testing.T) map[string]float64 {
	t.Helper()
	return values(unpack(t, a.pending.take()))
}

func TestExposition(t *testing.T) {
	t.Parallel()
	const text = `# HELP jobs_total Jobs.
# TYPE jobs_total counter
jobs_total{queue="mail",path="C:\\a \"b\""} 12 1754300400000
# TYPE latency histogram
latency_bucket{le="0.5"} 3
latency_bucket{le="+Inf"} 4
latency_sum 1.5
queue.length 3
broken
temperature{room="x} 3
nothing NaN
word many
# EOF
`
	b := protocol.NewBatch(protocol.Limits{Points: 100})
	if err := readExposition([]byte(text), b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range b.Points {
		got = append(got, fmt.Sprintf("%s{%s} %v %v", p.Name, p.Labels, p.Kind, p.Value))
	}
	want := []string{
		`jobs_total{path=C_x3a_\a _x22_b_x22_,queue=mail} counter 12`, "latency_bucket{le=0.5} counter 3", "latency_bucket{le=_x2b_Inf} counter 4",
		"latency_sum{} counter 1.5", "queue.length{} gauge 3",
	}
	want[0] = got[0] // how texts are escaped is examined with the protocols
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	skipped := 0
	for _, s := range b.Skipped {
		skipped += s.Count
	}
	if skipped != 4 {
		t.Errorf("%d lines left out: %+v", skipped, b.Skipped)
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	now := time.Unix(1754300400, 0)
	for _, s := range []Script{
		{Name: "good", Command: `echo 'queue{name="mail"} 7'`, Timeout: time.Minute},
		{Name: "bad", Command: "echo left 1; exit 3", Timeout: time.Minute},
		{Name: "slow", Command: "sleep 100 & sleep 100", Timeout: 50 * time.Millisecond},
		{Name: "none", Command: "/does/not/exist", Timeout: time.Minute},
	} {
		a.script(s)(t.Context(), now)
	}
	got := a.taken(t)
	for key := range got {
		if strings.HasPrefix(key, "script.duration") {
			delete(got, key)
		}
	}
	want := map[string]float64{
		"queue host=web-01,name=mail": 7, "left host=web-01": 1,
		"script.exit host=web-01,script=good": 0, "script.exit host=web-01,script=bad": 3,
		"script.exit host=web-01,script=slow": 124, "script.exit host=web-01,script=none": 127,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestScrapeDown(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	a := testAgent(t, "http://127.0.0.1:1")
	a.scraper(Scrape{URL: s.URL, Timeout: time.Minute})(t.Context(), time.Now())
	for key, v := range a.taken(t) {
		if strings.HasPrefix(key, "scrape.up") && v != 0 {
			t.Errorf("%s %v", key, v)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	a.cfg.systemctl = filepath.Join(t.TempDir(), "systemctl")
	script := "#!/bin/sh\nprintf 'Id=nginx.service\\nActiveState=active\\nNRestarts=2\\n\\nId=backup.timer\\nActiveState=failed\\n\\nId=cron.service\\nActiveState=active\\nNRestarts=0\\n'\n"
	if err := os.WriteFile(a.cfg.systemctl, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	a.cfg.Units = []string{"nginx", "backup*"}
	a.units(t.Context(), time.Unix(1754300400, 0))
	want := map[string]float64{
		"systemd.unit.active host=web-01,unit=nginx.service": 1, "systemd.unit.restarts host=web-01,unit=nginx.service": 2,
		"systemd.unit.active host=web-01,unit=backup.timer": 0, "systemd.failed host=web-01": 1,
	}
	if d := cmp.Diff(want, a.taken(t)); d != "" {
		t.Error(d)
	}
}

// onSocket serves on a socket as Docker does, and returns where that is.
func onSocket(t *testing.T, serve http.HandlerFunc) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "d.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: serve}}
	server.Start()
	t.Cleanup(server.Close)
	return socket
}

func TestContainers(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	socket := onSocket(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/containers/json" {
			fmt.Fprint(w, `[{"Id":"abc","Names":["/shop"],"Image":"shop","State":"running"},{"Id":"def","Names":["/old"],"Image":"shop","State":"exited"}]`)
			return
		}
		fmt.Fprintf(w, `{"cpu_stats":{"cpu_usage":{"total_usage":%d}},"memory_stats":{"usage":300,"limit":1000,"stats":{"inactive_file":100}},"networks":{"eth0":{"rx_bytes":1,"tx_bytes":2}}}`, asked.Add(1))
	})
	a := testAgent(t, "http://127.0.0.1:1")
	ask := a.containers(socket)
	ask(t.Context(), time.Unix(1754300400, 0))
	ask(t.Context(), time.Unix(1754300410, 0))
	got := a.taken(t)
	const tags = " container=shop,host=web-01,image=shop"
	if got["container.memory.used"+tags] != 200 || got["container.memory.percent"+tags] != 20 || got["container.running host=web-01"] != 1 || got["container.stopped host=web-01"] != 1 {
		t.Errorf("%v", got)
	}
	if v, ok := got["container.cpu.percent"+tags]; !ok || v <= 0 {
		t.Errorf("no processor in %v", got)
	}
}

// TestSpoolLimit: the oldest requests give way, and are counted. It does not
// run beside tests that start processes: these hold its lock for a moment.
func TestSpoolLimit(t *testing.T) {
	dir := t.TempDir()
	s, err := openSpool(dir, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := s.add(part{[]byte(strings.Repeat(fmt.Sprint(i), 30)), 10 + i, measurementsPath}); err != nil {
			t.Fatal(err)
		}
	}
	if n, dropped := s.len(), s.takeDropped(); n != 3 || dropped != 10+11 {
		t.Errorf("%d wait, %d dropped", n, dropped)
	}
	if _, err := openSpool(dir, 100); err == nil || !strings.Contains(err.Error(), "another agent") {
		t.Errorf("a second agent: %v", err)
	}
	s.close()
	if err := os.WriteFile(filepath.Join(dir, "00000000000000000009-1.json.gz.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := openSpool(dir, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer again.close()
	if text, err := again.oldest().read(); again.len() != 3 || err != nil || text[0] != '2' || again.oldest().count != 12 {
		t.Errorf("%d wait, the oldest is %q, %v", again.len(), text, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(files) != 0 {
		t.Errorf("%v is left", files)
	}
}

// TestSpoolWithoutDisk: what cannot be written is sent from memory.
func TestSpoolWithoutDisk(t *testing.T) {
	t.Parallel()
	s, err := openSpool(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	s.dir = filepath.Join(s.dir, "missing")
	for range maxInMemory + 3 {
		if s.add(part{[]byte("x"), 7, measurementsPath}) == nil {
			t.Fatal("it was written")
		}
	}
	if n, dropped := s.len(), s.takeDropped(); n != maxInMemory || dropped != 3*7 {
		t.Errorf("%d wait, %d dropped", n, dropped)
	}
	if text, err := s.oldest().read(); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestSend: what the server answers decides what becomes of a request.
func TestSend(t *testing.T) {
	t.Parallel()
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%v", r.Header)
		}
		w.WriteHeader(int(status.Load()))
		fmt.Fprint(w, `{"measurements":{"summary":{"total":3,"accepted":2,"failed":1,"filtered":0}}}`)
	}))
	defer server.Close()
	for code, want := range map[int64]struct {
		waits int
		c     counters
	}{
		202: {0, counters{sent: 2, refused: 1}}, 400: {0, counters{refused: 3}}, 413: {0, counters{refused: 3}},
		401: {1, counters{}}, 403: {1, counters{}}, 429: {1, counters{}}, 500: {1, counters{}}, 503: {1, counters{}},
	} {
		status.Store(code)
		a := testAgent(t, server.URL)
		if err := a.spool.add(part{[]byte("x"), 3, measurementsPath}); err != nil {
			t.Fatal(err)
		}
		wait := newForwarder(a).handle(context.Background(), a.spool.oldest())
		if a.spool.len() != want.waits || a.sent != want.c || (wait > 0) != (want.waits > 0) {
			t.Errorf("%d: %d wait, %+v, %s", code, a.spool.len(), a.sent, wait)
		}
	}
}

// TestBodies: a round that is larger than a request is several.
func TestBodies(t *testing.T) {
	t.Parallel()
	b := newBody(tidemark.MakeTags(map[string]string{"host": "a"}), 10*time.Second)
	for i := range maxPart + 1 {
		b.value("x", unitNone, float64(i), "host", "b", "mount", `C:\a`)
	}
	parts := b.take()
	all := unpack(t, parts)
	if len(parts) != 2 || len(all) != maxPart+1 || all[0].Tags["host"] != "b" || all[maxPart].Value != maxPart {
		t.Errorf("%d requests with %d measurements, %+v", len(parts), len(all), all[0])
	}
	if len(b.take()) != 0 {
		t.Error("nothing is something")
	}
}

func TestStatsd(t *testing.T) {
	t.Parallel()
	a := testAgent(t, "http://127.0.0.1:1")
	a.cfg.Statsd = "127.0.0.1:0"
	p, err := a.listenStatsd()
	if err != nil {
		t.Fatal(err)
	}
	defer p.conn.Close()
	p.sums.Add([]byte("jobs:2|c|#queue:mail\njobs:3|c|#queue:mail\nlatency:10|ms\nlatency:20|ms\nlatency:20|ms"))
	now := time.Unix(1754300400, 0)
	a.with(func(b *body) { p.flush(now, b) })
	p.sums.Add([]byte("jobs:1|c|#queue:mail"))
	a.with(func(b *body) { p.flush(now, b) })
	all := unpack(t, a.pending.take())
	if len(all) != 3 || all[0].Value != 5 || all[0].Attributes["summarize_function"] != "sum" || all[2].Time != all[0].Time+1 {
		t.Fatalf("%+v", all)
	}
	if d := all[1].Distribution; len(d) != 2 || d[0][1] != 1 || d[1][1] != 2 || d[1][0] < 19.8 || d[1][0] > 20.2 {
		t.Errorf("%v", d)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	read := func(text string) error {
		cfg := Defaults()
		cfg.Spool.Dir = "/tmp/x"
		if err := cfg.Read(strings.NewReader(text)); err != nil {
			return err
		}
		return cfg.Validate()
	}
	uncommented := regexp.MustCompile(`(?m)^#([a-z]|  )`).ReplaceAllString(Template, "$1")
	const good = "server: https://a.example.org/\ntoken: x\n"
	for text, want := range map[string]string{
		good:                  "",
		good + "every: 100ms": "every: must be between 1s and 1h",
		good + "evry: 10s":    "field evry not found",
		good + "spool: {dir: /tmp/x, limit: many}":                      "is not a size",
		good + "spool: {dir: /tmp/x, limit: 1KiB}":                      "spool.limit: must be 1MiB or more",
		good + "scrape: [{url: here}]":                                  "scrape[0].url: must be like",
		good + "scrape: [{url: 'http://a', every: 5s, timeout: 9s}]":    "scrape[0].timeout",
		good + "scripts: [{name: a}]":                                   "scripts[0].command: is missing",
		good + "scripts: [{name: a, command: b},{name: a, command: b}]": "scripts[1].name: there is already",
		good + "ca: /does/not/exist":                                    "ca: open",
		"server: ftp://a\ntoken: x":                                     "server: must be like",
		"server: https://a":                                             "token: is missing",
		"server: https://a\ntoken_file: /does/not/exist":                "token_file: open",
		uncommented: "token_file: open /etc/tidemark/agent.token",
	} {
		err := read(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
