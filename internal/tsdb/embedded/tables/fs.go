package tables

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableFS is the file system that an open Pebble works on. Pebble takes for
// granted that the process ends when its list of tables cannot be written:
// what it has in memory is in doubt from then on, and a compaction that goes
// on with it panics. Here the goroutine that fails to write the list blocks for good,
// holding the lock on the list, and so does every other of that Pebble that
// would change a file. Readers go on with the tables that they see. What is
// left, when another Pebble is opened on the same files, is some memory.
type tableFS struct {
	vfs.FS
	opened atomic.Bool   // until then Pebble takes errors as it should
	failed chan struct{} // closed when the list could not be written
	cause  error         // why, once it is closed
	once   sync.Once
	report func(err error)
	unsure atomic.Bool // a directory could not be synced before it was opened

	// excises is how many steps cut a span out of tables. Pebble takes what it
	// cannot read beside the span for empty, and lists the table without it:
	// so the list is in doubt then, too, before it is written.
	excises atomic.Int32
}

func newTableFS(fs vfs.FS, report func(err error)) *tableFS {
	return &tableFS{FS: fs, failed: make(chan struct{}), report: report}
}

// fail notes that the list of tables is in doubt.
func (f *tableFS) fail(err error) {
	f.once.Do(func() {
		f.cause = fmt.Errorf("%w: %w", errBroken, err)
		close(f.failed)
		f.report(err)
	})
}

func (f *tableFS) hasFailed() bool {
	select {
	case <-f.failed:
		return true
	default:
		return false
	}
}

// misread notes that part of a table could not be read.
func (f *tableFS) misread(err error) {
	if f.excises.Load() > 0 {
		f.fail(err)
	}
}

// pass keeps the caller for ever once the list is in doubt.
func (f *tableFS) pass() {
	if f.hasFailed() {
		select {}
	}
}

// vital is for errors that Pebble cannot take: it returns none of them.
func (f *tableFS) vital(err error) error {
	if err != nil && f.opened.Load() {
		f.fail(err)
		f.pass()
	}
	return err
}

// isList reports whether a file is the list of tables, or says which one is.
func (f *tableFS) isList(name string) bool {
	base := f.PathBase(name)
	return strings.HasPrefix(base, "MANIFEST-") || strings.HasPrefix(base, "marker.")
}

func (f *tableFS) Unwrap() vfs.FS { return f.FS }

// Lock does nothing: the engine has locked the directory around.
func (f *tableFS) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

func (f *tableFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f.pass()
	file, err := f.FS.Create(name, c)
	if f.isList(name) {
		err = f.vital(err)
	}
	if err != nil {
		return nil, err
	}
	return &openTable{file, f, f.isList(name)}, nil
}

func (f *tableFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	file, err := f.FS.Open(name, opts...)
	if err != nil {
		return nil, err
	}
	return &tableReader{file, f}, nil
}

func (f *tableFS) Link(from, to string) error {
	f.pass()
	return f.FS.Link(from, to)
}

func (f *tableFS) Remove(name string) error {
	f.pass()
	return f.FS.Remove(name)
}

func (f *tableFS) RemoveAll(name string) error {
	f.pass()
	return f.FS.RemoveAll(name)
}

func (f *tableFS) Rename(from, to string) error {
	f.pass()
	return f.FS.Rename(from, to)
}

func (f *tableFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f.pass()
	return f.FS.ReuseForWrite(from, to, c)
}

func (f *tableFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &tableDir{dir, f}, nil
}

// openTable is a file that Pebble writes.
type openTable struct {
	vfs.File
	fs   *tableFS
	list bool
}

func (t *openTable) result(err error) error {
	if t.list {
		return t.fs.vital(err)
	}
	return err
}

func (t *openTable) Write(p []byte) (int, error) {
	t.fs.pass()
	n, err := t.File.Write(p)
	return n, t.result(err)
}

func (t *openTable) Sync() error {
	t.fs.pass()
	return t.result(t.File.Sync())
}

func (t *openTable) SyncData() error {
	t.fs.pass()
	return t.result(t.File.SyncData())
}

// tableReader is a file that Pebble reads.
type tableReader struct {
	vfs.File
	fs *tableFS
}

func (t *tableReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.File.ReadAt(p, off)
	if err != nil {
		t.fs.misread(err)
	}
	return n, err
}

// tableDir is a directory. Pebble panics if it cannot be synced, so it never
// hears of that.
type tableDir struct {
	vfs.File
	fs *tableFS
}

func (d *tableDir) Sync() error {
	d.fs.pass()
	if d.fs.vital(d.File.Sync()) != nil {
		d.fs.unsure.Store(true)
	}
	return nil
}
