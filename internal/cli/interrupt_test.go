package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/cli"
	"github.com/tidemark-metrics/tidemark/internal/objects/objectstest"
)

// codes are what shells say of programs that these signals end.
var codes = map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143}

// interruption has a signal come at a place in what a command prints or reads,
// and waits there until the command knows.
type interruption struct {
	bytes.Buffer
	at     string
	signal func()
}

func (i *interruption) Write(p []byte) (int, error) {
	if i.at != "" && bytes.Contains(p, []byte(i.at)) {
		i.signal()
	}
	return i.Buffer.Write(p)
}

// Read is standard input at which nobody types.
func (i *interruption) Read([]byte) (int, error) {
	i.signal()
	select {}
}

// interrupted runs a command and has a signal come once it prints at, waits to
// be typed at, or before it begins, where at is empty.
func interrupted(t *testing.T, by os.Signal, at string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, stop := cli.NotifyContext(t.Context())
	defer stop()
	signal := func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(by)
		}
		if err != nil {
			t.Error(err)
			stop()
		}
		<-ctx.Done()
	}
	if at == "" {
		signal()
	}
	out, in := &interruption{at: at, signal: signal}, &interruption{signal: signal}
	var said interruption
	said.at, said.signal = at, signal
	code = cli.Run(ctx, args, cli.IO{In: in, Out: out, Err: &said, Env: func(string) string { return "" }})
	return code, out.String(), said.String()
}

// plain runs a command to its end.
func plain(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	code = cli.Run(t.Context(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &said, Env: func(string) string { return "" }})
	return code, out.String(), said.String()
}

// served starts a server on a data directory.
func served(t *testing.T, data string, env map[string]string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	answers, ended := make(chan struct{}), make(chan int, 1)
	out := &interruption{at: "answers at", signal: sync.OnceFunc(func() { close(answers) })}
	var log bytes.Buffer
	go func() {
		ended <- cli.Run(ctx, []string{"serve", "--data", data, "--listen", "127.0.0.1:0"}, cli.IO{Out: out, Err: &log, Env: func(name string) string { return env[name] }})
	}()
	select {
	case <-answers:
	case code := <-ended:
		t.Fatalf("the server ended with %d: %s", code, log.String())
	}
	stop = sync.OnceFunc(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("the server ended with %d: %s", code, log.String())
		}
	})
	t.Cleanup(stop)
	return stop
}

// TestInterruptedCommands: what a signal interrupts says so, and no script
// takes it for done. It is not parallel: signals are for the whole process.
func TestInterruptedCommands(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	served(t, data, nil)()
	work := t.TempDir()
	in := func(name string) string { return filepath.Join(work, name) }
	for _, where := range []string{in("full"), "file://" + in("repository")} {
		if code, _, said := plain(t, "backup", where, "--data", data); code != 0 {
			t.Fatalf("backup: %d: %s", code, said)
		}
	}
	for name, c := range map[string]struct {
		at   string // what it has printed when the signal comes
		args []string
		want string // what it says
		left string // a file that must not be there
	}{
		"backup":              {"measurements:", []string{"backup", in("b"), "--data", data}, "the backup to " + in("b") + " is not complete", in("b")},
		"backup, at its end":  {"checksums: 100", []string{"backup", in("b"), "--data", data}, "", in("b/UNFINISHED")},
		"repository":          {"checksums:", []string{"backup", "file://" + in("r"), "--data", data}, "is not complete", in("r/backups")},
		"verify":              {"verify:", []string{"backup", "verify", in("full")}, "the backup in " + in("full") + " was not read to its end", ""},
		"verify a repository": {"verify:", []string{"backup", "verify", "file://" + in("repository")}, "was not read to its end", ""},
		"restore":             {"restore:", []string{"restore", in("full"), "--data", in("x")}, "the restore of " + in("full") + " is not complete", in("x/tidemark.db")},
		"restore, verifying":  {"verify:", []string{"restore", in("full"), "--data", in("x2")}, "is not complete", in("x2")},
		"storage check":       {"", []string{"storage", "check", "--data", data}, "not all of the measurements were read", ""},
		"storage repair":      {"", []string{"storage", "repair", "--data", data}, "the measurements are not repaired", filepath.Join(data, "measurements", "db-damaged")},
		"export":              {"tidemark_export", []string{"export", "--data", data}, "the export is not complete", ""},
		"token list":          {"On the data", []string{"token", "list", "--data", data}, "tidemark token list is not done", ""},
		"token create":        {"On the data", []string{"token", "create", "t", "--data", data}, "tidemark token create is not done", ""},
		"token import":        {"typing", []string{"token", "import", "t", "--data", data}, "tidemark token import is not done", ""},
		"import measurements": {"typing", []string{"import", "measurements", "-", "--data", data}, "a part of the measurements may be imported", ""},
	} {
		for by, code := range codes {
			t.Run(name+" by "+by.String(), func(t *testing.T) {
				got, out, said := interrupted(t, by, c.at, c.args...)
				if name == "backup, at its end" { // too late: it is done, and usable
					if got != 0 && got != code {
						t.Errorf("ended with %d: %s", got, said)
					}
				} else if got != code || !strings.Contains(said, "tidemark: interrupted: ") || !strings.Contains(said, c.want) || strings.Contains(out, "verything") {
					t.Errorf("ended with %d, want %d and %q: %s%s", got, code, c.want, out, said)
				}
				if strings.Contains(out+said, "damage") {
					t.Errorf("an interruption passes for damage: %s%s", out, said)
				}
				if _, err := os.Stat(c.left); c.left != "" && err == nil {
					t.Errorf("%s was left", c.left)
				}
				if c.args[0] == "backup" && len(c.args) == 4 && got != 0 {
					if code, _, _ := plain(t, "backup", "verify", c.args[1]); code != 1 {
						t.Errorf("what an interruption left is taken for a backup: %d", code)
					}
				}
				os.RemoveAll(in("b"))
			})
		}
	}
	if code, out, said := plain(t, "token", "list", "--data", data); code != 0 || strings.Contains(out, " t ") {
		t.Errorf("after all of that: %d %s%s", code, out, said)
	}
	if code, out, said := plain(t, "storage", "check", "--data", data); code != 0 {
		t.Errorf("after all of that: %d %s%s", code, out, said)
	}
}

// hanging is storage, or a server, that does not answer some requests. It says
// when one has come, and when who asked went away.
type hanging struct {
	http.Handler
	on         atomic.Value // method and path, or the beginning of that
	came, gone chan struct{}
}

func (h *hanging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if on := h.on.Load().(string); on == "" || !strings.HasPrefix(r.Method+" "+r.URL.Path, on) {
		h.Handler.ServeHTTP(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	h.came <- struct{}{}
	<-r.Context().Done()
	h.gone <- struct{}{}
}

// TestInterruptedProcess: the same of the program itself, which waits for
// storage in the middle of its work; a running server too stops what was asked
// for, and makes the next backup.
func TestInterruptedProcess(t *testing.T) {
	program := os.Getenv("TIDEMARK_BIN")
	if program == "" {
		program = "tidemark"
	}
	h := &hanging{Handler: objectstest.New(), came: make(chan struct{}, 1), gone: make(chan struct{}, 1)}
	storage := httptest.NewServer(h)
	defer storage.Close()
	env := map[string]string{
		"TIDEMARK_BACKUP_S3_ENDPOINT": storage.URL, "TIDEMARK_BACKUP_S3_REGION": objectstest.Region,
		"TIDEMARK_BACKUP_S3_ACCESS_KEY": objectstest.AccessKey, "TIDEMARK_BACKUP_S3_SECRET_KEY": objectstest.SecretKey,
	}
	data := filepath.Join(t.TempDir(), "d")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = os.Environ()
		for name, v := range env {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
		return cmd
	}
	interrupt := func(by os.Signal, on string, args ...string) {
		t.Helper()
		h.on.Store(on)
		var said bytes.Buffer
		cmd := command(args...)
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-h.came:
		case <-time.After(time.Minute):
			t.Fatalf("%q never asked: %s", args, said.String())
		}
		if err := cmd.Process.Signal(by); err != nil {
			t.Error(err)
		}
		err := cmd.Wait()
		<-h.gone
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != codes[by] || !strings.Contains(said.String(), "tidemark: interrupted: ") {
			t.Errorf("%q ended with %v, want %d: %s", args, err, codes[by], said.String())
		}
	}
	backup := []string{"backup", "s3://backups/b", "--data", data}
	stop := served(t, data, env)
	interrupt(syscall.SIGTERM, "PUT /backups/b/files/", backup...)
	interrupt(os.Interrupt, "PUT /backups/b/files/", backup...)
	stop()
	interrupt(os.Interrupt, "PUT /backups/b/files/", backup...)
	if out, err := command("backup", "list", "s3://backups/b").Output(); err != nil || len(out) > 0 {
		t.Errorf("after interruptions there are %q, %v", out, err)
	}
	h.on.Store("")
	served(t, data, env)
	if out, err := command(backup...).CombinedOutput(); err != nil {
		t.Fatalf("the next backup: %v: %s", err, out)
	}
	interrupt(syscall.SIGTERM, "GET /backups/b/files/", "backup", "verify", "s3://backups/b")
	interrupt(syscall.SIGTERM, "GET /backups/b/files/", "restore", "s3://backups/b", "--data", filepath.Join(t.TempDir(), "r"))

	// A profile, of a server that would still be looking.
	socket := filepath.Join(t.TempDir(), "s")
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	busy, file := t.TempDir(), filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(filepath.Join(busy, "admin.path"), []byte(socket), 0o600); err != nil {
		t.Fatal(err)
	}
	interrupt(os.Interrupt, "GET /debug/pprof/profile", "profile", "cpu", file, "--seconds", "600", "--data", busy)
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a part of a profile")
	}
}
