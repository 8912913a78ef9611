package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
)

// snapshotDir holds the tables of a checkpoint while they are copied. They
// are hard links: making it takes no time and no space.
const snapshotDir = "snapshot"

// Checkpoint copies the engine, as it is now, to dir, which must be empty or
// not there. Writes and reads go on: what is written meanwhile is in the
// engine and not in the copy. progress may be nil.
func (e *Engine) Checkpoint(ctx context.Context, dir string, progress func(done, total int64)) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	if err := checkEmpty(e.o.FS, dir); err != nil {
		return err
	}
	e.checkpointMu.Lock()
	defer e.checkpointMu.Unlock()
	snapshot := e.o.FS.PathJoin(e.o.Dir, snapshotDir)
	if err := e.snapshot(ctx, snapshot); err != nil {
		return err
	}
	err := copyTree(ctx, e.o.FS, snapshot, e.o.FS.PathJoin(dir, pebbleDir), progress)
	if rerr := e.o.FS.RemoveAll(snapshot); rerr != nil {
		e.o.Events.BackgroundError("remove snapshot", rerr) // the next start does it
	}
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	return nil
}

// snapshot seals everything and links the tables into dir. Tiers are made of
// what is in memory too, so nothing may make or delete any between the moment
// that is sealed and the copy: else it would have sums of records that it does
// not have.
func (e *Engine) snapshot(ctx context.Context, dir string) error {
	e.ddl.Lock()
	defer e.ddl.Unlock()
	e.background.Lock()
	defer e.background.Unlock()
	e.rotate()
	if err := e.sealLocked(ctx); err != nil {
		return err
	}
	e.store.mu.RLock()
	defer e.store.mu.RUnlock()
	if e.store.db == nil {
		return errNoTables
	}
	if err := e.o.FS.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove old snapshot: %w", err)
	}
	if err := e.store.unlessBroken(func(db *pebble.DB) error { return db.Checkpoint(dir) }); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// Restore copies a checkpoint from one directory to another, which must be
// empty or not there. progress may be nil.
func Restore(ctx context.Context, from, to string, progress func(done, total int64)) error {
	fs := vfs.Default
	if err := checkEmpty(fs, to); err != nil {
		return err
	}
	if _, err := fs.Stat(fs.PathJoin(from, pebbleDir)); err != nil {
		return &tidemark.Error{Kind: tidemark.Invalid, Msg: "there is no backup of measurements", Err: err}
	}
	if err := copyTree(ctx, fs, fs.PathJoin(from, pebbleDir), fs.PathJoin(to, pebbleDir), progress); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return nil
}

func checkEmpty(fs vfs.FS, dir string) error {
	names, err := fs.List(dir)
	if err == nil && len(names) > 0 {
		return tidemark.Errorf(tidemark.Conflict, "the target directory is not empty")
	}
	return nil
}

// copyTree copies a directory of files, durably.
func copyTree(ctx context.Context, fs vfs.FS, from, to string, progress func(done, total int64)) error {
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
		if err := syncDir(fs, dir); err != nil {
			return err
		}
	}
	progress(total, total)
	return nil
}

func copyFile(ctx context.Context, fs vfs.FS, from, to string, progress func(n int64)) (n int64, err error) {
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

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
