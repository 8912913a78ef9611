package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// damagedDir is where the tables are kept from which others were salvaged.
const (
	damagedDir  = "db-damaged"
	salvagedDir = "db-salvaged"
)

// checkTables reads every block of every table.
func (c *checker) checkTables(ctx context.Context) (files []tables.File, bad bool, err error) {
	files, err = tables.List(c.o.FS, c.o.Dir)
	if err != nil {
		return nil, false, err
	}
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		f := &files[i]
		if err := f.Check(); err != nil {
			f.Bad, bad = true, true
			c.report(Finding{Kind: "table", What: f.Name, Detail: err.Error(), Lost: 1, Repaired: c.repair})
		}
	}
	return files, bad, nil
}

// salvage makes a new database of what can be read of the tables, and puts it
// in the place of the old one, which is kept beside it.
func (c *checker) salvage(ctx context.Context, files []tables.File) error {
	fs, dir := c.o.FS, c.o.Dir
	for _, name := range []string{salvagedDir, damagedDir} {
		if err := fs.RemoveAll(fs.PathJoin(dir, name)); err != nil {
			return err
		}
	}
	o := *c.o
	o.Dir = fs.PathJoin(dir, salvagedDir)
	if err := tables.MakeDir(fs, o.Dir); err != nil {
		return err
	}
	s, err := tables.Open(o.storeOptions(func(error) {}))
	if err != nil {
		return err
	}
	for i := range files {
		if err := c.salvageTable(ctx, s, &files[i]); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	if err := errors.Join(raiseIDs(ctx, s), s.Close()); err != nil {
		return err
	}
	if err := fs.Rename(fs.PathJoin(dir, tables.Dir), fs.PathJoin(dir, damagedDir)); err != nil {
		return err
	}
	return finishSalvage(fs, dir)
}

// salvageHalfDone reports whether a repair ended after it had taken the old
// tables away and before the new ones were in their place.
func salvageHalfDone(fs tables.FS, dir string) (bool, error) {
	if has, err := exists(fs, dir, tables.Dir); has || err != nil {
		return false, err
	}
	if has, err := exists(fs, dir, damagedDir); !has || err != nil {
		return false, err
	}
	return exists(fs, dir, salvagedDir, tables.Dir)
}

// exists reports whether there is something at a path.
func exists(fs tables.FS, path ...string) (bool, error) {
	_, err := fs.Stat(fs.PathJoin(path...))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// finishSalvage puts the new tables in the place of the old ones.
func finishSalvage(fs tables.FS, dir string) error {
	from := fs.PathJoin(dir, salvagedDir)
	if err := fs.Rename(fs.PathJoin(from, tables.Dir), fs.PathJoin(dir, tables.Dir)); err != nil {
		return err
	}
	return errors.Join(fs.RemoveAll(from), tables.SyncDir(fs, dir))
}

// salvageTable copies what can be read of one table.
func (c *checker) salvageTable(ctx context.Context, s *tables.Store, f *tables.File) error {
	changes, ranges, complete, err := f.Read()
	if err != nil {
		return nil // reported before; there is nothing to read
	}
	if !complete && !f.Bad {
		c.report(Finding{Kind: "table", What: f.Name, Detail: "it could be read in part only", Lost: 1, Repaired: true})
	}
	return s.Apply(ctx, true, func(w *tables.Writer) error {
		for _, d := range ranges {
			if err := w.DeleteRange(d); err != nil {
				return err
			}
		}
		return w.Write(changes)
	})
}

// raiseIDs makes sure that no id or generation is used again although its
// record may be lost, and that no bucket is forgotten.
func raiseIDs(ctx context.Context, s *tables.Store) error {
	var gen uint64
	var next [2]uint32
	sketched := false
	err := s.Each(keyCheckpoint, func(_, v []byte) (err error) {
		sketched = hasSketches(v)
		gen, next, err = decodeCheckpoint(v)
		return err
	})
	if err != nil {
		return err
	}
	buckets := make(map[uint32]*bucketState)
	err = s.Each(keyChunk, func(k, _ []byte) error {
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
	err = s.Each(keyStream, func(k, _ []byte) error {
		if len(k) == 9 {
			next[0], next[1] = max(next[0], binary.BigEndian.Uint32(k[5:])+1), max(next[1], number(k)+1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = s.Each(keyMetric, func(k, _ []byte) error { next[1] = max(next[1], number(k)+1); return nil })
	if err != nil {
		return err
	}
	err = s.Each(keyBucket, func(k, _ []byte) error { delete(buckets, number(k)); return nil })
	if err != nil {
		return err
	}
	return s.Apply(ctx, false, func(w *tables.Writer) error {
		for _, b := range slices.Sorted(maps.Keys(buckets)) {
			if err := w.Set(numberKey(keyBucket, b), buckets[b].encode()); err != nil {
				return err
			}
		}
		return w.Set([]byte{keyCheckpoint}, markSketches(encodeCheckpoint(gen, next), sketched))
	})
}
