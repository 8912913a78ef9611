package s3

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/objects/objectstest"
)

const (
	token = "0123456789abcdef0123456789abcdef"
	begin = 1_780_000_000
)

// program is Tidemark with storage that speaks S3.
type program struct {
	t   *testing.T
	bin string
	env map[string]string
}

func newProgram(t *testing.T, p objectstest.Place) *program {
	t.Helper()
	bin := os.Getenv("TIDEMARK_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "tidemark")
		if out, err := exec.Command("../../scripts/build.sh", bin).CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	return &program{t, bin, map[string]string{
		"TIDEMARK_BOOTSTRAP_TOKEN": token, "TIDEMARK_STORAGE_RAW_RETENTION": "36500d",
		"TIDEMARK_STORAGE_MINUTE_RETENTION": "36500d", "TIDEMARK_STORAGE_HOUR_RETENTION": "36500d",
		"TIDEMARK_BACKUP_S3_ENDPOINT": p.Endpoint, "TIDEMARK_BACKUP_S3_REGION": p.Region,
		"TIDEMARK_BACKUP_S3_ACCESS_KEY": p.AccessKey, "TIDEMARK_BACKUP_S3_SECRET_KEY": p.SecretKey,
	}}
}

// with is the program with another setting.
func (p *program) with(name, value string) *program {
	other := &program{p.t, p.bin, map[string]string{name: value}}
	for n, v := range p.env {
		if n != name {
			other.env[n] = v
		}
	}
	return other
}

func (p *program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.bin, args...)
	for name, value := range p.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// run runs a command that succeeds, and returns what it prints.
func (p *program) run(args ...string) string {
	p.t.Helper()
	cmd := p.command(args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("tidemark %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return strings.TrimSpace(string(out))
}

// refused runs a command that fails with these words, and says no secret.
func (p *program) refused(want string, args ...string) {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	p.t.Logf("%s: %s", strings.Join(args[:2], " "), strings.Join(lines[max(0, len(lines)-3):], " / "))
	secret := p.env["TIDEMARK_BACKUP_S3_SECRET_KEY"]
	if err == nil || !strings.Contains(strings.ToLower(string(out)), strings.ToLower(want)) || secret != "" && strings.Contains(string(out), secret) {
		p.t.Errorf("tidemark %s: %v, want %s\n%s", strings.Join(args, " "), err, want, out)
	}
}

// server is one that runs.
type server struct {
	*client.Client

	cmd *exec.Cmd
	url string
}

func (p *program) serve(data string) *server {
	p.t.Helper()
	cmd := p.command("serve", "--data", data, "--listen", "127.0.0.1:0", "--log-level", "warn")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	s := &server{cmd: cmd}
	for lines := bufio.NewScanner(out); s.url == "" && lines.Scan(); {
		if _, after, ok := strings.Cut(lines.Text(), "answers at "); ok {
			s.url, _, _ = strings.Cut(after, " ")
		}
	}
	if s.url == "" {
		p.t.Fatal("the server did not start")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	s.Client = client.New(s.url, client.Token(token))
	return s
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// fill records streams of noise, which takes room, from a second on.
func (s *server) fill(t *testing.T, from int64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(from)))
	for at := range int64(60) {
		var ms []client.Measurement
		for i := range 1000 {
			ms = append(ms, client.Measurement{Name: fmt.Sprint("noise.", i%10), Value: r.NormFloat64(), Time: from + at, Tags: map[string]string{"host": fmt.Sprint("web-", i/10)}})
		}
		if err := s.Record(t.Context(), ms...); err != nil {
			t.Fatal(err)
		}
	}
}

// load records one stream until ctx is done, a measurement a second of it.
func (s *server) load(ctx context.Context, sent *atomic.Int64, done chan<- struct{}) {
	defer close(done)
	for i := int64(0); ctx.Err() == nil; {
		if s.Record(ctx, client.Measurement{Name: "load", Value: float64(i), Time: begin + i}) == nil {
			i = sent.Add(1)
		}
	}
}

// loaded is how many measurements of the load the server has: the first ones.
func (s *server) loaded(t *testing.T) int64 {
	t.Helper()
	series, err := s.Measurements(t.Context(), "load", url.Values{"resolution": {"1"}, "start_time": {fmt.Sprint(begin)}, "end_time": {fmt.Sprint(begin + 100_000)}})
	if err != nil || len(series) != 1 {
		t.Fatalf("%d series, %v", len(series), err)
	}
	for i, m := range series[0].Measurements {
		if m.Value != float64(i) {
			t.Fatalf("measurement %d is %v", i, m.Value)
		}
	}
	return int64(len(series[0].Measurements))
}

// answers are the bytes of what the server says of the noise.
func (s *server) answers(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for i := range 10 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/v1/measurements/noise.%d?resolution=1&start_time=%d&end_time=%d", s.url, i, begin, begin+3600), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(token, "")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(&all, resp.Body)
		if resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK || n < 1000 {
			t.Fatalf("%s: %s, %d bytes, %v", req.URL, resp.Status, n, err)
		}
	}
	return all.String()
}
