package cluster_test

import (
	"bufio"
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
	t     *testing.T
	dir   string
	base  string
	nodes []string
	token tidemark.Secret
}

// up starts a cluster that ends with t.
func up(t *testing.T, flags ...string) *cluster {
	t.Helper()
	if os.Getenv("TIDEMARK_TEST_CLUSTER") == "" {
		t.Skip("takes minutes and a download: make test-cluster does it")
	}
	dir, err := os.MkdirTemp("/tmp", "tidemark-cluster-") // PostgreSQL's user must reach it
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir}
	t.Cleanup(func() {
		c.run("down", dir)
		if t.Failed() {
			t.Logf("the logs are in %s/log", dir)
			return
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	c.run("up", append(flags, dir)...)
	c.readEnv()
	return c
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
