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

	counts mergeCounts
	owners Owners
	its    []*tables.Iterator
	parts  []mergePart // chunks of one stream
	data   chunk.Buffer
	joined resolver // and what they come to
	list   chunkList
	aside  []tables.Change // damaged chunks, on their way to quarantine
}

// mergeCounts is what a merge notes of its bucket.
type mergeCounts struct {
	in, out, records uint64
	high             uint64 // latest time that was merged before
	overlaps         uint64 // records not later than that
	last             uint64 // latest time of all
}

// add counts the records of a stream that became chunks.
func (c *mergeCounts) add(r *chunk.Run, chunks int) {
	n := len(r.T)
	c.out += uint64(chunks)
	c.records += uint64(n)
	if n == 0 {
		return
	}
	c.last = max(c.last, uint64(r.T[n-1]))
	if c.high > 0 {
		c.overlaps += uint64(r.Find(uint32(c.high) + 1))
	}
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
	var requests courtesy
	for {
		requests.pause()
		stream := m.first()
		if err := m.err(); err != nil {
			return nil, err
		}
		if stream == nil || read >= mergePiece {
			return stream, nil
		}
		if err := m.gather(stream); err != nil {
			return nil, err
		}
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
func (m *merger) gather(stream []byte) error {
	m.parts = m.parts[:0]
	m.data.Reset()
	for _, it := range m.its {
		for ; it.Valid() && bytes.Equal(it.Key()[streamPos-4:prefixLen], stream); it.Next() {
			k, ok := parseChunkKey(it.Key())
			v, err := it.Value()
			if err != nil && !tables.IsDamage(err) {
				return err
			}
			if !ok || err != nil {
				m.quarantine(it.Key(), v, chunk.ErrDamaged)
				continue
			}
			m.parts = append(m.parts, mergePart{k, m.data.Add(v)})
			m.counts.in++
		}
	}
	slices.SortStableFunc(m.parts, func(a, b mergePart) int { return int(int64(a.key.gen) - int64(b.key.gen)) })
	return nil
}

func (m *merger) quarantine(key, value []byte, err error) {
	m.e.setAside(key, err)
	m.aside = append(m.aside, tables.Change{Key: append([]byte{keyQuarantine}, key...), Value: append([]byte{}, value...)})
}

// resolve puts what was gathered, which is in order of generations, together,
// and returns the last generation.
func (m *merger) resolve() (gen uint32) {
	m.joined.reset()
	for i := range m.parts {
		p := &m.parts[i]
		if err := m.joined.push(p); err != nil {
			m.quarantine(p.key.append(nil), p.data.Bytes(), err)
			continue
		}
		gen = max(gen, p.key.gen)
	}
	m.joined.finish()
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
	m.list.add(&m.joined.r, first.metric, first.stream, 0)
	m.counts.add(&m.joined.r, len(m.list.refs))
	if metric := m.e.ownerOf(first.stream); metric != nil { // else it was deleted
		m.owners[metric.Org()] += int64(len(m.joined.r.T))
	}
	return m.list.write(w, m.list.refs, merged, gen)
}

// resolver puts chunks of one stream, in order of generations, together in r.
type resolver struct {
	r       chunk.Run
	inOrder bool

	late, tmp chunk.Run
	c         chunk.Decoded
	sc        chunk.Scratch
}

func (s *resolver) reset() {
	s.r.Reset()
	s.inOrder = true
}

func (s *resolver) push(p *mergePart) error {
	if err := s.c.Read(p.data, p.key.start, &s.sc, true); err != nil {
		return err
	}
	n := len(s.r.T)
	if s.inOrder && n > 0 && s.c.T[0] <= s.r.T[n-1] && len(s.c.T) <= n/8 { // a little that came late
		s.late.Reset()
		s.late.PushChunk(&s.c, p.key.op)
		s.r.Overlay(&s.late, &s.tmp)
		return nil
	}
	s.inOrder = s.inOrder && (n == 0 || s.c.T[0] > s.r.T[n-1])
	s.r.PushChunk(&s.c, p.key.op)
	return nil
}

// finish resolves r after the last chunk.
func (s *resolver) finish() {
	if !s.inOrder {
		s.r.Resolve(&s.tmp)
	}
}
