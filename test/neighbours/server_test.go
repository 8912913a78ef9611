// Package neighbours puts strangers on one server: five organizations attack it
// with all they have while a sixth records, queries and is alerted, and notices
// nothing but that the server is busier.
package neighbours

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// memoryLimit is what the server may use of the machine.
const memoryLimit = 1 << 30

// small is how docs/security.md tells operators to set up a server of 1 GiB
// for strangers.
var small = []string{
	"GOMEMLIMIT=640MiB",
	"TIDEMARK_STORAGE_MEMORY=48MiB",
	"TIDEMARK_STORAGE_CACHE=32MiB",
	"TIDEMARK_LIMITS_STREAMS=20000",
	"TIDEMARK_LIMITS_METRICS=5000",
	"TIDEMARK_LIMITS_TAG_BYTES=8388608",
	"TIDEMARK_LIMITS_ANNOTATIONS=5000",
	"TIDEMARK_LIMITS_QUERY_POINTS=1000000",
	"TIDEMARK_LIMITS_QUERY_MEMORY=3000000",
	"TIDEMARK_LIMITS_QUERY_BYTES=16777216",
	"TIDEMARK_LIMITS_REQUESTS=200",
	"TIDEMARK_LIMITS_RATE=20000",
}

// server is the real one.
type server struct {
	t    *testing.T
	bin  string
	data string
	addr string
	cmd  *exec.Cmd
	log  *tail
	done chan struct{} // closed when it has ended
}

// tail keeps the end of what is written to it.
type tail struct {
	mu    sync.Mutex
	text  []byte
	bytes int64
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes += int64(len(p))
	l.text = append(l.text, p...)
	if n := len(l.text) - 32<<10; n > 0 {
		l.text = l.text[n:]
	}
	return len(p), nil
}

// written is how many bytes there were in all.
func (l *tail) written() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

func build(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("TIDEMARK_BIN"); bin != "" {
		return bin
	}
	bin := filepath.Join(t.TempDir(), "tidemark")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/tidemark").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

func startServer(t *testing.T) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	s := &server{t: t, bin: build(t), data: t.TempDir(), addr: addr, log: &tail{}, done: make(chan struct{})}
	s.cmd = exec.Command(s.bin, "serve", "--data", s.data, "--listen", addr)
	s.cmd.Env = append(append(os.Environ(), "GOGC=100"), small...)
	s.cmd.Env = append(s.cmd.Env, "TIDEMARK_BOOTSTRAP_TOKEN="+strings.Repeat("a1", 32), "TIDEMARK_OUTBOUND_ALLOW=127.0.0.0/8", "TIDEMARK_PUBLIC_URL=http://"+addr)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		_ = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.done
		if t.Failed() {
			t.Logf("the server said, at the end:\n%s", s.log)
		}
	})
	s.await("readiness", func() bool { return s.get("/readyz") == http.StatusOK })
	return s
}

func (s *server) get(path string) int {
	resp, err := http.Get("http://" + s.addr + path)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func (s *server) await(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	s.t.Fatalf("waited in vain for %s", what)
}

// command runs a command of the operator's.
func (s *server) command(input string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(s.bin, append(args, "--data", s.data)...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("tidemark %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String())
}

const password = "correct horse battery staple"

// org makes an organization with a Full Access token and a person.
func (s *server) org(name string) *org {
	s.t.Helper()
	s.command("", "org", "create", name)
	out := strings.Fields(s.command("", "token", "create", "all", "--org", name, "--role", "admin"))
	o := &org{server: s, name: name, token: out[len(out)-1], email: name + "@example.org"}
	s.command(password+"\n", "user", "create", o.email, "--org", name, "--role", "admin")
	return o
}

// peak is the most memory that the server has used.
func (s *server) peak() int64 { return s.memory("VmHWM:") }

// memory reads a line of what the kernel says of the server's memory; 0 if the
// server is gone.
func (s *server) memory(line string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), line)
	kib, err := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	if err != nil {
		s.t.Fatalf("%s in /proc: %v", line, err)
	}
	return kib << 10
}
