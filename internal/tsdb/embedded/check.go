package embedded

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// Check looks at everything in o.Dir, which no engine may have open, and
// reports what is wrong with it. It changes nothing.
func Check(ctx context.Context, o Options, report func(Finding)) error {
	return inspect(ctx, o, report, false)
}

// Repair does what Check does, and sets aside what is damaged, so that the
// rest can be used.
func Repair(ctx context.Context, o Options, report func(Finding)) error {
	return inspect(ctx, o, report, true)
}

func inspect(ctx context.Context, o Options, report func(Finding), repair bool) (err error) {
	o.setDefaults(runtime.GOMAXPROCS(0))
	if has, err := exists(o.FS, o.Dir); err != nil {
		return fmt.Errorf("read the data directory: %w", err)
	} else if !has {
		return tidemark.Errorf(tidemark.NotFound, "there is no data directory")
	}
	lock, err := lockDir(&o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	c := &checker{o: &o, report: report, repair: repair}
	if err := c.checkLog(ctx); err != nil {
		return err
	}
	half, err := salvageHalfDone(o.FS, o.Dir)
	if err != nil {
		return fmt.Errorf("read the data directory: %w", err)
	}
	if half {
		report(Finding{Kind: "table", What: "all", Detail: "a repair was interrupted; the next start or repair finishes it", Repaired: repair})
		if !repair {
			return nil
		}
		if err := finishSalvage(o.FS, o.Dir); err != nil {
			return fmt.Errorf("salvage tables: %w", err)
		}
	}
	if sealed, err := exists(o.FS, o.Dir, tables.Dir); err != nil || !sealed {
		return err
	}
	files, bad, err := c.checkTables(ctx)
	if ctx.Err() != nil {
		return ctx.Err() // and no damage
	}
	if err != nil {
		report(noList(err))
		return nil
	}
	if bad && !repair {
		return nil // what is in them cannot be known
	}
	if bad {
		if err := c.salvage(ctx, files); err != nil {
			return fmt.Errorf("salvage tables: %w", err)
		}
	}
	s, err := tables.Open(o.storeOptions(func(error) {}))
	if err != nil {
		report(noList(err))
		return nil
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c.s = s
	if err := c.checkCatalog(); err != nil {
		return err
	}
	return c.checkChunks(ctx)
}

// noList is what there is to say if the list of tables cannot be read. There
// is no repair: the tables do not tell which of them count and in which order,
// and guessing would bring deleted and replaced data back.
func noList(err error) Finding {
	return Finding{
		Kind: "table", What: "the list of tables", Lost: 1,
		Detail: "it cannot be read, and without it the valid tables are unknown: restore a backup (" + err.Error() + ")",
	}
}

// checker is one check under way.
type checker struct {
	o      *Options
	s      *tables.Store
	report func(Finding)
	repair bool
	known  map[uint64]bool // metric<<32|stream
	spare  []tables.Change
	c      chunk.Decoded
	sc     chunk.Scratch
	data   chunk.Buffer
}

// checkLog reads the log to its end, or to where it stops making sense. There
// is nothing to repair: what is behind that place is never used.
func (c *checker) checkLog(ctx context.Context) error {
	log, err := wal.Open(wal.Options{FS: c.o.FS, Dir: c.o.Dir})
	if err != nil {
		return err
	}
	bad := 0
	_, cuts, err := log.Replay(0, func(_ uint64, payload []byte) error {
		if checkEntry(payload) != nil {
			bad++
		}
		return ctx.Err()
	})
	if err != nil {
		return errors.Join(err, log.Close())
	}
	for _, cut := range cuts {
		detail := fmt.Sprintf("%d bytes after the first %d are not used", cut.Bytes, cut.At)
		if cut.Torn {
			detail += "; a crash leaves such an end, of writes that were not acknowledged"
		}
		c.report(Finding{Kind: "log", What: cut.Segment, Detail: detail, Repaired: c.repair})
	}
	if bad > 0 {
		c.report(Finding{Kind: "log", What: "entries", Detail: fmt.Sprintf("%d entries are malformed", bad)})
	}
	return log.Close()
}

// checkEntry reports whether an entry of the log makes sense.
func checkEntry(payload []byte) error {
	f := fields{b: payload[1:]}
	switch payload[0] {
	case entryRecords, entryDistributions:
		return readRecords(payload, func(tidemark.OrgID, *record, *tsdb.Summary, []byte) {})
	case entryDefinitions:
		return readDefinitions(payload[1:], func(*catalog.Definition, tidemark.OrgID) {})
	case entryMode:
		f.uint32()
		f.mode()
	case entryDeletion:
		f.uint32()
	default:
		return errEntry
	}
	return f.err
}

// checkCatalog reads all metrics and streams.
func (c *checker) checkCatalog() error {
	cat := catalog.New().Edit() // not shared
	c.known = make(map[uint64]bool)
	err := c.s.Each(keyMetric, func(k, v []byte) error {
		if err := cat.LoadMetric(number(k), v); err != nil {
			c.damaged("catalogue", k, v, err)
		}
		return nil
	})
	if err != nil {
		c.report(Finding{Kind: "table", What: "metrics", Detail: err.Error()})
	}
	err = c.s.Each(keyStream, func(k, v []byte) error {
		if err := loadStream(cat, k, v); err != nil {
			c.damaged("catalogue", k, v, err)
			return nil
		}
		c.known[uint64(number(k))<<32|uint64(number(k[4:]))] = true
		return nil
	})
	if err != nil {
		c.report(Finding{Kind: "table", What: "streams", Detail: err.Error()})
	}
	return c.flush(context.Background())
}

// damaged reports what is at a key, and sets it aside if that is wanted.
func (c *checker) damaged(kind string, k, v []byte, err error) {
	f := Finding{Kind: kind, What: fmt.Sprintf("key %x", k), Detail: err.Error(), Lost: 1, Repaired: c.repair}
	if key, ok := parseChunkKey(k); ok {
		f.What = fmt.Sprintf("tier %d, metric %d, stream %d, from %d", window[key.tier], key.metric, key.stream, key.start)
		if h, err := chunk.HeaderOf(v); err == nil && key.tier == raw {
			f.Lost = int64(h.N)
		}
	}
	c.report(f)
	if c.repair {
		c.spare = append(c.spare, tables.Change{Key: slices.Clone(k)}, tables.Change{Key: append([]byte{keyQuarantine}, k...), Value: append([]byte{}, v...)})
	}
}

// flush sets aside what was found.
func (c *checker) flush(ctx context.Context) error {
	if len(c.spare) == 0 {
		return nil
	}
	err := c.s.Apply(ctx, false, func(w *tables.Writer) error { return w.Write(c.spare) })
	c.spare = nil
	return err
}

// checkChunks decodes every chunk. Where a block of a table cannot be read it
// goes on with the next stream.
func (c *checker) checkChunks(ctx context.Context) error {
	it, err := c.s.Iter([]byte{keyChunk}, []byte{keyChunk + 1})
	if err != nil {
		return err
	}
	last := []byte{keyChunk}
	for ok := it.First(); ; ok = it.Next() {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, it.Close())
		}
		if !ok {
			err := it.Err()
			if err == nil {
				break
			}
			c.report(Finding{Kind: "table", What: fmt.Sprintf("after key %x", last), Detail: err.Error(), Lost: 1})
			if last = following(last[:min(len(last), prefixLen)]); !it.Seek(last) {
				break // whatever follows cannot be reached
			}
		}
		last = append(last[:0], it.Key()...)
		v, err := it.Value()
		if err == nil {
			err = c.checkChunk(it.Key(), v)
		}
		if err != nil {
			c.damaged("chunk", it.Key(), v, err)
		}
	}
	if err := it.Close(); err != nil {
		c.report(Finding{Kind: "table", What: "chunks", Detail: err.Error()})
	}
	return c.flush(ctx)
}

func (c *checker) checkChunk(k, v []byte) error {
	key, ok := parseChunkKey(k)
	if !ok {
		return errors.New("its key is malformed")
	}
	c.data.Reset()
	switch key.tier {
	case overdue:
		_, err := chunk.ReadOverdue(v, key.start, bucketLen[overdue], nil)
		return err
	case raw:
		return c.c.Read(c.data.Add(v), key.start, &c.sc, true)
	}
	u := chunk.Rollup{Window: window[key.tier]}
	u.Bounds(0, 1<<33)
	return feedTierChunk(&c.data, v, key.start, &u)
}
