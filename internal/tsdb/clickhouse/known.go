package clickhouse

import (
	"encoding/binary"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stream is what is remembered of one.
type stream struct {
	id       streamID
	cacheKey string
	metric   string
	hash     uint64 // of the metric's generation
	gen      int64
	// Where known is locked: what followed it in the latest batch, and the
	// generation of known that it is among.
	next *stream
	turn int
}

// key is what tsdb calls it by.
func (st *stream) key() string { return st.cacheKey[orgBytes:] }

// maxKnown is how many streams are remembered at least.
const maxKnown = 1_000_000

// known remembers which streams are in the catalogue: those used lately. It
// forgets half of them at a time.
type known struct {
	mu         sync.Mutex
	young, old map[string]*stream
	turn       int // how often it did
}

// orgBytes are those of an organization in what a stream is remembered by.
const orgBytes = 8

// cacheKey is what a stream is remembered by.
func cacheKey(buf []byte, org tidemark.OrgID, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(buf[:0], uint64(org)), key...)
}

// orgOf is the organization of what a stream is remembered by.
func orgOf(cacheKey string) tidemark.OrgID {
	return tidemark.OrgID(binary.BigEndian.Uint64([]byte(cacheKey[:orgBytes])))
}

// metricOf is the metric of what a stream is remembered by.
func metricOf(cacheKey []byte) metricKey {
	return metricKey{orgOf(string(cacheKey)), tsdb.KeyMetric(cacheKey[orgBytes:])}
}

// streams returns the streams of a batch that are known. Agents send the same
// streams in the same order every time, so that after one most likely comes
// that which came after it the last time: to compare its key takes a third of
// the time of looking for it.
func (k *known) streams(org tidemark.OrgID, b *tsdb.Batch) []*stream {
	all := make([]*stream, b.Len())
	var buf []byte
	k.mu.Lock()
	defer k.mu.Unlock()
	var last *stream
	for i := range all {
		if i > 0 && b.Repeats(i) {
			all[i] = all[i-1]
			continue
		}
		key := b.Key(i)
		st := last.follower() // of the same organization
		if st == nil || st.key() != string(key) || !k.use(st) {
			buf = cacheKey(buf, org, key)
			st = k.find(buf)
			last.follow(st)
		}
		all[i], last = st, st
	}
	last.follow(nil) // or what is forgotten would stay in memory after one that is not
	return all
}

// follower is the stream that most likely follows st, or nil.
func (st *stream) follower() *stream {
	if st == nil {
		return nil
	}
	return st.next
}

// follow notes that one follows st.
func (st *stream) follow(next *stream) {
	if st != nil {
		st.next = next
	}
}

func (k *known) get(cacheKey []byte) *stream {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.find(cacheKey)
}

// find is get for one who has locked k.
func (k *known) find(cacheKey []byte) *stream {
	if st := k.young[string(cacheKey)]; st != nil {
		return st
	}
	st := k.old[string(cacheKey)]
	if st != nil {
		k.put(st)
	}
	return st
}

// replaced is the turn of a stream in whose place there is another.
const replaced = -1

// use notes that a stream is used, as finding it does. It reports false for one
// in whose place there is another.
func (k *known) use(st *stream) bool {
	if st.turn != k.turn && st.turn != replaced {
		k.put(st)
	}
	return st.turn != replaced
}

// forget forgets those that were not used since the last time.
func (k *known) forget() {
	k.young, k.old = nil, k.young
	k.turn++
}

func (k *known) put(st *stream) {
	if len(k.young) >= maxKnown {
		k.forget()
	}
	if k.young == nil {
		k.young = make(map[string]*stream)
	}
	for _, streams := range []map[string]*stream{k.young, k.old} {
		if before := streams[st.cacheKey]; before != nil {
			before.turn = replaced
		}
	}
	k.young[st.cacheKey], st.turn = st, k.turn
}

func (k *known) add(fresh []*stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, st := range fresh {
		k.put(st)
	}
}
