package tables

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// maxTable is the size at which a table is finished and the next one begun.
const maxTable = 64 << 20

// Writer collects changes, in order of keys, for one atomic step.
type Writer struct {
	s     *Store
	w     *sstable.Writer
	paths []string
	size  int
	total int64
	whole bool // in one table: it has ranges to delete, which cannot be cut

	excised Span // what was there before goes with the same step
}

// Apply makes the changes that fill writes, all or none, durably.
func (s *Store) Apply(ctx context.Context, whole bool, fill func(w *Writer) error) error {
	w := &Writer{s: s, whole: whole}
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

func (w *Writer) finish() error {
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

// Cut ends the table, so that what follows can be given up without it.
func (w *Writer) Cut() error { return w.finish() }

// Pending returns the bytes of keys and values in the table that is being
// written.
func (w *Writer) Pending() int { return w.size }

// begin makes sure that there is a table to write to.
func (w *Writer) begin() error {
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

// Excise makes what was in a span before go with the same step.
func (w *Writer) Excise(x Span) { w.excised = x }

// Set sets a key; keys ascend.
func (w *Writer) Set(key, value []byte) error {
	if err := w.begin(); err != nil {
		return err
	}
	w.size += len(key) + len(value)
	w.total += int64(len(value))
	return w.w.Set(key, value)
}

// Delete deletes a key; keys ascend.
func (w *Writer) Delete(key []byte) error {
	if err := w.begin(); err != nil {
		return err
	}
	w.size += len(key)
	return w.w.Delete(key)
}

// DeleteRange deletes what was there before; what this step sets stays.
func (w *Writer) DeleteRange(x Span) error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.w.DeleteRange(x.From, x.To)
}

// Span is the keys from one up to another.
type Span struct{ From, To []byte }

// Excise gives back the space of keys that were all deleted.
func (s *Store) Excise(ctx context.Context, x Span) error { return s.ingest(ctx, nil, x) }

// ingest hands finished tables over, all or none. What was in the excised
// range before is gone with the same step, without a trace in other tables.
func (s *Store) ingest(ctx context.Context, paths []string, x Span) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return errNoTables
	}
	if s.disk.hasFailed() {
		return s.disk.cause
	}
	if err := s.ingestLocked(ctx, paths, x); err != nil {
		return fmt.Errorf("add tables: %w", err)
	}
	if s.disk.hasFailed() {
		return s.disk.cause // it may be there after all: steps can be repeated
	}
	return nil
}

func (s *Store) ingestLocked(ctx context.Context, paths []string, x Span) error {
	if x.From == nil {
		return s.unlessBroken(func(db *pebble.DB) error { return db.Ingest(ctx, paths) })
	}
	// Between the moment that the old tables are gone and the one that the new
	// ones count, an iterator would see neither.
	s.opens.Lock()
	defer s.opens.Unlock()
	if err := s.readAround(x); err != nil {
		return err
	}
	return s.excise(ctx, paths, x)
}

// readAround reads what is on both sides of a span. Pebble needs it to cut the
// span out, and takes it for empty where it cannot be read. What stays unreadable
// is found here, before that costs a database that must be reopened.
func (s *Store) readAround(x Span) error {
	return s.unlessBroken(func(db *pebble.DB) error {
		it, err := db.NewIter(nil)
		if err != nil {
			return err
		}
		it.SeekLT(x.From)
		before := it.Error()
		it.SeekGE(x.To)
		return errors.Join(before, it.Error(), it.Close())
	})
}

func (s *Store) excise(ctx context.Context, paths []string, x Span) error {
	return s.unlessBroken(func(db *pebble.DB) error {
		s.disk.excises.Add(1)
		defer s.disk.excises.Add(-1)
		_, err := db.IngestAndExcise(ctx, paths, nil, nil, pebble.KeyRange{Start: x.From, End: x.To})
		return err
	})
}

// Change is a key to set, or with nil to delete.
type Change struct{ Key, Value []byte }

// Write makes changes in order of keys, which it sorts.
func (w *Writer) Write(changes []Change) error {
	slices.SortFunc(changes, func(a, b Change) int { return bytes.Compare(a.Key, b.Key) })
	for _, c := range changes {
		var err error
		if c.Value == nil {
			err = w.Delete(c.Key)
		} else {
			err = w.Set(c.Key, c.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
