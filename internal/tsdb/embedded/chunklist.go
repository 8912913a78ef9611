package embedded

import (
	"slices"
)

// chunkList collects encoded chunks of raw records.
type chunkList struct {
	buf     []byte
	refs    []chunkRef
	scratch scratch
}

// chunkRef is a chunk in the buffer of a list.
type chunkRef struct {
	bucket, metric, stream, start uint32
	op                            uint8
	records                       uint16
	off, end                      int
}

func (l *chunkList) reset() { l.buf, l.refs = l.buf[:0], l.refs[:0] }

// kind is what the records of one chunk have in common.
func (r *run) kind(i int) uint8 {
	if !r.has {
		return 0
	}
	k := r.op[i] & opFold
	if !isPlain(&r.sum[i]) {
		k |= opSummary
	}
	return k
}

// add appends the records of a resolved run, cut at the borders of buckets,
// where the kind changes, at the most that a chunk may hold, and at inOrder:
// what is before that came late. In one chunk with the rest it would make that
// lie over the chunk before it. So would a first record that was late itself.
func (l *chunkList) add(r *run, metric, stream, inOrder uint32) {
	for i := 0; i < len(r.t); {
		bucket, kind := r.t[i]/bucketLen[raw], r.kind(i)
		border := uint64(bucket+1) * uint64(bucketLen[raw])
		if r.t[i] < inOrder {
			border = min(border, uint64(inOrder))
		}
		j := i + 1
		for j < len(r.t) && j-i < maxChunk && uint64(r.t[j]) < border && r.kind(j) == kind && (r.t[i] < inOrder || !r.leap(j)) {
			j++
		}
		ref := chunkRef{bucket: bucket, metric: metric, stream: stream, start: r.t[i], op: kind, records: uint16(j - i), off: len(l.buf)}
		l.encode(r, i, j, kind)
		ref.end = len(l.buf)
		l.refs = append(l.refs, ref)
		i = j
	}
}

// leap reports whether record i starts something new after a long gap: what
// comes before it came late. In one chunk the two would lie over everything
// between them.
func (r *run) leap(i int) bool {
	gap := r.t[i] - r.t[i-1]
	return gap > minLeap && i+1 < len(r.t) && gap/32 > r.t[i+1]-r.t[i]
}

const minLeap = 1800

func (l *chunkList) encode(r *run, i, j int, kind uint8) {
	flags := byte(0)
	if kind&opFold != 0 {
		flags = flagFold
	}
	if kind&opSummary != 0 {
		l.buf = appendSummaries(l.buf, r.t[i:j], r.sum[i:j], flags, &l.scratch)
	} else {
		l.buf = appendChunk(l.buf, r.t[i:j], r.v[i:j], flags, &l.scratch)
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
func (l *chunkList) writeFresh(w *tableWriter, gen uint32) error {
	for refs := l.refs; len(refs) > 0; {
		n, size := 0, 0
		for n < len(refs) && refs[n].bucket == refs[0].bucket {
			size += refs[n].end - refs[n].off
			n++
		}
		if size >= ownTable || w.size >= ownTable {
			if err := w.cut(); err != nil {
				return err
			}
		}
		if err := l.write(w, refs[:n], fresh, gen); err != nil {
			return err
		}
		refs = refs[n:]
	}
	if w.size >= ownTable {
		return w.cut()
	}
	return nil
}

// write sets chunks of the list at a level, as of a generation.
func (l *chunkList) write(w *tableWriter, refs []chunkRef, level byte, gen uint32) error {
	var key []byte
	for i := range refs {
		r := &refs[i]
		k := chunkKey{tier: raw, bucket: r.bucket, level: level, metric: r.metric, stream: r.stream, start: r.start, gen: gen, op: r.op}
		key = k.append(key[:0])
		if err := w.set(key, l.buf[r.off:r.end]); err != nil {
			return err
		}
	}
	return nil
}
