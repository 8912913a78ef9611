package embedded

import (
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableFS is the file system that Pebble works on. It keeps two habits of
// Pebble from making a failing disk worse: it panics if a directory cannot be
// synced, and it removes the tables that it could not note in its list,
// although the note may have reached the disk. Whoever writes tables looks at
// broken afterwards.
type tableFS struct {
	vfs.FS
	broken *atomic.Bool
}

func (f *tableFS) Unwrap() vfs.FS { return f.FS }

func (f *tableFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &tableDir{dir, f.broken}, nil
}

// Remove keeps files while the list of tables is in doubt. Those that are not
// needed are removed when the tables are opened anew.
func (f *tableFS) Remove(name string) error {
	if f.broken.Load() {
		return nil
	}
	return f.FS.Remove(name)
}

type tableDir struct {
	vfs.File
	broken *atomic.Bool
}

func (d *tableDir) Sync() error {
	if err := d.File.Sync(); err != nil {
		d.broken.Store(true)
	}
	return nil
}
