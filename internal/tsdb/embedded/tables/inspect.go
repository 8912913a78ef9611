package tables

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// File is one table of the database, from the oldest to the newest.
type File struct {
	fs           FS
	path         string
	Name         string
	size         uint64
	lower, upper []byte // the keys of it that count: what is outside was given up
	excl         bool   // upper itself does not count
	Bad          bool
}

// List returns the tables, oldest data first: putting them over each
// other in this order gives the database.
func List(fs FS, dir string) (files []File, err error) {
	po := &pebble.Options{FS: fs, ReadOnly: true, DisableConsistencyCheck: true, Logger: silent{}}
	po.EventListener = &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) {}}
	db, err := pebble.Open(fs.PathJoin(dir, Dir), po)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	levels, err := db.SSTables()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(levels[0], func(a, b pebble.SSTableInfo) int {
		return int(int64(a.LargestSeqNum) - int64(b.LargestSeqNum))
	})
	for i := len(levels) - 1; i >= 0; i-- {
		for _, t := range levels[i] {
			files = append(files, File{
				fs: fs, path: fs.PathJoin(dir, Dir, fmt.Sprintf("%s.sst", t.BackingSSTNum)),
				Name: fmt.Sprintf("%s.sst", t.BackingSSTNum), size: t.Size,
				lower: slices.Clone(t.Smallest.UserKey), upper: slices.Clone(t.Largest.UserKey), excl: t.Largest.IsExclusiveSentinel(),
			})
			if t.Virtual {
				files[len(files)-1].size = 0 // that of its part
			}
		}
	}
	return files, nil
}

type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(string, ...any) {}

// Check reads every block of the table.
func (f *File) Check() error {
	r, err := f.open()
	if err != nil {
		return err
	}
	return errors.Join(r.ValidateBlockChecksums(), r.Close())
}

func (f *File) open() (r *sstable.Reader, err error) {
	defer func() { // a table whose index was spoiled may not be what its reader expects
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("table cannot be read: %v", p)
		}
	}()
	file, err := f.fs.Open(f.path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && f.size > 0 && uint64(info.Size()) != f.size {
		err = fmt.Errorf("it has %d bytes and should have %d", info.Size(), f.size)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return sstable.NewReader(context.Background(), readable, (&pebble.Options{}).MakeReaderOptions())
}

// Read returns what can be read of the table: the newest version of every
// key, and the spans that it deletes. It fails if the table cannot be opened.
func (f *File) Read() (changes []Change, deleted []Span, complete bool, err error) {
	r, err := f.open()
	if err != nil {
		return nil, nil, false, err
	}
	changes, complete = readTable(r, f)
	deleted = readRangeDels(r, f)
	_ = r.Close() // it was only read
	return changes, deleted, complete, nil
}

// readTable returns the newest version of every key that can be read: from
// the start up to what is damaged, and from the end back to it.
func readTable(r *sstable.Reader, f *File) (changes []Change, complete bool) {
	defer func() {
		if recover() != nil {
			complete = false
		}
	}()
	it, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return nil, false
	}
	defer it.Close()
	seen := make(map[string]bool)
	take := func(kv *pebble.InternalKey, value func() ([]byte, bool, error)) {
		key := slices.Clone(kv.UserKey)
		if !f.counts(key) || seen[string(key)] {
			return
		}
		ch := Change{Key: key}
		if kv.Kind() == pebble.InternalKeyKindSet || kv.Kind() == pebble.InternalKeyKindSetWithDelete {
			v, _, err := value()
			if err != nil {
				return
			}
			ch.Value = append([]byte{}, v...)
		}
		seen[string(key)] = true
		changes = append(changes, ch)
	}
	for kv := it.First(); kv != nil; kv = it.Next() {
		take(&kv.K, func() ([]byte, bool, error) { return kv.Value(nil) })
	}
	if it.Error() == nil {
		return changes, true
	}
	for kv := it.Last(); kv != nil; kv = it.Prev() {
		take(&kv.K, func() ([]byte, bool, error) { return kv.Value(nil) })
	}
	return changes, false
}

// counts reports whether key is one of those of the table that count.
func (f *File) counts(key []byte) bool {
	if slices.Compare(key, f.lower) < 0 {
		return false
	}
	c := slices.Compare(key, f.upper)
	return c < 0 || c == 0 && !f.excl
}

// Overlaps reports whether the table may have keys in a span.
func (f *File) Overlaps(x Span) bool {
	return slices.Compare(f.lower, x.To) < 0 && slices.Compare(f.upper, x.From) > 0
}

// clip returns the part of a span that counts; it may be empty.
func (f *File) clip(x Span) Span {
	end := f.upper
	if !f.excl {
		end = append(slices.Clone(end), 0) // the key after it
	}
	if slices.Compare(x.From, f.lower) < 0 {
		x.From = f.lower
	}
	if slices.Compare(x.To, end) > 0 {
		x.To = end
	}
	return x
}

// readRangeDels returns the spans that a table deletes.
func readRangeDels(r *sstable.Reader, f *File) (spans []Span) {
	it, err := r.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return nil
	}
	defer it.Close()
	for s, err := it.First(); s != nil && err == nil; s, err = it.Next() {
		x := f.clip(Span{slices.Clone(s.Start), slices.Clone(s.End)})
		if slices.Compare(x.From, x.To) < 0 {
			spans = append(spans, x)
		}
	}
	return spans
}
