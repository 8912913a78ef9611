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
// kept in order of arrival, a chunk for each stream, day and generation.
type overdueChunk struct {
	key   chunkKey
	value []byte
}

// appendOverdueChunks makes chunks of one stream's records.
func appendOverdueChunks(dst []overdueChunk, list []chunk.Overdue, metric, stream uint32) []overdueChunk {
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
		c.value = chunk.AppendOverdue(c.value, &list[i], c.key.start, bucketLen[overdue])
	}
	for _, c := range byDay {
		dst = append(dst, *c)
	}
	return dst
}

func writeOverdue(w *tables.Writer, chunks []overdueChunk, gen uint32) error {
	for i := range chunks {
		chunks[i].key.gen = gen
	}
	slices.SortFunc(chunks, func(a, b overdueChunk) int { return bytes.Compare(a.key.append(nil), b.key.append(nil)) })
	for i := range chunks {
		if err := w.Set(chunks[i].key.append(nil), chunks[i].value); err != nil {
			return err
		}
	}
	return nil
}
