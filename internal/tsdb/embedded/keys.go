package embedded

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Keys in Pebble; numbers are big endian:
//
//	b bucket(4)                                                              state of a raw bucket
//	c tier(1) level(1) bucket(4) metric(4) stream(4) start(4) gen(4) op(1)   chunk
//	d tier(1) block(4) stream(4)                                             dirty mark
//	f                                                                        time before which raw chunks are gone
//	k                                                                        last sealed generation, next ids
//	l page(4)                                                                when streams were last seen
//	m metric(4)                                                              metric
//	n metric(4) stream(4)                                                    stream
//	o org(8)                                                                 records ever written
//	q key                                                                    quarantined chunk
//	w tier(1)                                                                time that the tier is complete to
//	x metric(4)                                                              deleted metric, not yet purged
//
// Metric before stream, so that a query walks one range; bucket before both,
// so that a bucket's chunks lie together and expire together; level before
// the bucket, so that what is merged never shares a table with what is about
// to be: a table's space is free only when nothing in it is used.
const (
	keyBucket     = 'b'
	keyChunk      = 'c'
	keyDirty      = 'd'
	keyFrozen     = 'f'
	keyCheckpoint = 'k'
	keyLast       = 'l'
	keyMetric     = 'm'
	keyStream     = 'n'
	keyOrg        = 'o'
	keyQuarantine = 'q'
	keyTier       = 'w'
	keyDropped    = 'x'
)

// The tiers. Overdue is no resolution: it holds records that came when raw
// records of their age were gone, until they are folded into the others.
const (
	raw = iota
	minutes
	hours
	overdue
	tierCount
)

// The levels of a bucket: what was merged, and what was sealed since. Overdue
// records are all fresh, and sums of them are at the merged level.
const (
	merged = 0
	fresh  = 1
)

var (
	bucketLen = [tierCount]uint32{86400, 7 * 86400, 90 * 86400, 86400}
	window    = [tierCount]uint32{1, 60, 3600, 1}
	blockSpan = [tierCount]uint32{raw: 86400, minutes: 6 * 3600, hours: 86400, overdue: 86400} // of one tier chunk
)

const (
	chunkKeyLen = 24
	placeLen    = 1 + 1 + 1 + 4 // all chunks of one bucket and level
	streamPos   = placeLen + 4  // of the stream in a chunk's key
	prefixLen   = streamPos + 4 // all chunks of one stream, bucket and level
)

// chunkKey is the key of a chunk, taken apart.
type chunkKey struct {
	tier, level    byte
	bucket         uint32
	metric, stream uint32
	start, gen     uint32
	op             byte
}

func appendPrefix(dst []byte, tier byte, bucket uint32, level byte, metric, stream uint32) []byte {
	dst = binary.BigEndian.AppendUint32(append(dst, keyChunk, tier, level), bucket)
	dst = binary.BigEndian.AppendUint32(dst, metric)
	return binary.BigEndian.AppendUint32(dst, stream)
}

func (k *chunkKey) append(dst []byte) []byte {
	dst = appendPrefix(dst, k.tier, k.bucket, k.level, k.metric, k.stream)
	dst = binary.BigEndian.AppendUint32(dst, k.start)
	dst = binary.BigEndian.AppendUint32(dst, k.gen)
	return append(dst, k.op)
}

// parseChunkKey takes a key apart. It reports false for what is no chunk's key.
func parseChunkKey(b []byte) (k chunkKey, ok bool) {
	if len(b) != chunkKeyLen || b[0] != keyChunk || b[1] >= tierCount || b[2] > fresh {
		return k, false
	}
	k = chunkKey{
		tier: b[1], level: b[2], bucket: binary.BigEndian.Uint32(b[3:]),
		metric: binary.BigEndian.Uint32(b[7:]), stream: binary.BigEndian.Uint32(b[11:]),
		start: binary.BigEndian.Uint32(b[15:]), gen: binary.BigEndian.Uint32(b[19:]), op: b[23],
	}
	return k, k.start/bucketLen[k.tier] == k.bucket
}

// tierKey is the key of a tier's chunk: one for each stream and block, so that
// a block that is recomputed replaces what was there.
func tierKey(tier byte, metric, stream, start uint32) []byte {
	k := chunkKey{tier: tier, bucket: start / bucketLen[tier], metric: metric, stream: stream, start: start}
	return k.append(nil)
}

func bucketKey(tier, level byte, bucket uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{keyChunk, tier, level}, bucket)
}

// bucketsBefore returns the keys of all chunks in buckets before the given one.
func bucketsBefore(tier, level byte, bucket uint32) tables.Span {
	return tables.Span{From: bucketKey(tier, level, 0), To: bucketKey(tier, level, bucket)}
}

// following returns the first key after all that start with prefix, which is
// not all ones.
func following(prefix []byte) []byte {
	next := slices.Clone(prefix)
	for i := len(next) - 1; i > 0; i-- {
		if next[i]++; next[i] != 0 {
			break
		}
	}
	return next
}

// numberKey is a letter and a number.
func numberKey(letter byte, n uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{letter}, n)
}

func streamKey(metric, stream uint32) []byte {
	return binary.BigEndian.AppendUint32(numberKey(keyStream, metric), stream)
}

func orgKey(org tidemark.OrgID) []byte {
	return binary.BigEndian.AppendUint64([]byte{keyOrg}, uint64(org))
}

// dirtyKey is the key of a mark.
type dirtyMark struct {
	tier          byte
	block, stream uint32
}

// compare orders marks as their keys are.
func (d dirtyMark) compare(o dirtyMark) int {
	return cmp.Or(cmp.Compare(d.tier, o.tier), cmp.Compare(d.block, o.block), cmp.Compare(d.stream, o.stream))
}

func (d *dirtyMark) key() []byte {
	k := binary.BigEndian.AppendUint32([]byte{keyDirty, d.tier}, d.block)
	return binary.BigEndian.AppendUint32(k, d.stream)
}

func parseDirtyKey(b []byte) (d dirtyMark, ok bool) {
	if len(b) != 10 || b[0] != keyDirty || b[1] == raw || b[1] >= tierCount {
		return d, false
	}
	return dirtyMark{b[1], binary.BigEndian.Uint32(b[2:]), binary.BigEndian.Uint32(b[6:])}, true
}
