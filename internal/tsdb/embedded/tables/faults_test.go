package tables

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// faults is a disk on which some operations fail while they are said to.
type faults struct {
	vfs.FS
	on   atomic.Bool
	kind errorfs.OpKind
	in   string // part of the path
}

func newFaults(fs vfs.FS, kind errorfs.OpKind, in string) *faults {
	f := &faults{kind: kind, in: in}
	f.FS = errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if f.on.Load() && op.Kind == f.kind && strings.Contains(op.Path, f.in) {
			return syscall.ENOSPC
		}
		return nil
	}))
	return f
}

// reports collects what a store says about failures in the background.
type reports struct {
	mu   sync.Mutex
	list []string
}

func (r *reports) failed(doing string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, doing+": "+err.Error())
}

func (r *reports) has(part string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(strings.Join(r.list, "\n"), part)
}

// openOn opens a store on fs that may fail in the background.
func openOn(t *testing.T, fs FS) (*Store, *reports) {
	t.Helper()
	check(t, MakeDir(fs, "data"))
	r := new(reports)
	s, err := Open(Options{FS: fs, Dir: "data", CacheBytes: 1 << 20, Failed: r.failed, Corrupt: func(error) {}})
	check(t, err)
	return s, r
}

// set sets one key in a step of its own.
func set(t *testing.T, s *Store, key, value string) error {
	t.Helper()
	return s.Apply(t.Context(), true, func(w *Writer) error { return w.Set([]byte(key), []byte(value)) })
}

// TestListThatCannotBeWritten: the store goes on answering, refuses to write,
// and takes writes again when the disk does, with nothing lost.
func TestListThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]errorfs.OpKind{"write": errorfs.OpFileWrite, "sync": errorfs.OpFileSync} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mem := vfs.NewMem()
			fs := newFaults(mem, kind, "MANIFEST")
			s, r := openOn(t, fs)
			check(t, set(t, s, "a1", "before"))
			fs.on.Store(true)
			if err := set(t, s, "a2", "lost"); !errors.Is(err, errBroken) {
				t.Fatalf("got %v, want %v", err, errBroken)
			}
			if err := set(t, s, "a3", "refused"); !errors.Is(err, errBroken) {
				t.Errorf("a write after that: %v", err)
			}
			if v, err := s.Get([]byte("a1")); string(v) != "before" || err != nil {
				t.Errorf("got %q, %v of what was there", v, err)
			}
			if !r.has("tables: the list of tables") {
				t.Errorf("reported %q", r.list)
			}
			if s.Bytes() < 0 {
				t.Error("the size is not known any longer")
			}
			fs.on.Store(false)
			check(t, s.Mend())
			check(t, set(t, s, "a4", "after"))
			got := keys(t, s, 'a')
			if !strings.HasPrefix(got, "a1=before ") || !strings.HasSuffix(got, "a4=after ") || strings.Contains(got, "refused") {
				t.Errorf("after it was mended: %s", got)
			}
			check(t, s.Close())
			again, _ := openOn(t, mem)
			if now := keys(t, again, 'a'); now != got {
				t.Errorf("after it was opened again: %s, before %s", now, got)
			}
			check(t, again.Close())
		})
	}
}

// TestMendWaitsForTheDiskAndForReaders: a store that cannot be reopened yet
// says why, and stays as it is.
func TestMendWaitsForTheDiskAndForReaders(t *testing.T) {
	t.Parallel()
	fs := newFaults(vfs.NewMem(), errorfs.OpFileWrite, "")
	s, _ := openOn(t, fs)
	check(t, set(t, s, "a1", "1"))
	check(t, s.Mend()) // nothing is broken
	s.disk.fail(errors.New("as if"))
	it, err := s.Iter([]byte("a"), []byte("b"))
	check(t, err)
	fs.on.Store(true)
	if err := s.Mend(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("on a full disk: %v", err)
	}
	fs.on.Store(false)
	if err := s.Mend(); err == nil || !strings.Contains(err.Error(), "being read") {
		t.Errorf("while it is read: %v", err)
	}
	if !it.First() || string(it.Key()) != "a1" || !it.Valid() {
		t.Error("the reader lost its tables")
	}
	check(t, it.Close())
	check(t, s.Mend())
	check(t, set(t, s, "a2", "2"))
	if got := keys(t, s, 'a'); got != "a1=1 a2=2 " {
		t.Errorf("got %s", got)
	}
	if names, err := fs.List("data"); err != nil || len(names) != 1 {
		t.Errorf("the probe left %v, %v", names, err)
	}
	check(t, s.Close())
}

// TestTableThatCannotBeWritten: the step fails, leaves no file behind, and can
// be repeated.
func TestTableThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, fs := range map[string]*faults{
		"create": newFaults(vfs.NewMem(), errorfs.OpCreate, tablePrefix),
		"write":  newFaults(vfs.NewMem(), errorfs.OpFileWrite, tablePrefix),
		"sync":   newFaults(vfs.NewMem(), errorfs.OpFileSyncData, tablePrefix),
	} {
		s, _ := openOn(t, fs)
		check(t, set(t, s, "a1", "1"))
		fs.on.Store(true)
		if err := set(t, s, "a2", "2"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", name, err)
		}
		fs.on.Store(false)
		if names, err := fs.List("data"); err != nil || len(names) != 1 {
			t.Errorf("%s: files %v are left, %v", name, names, err)
		}
		if got := keys(t, s, 'a'); got != "a1=1 " {
			t.Errorf("%s: after the step failed: %s", name, got)
		}
		check(t, set(t, s, "a2", "2"))
		if got := keys(t, s, 'a'); got != "a1=1 a2=2 " {
			t.Errorf("%s: after it was repeated: %s", name, got)
		}
		check(t, s.Close())
	}
}

// TestDiskWithoutLinks: where files cannot be linked tables are copied.
func TestDiskWithoutLinks(t *testing.T) {
	t.Parallel()
	fs := newFaults(vfs.NewMem(), errorfs.OpLink, "")
	fs.on.Store(true)
	s, _ := openOn(t, fs)
	check(t, set(t, s, "a1", "1"))
	check(t, s.Snapshot("data/"+SnapshotDir))
	if got := keys(t, s, 'a'); got != "a1=1 " {
		t.Errorf("got %s", got)
	}
	check(t, s.Close())
}

// TestOpenOnABadDisk: opening fails with the disk's error, and works once the
// disk does.
func TestOpenOnABadDisk(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*faults{
		"the directory cannot be listed": newFaults(vfs.NewMem(), errorfs.OpList, "data"),
		"no list of tables":              newFaults(vfs.NewMem(), errorfs.OpCreate, "MANIFEST"),
		"the list cannot be written":     newFaults(vfs.NewMem(), errorfs.OpFileWrite, "MANIFEST"),
		"no directory":                   newFaults(vfs.NewMem(), errorfs.OpMkdirAll, "data/"+Dir),
		"the directory cannot be opened": newFaults(vfs.NewMem(), errorfs.OpOpenDir, "data"),
	} {
		check(t, MakeDir(f, "data"))
		f.on.Store(true)
		s, err := Open(Options{FS: f, Dir: "data", CacheBytes: 1 << 20, Failed: func(string, error) {}, Corrupt: func(error) {}})
		if !errors.Is(err, syscall.ENOSPC) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.on.Store(false)
		s, _ = openOn(t, f)
		if err := set(t, s, "a", "1"); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
		check(t, s.Close())
	}
}

// TestPowerFailure: what a step made is there after a power failure, with none
// of what was not synced.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	mem := vfs.NewCrashableMem()
	s, _ := openOn(t, mem)
	want := ""
	for _, k := range []string{"a1", "a2", "a3"} {
		check(t, set(t, s, k, "x"))
		want += k + "=x "
		clone, _ := openOn(t, mem.CrashClone(vfs.CrashCloneCfg{}))
		if got := keys(t, clone, 'a'); got != want {
			t.Errorf("after %s: %s, want %s", k, got, want)
		}
		check(t, clone.Close())
	}
	check(t, s.Close())
}

// TestExciseOfWhatCannotBeRead: Pebble takes what it cannot read beside a span
// that it cuts out for empty. The step must fail, and nothing be gone: without
// further ado where that is found before, and with the list of tables in doubt
// where it is not.
func TestExciseOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	span := Span{[]byte("a4"), []byte("a6")}
	for name, c := range map[string]struct {
		excise func(*Store) error
		doubt  bool
	}{
		"found before": {func(s *Store) error { return s.Excise(t.Context(), span) }, false},
		"found by it":  {func(s *Store) error { return s.excise(t.Context(), nil, span) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			fs := newFaults(vfs.NewMem(), errorfs.OpFileReadAt, ".sst")
			s, r := openBlocks(t, fs, "a1", "a3", "a5", "a7")
			has := func() (list string) {
				check(t, s.Each('a', func(k, _ []byte) error { list += string(k); return nil }))
				return list
			}
			if _, err := s.Get([]byte("a7")); err != nil {
				t.Fatal(err) // now the table is open
			}
			fs.on.Store(true)
			if err := c.excise(s); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, errBroken) != c.doubt {
				t.Errorf("excise: %v", err)
			}
			fs.on.Store(false)
			if r.has("tables: the list of tables") != c.doubt {
				t.Errorf("reported %q", r.list)
			}
			if got := has(); got != "a1a3a5a7" {
				t.Errorf("there is %s", got)
			}
			check(t, s.Mend())
			check(t, s.Excise(t.Context(), span))
			if got := has(); got != "a1a3a7" {
				t.Errorf("after it was repeated there is %s", got)
			}
			check(t, s.Close())
		})
	}
}

// openBlocks opens a store with keys in blocks of their own, of which none is in
// the cache.
func openBlocks(t *testing.T, fs FS, keys ...string) (*Store, *reports) {
	t.Helper()
	s, _ := openOn(t, fs)
	value := make([]byte, 40<<10)
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		for _, k := range keys {
			if err := w.Set([]byte(k), value); err != nil {
				return err
			}
		}
		return nil
	}))
	check(t, s.Close())
	return openOn(t, fs)
}

// TestReopenOnABadDisk: a store that could not be reopened says so, and is
// reopened by the next call that can.
func TestReopenOnABadDisk(t *testing.T) {
	t.Parallel()
	fs := newFaults(vfs.NewMem(), errorfs.OpList, "data/"+Dir)
	s, _ := openOn(t, fs)
	check(t, set(t, s, "a1", "1"))
	s.disk.fail(errors.New("as if"))
	fs.on.Store(true)
	for range 2 {
		if err := s.Mend(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("on a bad disk: %v", err)
		}
	}
	if _, err := s.Get([]byte("a1")); !errors.Is(err, errNoTables) {
		t.Errorf("meanwhile: %v", err)
	}
	fs.on.Store(false)
	check(t, s.Mend())
	check(t, set(t, s, "a2", "2"))
	if got := keys(t, s, 'a'); got != "a1=1 a2=2 " {
		t.Errorf("got %s", got)
	}
	check(t, s.Close())
}

// TestDamageOrDisk: what is damaged stays so; what the disk refuses may be
// there the next time.
func TestDamageOrDisk(t *testing.T) {
	t.Parallel()
	for err, damage := range map[error]bool{
		pebble.ErrCorruption: true, io.ErrUnexpectedEOF: true, os.ErrNotExist: true, syscall.EIO: false, syscall.EMFILE: false,
	} {
		if wrapped := fmt.Errorf("%w: %w", errBroken, err); IsDamage(wrapped) != damage {
			t.Errorf("%v is damage: %v", wrapped, !damage)
		}
	}
}
