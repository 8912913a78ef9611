package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// peer is a kind of server, and how it is spoken to.
type peer struct {
	name      string
	binary    string // where it is
	args      func(addr, dir string) []string
	env       func(addr, dir string) []string
	ready     string // a path that answers 200 once the server is up
	start     func(ctx context.Context, s *running) error
	writePath string
	header    map[string]string
	encode    func(b *bytes.Buffer, batch []sample)
	flush     string                  // a path that makes it write what it holds, or ""
	queries   func(w window) []string // paths for (a), (b) and (c)
	point     *regexp.Regexp          // matches once for each point of an answer
	token     string
	cores     int    // that it may use; all where 0
	promAPI   string // path below which it answers PromQL
	// listen has it take lines on a port, which they are then written to
	// instead of writePath; nil where it need not.
	listen func(port string) (args, env []string)
	// holds is how long it may keep what came before it records it.
	holds time.Duration
}

// question is what a server is asked, and how many points its answer has.
type question struct {
	path   string
	points int
}

func (p *peer) questions(w window) []question {
	var list []question
	for i, path := range p.queries(w) {
		list = append(list, question{path, wanted[i]})
	}
	return list
}

// window is the time that queries are about.
type window struct{ recentStart, recentEnd, longStart, longEnd int64 }

func (p *peer) prepare(req *http.Request) {
	for name, value := range p.header {
		req.Header.Set(name, value)
	}
	if p.token != "" {
		req.SetBasicAuth(p.token, "")
	}
}

// running is a server that runs.
type running struct {
	peer *peer
	url  string
	port string // address that takes lines, or ""
	dir  string
	cmd  *exec.Cmd
}

// freeAddr returns an address that nobody listens on.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// run starts a server whose data directory is dir, for the first time or
// again.
func (p *peer) run(ctx context.Context, dir string, first bool) (*running, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	s := &running{peer: p, url: "http://" + addr, dir: dir}
	args, env := p.args(addr, dir), p.env(addr, dir)
	if p.listen != nil {
		if s.port, err = freeAddr(); err != nil {
			return nil, err
		}
		moreArgs, moreEnv := p.listen(s.port)
		args, env = append(args, moreArgs...), append(env, moreEnv...)
	}
	log, err := os.Create(filepath.Join(filepath.Dir(dir), filepath.Base(dir)+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s.cmd = exec.Command(p.binary, args...)
	if p.cores > 0 {
		s.cmd = exec.Command("taskset", append([]string{"-c", fmt.Sprintf("0-%d", p.cores-1), p.binary}, args...)...)
	}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if err := s.awaitReady(ctx); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w (see %s)", p.name, err, log.Name())
	}
	if first && p.start != nil {
		return s, p.start(ctx, s)
	}
	return s, nil
}

// questions asks for answers as they are: compressing them would be measured
// too.
var questions = &http.Client{Transport: &http.Transport{DisableCompression: true}}

func (s *running) awaitReady(ctx context.Context) error {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if _, _, err := s.get(ctx, s.peer.ready); err == nil {
			return nil
		}
	}
	return errors.New("does not answer")
}

// read asks for a path and returns the answer.
func (s *running) read(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
	if err != nil {
		return nil, err
	}
	s.peer.prepare(req)
	resp, err := questions.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s answers %s: %.300s", path, resp.Status, body)
	}
	return body, err
}

// get asks for a path and returns the length of the answer, and its beginning.
func (s *running) get(ctx context.Context, path string) (int64, string, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
	if err != nil {
		return 0, "", err
	}
	s.peer.prepare(req)
	resp, err := questions.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	head := make([]byte, 300)
	n, _ := io.ReadFull(resp.Body, head)
	rest, err := io.Copy(io.Discard, resp.Body)
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s answers %s: %s", path, resp.Status, head[:n])
	}
	return int64(n) + rest, string(head[:n]), err
}

// stop ends the server as an operator would.
func (s *running) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(60*time.Second, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait()
	timer.Stop()
}

// cpu returns what the server has used so far, by the clock that the kernel
// keeps of each process: it is exact where /proc counts hundredths of a second.
func (s *running) cpu() time.Duration {
	const scheduled = 2 // which of a process' clocks, in the lowest bits of its number
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^s.cmd.Process.Pid<<3|scheduled), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// settle waits until the server has nothing left to do, for a while.
func (s *running) settle() {
	for range 20 {
		before := s.cpu()
		time.Sleep(500 * time.Millisecond)
		if s.cpu()-before < 20*time.Millisecond {
			return
		}
	}
}

// rss returns the memory that the server holds, in bytes.
func (s *running) rss() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kb << 10
}

// empty returns what the server takes on disk before there is anything in it,
// reserves of room among it.
func (s *running) empty() int64 {
	s.settle()
	return size(s.dir)
}

// size returns the bytes on disk below dir.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				n += min(info.Size(), st.Blocks*512) // files may be preallocated
			}
		}
		return nil
	})
	return n
}
