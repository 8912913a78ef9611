package cluster_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk has the disks of ClickHouse and of PostgreSQL fill up.
func TestFullDisk(t *testing.T) {
	c := newCluster(t)
	c.smallDisk("clickhouse1")
	c.smallDisk("postgres")
	a := newAlarm(t, c)
	// ClickHouse keeps some space free, see scripts/clickhouse.sh: what is under
	// way may end. PostgreSQL goes on until it needs a new file for its log.
	clickhouse := c.full("clickhouse1", 8<<20)
	clickhouse.lasts = 18 * time.Second // longer than servers try to write
	postgres := c.full("postgres", 0)
	filled := postgres.begin
	postgres.begin = func() { filled(); c.newLog() }
	a.spoil(t, []fault{clickhouse, postgres})
}

// newLog has PostgreSQL begin a new file of its log. That it cannot is no error
// of the test.
func (c *cluster) newLog() {
	c.t.Helper()
	port, err := c.port("pg")
	if err != nil {
		c.t.Fatal(err)
	}
	for range 8 { // some files are there before they are needed
		out, err := exec.Command("psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-At", "-c", "SELECT pg_logical_emit_message(true, 'x', 'x')", "-c", "SELECT pg_switch_wal()").CombinedOutput()
		if err != nil {
			c.t.Logf("PostgreSQL, with a full disk: %s", out)
			return
		}
	}
}

// diskSize is of a part's disk: some times what it takes in the course of a test.
const diskSize = 512 << 20

// smallDisk gives a part a disk of its own for its data.
func (c *cluster) smallDisk(name string) {
	c.t.Helper()
	if os.Geteuid() != 0 {
		c.t.Skip("only root can mount a small disk")
	}
	path := filepath.Join(c.dir, name)
	if err := os.Mkdir(path, 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := syscall.Mount("tidemark-test", path, "tmpfs", 0, "size="+strconv.Itoa(diskSize)); err != nil {
		c.t.Skipf("no disk can be mounted here: %v", err)
	}
	c.mounts = append(c.mounts, path)
}

func (c *cluster) unmount() {
	for _, path := range c.mounts {
		if err := syscall.Unmount(path, syscall.MNT_DETACH); err != nil {
			c.t.Error(err)
		}
	}
}

// full is a fault: a disk on which nothing more fits, but so many bytes. What
// gave up because of it is started again once there is room.
func (c *cluster) full(name string, leave int64) fault {
	filler := filepath.Join(c.dir, name, "filler")
	return fault{
		what:  "the disk of " + name + " was full",
		begin: func() { c.t.Logf("fill the disk of %s", name); fill(c.t, filler, leave) },
		end: func() {
			if err := os.Remove(filler); err != nil {
				c.t.Error(err)
			}
			if !c.runs(name) {
				c.do("start", name)
			}
		},
		lasts: 8 * time.Second,
	}
}

// fill writes a file until nothing more fits on its disk, but so many bytes.
func fill(t *testing.T, path string, leave int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	written := int64(0)
	for size := 1 << 20; size > 0; {
		n, err := f.Write(make([]byte, size))
		written += int64(n)
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		} else if err != nil {
			size /= 16
		}
	}
	if err := f.Truncate(written - leave); err != nil {
		t.Fatal(err)
	}
}

// runs tells whether the process of a part is there.
func (c *cluster) runs(name string) bool {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "pids", name))
	if err != nil {
		c.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		c.t.Fatal(err)
	}
	return syscall.Kill(pid, 0) == nil
}
