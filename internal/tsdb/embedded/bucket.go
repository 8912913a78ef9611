package embedded

import (
	"encoding/binary"
	"fmt"
)

// bucketState is what is known of the chunks of a raw bucket.
type bucketState struct {
	freshGens    uint64 // generations sealed into it and not merged
	freshRecords uint64
	layers       uint64 // merges of fresh chunks since all of it was merged
	layerRecords uint64 // records in those
	records      uint64 // records that are merged
	chunks       uint64 // chunks that hold them
	high         uint64 // latest time of those
	overlaps     uint64 // records that were merged after later ones were
	settled      bool   // it was merged after its day was over

	written int64 // when the generation was begun that was last sealed into it, since the start
}

func (b *bucketState) encode() []byte {
	var out []byte
	for _, n := range []uint64{b.freshGens, b.freshRecords, b.layers, b.layerRecords, b.records, b.chunks, b.high, b.overlaps} {
		out = binary.AppendUvarint(out, n)
	}
	if b.settled {
		return append(out, 1)
	}
	return append(out, 0)
}

func decodeBucket(v []byte) (*bucketState, error) {
	b := &bucketState{}
	for _, p := range []*uint64{&b.freshGens, &b.freshRecords, &b.layers, &b.layerRecords, &b.records, &b.chunks, &b.high, &b.overlaps} {
		n, k := binary.Uvarint(v)
		if k <= 0 {
			return nil, fmt.Errorf("state of a bucket is damaged")
		}
		*p, v = n, v[k:]
	}
	b.settled = len(v) == 1 && v[0] == 1
	return b, nil
}

// mergeKind is what a merge rewrites.
type mergeKind uint8

const (
	mergeNone  mergeKind = iota
	mergeFresh           // the fresh chunks, into one more layer
	mergeAll             // all chunks of the bucket
)

const (
	mergeGenerations = 8   // fresh generations that are merged at once
	lullGenerations  = 2   // and when nothing is written meanwhile
	maxLayers        = 6   // from here on all layers are merged
	goodChunk        = 500 // records that a chunk should have on average
)

// planMerge decides what to merge. closed says that the day is over, rested
// that nothing was sealed into it lately, lull that nothing is being written: much
// of the day may have come at once, and will be read as it is for hours.
func (b *bucketState) planMerge(closed, rested, lull bool) mergeKind {
	many := b.freshGens >= mergeGenerations
	lateOnly := b.freshGens > 0 && b.records == 0 // late data of a day that had none
	switch {
	case !closed && (many || lull && b.freshGens >= lullGenerations):
		return mergeFresh
	case !closed:
		return mergeNone
	case lateOnly && (many || rested):
		return mergeAll
	case lateOnly:
		return mergeNone
	case !b.settled && b.freshGens > 0 && b.good():
		return mergeFresh
	case !b.settled: // fresh chunks would have to be merged again at once
		return mergeAll
	case b.freshGens > 0 && !many:
		return mergeNone
	case b.piled():
		return mergeAll
	case many:
		return mergeFresh
	}
	return mergeNone
}

// piled reports whether so much lies in layers, what is fresh included, that
// all is to be merged.
func (b *bucketState) piled() bool {
	layers := b.layers
	if b.freshGens > 0 {
		layers++
	}
	return layers >= maxLayers || layers > 0 && (b.layerRecords+b.freshRecords)*4 >= b.records+b.freshRecords
}

// good reports whether merging all of a bucket would gain nothing: its chunks
// are large, and hardly any lies over another.
func (b *bucketState) good() bool {
	return b.chunks > 0 && b.records/b.chunks >= goodChunk && b.overlaps*16 < b.records
}
