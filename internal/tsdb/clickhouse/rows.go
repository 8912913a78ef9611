package clickhouse

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// seqBits are those of a row's number that tell the rows of a commit apart.
const seqBits = 20

type (
	streamID    = [16]byte
	inputColumn = proto.InputColumn
)

// rows are those of one commit.
type rows struct {
	n       int
	fresh   []freshStream
	org     proto.ColUInt64
	metric  proto.ColUInt64
	id      proto.ColFixedStr16
	t       proto.ColUInt32
	slot    proto.ColUInt64
	seq     proto.ColUInt64
	v       proto.ColFloat64
	more    bool // whether a row is not a single value: only then there are the columns below
	k       proto.ColUInt8
	n1      proto.ColFloat64
	sum     proto.ColFloat64
	min     proto.ColFloat64
	max     proto.ColFloat64
	m2      proto.ColFloat64
	sketch  proto.ColStr
	pending map[string]*stream // those of fresh
}

// stream is what is remembered of one, by organization and key.
type stream struct {
	id     streamID
	metric string
	gen    int64
}

// freshStream is one that may not be in the catalogue yet.
type freshStream struct {
	cacheKey string
	org      tidemark.OrgID
	key      string
	*stream
}

// build makes rows of a group.
func (e *Engine) build(commit int64, group []*pending) *rows {
	r := &rows{pending: make(map[string]*stream)}
	r.grow(group)
	seq := uint64(commit) << seqBits
	var buf []byte
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, p := range group {
		var last *stream
		var m *metric
		for i := range p.batch.Records {
			st := p.streams[i]
			if st == nil {
				buf = cacheKey(buf, p.org, p.batch.Key(i))
				st = e.stream(r, buf, p.org, p.batch.Key(i))
			}
			if last == nil || st.metric != last.metric {
				m = e.metric(metricKey{p.org, st.metric})
			}
			if metric := st.metric; st.gen != m.gen { // the metric was deleted since
				buf = cacheKey(buf, p.org, p.batch.Key(i))
				if st = r.pending[string(buf)]; st == nil {
					st = r.add(buf, p.org, p.batch.Key(i), metric, m.gen)
				}
			}
			last = st
			r.append(p, i, st, m, seq)
			seq++
		}
	}
	return r
}

// stream returns the stream with a key, whatever its generation.
func (e *Engine) stream(r *rows, cacheKey []byte, org tidemark.OrgID, key []byte) *stream {
	if st := r.pending[string(cacheKey)]; st != nil {
		return st
	}
	if st := e.known.get(cacheKey); st != nil {
		return st
	}
	name := tsdb.KeyMetric(key)
	return r.add(cacheKey, org, key, name, e.metric(metricKey{org, name}).gen)
}

// add notes a stream that may be new.
func (r *rows) add(cacheKey []byte, org tidemark.OrgID, key []byte, name string, gen int64) *stream {
	b := binary.BigEndian.AppendUint64(nil, uint64(gen))
	sum := sha256.Sum256(append(b, cacheKey...))
	st := &stream{id: streamID(sum[:16]), metric: name, gen: gen}
	f := freshStream{cacheKey: string(cacheKey), org: org, key: string(key), stream: st}
	r.fresh = append(r.fresh, f)
	r.pending[f.cacheKey] = st
	return st
}

// append adds record i of a batch.
func (r *rows) append(p *pending, i int, st *stream, m *metric, seq uint64) {
	rec := &p.batch.Records[i]
	t, slot := rec.Time, uint64(0)
	if m.mode.Fold {
		t, slot = t-t%m.mode.Period, seq
	}
	r.n++
	r.org.Append(uint64(p.org))
	r.metric.Append(m.hash)
	r.id.Append(st.id)
	r.t.Append(uint32(t))
	r.slot.Append(slot)
	r.seq.Append(seq)
	s, sk := &rec.Summary, p.batch.Sketch(i)
	r.v.Append(s.Last)
	single := sk == nil && isValue(s)
	if single && !r.more {
		return
	}
	if !r.more {
		r.more = true
		for range r.n - 1 {
			r.appendMore(0, &tsdb.Summary{}, nil)
		}
	}
	if single {
		r.appendMore(0, &tsdb.Summary{}, nil)
	} else {
		r.appendMore(1, s, sk)
	}
}

// grow makes room for what is in a group, but for columns that most have not.
func (r *rows) grow(group []*pending) {
	n := 0
	for _, p := range group {
		n += p.batch.Len()
	}
	for _, column := range []*proto.ColUInt64{&r.org, &r.metric, &r.slot, &r.seq} {
		*column = slices.Grow(*column, n)
	}
	r.id, r.t, r.v = slices.Grow(r.id, n), slices.Grow(r.t, n), slices.Grow(r.v, n)
}

// appendMore adds what a row has that is not a single value: of kind 1.
func (r *rows) appendMore(kind uint8, s *tsdb.Summary, sk []byte) {
	r.k.Append(kind)
	r.n1.Append(s.Count)
	r.sum.Append(s.Sum)
	r.min.Append(s.Min)
	r.max.Append(s.Max)
	r.m2.Append(s.M2)
	r.sketch.AppendBytes(sk)
}

// isValue reports whether all of s follows from its last value, bit by bit.
func isValue(s *tsdb.Summary) bool {
	last := math.Float64bits(s.Last)
	return s.Count == 1 && math.Float64bits(s.Sum) == last && math.Float64bits(s.Min) == last && math.Float64bits(s.Max) == last && math.Float64bits(s.M2) == 0
}

// records are the columns of the table of that name. Those that would be all
// zero are left out.
func (r *rows) records() []inputColumn {
	columns := []inputColumn{
		{Name: "org", Data: r.org}, {Name: "metric", Data: r.metric}, {Name: "id", Data: r.id}, {Name: "t", Data: r.t},
		{Name: "slot", Data: r.slot}, {Name: "seq", Data: r.seq}, {Name: "v", Data: r.v},
	}
	if !r.more {
		return columns
	}
	return append(columns, inputColumn{Name: "k", Data: r.k}, inputColumn{Name: "n", Data: r.n1}, inputColumn{Name: "s", Data: r.sum},
		inputColumn{Name: "mi", Data: r.min}, inputColumn{Name: "ma", Data: r.max}, inputColumn{Name: "m2", Data: r.m2}, inputColumn{Name: "sk", Data: r.sketch})
}

// streams are the columns of the table of that name.
func (r *rows) streams() []inputColumn {
	var org proto.ColUInt64
	var metric, key proto.ColStr
	var gen proto.ColUInt32
	var id proto.ColFixedStr16
	for _, f := range r.fresh {
		org.Append(uint64(f.org))
		metric.Append(f.metric)
		gen.Append(uint32(f.gen))
		id.Append(f.id)
		key.Append(f.key)
	}
	return []inputColumn{{Name: "org", Data: org}, {Name: "metric", Data: metric}, {Name: "gen", Data: gen}, {Name: "id", Data: id}, {Name: "key", Data: key}}
}

func names(columns []inputColumn) string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.Name
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// insertSettings make an insert durable, and readable wherever we read.
func (s *shape) insertSettings(patience time.Duration) map[string]string {
	set := map[string]string{}
	if s.replicas > 1 {
		set["insert_quorum"] = strconv.Itoa(s.replicas/2 + 1)
		set["insert_quorum_timeout"] = strconv.FormatInt(patience.Milliseconds(), 10)
	}
	if s.shards > 1 {
		set["insert_distributed_sync"] = "1"
	}
	if s.version >= 2010 {
		set["max_partitions_per_insert_block"] = "0"
	}
	if s.version >= 2012 {
		// Rows that replace each other are told apart when they are read: looking for
		// them in every insert takes a fifth of its time.
		set["optimize_on_insert"] = "0"
	}
	if s.version >= 2111 {
		set["async_insert"] = "0"
	}
	return set
}

// maxKnown is how many streams are remembered at least.
const maxKnown = 1_000_000

// known remembers which streams are in the catalogue: those used lately. It
// forgets half of them at a time.
type known struct {
	mu         sync.Mutex
	young, old map[string]*stream
}

// cacheKey is what a stream is remembered by.
func cacheKey(buf []byte, org tidemark.OrgID, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(buf[:0], uint64(org)), key...)
}

// streams returns the streams of a batch that are known.
func (k *known) streams(org tidemark.OrgID, b *tsdb.Batch) []*stream {
	all := make([]*stream, b.Len())
	var buf []byte
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range all {
		if i > 0 && bytes.Equal(b.Key(i), b.Key(i-1)) {
			all[i] = all[i-1]
			continue
		}
		buf = cacheKey(buf, org, b.Key(i))
		all[i] = k.find(buf)
	}
	return all
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
		k.put(string(cacheKey), st)
	}
	return st
}

func (k *known) put(cacheKey string, st *stream) {
	if len(k.young) >= maxKnown {
		k.young, k.old = nil, k.young
	}
	if k.young == nil {
		k.young = make(map[string]*stream)
	}
	k.young[cacheKey] = st
}

func (k *known) add(fresh []freshStream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range fresh {
		k.put(f.cacheKey, f.stream)
	}
}
