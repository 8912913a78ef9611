package tables

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
)

// FS is how files are reached.
type FS = vfs.FS

// Disk is the file system of the machine.
var Disk = vfs.Default

// MakeDir makes a directory that is there after a power failure.
func MakeDir(fs FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := MakeDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return SyncDir(fs, parent)
}

// CheckEmpty refuses a directory that has files.
func CheckEmpty(fs FS, dir string) error {
	names, err := fs.List(dir)
	if len(names) > 0 {
		return tidemark.Errorf(tidemark.Conflict, "the target directory is not empty")
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// CopyDir copies a directory of files, durably.
func CopyDir(ctx context.Context, fs FS, from, to string, progress func(done, total int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	names, err := fs.List(from)
	if err != nil {
		return err
	}
	var done, total int64
	for _, name := range names {
		info, err := fs.Stat(fs.PathJoin(from, name))
		if err != nil {
			return err
		}
		total += info.Size()
	}
	if err := fs.MkdirAll(to, 0o755); err != nil {
		return err
	}
	progress(0, total)
	for _, name := range names {
		n, err := copyFile(ctx, fs, fs.PathJoin(from, name), fs.PathJoin(to, name), func(n int64) { progress(done+n, total) })
		if err != nil {
			return err
		}
		done += n
	}
	for _, dir := range []string{to, fs.PathDir(to)} {
		if err := SyncDir(fs, dir); err != nil {
			return err
		}
	}
	progress(total, total)
	return nil
}

func copyFile(ctx context.Context, fs FS, from, to string, progress func(n int64)) (n int64, err error) {
	in, err := fs.Open(from, vfs.SequentialReadsOption)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := fs.Create(to, vfs.WriteCategoryUnspecified)
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 1<<20)
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		var k int
		k, err = in.Read(buf)
		if k > 0 {
			if _, werr := out.Write(buf[:k]); werr != nil {
				err = werr
			}
			n += int64(k)
			progress(n)
		}
	}
	if errors.Is(err, io.EOF) {
		err = out.Sync()
	}
	return n, errors.Join(err, out.Close())
}

func SyncDir(fs FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
