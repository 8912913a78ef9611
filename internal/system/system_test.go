package system_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/system"
)

// TestLock: a second holder is refused until the first lets go.
func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "LOCK")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := system.Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := system.Lock(second); !errors.Is(err, system.ErrLocked) {
		t.Errorf("the second: %v", err)
	}
	first.Close()
	if err := system.Lock(second); err != nil {
		t.Errorf("after the first let go: %v", err)
	}
}

// TestProcess: what the process takes and what the disk has is known.
func TestProcess(t *testing.T) {
	t.Parallel()
	for began, last := time.Now(), time.Duration(0); last == 0; {
		took, err := system.ProcessorTime()
		if err != nil || time.Since(began) > time.Minute {
			t.Fatalf("%v of processor time, %v", took, err)
		}
		last = took
	}
	free, size, err := system.Disk(t.TempDir())
	if err != nil || free < 0 || size < free {
		t.Errorf("%d of %d bytes are free, %v", free, size, err)
	}
	if _, _, err := system.Disk(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a directory that is not there is on a disk")
	}
}

// TestEndWhole: what a command started ends with it.
func TestEndWhole(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, sh, "-c", "sleep 1000 & echo started; wait")
	system.EndWhole(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 { // ends when all that have it open are gone
		t.Errorf("%q, %v", rest, err)
	}
	_ = cmd.Wait()
}
