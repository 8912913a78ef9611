package app

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestDiskSpace: below the floor measurements are refused with the reason, a
// little above it they are taken again, and the reserve is given up only when
// the disk is full.
func TestDiskSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	free := int64(10 * giga)
	d := newSpaceGuard(dir, 0, slog.New(slog.DiscardHandler))
	d.stat = func(string) (int64, int64, error) { return free, 100 * giga, nil }
	reserve := func() bool {
		info, err := os.Stat(filepath.Join(dir, reserveFile))
		return err == nil && info.Size() == reserveBytes
	}
	for _, step := range []struct {
		free             int64
		refused, reserve bool
	}{
		{10 * giga, false, true}, {4 * giga, true, true}, {5*giga + 1, true, true}, {6 * giga, false, true},
		{1 * mega, true, false}, {4 * giga, true, false}, {10 * giga, false, true},
	} {
		free = step.free
		d.look()
		err := d.Refusing()
		if (err != nil) != step.refused || reserve() != step.reserve {
			t.Errorf("%d MiB free: %v, reserve %v; want %+v", step.free/mega, err, reserve(), step)
		}
		if err != nil && (tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(err.Error(), "storage.free_floor of 5120 MiB")) {
			t.Errorf("%v", err)
		}
	}
	for size, want := range map[int64]int64{48 * mega: 12 * mega, 10 * giga: giga, 1000 * giga: 50 * giga} {
		if got := d.floorOf(size); got != want {
			t.Errorf("floor of %d MiB is %d MiB, want %d", size/mega, got/mega, want/mega)
		}
	}
}

// TestSmallDisk fills a real disk: the server stops taking measurements before
// it is full, and takes them again once there is room, without a restart.
func TestSmallDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a disk of its own cannot be made here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.CommandContext(context.Background(), "umount", "-l", dir).Run() })
	d := newSpaceGuard(dir, 0, slog.New(slog.DiscardHandler))
	d.look()
	if err := d.Refusing(); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 40*mega), 0o600); err != nil {
		t.Fatal(err)
	}
	d.look()
	if d.Refusing() == nil {
		t.Error("nothing is refused with the disk nearly full")
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	d.look()
	if err := d.Refusing(); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
