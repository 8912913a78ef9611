// Package storetest gives tests a real PostgreSQL. It is for tests only, and
// knows nothing of the store, so that tests of every floor can use it.
//
// A server that TIDEMARK_TEST_POSTGRES names is used if there is one.
// Otherwise the first test that asks starts one from the system's packages
// (scripts/test-deps.sh installs them), with its files in a temporary
// directory and no network port. It is shared by the tests of one process and
// ends with it, however that ends.
package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// Postgres returns the URL of an empty PostgreSQL schema that is t's alone, and
// that nothing remains of. Where PostgreSQL is not installed the test is
// skipped, or fails: see testdeps.
func Postgres(t testing.TB) string {
	t.Helper()
	s := running(t)
	server := s.url
	schema := "test_" + strings.ToLower(rand.Text())
	run(t, server, `CREATE SCHEMA `+schema)
	if s.hold == nil { // ours goes with all it has
		t.Cleanup(func() { run(t, server, `DROP SCHEMA `+schema+` CASCADE`) })
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

// Database returns the URL of an empty database that is t's alone, for what
// PostgreSQL's own programs do: they know no schema in an address.
func Database(t testing.TB) string {
	t.Helper()
	server := running(t).url
	name := "test_" + strings.ToLower(rand.Text())
	run(t, server, `CREATE DATABASE `+name)
	t.Cleanup(func() { run(t, server, `DROP DATABASE `+name+` WITH (FORCE)`) })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// running returns the server of this process.
func running(t testing.TB) server {
	t.Helper()
	s, err := shared()
	if errors.Is(err, errNotInstalled) {
		testdeps.Missing(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t testing.TB, server, stmt string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, stmt); err != nil {
		t.Fatal(err)
	}
}

// server is a running PostgreSQL.
type server struct {
	url string
	// hold is open as long as the server shall run. It is never closed, only
	// kept from being collected: the end of the process closes it.
	hold io.Closer
}

// shared returns the server of this process.
var shared = sync.OnceValues(func() (server, error) {
	if url := os.Getenv("TIDEMARK_TEST_POSTGRES"); url != "" {
		return server{url: url}, nil
	}
	s, err := start()
	if err != nil {
		return s, fmt.Errorf("PostgreSQL for tests: %w", err)
	}
	return s, nil
})

// script keeps the server in $2 running until its standard input ends, which
// it does when the process that started it is gone, and leaves nothing behind.
//
// It need not survive a power failure: that is PostgreSQL's own promise.
//
// The collation is that of a language, so that a list sorted by the
// database's own taste rather than ours is noticed.
const script = `
set -e
bin=$1 dir=$2
"$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 \
	--locale-provider=icu --icu-locale=en-US >"$dir/log" 2>&1
"$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c max_connections=200 \
	-c shared_buffers=64MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c deadlock_timeout=100ms >>"$dir/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server || true
rm -rf "$dir"
`

func start() (s server, err error) {
	bin, err := binaries()
	if err != nil {
		return s, err
	}
	dir, err := os.MkdirTemp("/tmp", "tidemark-pg-") // a socket's path must be short
	if err != nil {
		return s, err
	}
	cmd := exec.Command("/bin/sh", "-c", script, "sh", bin, dir)
	cmd.Dir = dir
	if os.Getuid() == 0 {
		if err := demote(cmd, dir); err != nil {
			return s, err
		}
	}
	if s.hold, err = cmd.StdinPipe(); err != nil {
		return s, err
	}
	if err := cmd.Start(); err != nil {
		return s, err
	}
	s.url = "postgres://postgres@/postgres?host=" + url.QueryEscape(dir)
	return s, await(s.url, dir)
}

var errNotInstalled = errors.New("not installed: run scripts/test-deps.sh, or name a server in TIDEMARK_TEST_POSTGRES")

// binaries returns the directory of the newest PostgreSQL installed.
func binaries() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	newest, bin := 0, ""
	for _, path := range found {
		dir := filepath.Dir(path)
		if v, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir))); v > newest {
			newest, bin = v, dir
		}
	}
	if bin == "" {
		return "", errNotInstalled
	}
	return bin, nil
}

// demote makes cmd run as an ordinary user, who owns dir: PostgreSQL refuses
// to run as root.
func demote(cmd *exec.Cmd, dir string) error {
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return os.Chown(dir, uid, gid)
}

// await waits until the server answers.
func await(server, dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, server)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			return fmt.Errorf("does not start: %w\n%s", err, log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
