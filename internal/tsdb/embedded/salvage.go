package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// damagedDir is where the tables are kept from which others were salvaged.
const (
	damagedDir  = "db-damaged"
	salvagedDir = "db-salvaged"
)

// tableFile is one table of the database, from the oldest to the newest.
type tableFile struct {
	name         string
	size         uint64
	lower, upper []byte // the keys of it that count: what is outside was given up
	open         bool   // upper itself does not count
	bad          bool
}

// listTables returns the tables, oldest data first: putting them over each
// other in this order gives the database.
func listTables(o *Options) (files []tableFile, err error) {
	po := &pebble.Options{FS: o.FS, ReadOnly: true, DisableConsistencyCheck: true, Logger: silent{}}
	po.EventListener = &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) {}}
	db, err := pebble.Open(o.FS.PathJoin(o.Dir, pebbleDir), po)
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
			files = append(files, tableFile{
				name: fmt.Sprintf("%s.sst", t.BackingSSTNum), size: t.Size,
				lower: slices.Clone(t.Smallest.UserKey), upper: slices.Clone(t.Largest.UserKey), open: t.Largest.IsExclusiveSentinel(),
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

// checkTables reads every block of every table.
func (c *checker) checkTables(ctx context.Context) (files []tableFile, bad bool, err error) {
	files, err = listTables(c.o)
	if err != nil {
		return nil, false, err
	}
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		f := &files[i]
		if err := c.checkTable(f); err != nil {
			f.bad, bad = true, true
			c.report(Finding{Kind: "table", What: f.name, Detail: err.Error(), Lost: 1, Repaired: c.repair})
		}
	}
	return files, bad, nil
}

func (c *checker) checkTable(f *tableFile) error {
	r, err := c.openTable(f)
	if err != nil {
		return err
	}
	return errors.Join(r.ValidateBlockChecksums(), r.Close())
}

func (c *checker) openTable(f *tableFile) (r *sstable.Reader, err error) {
	defer func() { // a table whose index was spoiled may not be what its reader expects
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("table cannot be read: %v", p)
		}
	}()
	fs := c.o.FS
	file, err := fs.Open(fs.PathJoin(c.o.Dir, pebbleDir, f.name))
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

// salvage makes a new database of what can be read of the tables, and puts it
// in the place of the old one, which is kept beside it.
func (c *checker) salvage(ctx context.Context, files []tableFile) error {
	fs, dir := c.o.FS, c.o.Dir
	for _, name := range []string{salvagedDir, damagedDir} {
		if err := fs.RemoveAll(fs.PathJoin(dir, name)); err != nil {
			return err
		}
	}
	o := *c.o
	o.Dir = fs.PathJoin(dir, salvagedDir)
	if err := makeDir(fs, o.Dir); err != nil {
		return err
	}
	s, err := openStore(&o, func(error) {})
	if err != nil {
		return err
	}
	for i := range files {
		if err := c.salvageTable(ctx, s, &files[i]); err != nil {
			return errors.Join(err, s.close())
		}
	}
	if err := errors.Join(raiseIDs(ctx, s), s.close()); err != nil {
		return err
	}
	if err := fs.Rename(fs.PathJoin(dir, pebbleDir), fs.PathJoin(dir, damagedDir)); err != nil {
		return err
	}
	if err := fs.Rename(fs.PathJoin(s.dir, pebbleDir), fs.PathJoin(dir, pebbleDir)); err != nil {
		return err
	}
	return errors.Join(fs.RemoveAll(s.dir), syncDir(fs, dir))
}

// salvageTable copies what can be read of one table.
func (c *checker) salvageTable(ctx context.Context, s *store, f *tableFile) error {
	r, err := c.openTable(f)
	if err != nil {
		return nil // reported before; there is nothing to read
	}
	var changes []change
	changes, complete := readTable(r, f)
	if !complete && !f.bad {
		c.report(Finding{Kind: "table", What: f.name, Detail: "it could be read in part only", Lost: 1, Repaired: true})
	}
	ranges := readRangeDels(r, f)
	_ = r.Close() // it was only read
	return s.apply(ctx, true, func(w *tableWriter) error {
		for _, d := range ranges {
			if err := w.deleteRange(d); err != nil {
				return err
			}
		}
		return writeChanges(w, changes)
	})
}

// readTable returns the newest version of every key that can be read: from
// the start up to what is damaged, and from the end back to it.
func readTable(r *sstable.Reader, f *tableFile) (changes []change, complete bool) {
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
		ch := change{key: key}
		if kv.Kind() == pebble.InternalKeyKindSet || kv.Kind() == pebble.InternalKeyKindSetWithDelete {
			v, _, err := value()
			if err != nil {
				return
			}
			ch.value = append([]byte{}, v...)
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
func (f *tableFile) counts(key []byte) bool {
	if slices.Compare(key, f.lower) < 0 {
		return false
	}
	c := slices.Compare(key, f.upper)
	return c < 0 || c == 0 && !f.open
}

// clip returns the part of a span that counts; it may be empty.
func (f *tableFile) clip(x keySpan) keySpan {
	end := f.upper
	if !f.open {
		end = append(slices.Clone(end), 0) // the key after it
	}
	if slices.Compare(x.from, f.lower) < 0 {
		x.from = f.lower
	}
	if slices.Compare(x.to, end) > 0 {
		x.to = end
	}
	return x
}

// readRangeDels returns the spans that a table deletes.
func readRangeDels(r *sstable.Reader, f *tableFile) (spans []keySpan) {
	it, err := r.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return nil
	}
	defer it.Close()
	for s, err := it.First(); s != nil && err == nil; s, err = it.Next() {
		x := f.clip(keySpan{slices.Clone(s.Start), slices.Clone(s.End)})
		if slices.Compare(x.from, x.to) < 0 {
			spans = append(spans, x)
		}
	}
	return spans
}

// raiseIDs makes sure that no id or generation is used again although what
// told of it may be lost, and that no bucket is forgotten.
func raiseIDs(ctx context.Context, s *store) error {
	var gen uint64
	var next [2]uint32
	err := s.each(keyCheckpoint, func(_, v []byte) (err error) { gen, next, err = decodeCheckpoint(v); return err })
	if err != nil {
		return err
	}
	buckets := make(map[uint32]*bucketState)
	err = s.each(keyChunk, func(k, _ []byte) error {
		if c, ok := parseChunkKey(k); ok {
			if c.tier == raw {
				buckets[c.bucket] = &bucketState{freshGens: 1}
			}
			gen = max(gen, uint64(c.gen))
			next[0], next[1] = max(next[0], c.stream+1), max(next[1], c.metric+1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = s.each(keyStream, func(k, _ []byte) error {
		if len(k) == 9 {
			next[0], next[1] = max(next[0], binary.BigEndian.Uint32(k[5:])+1), max(next[1], number(k)+1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = s.each(keyMetric, func(k, _ []byte) error { next[1] = max(next[1], number(k)+1); return nil })
	if err != nil {
		return err
	}
	err = s.each(keyBucket, func(k, _ []byte) error { delete(buckets, number(k)); return nil })
	if err != nil {
		return err
	}
	return s.apply(ctx, false, func(w *tableWriter) error {
		for _, b := range slices.Sorted(maps.Keys(buckets)) {
			if err := w.set(numberKey(keyBucket, b), buckets[b].encode()); err != nil {
				return err
			}
		}
		return w.set([]byte{keyCheckpoint}, encodeCheckpoint(gen, next))
	})
}
