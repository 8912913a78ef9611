package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// load reads from Pebble everything but chunks, and returns the generation
// that was sealed last.
func (e *Engine) load(ctx context.Context) (sealed uint64, err error) {
	c := e.catalog.Edit()
	defer c.Close()
	dropped := make(map[uint32]bool)
	steps := []struct {
		letter byte
		fn     func(key, value []byte) error
	}{
		{keyCheckpoint, func(_, v []byte) (err error) { sealed, err = e.loadCheckpoint(c, v); return err }},
		{keyDropped, func(k, _ []byte) error { dropped[number(k)] = true; return nil }},
		{keyMetric, func(k, v []byte) error {
			if dropped[number(k)] {
				return nil
			}
			return c.LoadMetric(number(k), v)
		}},
		{keyStream, func(k, v []byte) error { return loadStream(c, k, v) }},
		{keyLast, func(k, v []byte) error { return e.head.loadLast(number(k), v) }},
		{keyBucket, e.loadBucket},
		{keyDirty, e.loadMark},
		{keyTier, e.loadTier},
		{keyFrozen, e.loadFrozen},
		{keyOrg, e.loadOrg},
		{keyQuarantine, func([]byte, []byte) error { e.stats.lost++; return nil }},
	}
	if err := e.checkOrder(); err != nil {
		return 0, fmt.Errorf("load: %w", err)
	}
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := e.tables.Each(s.letter, s.fn); err != nil {
			return 0, fmt.Errorf("load: %w", err)
		}
	}
	if err := e.findMerged(); err != nil {
		return 0, fmt.Errorf("load: %w", err)
	}
	for id := range dropped {
		e.changes.toPurge = append(e.changes.toPurge, id)
	}
	c.HideUnseen(e.head.seen)
	e.head.streamCount.Store(int64(c.Count()))
	return sealed, nil
}

// checkOrder refuses data from before formats had numbers whose chunks were in
// another order: their days would be read as ones that no time can have.
func (e *Engine) checkOrder() error {
	it, err := e.tables.Iter([]byte{keyChunk, raw}, []byte{keyChunk, raw + 1})
	if err != nil {
		return err
	}
	if it.First() {
		if k, _ := parseChunkKey(it.Key()); k.bucket > math.MaxUint32/bucketLen[raw] {
			err = errors.New("the data is of a version before formats had numbers, which cannot be read")
		}
	}
	return errors.Join(err, it.Close())
}

// number returns the number in a key of a letter and a number.
func number(key []byte) uint32 {
	if len(key) < 5 {
		return 0
	}
	return binary.BigEndian.Uint32(key[1:])
}

func (e *Engine) loadCheckpoint(c catalog.Edit, v []byte) (uint64, error) {
	gen, next, err := decodeCheckpoint(v)
	if err != nil {
		return 0, err
	}
	e.sketched.Store(hasSketches(v))
	c.Reserve(next)
	return gen, nil
}

func loadStream(c catalog.Edit, k, v []byte) error {
	if len(k) != 9 {
		return fmt.Errorf("key of a stream is damaged")
	}
	return c.LoadStream(binary.BigEndian.Uint32(k[5:]), number(k), v)
}

func (e *Engine) loadBucket(k, v []byte) error {
	b, err := decodeBucket(v)
	if err != nil {
		return err
	}
	e.upkeep.buckets[number(k)] = b
	l := levels(0)
	if b.freshGens > 0 {
		l = hasFresh
	}
	e.state.Load().levels[number(k)] = l
	return nil
}

// findMerged looks which buckets have merged chunks. What is noted of them does
// not say: a merge that was under way left some. Taking all to have them would
// make every stream of every query look for them in vain.
func (e *Engine) findMerged() error {
	it, err := e.tables.Iter([]byte{keyChunk, raw}, []byte{keyChunk, raw + 1})
	if err != nil {
		return err
	}
	has := e.state.Load().levels
	for bucket := range e.upkeep.buckets {
		prefix := bucketKey(raw, merged, bucket)
		// Where that cannot be read there may be some: whoever reads them says what is damaged.
		if it.SeekWithin(prefix, following(prefix)) || it.Err() != nil {
			has[bucket] |= hasMerged
		}
	}
	_ = it.Close() // it would only say again what cannot be read
	return nil
}

func (e *Engine) loadMark(k, _ []byte) error {
	if d, ok := parseDirtyKey(k); ok {
		e.tiers.add(d, blockMark{saved: true})
	}
	return nil
}

func (e *Engine) loadTier(k, v []byte) error {
	if len(k) != 2 || k[1] < minutes || k[1] > hours || len(v) != 4 {
		return fmt.Errorf("state of a tier is damaged")
	}
	t := binary.BigEndian.Uint32(v)
	e.state.Load().done[k[1]] = t
	e.tiers.setMark(int(k[1]), t)
	return nil
}

func (e *Engine) loadFrozen(_, v []byte) error {
	if len(v) != 4 {
		return fmt.Errorf("start of raw records is damaged")
	}
	t := binary.BigEndian.Uint32(v)
	e.state.Load().frozen = t
	e.head.frozen.Store(t)
	return nil
}

func (e *Engine) loadOrg(k, v []byte) error {
	if len(k) != 9 || len(v) != 8 {
		return fmt.Errorf("count of an organization is damaged")
	}
	e.stats.samples[tidemark.OrgID(binary.BigEndian.Uint64(k[1:]))] = int64(binary.BigEndian.Uint64(v))
	return nil
}

// openLog replays the generations that were not sealed, and starts a new one.
func (e *Engine) openLog(ctx context.Context, sealed uint64) error {
	log, err := wal.Open(wal.Options{FS: e.o.FS, Dir: e.o.Dir, Cut: e.cut, Drop: e.dropped, Failing: e.logFailing})
	if err != nil {
		return err
	}
	e.log = log
	var gens []*generation
	p := newReplayer(e)
	defer p.close()
	last, cuts, err := log.Replay(sealed+1, func(no uint64, payload []byte) error {
		if len(gens) == 0 || gens[len(gens)-1].no != no {
			e.endReplayed(gens)
			gens = append(gens, newGeneration(no, e.o.Shards))
		}
		e.replay(p, gens[len(gens)-1], payload)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	p.wait()
	e.endReplayed(gens)
	for _, c := range cuts {
		e.o.Hooks.WALTruncated(c.Segment, c.At, c.Bytes)
	}
	e.head.active = newGeneration(max(last, sealed)+1, e.o.Shards)
	s := e.state.Load()
	s.gens = append(gens, e.head.active)
	c := e.catalog.View()
	total := c.Definitions(0, nil)
	e.head.logged, e.head.loggedTaken, e.head.loggedSafe = total, total, total
	e.head.streamCount.Store(int64(c.Count()))
	c.Close()
	if len(gens) == 0 && last > 0 {
		if err := log.Remove(last); err != nil {
			return err
		}
	}
	return log.Start(e.head.active.no)
}

// endReplayed closes the generation that was replayed last.
func (e *Engine) endReplayed(gens []*generation) {
	if len(gens) > 0 {
		c := e.catalog.View()
		defer c.Close()
		g := gens[len(gens)-1]
		g.closed, g.defs = true, c.Definitions(0, nil)
	}
}

// replay applies one payload of the log. There are no other goroutines yet. What does
// not make sense although its checksum is right is counted as lost.
func (e *Engine) replay(p *replayer, g *generation, payload []byte) {
	var err error
	if isRecords(payload) {
		err = p.records(g, payload)
	} else {
		p.wait()
		err = e.replayChange(payload)
	}
	if err != nil {
		e.loss("log", err)
	}
}

// replayChange applies an entry of the log that changes the catalogue.
func (e *Engine) replayChange(payload []byte) error {
	c := e.catalog.Edit()
	defer c.Close()
	f := fields{b: payload[1:]}
	switch payload[0] {
	case entryDefinitions:
		return readDefinitions(payload[1:], func(d *catalog.Definition, org tidemark.OrgID) { c.Replay(d, org, e.head.seen) })
	case entryMode:
		id, mode := f.uint32(), f.mode()
		if m := c.ByID(id); f.err == nil && m != nil {
			e.applyMode(c, m, mode)
		}
	case entryDeletion:
		id := f.uint32()
		if m := c.ByID(id); f.err == nil && m != nil {
			e.applyDrop(c, m)
		}
	default:
		return errEntry
	}
	return f.err
}
