package embedded

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Overdue records are those that come when raw records of their age are gone.
// They cannot replace anything, since nobody knows any more what went into the
// summaries; they are added to them. Until that is done (fold.go) they are
// kept in order of arrival, a chunk for each stream, day and generation:
//
//	{uvarint(time - start) count sum min max last M2, 8 bytes each}...
type overdueChunk struct {
	key   chunkKey
	value []byte
}

// appendOverdueChunks makes chunks of one stream's records.
func appendOverdueChunks(dst []overdueChunk, list []overdueRecord, metric, stream uint32) []overdueChunk {
	if len(list) == 0 {
		return dst
	}
	byDay := make(map[uint32]*overdueChunk)
	for i := range list {
		d := list[i].t / bucketLen[overdue]
		c := byDay[d]
		if c == nil {
			c = &overdueChunk{key: chunkKey{tier: overdue, bucket: d, level: fresh, metric: metric, stream: stream, start: d * bucketLen[overdue]}}
			byDay[d] = c
		}
		c.value = appendOverdue(c.value, &list[i], c.key.start)
	}
	for _, c := range byDay {
		dst = append(dst, *c)
	}
	return dst
}

func appendOverdue(dst []byte, r *overdueRecord, start uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(r.t-start))
	for _, f := range [6]float64{r.sum.Count, r.sum.Sum, r.sum.Min, r.sum.Max, r.sum.Last, r.sum.M2} {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	}
	return dst
}

func readOverdue(v []byte, start uint32, dst []overdueRecord) ([]overdueRecord, error) {
	for len(v) > 0 {
		d, k := binary.Uvarint(v)
		if k <= 0 || len(v) < k+48 || d >= uint64(bucketLen[overdue]) {
			return dst, errDamaged
		}
		r := overdueRecord{t: start + uint32(d)}
		readSummary(v[k:], &r.sum)
		dst = append(dst, r)
		v = v[k+48:]
	}
	return dst, nil
}

func writeOverdue(w *tableWriter, chunks []overdueChunk, gen uint32) error {
	for i := range chunks {
		chunks[i].key.gen = gen
	}
	slices.SortFunc(chunks, func(a, b overdueChunk) int { return bytes.Compare(a.key.append(nil), b.key.append(nil)) })
	for i := range chunks {
		if err := w.set(chunks[i].key.append(nil), chunks[i].value); err != nil {
			return err
		}
	}
	return nil
}

// absorb adds overdue records, in order of arrival, to summaries by window.
func absorb(times []int64, sums []tsdb.Summary, list []overdueRecord, step int64) ([]int64, []tsdb.Summary) {
	for i := range list {
		w := int64(list[i].t) / step * step
		at, ok := slices.BinarySearch(times, w)
		if !ok {
			times = slices.Insert(times, at, w)
			sums = slices.Insert(sums, at, tsdb.Summary{})
		}
		sums[at].Merge(&list[i].sum)
	}
	return times, sums
}
