package embedded

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// store keeps keys and values in Pebble. Everything is written as finished
// tables that Pebble takes in atomically (see table.go): its own log and
// memory are never used, so the only thing of it that a failing disk can
// break is its list of tables. After that the store goes on answering from
// what it has, refuses to write, and is opened anew when there is room again.
type store struct {
	fs    vfs.FS
	dir   string // of the engine; Pebble has one inside
	event func(doing string, err error)

	// Of all that is opened one after the other.
	cache *pebble.Cache
	files *pebble.FileCache

	mu     sync.RWMutex // held for reading while the database is in use
	opens  sync.RWMutex // held for reading while an iterator is opened; see excise
	db     *pebble.DB
	o      *pebble.Options
	disk   *tableFS // that db works on
	broken atomic.Bool
	tables atomic.Uint64 // number of the last table file
	size   atomic.Int64  // of all, when it was last asked for

	corrupt func(err error)
}

const (
	tablePrefix = "ingest-"
	pebbleDir   = "db"
)

func openStore(o *Options, corrupt func(error)) (*store, error) {
	s := &store{fs: o.FS, dir: o.Dir, event: o.Events.BackgroundError, corrupt: corrupt}
	if err := s.removeLeftovers(); err != nil {
		return nil, err
	}
	s.cache, s.files = pebble.NewCache(o.CacheBytes), pebble.NewFileCache(runtime.GOMAXPROCS(0), openFiles)
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// openFiles is how many tables are kept open.
const openFiles = 4000

// removeLeftovers removes tables that were being written in a crash.
func (s *store) removeLeftovers() error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return fmt.Errorf("list data directory: %w", err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, tablePrefix) || name == snapshotDir {
			if err := s.fs.RemoveAll(s.fs.PathJoin(s.dir, name)); err != nil {
				return fmt.Errorf("remove leftover: %w", err)
			}
		}
	}
	return nil
}

func (s *store) open() error {
	disk := newTableFS(s.fs, s.breaks)
	o := &pebble.Options{
		FS: disk, Cache: s.cache, FileCache: s.files, Logger: logger{s, disk}, DisableWAL: true,
		FormatMajorVersion: pebble.FormatValueSeparation, // pinned: an older program must be able to say what it cannot read
		MemTableSize:       1 << 20,
		MaxOpenFiles:       openFiles,
		BytesPerSync:       512 << 10,
		// Seals overlap each other and are merged by us: Pebble need not hurry,
		// and begins when ten tables lie over each other, which is a little
		// later than when we do.
		L0CompactionThreshold: 20, L0CompactionFileThreshold: 800, L0StopWritesThreshold: 1000,
	}
	o.EventListener = &pebble.EventListener{
		BackgroundError: func(err error) { s.event("compact", err) },
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			if !disk.hasFailed() { // else it looks for tables that are gone
				s.corrupt(info.Details)
			}
		},
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10
		// Chunks do not shrink, names do.
		o.Levels[i].Compression = func() *block.CompressionProfile { return block.SnappyCompression }
	}
	o.EnsureDefaults()
	s.disk = disk
	s.broken.Store(false)
	db, err := pebble.Open(s.fs.PathJoin(s.dir, pebbleDir), o)
	if err != nil {
		return fmt.Errorf("open tables: %w", err)
	}
	err = syncDir(s.fs, s.dir) // it may be new in there
	if err == nil && disk.unsure.Load() {
		err = errBroken
	}
	s.db, s.o = db, o
	if err != nil {
		err = errors.Join(fmt.Errorf("open tables: %w", err), s.unlessBroken((*pebble.DB).Close))
		s.db = nil
		return err
	}
	disk.opened.Store(true)
	return nil
}

// breaks is told that the list of tables could not be written.
func (s *store) breaks(err error) {
	s.broken.Store(true)
	s.event("tables", fmt.Errorf("the list of tables: %w", err))
}

// reopen opens the database anew after its list of tables could not be
// written, unless it is being read: then it is for a later try. Whoever calls
// it has seen that there is room: if it fails there is nothing to read from.
func (s *store) reopen() (err error) {
	if !s.mu.TryLock() { // waiting could be for the caller itself
		return errors.New("tables are being read and cannot be opened anew yet")
	}
	defer s.mu.Unlock()
	s.db = nil // it stays as it is; see tableFS
	return s.open()
}

func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.db != nil {
		err = s.unlessBroken((*pebble.DB).Close)
	}
	s.db = nil
	s.files.Unref()
	s.cache.Unref()
	if errors.Is(err, errBroken) {
		return nil // all that was told to be stored is: this is beyond complaining
	}
	return err
}

// unlessBroken calls do, and does not wait for it any longer when the list of
// tables cannot be written: it will never return then.
func (s *store) unlessBroken(do func(db *pebble.DB) error) error {
	if s.disk.hasFailed() {
		return errBroken
	}
	done, db := make(chan error, 1), s.db
	go func() { done <- do(db) }()
	select {
	case err := <-done:
		return err
	case <-s.disk.failed:
		return errBroken
	}
}

var (
	errNoTables = errors.New("tables are not open")
	errBroken   = errors.New("the list of tables could not be written")
)

// iterator is a Pebble iterator that keeps the database open.
type iterator struct {
	*pebble.Iterator
	s *store
}

func (s *store) iter(lower, upper []byte) (*iterator, error) {
	s.mu.RLock()
	if s.db == nil {
		s.mu.RUnlock()
		return nil, errNoTables
	}
	s.opens.RLock()
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	s.opens.RUnlock()
	if err != nil {
		s.mu.RUnlock()
		return nil, err
	}
	return &iterator{it, s}, nil
}

func (i *iterator) close() error {
	defer i.s.mu.RUnlock()
	return i.Iterator.Close()
}

// each calls fn for every key that starts with letter.
func (s *store) each(letter byte, fn func(key, value []byte) error) error {
	it, err := s.iter([]byte{letter}, []byte{letter + 1})
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err == nil {
			err = fn(it.Key(), value)
		}
		if err != nil {
			return errors.Join(err, it.close())
		}
	}
	return it.close()
}

// bytes returns how much disk the tables take.
func (s *store) bytes() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return s.size.Load()
	}
	// Once the tables are in doubt, what they took when they were not.
	_ = s.unlessBroken(func(db *pebble.DB) error {
		s.size.Store(int64(db.Metrics().DiskSpaceUsage()))
		return nil
	})
	return s.size.Load()
}

// keySpan is the keys from one up to another.
type keySpan struct{ from, to []byte }

// ingest hands finished tables over, all or none. What was in the excised
// range before is gone with the same step, without a trace in other tables.
func (s *store) ingest(ctx context.Context, paths []string, x keySpan) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return errNoTables
	}
	if s.broken.Load() {
		return errBroken
	}
	if err := s.ingestLocked(ctx, paths, x); err != nil {
		return fmt.Errorf("add tables: %w", err)
	}
	if s.broken.Load() {
		return errBroken // it may be there after all; whoever tries again does the same again
	}
	return nil
}

func (s *store) ingestLocked(ctx context.Context, paths []string, x keySpan) error {
	if x.from == nil {
		return s.unlessBroken(func(db *pebble.DB) error { return db.Ingest(ctx, paths) })
	}
	// Between the moment that the old tables are gone and the one that the new
	// ones count, an iterator would see neither.
	s.opens.Lock()
	defer s.opens.Unlock()
	return s.unlessBroken(func(db *pebble.DB) error {
		_, err := db.IngestAndExcise(ctx, paths, nil, nil, pebble.KeyRange{Start: x.from, End: x.to})
		return err
	})
}

// logger takes what Pebble has to say. What it calls fatal is to us a store
// that must be opened anew.
type logger struct {
	s    *store
	disk *tableFS
}

func (logger) Infof(string, ...any) {}

func (l logger) Errorf(format string, args ...any) {
	l.s.event("tables", fmt.Errorf(format, args...))
}

func (l logger) Fatalf(format string, args ...any) { l.disk.fail(fmt.Errorf(format, args...)) }
