package embedded

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

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
		it, err := m.e.tables.Iter(x.From, x.To)
		if err != nil {
			return err
		}
		m.its = append(m.its, it)
		it.First()
	}
	from := m.next
	m.aside = nil
	err = m.e.tables.Apply(ctx, true, func(w *tables.Writer) error {
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
