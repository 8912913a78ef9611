package s3

import (
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// storage is a server that speaks S3, of somebody else's.
type storage struct {
	t               *testing.T
	name, dir, port string
	cmd             *exec.Cmd
}

// startStorage starts the server that TIDEMARK_TEST_S3_SERVER names, and has
// objectstest make buckets in it.
func startStorage(t *testing.T) *storage {
	t.Helper()
	name := os.Getenv("TIDEMARK_TEST_S3_SERVER")
	if name == "" {
		t.Skip("TIDEMARK_TEST_S3_SERVER names no server: make test-s3 does")
	}
	s := &storage{t: t, name: name, dir: t.TempDir(), port: freePort(t)}
	t.Cleanup(func() { s.kill() })
	s.start()
	t.Setenv("TIDEMARK_TEST_S3", "http://tidemark:tide-secret@127.0.0.1:"+s.port+"/eu-central-1")
	return s
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// start starts the server, anew if it was killed.
func (s *storage) start() {
	s.t.Helper()
	s.cmd = exec.Command("../../scripts/s3.sh", "run", s.name, s.dir, s.port)
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get("http://127.0.0.1:" + s.port + "/")
		if err != nil {
			continue
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusForbidden { // it wants a signature: it is ready
			return
		}
	}
	s.t.Fatal("the storage does not start")
}

func (s *storage) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// rot changes a byte in each large file of the server, behind its back.
func (s *storage) rot() {
	s.t.Helper()
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) < 200<<10 {
			return err
		}
		text[len(text)/2] ^= 1
		return os.WriteFile(path, text, 0o600)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// before is a way to the server on which, once half a megabyte has passed it,
// the server is killed; after a pause it is started again, unless that is 0.
func (s *storage) before(pause time.Duration) (endpoint string, passed *atomic.Int64) {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { l.Close() })
	passed = new(atomic.Int64)
	dead := new(atomic.Bool)
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", "127.0.0.1:"+s.port)
			if err != nil {
				_ = in.Close()
				continue
			}
			go func() { _, _ = io.Copy(in, out); _ = in.Close() }()
			go func() {
				defer out.Close()
				piece := make([]byte, 4096)
				for {
					n, err := in.Read(piece)
					if passed.Add(int64(n)) > 512<<10 && dead.CompareAndSwap(false, true) {
						s.kill()
						if pause > 0 {
							time.Sleep(pause)
							s.start()
						}
					}
					if _, failed := out.Write(piece[:n]); err != nil || failed != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String(), passed
}
