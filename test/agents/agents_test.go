// Package agents runs agents of the old service and of other products,
// unmodified, against the real server, and reads back what they sent. Each is pointed at Tidemark with the
// one setting that docs/sending names.
package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// How long to wait before giving up: for an agent to be fetched or built where
// it is not there yet, and for it to send something.
const (
	buildPatience = 10 * time.Minute
	patience      = time.Minute
)

// token is the server's first token: what the old service's tokens looked like.
var token = strings.Repeat("5e", 32)

// server is a running Tidemark.
type server struct {
	url, addr string
	bin, data string
	env       []string // more settings
	kill      func()   // at once, as a crash would
}

// build compiles a command of this repository, or of a module below it.
func build(t *testing.T, dir, name string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), name)
	run(t, dir, nil, "go", "build", "-o", bin, ".")
	return bin
}

// run runs a command to its end.
func run(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// start runs a command until the test ends, and shows what it said if the
// test fails. It returns a way to kill it before.
func start(t *testing.T, dir string, env []string, name string, args ...string) (kill func()) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out safeBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait := sync.OnceFunc(func() { _ = cmd.Wait() })
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		wait()
		timer.Stop()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(name), out.String())
		}
	})
	return func() {
		_ = cmd.Process.Kill()
		wait()
	}
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// serve starts Tidemark with an empty data directory.
func serve(t *testing.T) *server { return serveWith(t) }

// serveWith starts it with more settings, as variables.
func serveWith(t *testing.T, env ...string) *server {
	t.Helper()
	bin := os.Getenv("TIDEMARK_BIN") // where one is built already
	if bin == "" {
		bin = build(t, "../../cmd/tidemark", "tidemark")
	}
	s := &server{addr: freeAddr(t, "tcp"), bin: bin, data: t.TempDir(), env: env}
	s.url = "http://" + s.addr
	s.start(t)
	return s
}

// start starts the server, for the first time or again.
func (s *server) start(t *testing.T) {
	t.Helper()
	s.kill = start(t, t.TempDir(), append([]string{"TIDEMARK_BOOTSTRAP_TOKEN=" + token}, s.env...), s.bin, "serve", "--data", s.data, "--listen", s.addr)
	eventually(t, "the server to answer", func() bool {
		status, _ := s.get("/v1/metrics")
		return status == http.StatusOK
	})
}

// freeAddr returns an address of this machine that nothing listens on.
func freeAddr(t *testing.T, network string) string {
	t.Helper()
	if network == "udp" {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.LocalAddr().String()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *server) get(path string) (int, []byte) {
	req, err := http.NewRequest("GET", s.url+path, nil)
	if err != nil {
		return 0, nil
	}
	req.SetBasicAuth(token, "")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, body
}

// point is what summary_function=all shows of one time.
type point struct {
	Time                                      int64
	Value, Count, Sum, Min, Max, Last, StdDev float64
}

// series is one stream of a metric.
type series struct {
	Tags         map[string]string
	Measurements []point
}

// read returns the series of a metric in the last hour.
func (s *server) read(metric string) []series {
	status, body := s.get("/v1/measurements/" + url.PathEscape(metric) + "?resolution=1&duration=3600&summary_function=all")
	var answer struct{ Series []series }
	if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
		return nil
	}
	return answer.Series
}

// wait returns the series of a metric once it has one.
func (s *server) wait(t *testing.T, metric string) []series {
	t.Helper()
	var all []series
	eventually(t, metric, func() bool {
		all = s.read(metric)
		return len(all) > 0
	})
	return all
}

// near checks a percentile of all that a metric has, which may be off by 4 %
// where only buckets of it were sent.
func (s *server) near(t *testing.T, metric, function string, want float64) {
	t.Helper()
	_, body := s.get("/v1/measurements/" + metric + "?resolution=3600&duration=7200&group_by=*&summary_function=" + function)
	var answer struct{ Series []series }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Series) != 1 {
		t.Errorf("%s of %s: %s %v", function, metric, body, err)
		return
	}
	if got := answer.Series[0].Measurements[0].Value; math.Abs(got-want) > want/25 {
		t.Errorf("%s of %s is %v, want about %v", function, metric, got, want)
	}
}

// promql waits until an expression has one series with a value, as a Prometheus
// would answer it.
func (s *server) promql(t *testing.T, expr string, want float64) {
	t.Helper()
	var body []byte
	defer func() {
		if t.Failed() {
			t.Logf("%s: %s", expr, body)
		}
	}()
	eventually(t, fmt.Sprintf("%s to be %v", expr, want), func() bool {
		_, body = s.get("/prometheus/api/v1/query?query=" + url.QueryEscape(expr))
		var answer struct {
			Data struct{ Result []struct{ Value [2]any } }
		}
		if json.Unmarshal(body, &answer) != nil || len(answer.Data.Result) != 1 {
			return false
		}
		got, err := strconv.ParseFloat(fmt.Sprint(answer.Data.Result[0].Value[1]), 64)
		return err == nil && math.Abs(got-want) <= 1e-9*math.Abs(want)
	})
}

// known are the values of all streams of a metric, by tags and time.
type known map[string]map[int64]float64

func (k known) add(tags map[string]string, at int64, v float64) {
	var parts []string
	for name, value := range tags {
		if !strings.HasPrefix(name, "__") {
			parts = append(parts, name+"="+value)
		}
	}
	slices.Sort(parts)
	key := strings.Join(parts, ",")
	if k[key] == nil {
		k[key] = make(map[int64]float64)
	}
	k[key][at] = v
}

// prometheus returns what PromQL answers for a metric in the last hour.
func (s *server) prometheus(metric string) known {
	_, body := s.get("/prometheus/api/v1/query?query=" + url.QueryEscape(fmt.Sprintf("{%q}[1h]", metric)))
	var answer struct {
		Data struct {
			Result []struct {
				Metric map[string]string
				Values [][2]any
			}
		}
	}
	all := make(known)
	if json.Unmarshal(body, &answer) != nil {
		return all
	}
	for _, one := range answer.Data.Result {
		for _, pair := range one.Values {
			at, _ := pair[0].(float64)
			if v, err := strconv.ParseFloat(fmt.Sprint(pair[1]), 64); err == nil {
				all.add(one.Metric, int64(at), v)
			}
		}
	}
	return all
}

// same waits until /v1 has a metric, and checks that PromQL has the same
// streams, with the same value at every time. It returns what both have.
func (s *server) same(t *testing.T, metric string) known {
	t.Helper()
	all := make(known)
	for _, one := range s.wait(t, metric) {
		for _, p := range one.Measurements {
			all.add(one.Tags, p.Time, p.Value)
		}
	}
	by := s.prometheus(metric) // later, so that it has all that is known, and perhaps more
	for tags, values := range all {
		for at, v := range values {
			if got, has := by[tags][at]; !has || got != v {
				t.Errorf("%s{%s} at %d is %v by /v1, and %v (%v) by PromQL", metric, tags, at, v, got, has)
			}
		}
	}
	return all
}

// always checks that a metric has one stream, which always has a value, by /v1
// and by PromQL.
func (s *server) always(t *testing.T, metric string, want float64) {
	t.Helper()
	all := s.same(t, metric)
	if len(all) != 1 {
		t.Errorf("%s has %d streams", metric, len(all))
	}
	for tags, values := range all {
		for at, got := range values {
			if math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s{%s} at %d is %v, want %v", metric, tags, at, got, want)
			}
		}
	}
}

// write makes a file for an agent.
func write(t *testing.T, dir, name, format string, args ...any) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, fmt.Appendf(nil, format, args...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
