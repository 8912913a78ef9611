package embedded

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// format is the version of what is in Pebble. It is raised when keys
// or values change such that older data could not be read any more.
const format = 1

// formatSketches is that of data with sketches in it, which versions that know
// format 1 only would lose. Data is of it from the first sketch on.
const formatSketches = 2

// encodeCheckpoint says which generation was sealed last, which ids were never
// given out, and the format.
func encodeCheckpoint(gen uint64, next [2]uint32) []byte {
	b := binary.BigEndian.AppendUint64(nil, gen)
	b = binary.BigEndian.AppendUint32(b, next[0])
	b = binary.BigEndian.AppendUint32(b, next[1])
	return append(b, format)
}

func decodeCheckpoint(v []byte) (gen uint64, next [2]uint32, err error) {
	if len(v) == 16 {
		v = append(slices.Clone(v), format) // the first did not say so
	}
	if len(v) != 17 {
		return 0, next, fmt.Errorf("checkpoint is damaged")
	}
	if v[16] != format && v[16] != formatSketches {
		return 0, next, fmt.Errorf("the data has format %d and this version reads format %d: use the version that wrote it", v[16], formatSketches)
	}
	return binary.BigEndian.Uint64(v), [2]uint32{binary.BigEndian.Uint32(v[8:]), binary.BigEndian.Uint32(v[12:])}, nil
}

// lastPage is the number of streams whose last-seen times are saved together:
// streams that are alive have nearly the same, which packs to almost nothing.
const lastPage = 256

func (h *head) encodeLast(page uint32) []byte {
	times := make([]int64, lastPage)
	for i := range times {
		times[i] = h.lastSeen(page*lastPage+uint32(i)) + 1
	}
	return chunk.AppendInts(nil, times)
}

func (h *head) loadLast(page uint32, v []byte) error {
	times := make([]int64, lastPage)
	if err := chunk.ReadInts(v, times); err != nil {
		return err
	}
	for i, t := range times {
		id := page*lastPage + uint32(i)
		if t <= 0 || t > 1<<32-1 {
			continue
		}
		q := &h.queues[id&uint32(len(h.queues)-1)]
		q.last = reach(q.last, id>>h.shardBits)
		q.last[id>>h.shardBits] = uint32(t)
		q.streams.Store(uint32(len(q.last)))
	}
	return nil
}
