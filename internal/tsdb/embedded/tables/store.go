package tables

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Store keeps keys and values in Pebble. Everything is written as finished
// tables that Pebble takes in atomically (see writer.go): its own log and
// memory are never used, so the only thing of it that a failing disk can
// break is its list of tables. After that the store goes on answering from
// what it has, refuses to write, and is reopened when there is room again.
type Store struct {
	fs    FS
	dir   string // of the engine; Pebble has one inside
	event func(doing string, err error)

	// Of all that is opened one after the other.
	cache *pebble.Cache
	files *pebble.FileCache

	mu     sync.RWMutex // held for reading while the database is in use
	opens  sync.RWMutex // held for reading while an iterator is opened; see ingestLocked
	db     *pebble.DB
	o      *pebble.Options
	disk   *tableFS // that db works on
	broken atomic.Bool
	tables atomic.Uint64 // number of the last table file
	size   atomic.Int64  // of all, when it was last asked for

	corrupt func(err error)
	closing chan struct{} // closed by Close
	ending  sync.Once
	closed  bool
}

const (
	// Dir is Pebble's directory, inside the engine's.
	Dir = "db"

	// SnapshotDir holds the tables of a checkpoint while they are copied. They
	// are hard links: making it takes no time and no space.
	SnapshotDir = "snapshot"

	tablePrefix = "ingest-" // of tables that are being written
)

// Options are the settings of a store.
type Options struct {
	FS         FS
	Dir        string // of the engine; Pebble has one inside
	CacheBytes int64

	Failed  func(doing string, err error) // something in the background failed
	Corrupt func(err error)               // a damaged block was found
}

// Open opens the store in o.Dir, which must be there.
func Open(o Options) (*Store, error) {
	s := &Store{fs: o.FS, dir: o.Dir, event: o.Failed, corrupt: o.Corrupt, closing: make(chan struct{})}
	if err := s.removeLeftovers(); err != nil {
		return nil, err
	}
	s.cache, s.files = pebble.NewCache(o.CacheBytes), pebble.NewFileCache(runtime.GOMAXPROCS(0), openFiles)
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

const (
	// failurePause is how long work in the background rests after a failure:
	// on a full disk it would be tried thousands of times a second.
	failurePause = 100 * time.Millisecond
	// closeWait is how long closing waits for work in the background, which
	// may fail again and again. All that was acknowledged is in the log.
	closeWait = 10 * time.Second
)

// openFiles is how many tables are kept open.
const openFiles = 4000

// removeLeftovers removes tables that were being written in a crash.
func (s *Store) removeLeftovers() error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return fmt.Errorf("list data directory: %w", err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, tablePrefix) || name == SnapshotDir {
			if err := s.fs.RemoveAll(s.fs.PathJoin(s.dir, name)); err != nil {
				return fmt.Errorf("remove leftover: %w", err)
			}
		}
	}
	return nil
}

func (s *Store) open() error {
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
		BackgroundError: func(err error) {
			s.event("compact", err)
			time.Sleep(failurePause) // Pebble tries again at once
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			if !disk.hasFailed() { // else it looks for tables that are gone
				s.corrupt(info.Details)
			}
			disk.misread(info.Details)
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
	db, err := pebble.Open(s.fs.PathJoin(s.dir, Dir), o)
	if err != nil {
		return fmt.Errorf("open tables: %w", err)
	}
	err = SyncDir(s.fs, s.dir) // it may be new in there
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

// breaks is called when the list of tables cannot be written.
func (s *Store) breaks(err error) {
	s.broken.Store(true)
	s.event("tables", fmt.Errorf("the list of tables: %w", err))
}

// Mend reopens the tables if their list could not be written, once a probe
// has shown that writing works again. Until then they can be read as they are.
func (s *Store) Mend() error {
	if !s.broken.Load() {
		return nil
	}
	if err := s.probe(); err != nil {
		return fmt.Errorf("tables cannot be written: %w", err)
	}
	return s.reopen()
}

// probe writes as much as opening the tables may need, and removes it.
func (s *Store) probe() (err error) {
	path := s.fs.PathJoin(s.dir, tablePrefix+"probe")
	file, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 1<<20))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close(), s.fs.Remove(path))
}

// reopen opens the database again after its list of tables could not be
// written, unless it is being read: then a later call retries. The caller
// has seen that there is room. If it fails all the same there is nothing to
// read from until a later call succeeds.
func (s *Store) reopen() (err error) {
	if !s.mu.TryLock() { // waiting could be for the caller itself
		return errors.New("tables are being read and cannot be reopened yet")
	}
	defer s.mu.Unlock()
	s.db = nil // it stays as it is; see tableFS
	if err := s.open(); err != nil {
		s.broken.Store(true)
		return err
	}
	return nil
}

// Close ends everything. To call it again does nothing.
func (s *Store) Close() error {
	s.ending.Do(func() { close(s.closing) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.db != nil {
		err = s.unlessBroken((*pebble.DB).Close)
	}
	s.db = nil
	s.files.Unref()
	s.cache.Unref()
	if errors.Is(err, errBroken) {
		return nil // all that was acknowledged is stored: the error changes nothing
	}
	return err
}

// unlessBroken calls do, and does not wait for it any longer when the list of
// tables cannot be written: it will never return then.
func (s *Store) unlessBroken(do func(db *pebble.DB) error) error {
	if s.disk.hasFailed() {
		return s.disk.cause
	}
	done, db := make(chan error, 1), s.db
	go func() { done <- do(db) }()
	select {
	case err := <-done:
		return err
	case <-s.disk.failed:
		return s.disk.cause
	case <-s.closing:
		select {
		case err := <-done:
			return err
		case <-time.After(closeWait):
			return errBroken
		}
	}
}

var (
	errNoTables = errors.New("tables are not open")
	errBroken   = errors.New("the list of tables is in doubt")
)

// Bytes returns how much disk the tables take.
func (s *Store) Bytes() int64 {
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

// Cache is what the cache of blocks holds and how often it helped.
type Cache struct{ Bytes, Hits, Misses int64 }

// Cache returns how the cache of blocks does.
func (s *Store) Cache() Cache {
	m := s.cache.Metrics()
	return Cache{Bytes: m.Size, Hits: m.Hits, Misses: m.Misses}
}

// Get returns a copy of what is at key, or nil if there is nothing.
func (s *Store) Get(key []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return nil, errNoTables
	}
	v, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v = append([]byte{}, v...)
	return v, closer.Close()
}

// Snapshot links all tables into dir, which is made.
func (s *Store) Snapshot(dir string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return errNoTables
	}
	if err := s.fs.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove old snapshot: %w", err)
	}
	if err := s.unlessBroken(func(db *pebble.DB) error { return db.Checkpoint(dir) }); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// IsDamage reports whether err says that a table cannot be read because of
// what is in it, or not in it: trying again is of no use.
func IsDamage(err error) bool {
	return pebble.IsCorruptionError(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, fs.ErrNotExist)
}

// logger takes what Pebble has to say. What it calls fatal is to us a store
// that must be reopened.
type logger struct {
	s    *Store
	disk *tableFS
}

func (logger) Infof(string, ...any) {}

func (l logger) Errorf(format string, args ...any) {
	l.s.event("tables", fmt.Errorf(format, args...))
}

func (l logger) Fatalf(format string, args ...any) { l.disk.fail(fmt.Errorf(format, args...)) }
