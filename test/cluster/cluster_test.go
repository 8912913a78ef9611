package cluster_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// cluster is one that scripts/cluster.sh started.
type cluster struct {
	t      *testing.T
	dir    string
	base   string
	nodes  []string
	token  tidemark.Secret
	mounts []string
}

// newCluster makes the directory of a cluster that is not started yet, and that
// ends with t.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	if os.Getenv("TIDEMARK_TEST_CLUSTER") == "" {
		t.Skip("takes minutes and a download: make test-cluster does it")
	}
	dir, err := os.MkdirTemp("/tmp", "tidemark-cluster-") // PostgreSQL's user must reach it
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir}
	t.Cleanup(c.down)
	return c
}

func (c *cluster) up(flags ...string) {
	c.t.Helper()
	c.run("up", append(flags, c.dir)...)
	c.readEnv()
}

// down ends everything, and leaves nothing but the logs of what failed.
func (c *cluster) down() {
	c.run("down", c.dir)
	c.unmount()
	if c.t.Failed() {
		c.t.Logf("the logs are in %s/log", c.dir)
		return
	}
	if err := os.RemoveAll(c.dir); err != nil {
		c.t.Error(err)
	}
}

// run runs scripts/cluster.sh.
func (c *cluster) run(args string, more ...string) {
	c.t.Helper()
	out, err := exec.Command("../../scripts/cluster.sh", append([]string{args}, more...)...).CombinedOutput()
	if err != nil {
		c.t.Errorf("cluster.sh %s %v: %v\n%s", args, more, err, out)
		if args == "up" {
			c.t.FailNow()
		}
	}
}

// port is where a part listens, as cluster.sh calls it.
func (c *cluster) port(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "ports"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if port, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return port, nil
		}
	}
	return "", fmt.Errorf("no port of %s in %s", name, c.dir)
}

// clickhouseErrors are what ClickHouse counts of its own, which servers do not
// show to whoever asks.
func (c *cluster) clickhouseErrors() string {
	port, err := c.port("ch1")
	if err != nil {
		return err.Error()
	}
	resp, err := http.Post("http://127.0.0.1:"+port, "text/plain", strings.NewReader("SELECT last_error_time, name, value, last_error_message FROM system.errors ORDER BY last_error_time"))
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// do runs kill, freeze, thaw or start on a part.
func (c *cluster) do(action, name string) {
	c.t.Helper()
	c.t.Logf("%s %s", action, name)
	c.run(action, c.dir, name)
}

func (c *cluster) readEnv() {
	c.t.Helper()
	f, err := os.Open(filepath.Join(c.dir, "env"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "=")
		value = strings.Trim(value, `"`)
		switch name {
		case "BASE":
			c.base = value
		case "NODES":
			c.nodes = strings.Fields(value)
		case "TOKEN":
			c.token = tidemark.Secret(value)
		}
	}
	if c.base == "" || len(c.nodes) != 3 || c.token == "" {
		c.t.Fatalf("the environment of the cluster is %+v", c)
	}
}

// client talks to one node, or to the balancer.
func (c *cluster) client(url string) *client.Client {
	return client.New(url, client.Token(c.token), client.Retry(1, 0))
}
