// Package clickhousetest gives tests a real ClickHouse. It is for tests only.
//
// A server that TIDEMARK_TEST_CLICKHOUSE names is used if there is one.
// Otherwise the first test that asks starts the one that scripts/clickhouse.sh
// fetch has put into .cache, with its files in a temporary directory. It is
// shared by the tests of one process and ends with it, however that ends.
// Without either the test is skipped: the download is large.
package clickhousetest

import (
	"context"
	"crypto/rand"
	"errors"
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

// Cluster is the name of the cluster that the servers of Server are, "" if it
// is one server: TIDEMARK_TEST_CLICKHOUSE_CLUSTER.
func Cluster() string { return os.Getenv("TIDEMARK_TEST_CLICKHOUSE_CLUSTER") }

// Server returns the URL of a ClickHouse, or several with commas between them.
func Server(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case s.url != "":
	case os.Getenv("TIDEMARK_TEST_CLUSTER") != "":
		t.Fatal("no ClickHouse in .cache/clickhouse: make test-cluster puts it there")
	default:
		t.Skip("no ClickHouse: run scripts/clickhouse.sh fetch, or name one in TIDEMARK_TEST_CLICKHOUSE; make test-cluster does")
	}
	return s.url
}

// Whole returns what Server does, to a test that takes minutes and finds little
// that the rest does not: make test-cluster alone runs it.
func Whole(t testing.TB) string {
	t.Helper()
	url := Server(t)
	if extent := os.Getenv("TIDEMARK_TEST_CLUSTER"); extent == "" || extent == "short" {
		t.Skip("takes minutes: make test-cluster does it")
	}
	return url
}

// Shards returns the URLs of two servers, with commas between them, which are
// the shards of a cluster called shards. They end with the process.
func Shards(t testing.TB) string {
	t.Helper()
	Server(t) // is there any
	s, err := shards()
	if err != nil {
		t.Fatal(err)
	}
	return s.url
}

// Database returns the URL of a ClickHouse and the name of a database that is
// t's alone, and that nothing remains of.
func Database(t testing.TB) (url, name string) {
	t.Helper()
	url = Server(t)
	return url, DatabaseOn(t, url)
}

// DatabaseOn returns the name of a database on servers that is t's alone, and
// that nothing remains of.
func DatabaseOn(t testing.TB, url string) (name string) {
	t.Helper()
	name = "test_" + strings.ToLower(rand.Text())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for one := range strings.SplitSeq(url, ",") { // a cluster may have no keeper to pass it on
			if err := Exec(ctx, one, "DROP DATABASE IF EXISTS "+name); err != nil {
				t.Error(err)
			}
		}
	})
	return name
}

// Exec runs a statement.
func Exec(ctx context.Context, url, sql string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(sql))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", sql, text)
	}
	return err
}

// server is a running ClickHouse; "" if there is none to be had.
type server struct {
	url string
	// hold is open as long as the server shall run: the end of the process
	// closes it.
	hold io.Closer
}

var shared = sync.OnceValues(func() (server, error) {
	if url := os.Getenv("TIDEMARK_TEST_CLICKHOUSE"); url != "" {
		return server{url: url}, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return server{}, nil // outside of the repository
	}
	if _, err := os.Stat(filepath.Join(root, ".cache", "clickhouse", "server")); err != nil {
		return server{}, nil
	}
	port, err := freePorts(1)
	if err != nil {
		return server{}, err
	}
	s, err := start(root, port[0])
	if err != nil {
		return s, fmt.Errorf("ClickHouse for tests: %w", err)
	}
	return s, nil
})

var shards = sync.OnceValues(func() (server, error) {
	root, err := moduleRoot()
	if err != nil {
		return server{}, err
	}
	ports, err := freePorts(4)
	if err != nil {
		return server{}, err
	}
	config, err := shardsConfig(ports[2:])
	if err != nil {
		return server{}, err
	}
	var both server
	var urls []string
	var hold closers
	for i := range 2 {
		one, err := start(root, ports[i], strconv.Itoa(ports[2+i]), config)
		if err != nil {
			return both, fmt.Errorf("ClickHouse for tests, shard %d: %w", i+1, err)
		}
		urls, hold = append(urls, one.url), append(hold, one.hold)
	}
	both.url, both.hold = strings.Join(urls, ","), hold
	return both, nil
})

// closers are held together.
type closers []io.Closer

func (all closers) Close() error {
	for _, c := range all {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

// shardsConfig writes what makes servers with these ports the shards of a
// cluster, and returns where.
func shardsConfig(ports []int) (string, error) {
	f, err := os.CreateTemp("", "tidemark-ch-*.xml")
	if err != nil {
		return "", err
	}
	defer f.Close()
	fmt.Fprint(f, "<clickhouse><remote_servers><shards>")
	for _, port := range ports {
		fmt.Fprintf(f, "<shard><replica><host>127.0.0.1</host><port>%d</port></replica></shard>", port)
	}
	_, err = fmt.Fprint(f, "</shards></remote_servers></clickhouse>")
	return f.Name(), err
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// script keeps the server running until its standard input ends, which it does
// when the process that started it is gone, and leaves nothing behind. It
// cannot be ended gently.
const script = `
command=$1 dir=$2
shift 2
"$command" run "$dir/data" "$@" >"$dir/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -KILL $server
wait $server 2>/dev/null
rm -rf "$dir" "${3-}"
`

// start starts a server on a port, with more arguments of scripts/clickhouse.sh.
func start(root string, port int, more ...string) (s server, err error) {
	dir, err := os.MkdirTemp("", "tidemark-ch-")
	if err != nil {
		return s, err
	}
	args := append([]string{"-c", script, "sh", filepath.Join(root, "scripts", "clickhouse.sh"), dir, strconv.Itoa(port)}, more...)
	cmd := exec.Command("/bin/sh", args...)
	hold, err := cmd.StdinPipe()
	if err != nil {
		return s, err
	}
	if err := cmd.Start(); err != nil {
		return s, err
	}
	s = server{url: fmt.Sprintf("http://127.0.0.1:%d", port), hold: hold}
	return s, wait(s.url, dir)
}

// wait returns once the server answers.
func wait(url, dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		err := Exec(ctx, url, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			said, _ := os.ReadFile(filepath.Join(dir, "log"))
			return fmt.Errorf("it does not answer: %w\n%s", err, said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freePorts returns ports that nobody listens on.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // at the end: each is another one
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
