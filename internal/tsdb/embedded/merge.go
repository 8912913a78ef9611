package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Chunks are merged on two levels. What was sealed is fresh; when eight
// generations of it have gathered in a bucket they are merged among
// themselves and move to the merged level, as one more layer. All layers are
// merged into one when the day is over, and again when late data has piled up
// several. So a record is rewritten twice or so, however many generations a
// day has.
//
// A merged chunk takes the highest generation that went into it. That is
// right, since all fresh chunks of a stream go into it, and they are later
// than all merged ones.
const mergePiece = 8 << 20 // bytes of chunks that are merged in one atomic step

// mergeDue merges the buckets that are due.
func (e *Engine) mergeDue(ctx context.Context) error {
	e.background.Lock()
	list := slices.Sorted(maps.Keys(e.buckets))
	e.background.Unlock()
	for _, b := range list {
		for range 2 { // fresh chunks first, then all, if need be
			kind := e.planMerge(b)
			if kind == mergeNone {
				break
			}
			if err := e.merge(ctx, b, kind == mergeAll); err != nil {
				return fmt.Errorf("merge: %w", err)
			}
		}
	}
	return nil
}

// planMerge decides what to merge of a bucket now.
func (e *Engine) planMerge(bucket uint32) mergeKind {
	e.background.Lock()
	defer e.background.Unlock()
	b := e.buckets[bucket]
	if b == nil || e.mergeHolds[bucket].holds(e.o.Now()) {
		return mergeNone
	}
	end := int64(bucket+1) * int64(bucketLen[raw])
	return b.planMerge(end+margin < e.now(), e.now()-b.written >= quiet)
}

// mergeHold keeps a bucket from being merged after a merge of it failed.
type mergeHold struct {
	damaged bool          // it has blocks that cannot be read: until the next start
	until   time.Time     // else it is tried again then
	pause   time.Duration // and this was how long that is
}

const (
	minMergePause = 5 * time.Second
	maxMergePause = 5 * time.Minute
)

func (h mergeHold) holds(now time.Time) bool { return h.damaged || now.Before(h.until) }

// after returns the hold that follows from h when a merge fails with err.
func (h mergeHold) after(err error, now time.Time) mergeHold {
	h.damaged = tables.IsDamage(err)
	h.pause = min(maxMergePause, max(minMergePause, 2*h.pause))
	h.until = now.Add(h.pause)
	return h
}

// merge merges a bucket: its fresh chunks, or all. Seals are held up for the
// length of a piece only.
func (e *Engine) merge(ctx context.Context, bucket uint32, full bool) error {
	m := &merger{e: e, bucket: bucket, full: full, began: time.Now()}
	e.background.Lock()
	b := e.buckets[bucket]
	if b == nil {
		e.background.Unlock()
		return nil
	}
	gens, records := b.freshGens, b.freshRecords
	m.high = b.high
	if !full || gens > 0 || !b.good() { // something may have been sealed just now
		m.next = make([]byte, 8)  // the first metric and stream
		e.change(func(s *state) { // before there is anything
			s.setLevels(bucket, func(l levels) levels { return l | hasMerged })
		})
	}
	e.background.Unlock()
	for m.next != nil {
		if err := e.mergePiece(ctx, m); err != nil {
			return e.mergeFailed(bucket, err)
		}
	}
	if err := e.merged(ctx, m, gens, records); err != nil {
		return e.mergeFailed(bucket, err)
	}
	return nil
}

// mergeFailed holds merges of the bucket back for a while, so that others go
// on, unless the merge was only interrupted. It returns err.
func (e *Engine) mergeFailed(bucket uint32, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.background.Lock()
	defer e.background.Unlock()
	e.mergeHolds[bucket] = e.mergeHolds[bucket].after(err, e.o.Now())
	return err
}

func (e *Engine) mergePiece(ctx context.Context, m *merger) error {
	e.background.Lock()
	defer e.background.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.piece(ctx)
}

// merged notes what a merge has done.
func (e *Engine) merged(ctx context.Context, m *merger, gens, records uint64) error {
	e.background.Lock()
	defer e.background.Unlock()
	b := e.buckets[m.bucket]
	if b == nil {
		return nil // expired meanwhile
	}
	after := *b
	after.freshGens -= min(gens, after.freshGens)
	after.freshRecords -= min(records, after.freshRecords)
	switch {
	case m.full:
		after.settled, after.layers, after.layerRecords = true, 0, 0
		if m.in > 0 {
			after.records, after.chunks, after.overlaps = m.records, m.out, 0
		}
	default:
		after.overlaps += m.overlaps
		after.layers++
		after.layerRecords += m.records
		after.records += m.records
		after.chunks += m.out
	}
	after.high = max(after.high, m.last)
	err := e.store.Apply(ctx, false, func(w *tables.Writer) error {
		return w.Set(numberKey(keyBucket, m.bucket), after.encode())
	})
	if err != nil {
		return err
	}
	*b = after
	delete(e.mergeHolds, m.bucket)
	if after.freshGens == 0 {
		e.change(func(s *state) {
			s.setLevels(m.bucket, func(l levels) levels { return l &^ hasFresh })
		})
		e.reclaim(ctx, m.span(fresh, nil, nil))
	}
	start := time.Unix(int64(m.bucket)*int64(bucketLen[raw]), 0).UTC()
	e.o.Events.Merged(MergeInfo{Day: start, Full: m.full, ChunksIn: int64(m.in), Out: int64(m.out), Took: time.Since(m.began)})
	return nil
}

// merger merges one bucket, a piece at a time.
type merger struct {
	e      *Engine
	bucket uint32
	full   bool
	began  time.Time
	next   []byte // metric and stream to go on with; nil at the end

	in, out, records uint64
	high             uint64 // latest time that was merged before
	overlaps         uint64 // records not later than that
	last             uint64 // latest time of all

	its   []*tables.Iterator
	parts []mergePart
	data  chunk.Buffer
	r     chunk.Run
	late  chunk.Run
	tmp   chunk.Run
	c     chunk.Decoded
	sc    chunk.Scratch
	list  chunkList
	aside []tables.Change // damaged chunks, on their way to quarantine
}

type mergePart struct {
	key  chunkKey
	data chunk.Encoded
}

// piece merges the next streams, about mergePiece bytes of them, in one
// atomic step.
func (m *merger) piece(ctx context.Context) (err error) {
	levels := []byte{fresh}
	if m.full {
		levels = []byte{merged, fresh}
	}
	m.its = m.its[:0]
	defer func() {
		for _, it := range m.its {
			err = errors.Join(err, it.Close())
		}
	}()
	for _, level := range levels {
		x := m.span(level, m.next, nil)
		it, err := m.e.store.Iter(x.From, x.To)
		if err != nil {
			return err
		}
		m.its = append(m.its, it)
		it.First()
	}
	from := m.next
	m.aside = nil
	err = m.e.store.Apply(ctx, true, func(w *tables.Writer) error {
		next, err := m.fill(w)
		if err != nil {
			return err
		}
		if m.full { // nothing of the old tables stays
			w.Excise(m.span(merged, from, next))
		}
		// The deletion gets a table of its own: it lies far from the chunks,
		// and one over both would lie over everything between.
		if err := w.Cut(); err != nil {
			return err
		}
		if err := w.DeleteRange(m.span(fresh, from, next)); err != nil {
			return err
		}
		m.next = next
		return w.Write(m.aside)
	})
	return err
}

// span returns the keys of a level from one stream up to another, or to the
// end if that is nil.
func (m *merger) span(level byte, from, to []byte) tables.Span {
	x := tables.Span{From: m.key(level, from), To: following(m.key(level, nil))}
	if to != nil {
		x.To = m.key(level, to)
	}
	return x
}

// key returns the key of a level, metric and stream of the bucket.
func (m *merger) key(level byte, stream []byte) []byte {
	return append(bucketKey(raw, level, m.bucket), stream...)
}

// fill writes merged chunks until the piece is large enough, and returns the
// stream to go on with, or nil.
func (m *merger) fill(w *tables.Writer) (next []byte, err error) {
	read := 0
	for {
		stream := m.first()
		if err := m.err(); err != nil {
			return nil, err
		}
		if stream == nil || read >= mergePiece {
			return stream, nil
		}
		m.gather(stream)
		read += m.data.Len()
		if err := m.write(w); err != nil {
			return nil, err
		}
	}
}

func (m *merger) err() error {
	for _, it := range m.its {
		if err := it.Err(); err != nil {
			return err
		}
	}
	return nil
}

// first returns the smallest stream that any level has next.
func (m *merger) first() []byte {
	var low []byte
	for _, it := range m.its {
		if it.Valid() {
			if s := it.Key()[streamPos-4 : prefixLen]; low == nil || bytes.Compare(s, low) < 0 {
				low = slices.Clone(s)
			}
		}
	}
	return low
}

// gather reads all chunks of a stream.
func (m *merger) gather(stream []byte) {
	m.parts = m.parts[:0]
	m.data.Reset()
	for _, it := range m.its {
		for ; it.Valid() && bytes.Equal(it.Key()[streamPos-4:prefixLen], stream); it.Next() {
			k, ok := parseChunkKey(it.Key())
			v, err := it.Value()
			if !ok || err != nil {
				m.quarantine(it.Key(), v, chunk.ErrDamaged)
				continue
			}
			m.parts = append(m.parts, mergePart{k, m.data.Add(v)})
			m.in++
		}
	}
	slices.SortStableFunc(m.parts, func(a, b mergePart) int { return int(int64(a.key.gen) - int64(b.key.gen)) })
}

func (m *merger) quarantine(key, value []byte, err error) {
	m.e.setAside(key, err)
	m.aside = append(m.aside, tables.Change{Key: append([]byte{keyQuarantine}, key...), Value: append([]byte{}, value...)})
}

// resolve puts what was gathered, which is in order of generations, together in
// m.r, and returns the last generation.
func (m *merger) resolve() (gen uint32) {
	m.r.Reset()
	inOrder := true
	for i := range m.parts {
		p := &m.parts[i]
		if err := m.c.Read(p.data, p.key.start, &m.sc, true); err != nil {
			m.quarantine(p.key.append(nil), p.data.Bytes(), err)
			continue
		}
		gen = max(gen, p.key.gen)
		n := len(m.r.T)
		if inOrder && n > 0 && m.c.T[0] <= m.r.T[n-1] && len(m.c.T) <= n/8 { // a little that came late
			m.late.Reset()
			m.late.PushChunk(&m.c, p.key.op)
			m.r.Overlay(&m.late, &m.tmp)
			continue
		}
		inOrder = inOrder && (n == 0 || m.c.T[0] > m.r.T[n-1])
		m.r.PushChunk(&m.c, p.key.op)
	}
	if !inOrder {
		m.r.Resolve(&m.tmp)
	}
	return gen
}

// write resolves what was gathered and writes it as few chunks.
func (m *merger) write(w *tables.Writer) error {
	if len(m.parts) == 0 {
		return nil
	}
	gen := m.resolve()
	first := m.parts[0].key
	m.list.reset()
	m.list.add(&m.r, first.metric, first.stream, 0)
	m.out += uint64(len(m.list.refs))
	m.records += uint64(len(m.r.T))
	if n := len(m.r.T); n > 0 {
		m.last = max(m.last, uint64(m.r.T[n-1]))
		if m.high > 0 {
			m.overlaps += uint64(m.r.Find(uint32(m.high) + 1))
		}
	}
	return m.list.write(w, m.list.refs, merged, gen)
}
