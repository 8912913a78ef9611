package tables

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/tidemark-metrics/tidemark"
)

func readFile(t *testing.T, fs FS, path string) string {
	t.Helper()
	f, err := fs.Open(path)
	check(t, err)
	b, err := io.ReadAll(f)
	check(t, errors.Join(err, f.Close()))
	return string(b)
}

// TestMakeDirSurvivesAPowerFailure: all of the directories on the way do.
func TestMakeDirSurvivesAPowerFailure(t *testing.T) {
	t.Parallel()
	mem := vfs.NewCrashableMem()
	check(t, MakeDir(mem, "a/b/c"))
	check(t, MakeDir(mem, "a/b/c"))
	clone := mem.CrashClone(vfs.CrashCloneCfg{})
	if info, err := clone.Stat("a/b/c"); err != nil || !info.IsDir() {
		t.Errorf("got %v", err)
	}
}

func TestMakeDirReportsErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range []errorfs.OpKind{errorfs.OpMkdirAll, errorfs.OpOpenDir, errorfs.OpFileSync} {
		fs := newFaults(vfs.NewMem(), kind, "")
		fs.on.Store(true)
		if err := MakeDir(fs, "a/b"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("operation %v: %v", kind, err)
		}
	}
}

func TestCheckEmpty(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	check(t, CheckEmpty(mem, "nowhere"))
	check(t, MakeDir(mem, "dir"))
	check(t, CheckEmpty(mem, "dir"))
	writeFile(t, mem, "dir/file", "x")
	var e *tidemark.Error
	if err := CheckEmpty(mem, "dir"); !errors.As(err, &e) || e.Kind != tidemark.Conflict || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v", err)
	}
}

// TestCopyDirIsDurable: the copy is there after a power failure, to the byte,
// and progress ends at the total.
func TestCopyDirIsDurable(t *testing.T) {
	t.Parallel()
	mem := vfs.NewCrashableMem()
	check(t, MakeDir(mem, "from"))
	big := strings.Repeat("0123456789abcdef", 1<<16+1) // more than is copied at once
	writeFile(t, mem, "from/big", big)
	writeFile(t, mem, "from/empty", "")
	var done, total int64
	steps := 0
	check(t, CopyDir(t.Context(), mem, "from", "to", func(d, all int64) {
		if d < done || steps > 0 && all != total {
			t.Errorf("progress went from %d of %d to %d of %d", done, total, d, all)
		}
		done, total = d, all
		steps++
	}))
	if done != int64(len(big)) || total != done || steps < 3 {
		t.Errorf("progress ended at %d of %d after %d steps", done, total, steps)
	}
	clone := mem.CrashClone(vfs.CrashCloneCfg{})
	if readFile(t, clone, "to/big") != big || readFile(t, clone, "to/empty") != "" {
		t.Error("the copy is not what was copied")
	}
}

func TestCopyDirFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind errorfs.OpKind
		in   string
	}{
		"source cannot be listed":  {errorfs.OpList, "from"},
		"source cannot be opened":  {errorfs.OpOpen, "from"},
		"source cannot be read":    {errorfs.OpFileRead, "from"},
		"size is not known":        {errorfs.OpStat, "from"},
		"target cannot be made":    {errorfs.OpMkdirAll, "to"},
		"file cannot be created":   {errorfs.OpCreate, "to"},
		"file cannot be written":   {errorfs.OpFileWrite, "to"},
		"file cannot be synced":    {errorfs.OpFileSync, "to/file"},
		"directory cannot be kept": {errorfs.OpOpenDir, "to"},
	} {
		mem := vfs.NewMem()
		check(t, MakeDir(mem, "from"))
		writeFile(t, mem, "from/file", "text")
		fs := newFaults(mem, c.kind, c.in)
		fs.on.Store(true)
		if err := CopyDir(t.Context(), fs, "from", "to", nil); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	mem := vfs.NewMem()
	check(t, MakeDir(mem, "from"))
	writeFile(t, mem, "from/file", "text")
	cancel()
	if err := CopyDir(ctx, mem, "from", "to", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that nobody waits for: %v", err)
	}
}
