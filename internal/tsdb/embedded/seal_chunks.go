package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// chunkList collects encoded chunks of raw records.
type chunkList struct {
	buf     []byte
	refs    []chunkRef
	scratch chunk.Scratch
}

// chunkRef is a chunk in the buffer of a list.
type chunkRef struct {
	bucket, metric, stream, start uint32
	op                            uint8
	records                       uint16
	off, end                      int
}

func (l *chunkList) reset() { l.buf, l.refs = l.buf[:0], l.refs[:0] }

// add appends the records of a resolved run as chunks; see run.cut.
func (l *chunkList) add(r *chunk.Run, metric, stream, inOrder uint32) {
	for i := 0; i < len(r.T); {
		j, op := r.Cut(i, bucketLen[raw], inOrder)
		ref := chunkRef{
			bucket: r.T[i] / bucketLen[raw], metric: metric, stream: stream, start: r.T[i],
			op: op, records: uint16(j - i), off: len(l.buf),
		}
		l.buf = chunk.AppendRun(l.buf, r, i, j, &l.scratch)
		ref.end = len(l.buf)
		l.refs = append(l.refs, ref)
		i = j
	}
}

// sort orders the chunks by bucket; streams were added in order.
func (l *chunkList) sort() {
	byBucket := func(a, b chunkRef) int { return int(a.bucket) - int(b.bucket) }
	if !slices.IsSortedFunc(l.refs, byBucket) {
		slices.SortStableFunc(l.refs, byBucket)
	}
}

// ownTable is the size from which on a bucket gets tables of its own.
const ownTable = 16 << 10

// writeFresh sets all chunks as of a generation. Buckets that are not small
// get tables of their own: each is merged, and gives its space back, at its
// own time, and long before whatever else is sealed with it.
func (l *chunkList) writeFresh(w *tables.Writer, gen uint32) error {
	for refs := l.refs; len(refs) > 0; {
		n, size := 0, 0
		for n < len(refs) && refs[n].bucket == refs[0].bucket {
			size += refs[n].end - refs[n].off
			n++
		}
		if size >= ownTable || w.Pending() >= ownTable {
			if err := w.Cut(); err != nil {
				return err
			}
		}
		if err := l.write(w, refs[:n], fresh, gen); err != nil {
			return err
		}
		refs = refs[n:]
	}
	if w.Pending() >= ownTable {
		return w.Cut()
	}
	return nil
}

// write sets chunks of the list at a level, as of a generation.
func (l *chunkList) write(w *tables.Writer, refs []chunkRef, level byte, gen uint32) error {
	var key []byte
	for i := range refs {
		r := &refs[i]
		k := chunkKey{tier: raw, bucket: r.bucket, level: level, metric: r.metric, stream: r.stream, start: r.start, gen: gen, op: r.op}
		key = k.append(key[:0])
		if err := w.Set(key, l.buf[r.off:r.end]); err != nil {
			return err
		}
	}
	return nil
}
