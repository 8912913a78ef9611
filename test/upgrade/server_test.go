package upgrade

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const token = "0123456789abcdef0123456789abcdef"

// server is a program that runs on a data directory.
type server struct {
	cmd *exec.Cmd
	url string
}

// start starts the program that TIDEMARK_BIN names, or a new one. Data of
// releases grows old, so nothing may expire.
func start(t *testing.T, dir string) *server {
	t.Helper()
	cmd := exec.Command(program(t), "serve", "--data", dir, "--listen", "127.0.0.1:0", "--log-level", "warn")
	cmd.Env = []string{"TIDEMARK_BOOTSTRAP_TOKEN=" + token, "TIDEMARK_STORAGE_RAW_RETENTION=36500d",
		"TIDEMARK_STORAGE_MINUTE_RETENTION=36500d", "TIDEMARK_STORAGE_HOUR_RETENTION=36500d", "TIDEMARK_ALERTING_KEEP=36500d",
		"TIDEMARK_STORAGE_MEMORY=128KiB"} // so that some of it is sealed into chunks, and some still in the log
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{cmd: cmd}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for lines := bufio.NewScanner(out); s.url == "" && lines.Scan(); {
		if _, after, ok := strings.Cut(lines.Text(), "answers at "); ok {
			s.url, _, _ = strings.Cut(after, " ")
		}
	}
	if s.url == "" {
		t.Fatal("the server did not start")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return s
}

func program(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("TIDEMARK_BIN"); bin != "" {
		return bin
	}
	bin := filepath.Join(t.TempDir(), "tidemark")
	if out, err := exec.Command("../../scripts/build.sh", bin).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func (s *server) get(t *testing.T, path string) []byte { return s.ask(t, http.MethodGet, path, "") }

func (s *server) post(t *testing.T, path, body string) { s.ask(t, http.MethodPost, path, body) }

func (s *server) ask(t *testing.T, method, path, body string) []byte {
	t.Helper()
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(token, "")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s %v", method, path, resp.Status, b, err)
	}
	return b
}

// fill makes one of each thing, and an hour of measurements that ended ten
// minutes ago, and returns which hour.
func (s *server) fill(t *testing.T) (from, to int64) {
	t.Helper()
	to = time.Now().Truncate(time.Minute).Add(-10 * time.Minute).Unix()
	from = to - 3600
	for host := range 3 {
		var b strings.Builder
		for at := from; at < to; at += 10 {
			fmt.Fprintf(&b, `,{"name":"shop.requests","time":%d,"value":%d},{"name":"shop.latency","time":%d,"count":4,"sum":%d,"min":1,"max":%d}`,
				at, (at/10*7+int64(host)*13)%101, at, at%97+12, at%97+6)
		}
		s.post(t, "/v1/measurements", fmt.Sprintf(`{"tags":{"host":"web-%d"},"measurements":[%s]}`, host, b.String()[1:]))
	}
	s.post(t, "/v1/services", `{"type":"mail","title":"ops","settings":{"addresses":"ops@example.org"}}`)
	s.post(t, "/v1/alerts", `{"name":"shop.slow","services":[1],"conditions":[{"type":"above","metric_name":"shop.latency","threshold":1000000,"summary_function":"max","tags":[{"name":"host","values":["*"]}]}]}`)
	s.post(t, "/v1/spaces", `{"name":"Shop"}`)
	s.post(t, "/v1/spaces/1/charts", `{"name":"Requests","type":"line","streams":[{"metric":"shop.requests","tags":[{"name":"host","values":["*"]}]}]}`)
	s.post(t, "/v1/annotations/deploys", fmt.Sprintf(`{"title":"Release 7","start_time":%d}`, from+600))
	s.post(t, "/v1/api_tokens", `{"name":"agents","role":"recorder"}`)
	return from, to
}

// pack writes a directory to a tar file, without sockets and locks.
func pack(t *testing.T, dir, file string) {
	t.Helper()
	var out bytes.Buffer
	gz := gzip.NewWriter(&out)
	tw := tar.NewWriter(gz)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "admin.path" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(b)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err = tw.Write(b)
		return err
	})
	if err != nil || tw.Close() != nil || gz.Close() != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func unpack(t *testing.T, file, dir string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(gz); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
