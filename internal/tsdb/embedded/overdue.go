package embedded

import (
	"bytes"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Overdue records are those that come when raw records of their age are gone.
// They cannot replace anything, since it is not known any more what went into the
// summaries; they are added to them. Until that is done (overdue_fold.go) they are
// kept in order of arrival, a chunk for each stream, day and generation. Where
// they are many there is a second one, at the merged level, with what the hours
// of the first come to: a long query right after a history was moved in would
// read all of it otherwise.
type overdueChunk struct {
	key   chunkKey
	value []byte
	sums  []byte // or nil

	records, hours int
	open           chunk.Overdue // the hour that sums does not have yet
}

// worthSums is how many times as many records as hours there must be for sums of them.
const worthSums = 4

// add appends a record; joins says whether records may be made one.
func (c *overdueChunk) add(o *chunk.Overdue, joins bool) {
	c.value = chunk.AppendOverdue(c.value, o, c.key.start, bucketLen[overdue])
	if c.records++; !joins {
		return
	}
	if c.hours > 0 {
		if c.open.Join(o, window[hours]) {
			return
		}
		c.sums = chunk.AppendOverdue(c.sums, &c.open, c.key.start, bucketLen[overdue])
	}
	c.open = *o
	c.hours++
}

// done ends the sums, or leaves them out where there is little to save.
func (c *overdueChunk) done() {
	if c.records < worthSums*c.hours || c.hours == 0 {
		c.sums = nil
		return
	}
	c.sums = chunk.AppendOverdue(c.sums, &c.open, c.key.start, bucketLen[overdue])
}

// appendOverdueChunks makes chunks of one stream's records; joins says whether
// records may be made one.
func appendOverdueChunks(dst []overdueChunk, list []chunk.Overdue, metric, stream uint32, joins bool) []overdueChunk {
	if len(list) == 0 {
		return dst
	}
	byDay := make(map[uint32]*overdueChunk)
	for i := range list {
		d := list[i].T / bucketLen[overdue]
		c := byDay[d]
		if c == nil {
			c = &overdueChunk{key: chunkKey{tier: overdue, bucket: d, level: fresh, metric: metric, stream: stream, start: d * bucketLen[overdue]}}
			byDay[d] = c
		}
		c.add(&list[i], joins)
	}
	for _, c := range byDay {
		c.done()
		dst = append(dst, *c)
	}
	return dst
}

// writeOverdue sets chunks as of a generation: sums first, which is the order of
// keys.
func writeOverdue(w *tables.Writer, chunks []overdueChunk, gen uint32) error {
	for i := range chunks {
		chunks[i].key.gen = gen
	}
	slices.SortFunc(chunks, func(a, b overdueChunk) int { return bytes.Compare(a.key.append(nil), b.key.append(nil)) })
	for i := range chunks {
		if chunks[i].sums == nil {
			continue
		}
		k := chunks[i].key
		k.level = merged
		if err := w.Set(k.append(nil), chunks[i].sums); err != nil {
			return err
		}
	}
	for i := range chunks {
		if err := w.Set(chunks[i].key.append(nil), chunks[i].value); err != nil {
			return err
		}
	}
	return nil
}
