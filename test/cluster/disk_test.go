package cluster_test

import (
	"errors"
	"os"
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
	a.spoil(t, []fault{c.full("clickhouse1"), c.full("postgres")})
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

// full is a fault: a disk on which nothing more fits. What gave up because of
// it is started again once there is room.
func (c *cluster) full(name string) fault {
	filler := filepath.Join(c.dir, name, "filler")
	return fault{
		what:  "the disk of " + name + " was full",
		begin: func() { c.t.Logf("fill the disk of %s", name); fill(c.t, filler) },
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

// fill writes a file until nothing more fits on its disk.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err == nil {
			continue
		} else if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		size /= 16
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
