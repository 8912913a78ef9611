// Package alerting tests alerts end to end: the real server, killed at bad
// moments, and real receivers of what it tells.
package alerting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
)

// patience is how long to wait for what must happen: longer than the lease of
// a delivery that was under way in a crash.
const patience = time.Minute

var token = strings.Repeat("a1", 32)

// binary is the server, built once.
var binary = sync.OnceValues(func() (string, error) {
	if bin := os.Getenv("TIDEMARK_BIN"); bin != "" {
		return bin, nil
	}
	dir, err := os.MkdirTemp("", "tidemark-alerting-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "tidemark")
	out, err := exec.Command("go", "build", "-o", bin, "../../cmd/tidemark").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := binary(); err == nil && os.Getenv("TIDEMARK_BIN") == "" {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// server is a Tidemark that can be killed and started again on its data. With
// TIDEMARK_TEST_CLUSTER it is three processes that share PostgreSQL and
// ClickHouse, and that are asked in turn.
type server struct {
	t     *testing.T
	nodes []*node
	asked atomic.Int64
	env   []string
	log   *lockedBuffer
}

// node is a process of a server.
type node struct {
	data string
	addr string
	cmd  *exec.Cmd
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func newServer(t *testing.T, env ...string) *server {
	t.Helper()
	s := &server{t: t, nodes: []*node{newNode(t)}, env: env, log: &lockedBuffer{}}
	if os.Getenv("TIDEMARK_TEST_CLUSTER") != "" {
		s.nodes = append(s.nodes, newNode(t), newNode(t))
		url, database := clickhousetest.Database(t)
		s.env = append(s.env, "TIDEMARK_ENGINE=clickhouse", "TIDEMARK_DATABASE="+storetest.Postgres(t),
			"TIDEMARK_CLICKHOUSE_URLS="+url, "TIDEMARK_CLICKHOUSE_DATABASE="+database, "TIDEMARK_SECRETS_KEY_FILE="+filepath.Join(t.TempDir(), "secrets.key"))
	}
	s.env = append(s.env, "TIDEMARK_BOOTSTRAP_TOKEN="+token, "TIDEMARK_OUTBOUND_ALLOW=127.0.0.0/8", "TIDEMARK_PUBLIC_URL=http://"+s.nodes[0].addr)
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("the server said:\n%s", s.log.b.String())
		}
	})
	s.start()
	return s
}

func newNode(t *testing.T) *node {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return &node{data: t.TempDir(), addr: l.Addr().String()}
}

func (s *server) start() {
	s.t.Helper()
	bin, err := binary()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, n := range s.nodes {
		n.cmd = exec.Command(bin, "serve", "--data", n.data, "--listen", n.addr)
		n.cmd.Env = append(os.Environ(), s.env...)
		n.cmd.Stdout, n.cmd.Stderr = s.log, s.log
		if err := n.cmd.Start(); err != nil {
			s.t.Fatal(err)
		}
		eventually(s.t, "the server to answer", func() bool { return s.askAt(n, "GET", "/v1/metrics", "").code == http.StatusOK })
	}
}

// kill is kill -9, of all at once.
func (s *server) kill() {
	for _, n := range s.nodes {
		if n.cmd != nil {
			_ = n.cmd.Process.Signal(syscall.SIGKILL)
		}
	}
	for _, n := range s.nodes {
		if n.cmd != nil {
			_ = n.cmd.Wait()
			n.cmd = nil
		}
	}
}

type answer struct {
	code int
	body string
}

func (s *server) ask(method, path, body string) answer {
	return s.askAt(s.nodes[int(s.asked.Add(1))%len(s.nodes)], method, path, body)
}

func (s *server) askAt(n *node, method, path, body string) answer {
	r, err := http.NewRequest(method, "http://"+n.addr+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.SetBasicAuth(token, "")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{body: err.Error()}
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, string(b)}
}

// must is ask for what must succeed.
func (s *server) must(method, path, body string) string {
	s.t.Helper()
	a := s.ask(method, path, body)
	if a.code/100 != 2 {
		s.t.Fatalf("%s %s: %d %s", method, path, a.code, a.body)
	}
	return a.body
}

func (s *server) measure(value float64) {
	s.t.Helper()
	s.must("POST", "/v1/measurements", fmt.Sprintf(`{"tags":{"host":"web-1"},"measurements":[{"name":"cpu","value":%v}]}`, value))
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}

// payload is the body that a webhook gets.
type payload struct {
	Alert       map[string]any              `json:"alert"`
	IncidentKey string                      `json:"incident_key"`
	TriggerTime int64                       `json:"trigger_time"`
	Clear       string                      `json:"clear"`
	Violations  map[string][]map[string]any `json:"violations"`
	Test        bool                        `json:"triggered_by_user_test"`
}

// notification is what a payload is about: the same however often it is sent.
type notification struct{ incident, clear string }

func (p payload) notification() notification { return notification{p.IncidentKey, p.Clear} }

// receiver is a webhook on this machine.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int // what it answers
	tries  int
	got    []payload // what it took
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{status: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var p payload
		err := json.Unmarshal([]byte(req.FormValue("payload")), &p)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tries++
		if err != nil {
			t.Errorf("not a payload: %v", err)
		}
		if r.status == http.StatusOK {
			r.got = append(r.got, p)
		}
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// take returns what was taken so far.
func (r *receiver) take() []payload {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]payload{}, r.got...)
}

// takeNew returns what was taken so far, without what a receiver was notified of before.
func (r *receiver) takeNew(notified map[notification]bool) []payload {
	return slices.DeleteFunc(r.take(), func(p payload) bool { return notified[p.notification()] })
}

func (r *receiver) tried() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries
}
