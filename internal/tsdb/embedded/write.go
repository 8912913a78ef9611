package embedded

import (
	"context"
	"math"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// commit is a batch on its way through the log into memory. It is used again
// once its writer is done with it.
type commit struct {
	seq      uint64
	gen      *generation
	org      tidemark.OrgID
	recs     []record
	sums     []tsdb.Summary
	sketches [][]byte // of the first of those, if any has one; they stay in the batch
	frame    []byte
}

func (c *commit) reset() { c.recs, c.sums, c.sketches = c.recs[:0], c.sums[:0], c.sketches[:0] }

// add appends a summary with its sketch, or nil.
func (c *commit) add(s *tsdb.Summary, sketch []byte) {
	c.sums = append(c.sums, *s)
	if sketch == nil {
		return
	}
	for len(c.sketches) < len(c.sums) {
		c.sketches = append(c.sketches, nil)
	}
	c.sketches[len(c.sums)-1] = sketch
}

// summary returns those of a record that is more than a value.
func (c *commit) summary(r *record) (sum *tsdb.Summary, sketch []byte) {
	if r.op&chunk.OpSummary == 0 {
		return nil, nil
	}
	return &c.sums[int(r.v)], sketchAt(c.sketches, int(r.v))
}

// Write stores the records of b, whole or not at all; see tsdb.Engine.
func (e *Engine) Write(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	if b.Len() == 0 {
		return nil
	}
	if b.HasSketches() {
		if err := e.allowSketches(ctx, b); err != nil {
			return err
		}
	}
	if err := e.waitForMemory(ctx, org); err != nil {
		return err
	}
	c := e.pools.commits.Get().(*commit)
	defer e.putCommit(c)
	c.reset()
	c.org = org
	if err := e.resolve(c, b); err != nil {
		return err
	}
	c.frame = appendRecords(append(c.frame[:0], make([]byte, wal.FrameHeader)...), org, c.recs, c.sums, c.sketches)
	wal.Frame(c.frame)
	if err := e.commit(c); err != nil {
		return err
	}
	e.head.drain(c.seq)
	e.sealInline(ctx)
	return nil
}

// putCommit keeps c for the next write, but nothing that it refers to: a
// generation is large.
func (e *Engine) putCommit(c *commit) {
	c.gen = nil
	clear(c.sketches)
	e.pools.commits.Put(c)
}

// commit makes c durable.
func (e *Engine) commit(c *commit) error {
	_, err := e.log.Append(c.frame, func(seq, _ uint64, buf []byte) []byte {
		c.seq, c.gen = seq, e.head.active
		if c.gen.records.Add(int64(len(c.recs))) == int64(len(c.recs)) {
			c.gen.started = e.now()
		}
		for i := range e.head.queues {
			e.head.queues[i].push(c)
		}
		return e.logDefinitions(buf)
	})
	if err == nil {
		err = e.log.Wait(c.seq)
	}
	return refusal(err)
}

// resolve fills c with the records of b, and defines streams that are new.
func (e *Engine) resolve(c *commit, b *tsdb.Batch) error {
	missing, err := e.lookUp(c, b)
	if err != nil || !missing {
		return err
	}
	for i := range c.recs {
		if c.recs[i].id == noStream {
			if _, _, ok := tsdb.ParseKey(b.Key(i)); !ok {
				return tidemark.Errorf(tidemark.Invalid, "record %d has a malformed key", i)
			}
		}
	}
	cat := e.catalog.Edit()
	defer cat.Close()
	if err := e.checkLimits(cat.View, c, b); err != nil {
		return err
	}
	for i := range c.recs {
		if c.recs[i].id == noStream {
			c.recs[i].id = cat.Define(c.org, b.Key(i))
			e.setMode(&c.recs[i], cat.ModeOf(c.recs[i].id))
		}
	}
	e.head.streamCount.Store(int64(cat.Count()))
	return nil
}

const noStream = math.MaxUint32

// lookUp appends the records of b to c; those of streams not known get
// noStream, and are reported.
func (e *Engine) lookUp(c *commit, b *tsdb.Batch) (missing bool, err error) {
	cat := e.catalog.View()
	defer cat.Close()
	oldest := e.expiry(raw)
	var prev []byte
	var mode tsdb.Mode
	id := uint32(noStream)
	for i := range b.Records {
		in := &b.Records[i]
		if err := in.Validate(); err != nil {
			return false, err
		}
		key := b.Key(i)
		if i == 0 || !sameSlice(key, prev) {
			prev = key
			var ok bool
			if id, ok = cat.Recall(c.org, key, b.Ref(i)); !ok {
				id, missing = noStream, true
			}
			mode = cat.ModeOf(id)
		}
		r := record{id: id, t: uint32(in.Time), v: in.Summary.Sum}
		sketch := b.Sketch(i)
		if !chunk.IsPlain(&in.Summary) || sketch != nil {
			r.op, r.v = chunk.OpSummary, float64(len(c.sums))
			c.add(&in.Summary, sketch)
		}
		if mode.Fold {
			e.setMode(&r, mode)
		}
		if r.t < oldest {
			r.op |= opOverdue
		}
		c.recs = append(c.recs, r)
	}
	return missing, nil
}

// sameSlice reports whether a and b are the same bytes in memory, as keys of
// records of one stream in a row are.
func sameSlice(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// setMode makes r what its metric's mode says. The time is floored before it
// is logged, so that replay does not depend on settings.
func (e *Engine) setMode(r *record, mode tsdb.Mode) {
	if mode.Fold {
		r.op |= chunk.OpFold
		r.t = uint32(int64(r.t) / mode.Period * mode.Period)
		if r.t < e.expiry(raw) {
			r.op |= opOverdue
		}
	}
}

// checkLimits reports whether the new streams of c would be too many.
func (e *Engine) checkLimits(cat *catalog.View, c *commit, b *tsdb.Batch) error {
	room := e.room(b)
	if e.o.MaxStreams == 0 && room == (tsdb.Room{}) {
		return nil
	}
	f := cat.Fitting(c.org, room)
	for i := range c.recs {
		if c.recs[i].id == noStream {
			if limit := f.Add(b.Key(i)); limit != "" {
				return tidemark.Errorf(tidemark.TooLarge, "the organization has no room for the streams: the limit is %s", limit)
			}
		}
	}
	if limit := e.o.MaxStreams; limit > 0 && cat.Count()+f.Added() > limit {
		return tidemark.Errorf(tidemark.TooLarge, "%d streams are the most that this server may have", limit)
	}
	return nil
}

// room is what the organization may have after a write of b.
func (e *Engine) room(b *tsdb.Batch) tsdb.Room {
	room := b.Room
	if most := int64(e.o.MaxStreamsPerOrg); most > 0 && (room.Streams == 0 || most < room.Streams) {
		room.Streams = most
	}
	return room
}

// Fits tells which streams of b there is no room for; see tsdb.Engine.
func (e *Engine) Fits(org tidemark.OrgID, b *tsdb.Batch) []tidemark.LimitName {
	cat := e.catalog.View()
	defer cat.Close()
	limits := make([]tidemark.LimitName, b.Len())
	f := cat.Fitting(org, e.room(b))
	for i := range limits {
		if limits[i] = f.Add(b.Key(i)); limits[i] == "" && e.o.MaxStreams > 0 && cat.Count()+f.Added() > e.o.MaxStreams {
			if _, known := cat.Find(org, b.Key(i)); !known {
				limits[i] = tidemark.LimitStreams
			}
		}
	}
	return limits
}

// logDefinitions appends the definitions that the log has not seen, so that
// each precedes its first use, whichever writer logs first. The log is locked.
func (e *Engine) logDefinitions(buf []byte) []byte {
	c := e.catalog.View()
	defer c.Close()
	if e.head.logged >= c.Definitions(0, nil) {
		return buf
	}
	at := len(buf)
	buf = append(append(buf, make([]byte, wal.FrameHeader)...), entryDefinitions)
	e.head.logged = c.Definitions(e.head.logged, func(d *catalog.Definition, org tidemark.OrgID) { buf = appendDefinition(buf, d, org) })
	wal.Frame(buf[at:])
	return buf
}

// cut is asked by the log, before each group is written, whether to close the
// generation that is being filled.
func (e *Engine) cut(seq uint64) bool {
	// That this is asked means that the group before went well.
	e.head.loggedSafe, e.head.loggedTaken = e.head.loggedTaken, e.head.logged
	g := e.head.active
	n := g.records.Load()
	if !e.head.cutNow && (n == 0 || !e.isFull(g, n)) {
		return false
	}
	e.head.cutNow = false
	g.closed, g.end, g.defs = true, seq, e.head.logged
	e.head.active = newGeneration(g.no+1, e.o.Shards)
	for i := range g.shards { // expect the same streams
		e.head.active.shards[i].tail = make([]uint32, e.head.queues[i].streams.Load())
	}
	e.state.change(func(s *state) { s.gens = append(s.gens, e.head.active) })
	select {
	case e.head.sealNow <- struct{}{}:
	default:
	}
	return true
}

func (e *Engine) isFull(g *generation, n int64) bool {
	limit := int64(e.o.GenerationRecords)
	if limit == 0 {
		limit = max(defaultGeneration, 32*int64(e.head.streamCount.Load()))
	}
	return n >= limit || g.hasHistory() || g.memory.Load() >= e.o.MemoryBytes/maxGenerations ||
		e.now()-g.started >= int64(e.o.GenerationAge/time.Second)
}

const (
	defaultGeneration = 4 << 20
	maxGenerations    = 4 // in memory at once, one of them being filled
)

// dropped is the log's callback for refused records: they must not reach
// memory, and definitions among them must be logged again.
func (e *Engine) dropped(after, upto uint64) {
	for i := range e.head.queues {
		e.head.queues[i].remove(after, upto)
	}
	e.head.logged, e.head.loggedTaken = e.head.loggedSafe, e.head.loggedSafe
}
