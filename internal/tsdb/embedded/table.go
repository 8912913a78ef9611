package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// maxTable is the size at which a table is finished and the next one begun.
const maxTable = 64 << 20

// tableWriter collects changes, in order of keys, for one atomic step.
type tableWriter struct {
	s     *store
	w     *sstable.Writer
	paths []string
	size  int
	total int64
	whole bool // in one table: it has ranges to delete, which cannot be cut

	excised keySpan // what was there before goes with the same step
}

// apply makes the changes that fill writes, all or none, durably.
func (s *store) apply(ctx context.Context, whole bool, fill func(w *tableWriter) error) error {
	w := &tableWriter{s: s, whole: whole}
	err := fill(w)
	if err == nil {
		err = w.finish()
	}
	if err == nil && len(w.paths) > 0 {
		err = s.ingest(ctx, w.paths, w.excised)
	}
	if err != nil {
		if w.w != nil {
			_ = w.w.Close() // it failed already, or its contents do not matter
		}
		for _, p := range w.paths {
			_ = s.fs.Remove(p) // what stays is removed at the next start
		}
	}
	return err
}

func (w *tableWriter) finish() error {
	if w.w == nil {
		return nil
	}
	err := w.w.Close()
	w.w = nil
	if err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// cut ends the table, so that what follows can be given up without it.
func (w *tableWriter) cut() error { return w.finish() }

// begin makes sure that there is a table to write to.
func (w *tableWriter) begin() error {
	if w.w != nil && (w.size < maxTable || w.whole) {
		return nil
	}
	if err := w.finish(); err != nil {
		return err
	}
	s := w.s
	path := s.fs.PathJoin(s.dir, fmt.Sprintf("%s%d.sst", tablePrefix, s.tables.Add(1)))
	file, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return fmt.Errorf("create table: %w", err)
	}
	w.paths = append(w.paths, path)
	// Without this the kernel would write all of it at once, and the log's
	// fsync would wait for that.
	file = vfs.NewSyncingFile(file, vfs.SyncingFileOptions{BytesPerSync: 512 << 10})
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return errors.Join(errNoTables, file.Close())
	}
	// Options of the lowest level would mark deletions as having no effect.
	w.w = sstable.NewWriter(objstorageprovider.NewFileWritable(file), s.o.MakeWriterOptions(0, s.db.TableFormat()))
	w.size = 0
	return nil
}

func (w *tableWriter) set(key, value []byte) error {
	if err := w.begin(); err != nil {
		return err
	}
	w.size += len(key) + len(value)
	w.total += int64(len(value))
	return w.w.Set(key, value)
}

func (w *tableWriter) delete(key []byte) error {
	if err := w.begin(); err != nil {
		return err
	}
	w.size += len(key)
	return w.w.Delete(key)
}

// deleteRange deletes what was there before; what this step sets stays.
func (w *tableWriter) deleteRange(x keySpan) error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.w.DeleteRange(x.from, x.to)
}
