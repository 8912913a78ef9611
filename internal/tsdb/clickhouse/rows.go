package clickhouse

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// seqBits are those of a row's number that tell the rows of a commit apart.
const seqBits = 20

type (
	streamID    = [16]byte
	inputColumn = proto.InputColumn
)

// rows are those of one commit. Their memory is used for one commit after the
// other: of new memory for each, clearing and collecting it took more time than
// filling it.
type rows struct {
	n       int
	body    []byte    // what was sent of them
	sent    int       // how often
	fresh   []*stream // that may not be in the catalogue yet
	org     proto.ColUInt64
	metric  proto.ColUInt64
	id      proto.ColFixedStr16
	t       proto.ColUInt32
	slot    proto.ColUInt64 // none while all are 0
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

// build makes rows of a group.
func (e *Engine) build(r *rows, commit int64, group []*pending) {
	r.reset()
	r.grow(group)
	seq := uint64(commit) << seqBits
	var buf []byte
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, p := range group {
		var last *stream
		var m metric
		for i := range p.batch.Records {
			st := p.streams[i]
			if st == nil {
				buf = cacheKey(buf, p.org, p.batch.Key(i))
				st = e.stream(r, buf)
			}
			if last == nil || st.metric != last.metric {
				m = e.metric(metricKey{p.org, st.metric})
			}
			if st.gen != m.gen { // the metric was deleted since
				buf = cacheKey(buf, p.org, p.batch.Key(i))
				if st = r.pending[string(buf)]; st == nil {
					st = r.add(buf, m.gen)
				}
			}
			last = st
			r.append(p, i, st, &m.mode, seq)
			seq++
		}
	}
}

// stream returns the stream with a key, whatever its generation.
func (e *Engine) stream(r *rows, cacheKey []byte) *stream {
	if st := r.pending[string(cacheKey)]; st != nil {
		return st
	}
	if st := e.known.get(cacheKey); st != nil {
		return st
	}
	return r.add(cacheKey, e.metric(metricOf(cacheKey)).gen)
}

// add notes a stream that may be new.
func (r *rows) add(cacheKey []byte, gen int64) *stream {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, uint64(gen)), cacheKey...))
	of := metricOf(cacheKey)
	st := &stream{id: streamID(sum[:16]), cacheKey: string(cacheKey), metric: of.name, gen: gen, hash: of.hash(gen)}
	r.fresh = append(r.fresh, st)
	r.pending[st.cacheKey] = st
	return st
}

// append adds record i of a batch.
func (r *rows) append(p *pending, i int, st *stream, mode *tsdb.Mode, seq uint64) {
	rec := &p.batch.Records[i]
	t := rec.Time
	if mode.Fold {
		t -= t % mode.Period
	}
	r.appendSlot(mode.Fold, seq)
	r.n++
	r.org = append(r.org, uint64(p.org))
	r.metric = append(r.metric, st.hash)
	r.id = append(r.id, st.id)
	r.t = append(r.t, uint32(t))
	r.seq = append(r.seq, seq)
	s, sk := &rec.Summary, p.batch.Sketch(i)
	r.v = append(r.v, s.Last)
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

// appendSlot adds the slot of the next row: only from the first that folds on
// there are any.
func (r *rows) appendSlot(fold bool, seq uint64) {
	switch {
	case fold:
		r.slot = append(r.slot, make([]uint64, r.n-len(r.slot))...)
		r.slot = append(r.slot, seq)
	case len(r.slot) > 0:
		r.slot = append(r.slot, 0)
	}
}

// grow makes room for what is in a group, but for columns that most have not.
func (r *rows) grow(group []*pending) {
	n := 0
	for _, p := range group {
		n += p.batch.Len()
	}
	for _, column := range []*proto.ColUInt64{&r.org, &r.metric, &r.seq} {
		*column = slices.Grow(*column, n)
	}
	r.id, r.t, r.v = slices.Grow(r.id, n), slices.Grow(r.t, n), slices.Grow(r.v, n)
}

// reset empties r, whose memory it keeps.
func (r *rows) reset() {
	r.n, r.sent, r.more, r.fresh, r.pending = 0, 0, false, nil, make(map[string]*stream)
	for _, column := range r.all() {
		column.Reset()
	}
}

// all are the columns, whether or not there is something in them.
func (r *rows) all() []proto.Column {
	return []proto.Column{&r.org, &r.metric, &r.id, &r.t, &r.slot, &r.seq, &r.v, &r.k, &r.n1, &r.sum, &r.min, &r.max, &r.m2, &r.sketch}
}

// isKept reports whether the memory of r may be used again: what was sent more
// than once may still be read by an earlier try, and a commit that was unusually
// long leaves nothing behind.
func (r *rows) isKept() bool {
	return r.sent == 1 && r.n <= maxCommit && len(r.sketch.Buf) <= maxCommit
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
		{Name: "seq", Data: r.seq}, {Name: "v", Data: r.v},
	}
	if len(r.slot) > 0 {
		columns = append(columns, inputColumn{Name: "slot", Data: r.slot})
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
		org.Append(uint64(orgOf(f.cacheKey)))
		metric.Append(f.metric)
		gen.Append(uint32(f.gen))
		id.Append(f.id)
		key.Append(f.key())
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
