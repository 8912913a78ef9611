package alerting

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ClickHouse/ch-go/proto"
)

// clickHouse is a model of ClickHouse for what the engine asks for while it
// writes and reads measurements. It knows the statements, not SQL: one that it
// does not know fails the test.
type clickHouse struct {
	part
	mu      sync.Mutex
	streams []streamRow
	records []recordRow
	inserts int
	unknown string // a statement that it did not know
}

type streamRow struct {
	org    uint64
	metric string
	gen    uint32
	id     [16]byte
	key    string
}

// recordKey is what replaces each other.
type recordKey struct {
	org, metric uint64
	id          [16]byte
	t           uint32
	slot        uint64
}

type recordRow struct {
	recordKey
	seq uint64
	v   float64
}

// asked is a statement as it came.
type asked struct {
	sql  string
	body []byte              // of an INSERT
	ids  map[[16]byte]uint32 // the table that came with it: groups
}

// RoundTrip answers a server.
func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	q, err := readAsked(req)
	if err != nil {
		return nil, err
	}
	ch := s.world.clickhouse
	verb, _, _ := strings.Cut(q.sql, "(")
	body, err := ask(req.Context(), s, &ch.part, verb, func(t *trip) (io.Reader, error) {
		body, err := ch.answer(q, t)
		if t.noAnswer && t.half && err == nil {
			t.noAnswer = false
			return io.MultiReader(bytes.NewReader(body[:len(body)/2]), brokenReader{}), nil
		}
		return bytes.NewReader(body), err
	})
	if e, ok := errors.AsType[*chException](err); ok {
		return response(http.StatusInternalServerError, strings.NewReader(e.Error())), nil
	}
	if err != nil {
		return nil, err
	}
	return response(http.StatusOK, body), nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errNetwork }

type chException struct{ code int }

func (e *chException) Error() string { return fmt.Sprintf("Code: %d. DB::Exception: trouble", e.code) }

func response(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Status: strconv.Itoa(status), Header: http.Header{}, Body: io.NopCloser(body)}
}

func readAsked(req *http.Request) (*asked, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	values := req.URL.Query()
	q := &asked{sql: values.Get("query")}
	switch {
	case q.sql == "":
		q.sql = string(body)
	case values.Has("ids_format"):
		return q, q.readIDs(req.Header.Get("Content-Type"), body)
	default:
		q.body = body
	}
	return q, nil
}

// readIDs reads rows of an id and two numbers.
func (q *asked) readIDs(contentType string, body []byte) error {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return err
	}
	p, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).NextPart()
	if err != nil {
		return err
	}
	rows, err := io.ReadAll(p)
	q.ids = make(map[[16]byte]uint32)
	for ; len(rows) >= 24; rows = rows[24:] {
		r := proto.NewReader(bytes.NewReader(rows[16:20]))
		group, _ := r.UInt32() // there are four bytes
		q.ids[[16]byte(rows[:16])] = group
	}
	return err
}

// answer does what a statement says.
func (c *clickHouse) answer(q *asked, t *trip) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	has := func(part string) bool { return strings.Contains(q.sql, part) }
	switch {
	case has("SELECT version()"):
		return texts("26.7.1.1"), nil
	case has("max(version)"):
		return texts("1"), nil
	case has("INSERT INTO streams"):
		return nil, c.insertStreams(q.body, t)
	case has("INSERT INTO records"):
		c.insertRecords(q, t)
		return nil, nil
	case has("SELECT metric, gen, id, key FROM streams"):
		return c.pick(q), nil
	case has("SELECT id, key FROM streams"):
		return c.names(q), nil
	case has("max(t) AS x FROM records"):
		return c.lastSeen(q), nil
	case has("max(t) AS x FROM hours"):
		return nil, nil
	case has("FROM records WHERE seq >="):
		return c.arrivals(q), nil
	case has("SELECT g, t, slot, k, v"):
		return c.read(q), nil
	}
	c.unknown = q.sql
	return nil, &chException{62}
}

// texts is a column x.
func texts(all ...string) []byte {
	var x proto.ColStr
	for _, one := range all {
		x.Append(one)
	}
	return nativeBlock(len(all), proto.InputColumn{Name: "x", Data: x})
}

func nativeBlock(rows int, columns ...proto.InputColumn) []byte {
	if rows == 0 {
		return nil
	}
	var buf proto.Buffer
	block := proto.Block{Columns: len(columns), Rows: rows}
	if err := block.EncodeRawBlock(&buf, 0, columns); err != nil {
		panic(err)
	}
	return buf.Buf
}

func decodeBlock(body []byte, results proto.Results) (int, error) {
	var block proto.Block
	err := block.DecodeRawBlock(proto.NewReader(bytes.NewReader(body)), 0, results)
	return block.Rows, err
}

func (c *clickHouse) insertStreams(body []byte, t *trip) error {
	var org proto.ColUInt64
	var metric, key proto.ColStr
	var gen proto.ColUInt32
	var id proto.ColFixedStr16
	n, err := decodeBlock(body, proto.Results{{Name: "org", Data: &org}, {Name: "metric", Data: &metric}, {Name: "gen", Data: &gen}, {Name: "id", Data: &id}, {Name: "key", Data: &key}})
	if err != nil || t.noQuestion {
		return err
	}
	for i := range n {
		c.streams = append(c.streams, streamRow{org.Row(i), metric.Row(i), gen.Row(i), id.Row(i), key.Row(i)})
	}
	return nil
}

// insertRecords is atomic for the rows of one day only. The model has single
// values only: what it does not know would be tried for ever.
func (c *clickHouse) insertRecords(q *asked, t *trip) {
	var org, metric, slot, seq proto.ColUInt64
	var id proto.ColFixedStr16
	var at proto.ColUInt32
	var v proto.ColFloat64
	results := proto.Results{{Name: "org", Data: &org}, {Name: "metric", Data: &metric}, {Name: "id", Data: &id}, {Name: "t", Data: &at},
		{Name: "seq", Data: &seq}, {Name: "v", Data: &v}}
	hasSlot := strings.Contains(q.sql, "slot") // else it is 0
	if hasSlot {
		results = append(results, proto.ResultColumn{Name: "slot", Data: &slot})
	}
	n, err := decodeBlock(q.body, results)
	if err != nil {
		panic(fmt.Sprintf("the model does not know %s: %v", q.sql, err))
	}
	for i := range n {
		if t.noQuestion && at.Row(i)/86400%2 == 0 {
			continue
		}
		row := recordRow{recordKey: recordKey{org: org.Row(i), metric: metric.Row(i), id: id.Row(i), t: at.Row(i)}, seq: seq.Row(i), v: v.Row(i)}
		if hasSlot {
			row.slot = slot.Row(i)
		}
		c.records = append(c.records, row)
	}
	if c.inserts++; c.inserts%7 == 0 {
		c.records = final(c.records) // it merges when it likes
	}
}

// final is what remains of rows that replace each other.
func final(all []recordRow) []recordRow {
	last := make(map[recordKey]int)
	var kept []recordRow
	for i := range all {
		at, known := last[all[i].recordKey]
		switch {
		case !known:
			last[all[i].recordKey] = len(kept)
			kept = append(kept, all[i])
		case all[i].seq > kept[at].seq:
			kept[at] = all[i]
		}
	}
	return kept
}

var (
	metricIs = regexp.MustCompile(`metric = '([^']*)'`)
	metricIn = regexp.MustCompile(`metric IN \(([0-9, ]*)\)`)
	timeFrom = regexp.MustCompile(`\bt >= (\d+)`)
	timeTo   = regexp.MustCompile(`\bt < (\d+)`)
	seqFrom  = regexp.MustCompile(`seq >= (\d+)`)
)

// number is what a condition compares with, or otherwise.
func number(r *regexp.Regexp, sql string, otherwise uint64) uint64 {
	found := r.FindStringSubmatch(sql)
	if found == nil {
		return otherwise
	}
	n, _ := strconv.ParseUint(found[1], 10, 64)
	return n
}

// metrics are those that a statement is about; nil for all.
func metricsIn(sql string) map[uint64]bool {
	found := metricIn.FindStringSubmatch(sql)
	if found == nil {
		return nil
	}
	all := make(map[uint64]bool)
	for text := range strings.SplitSeq(found[1], ", ") {
		n, _ := strconv.ParseUint(text, 10, 64)
		all[n] = true
	}
	return all
}

func (c *clickHouse) pick(q *asked) []byte {
	var metric, key proto.ColStr
	var gen proto.ColUInt32
	var id proto.ColFixedStr16
	name := metricIs.FindStringSubmatch(q.sql)
	for _, s := range c.streams {
		if name == nil || s.metric == name[1] {
			metric.Append(s.metric)
			gen.Append(s.gen)
			id.Append(s.id)
			key.Append(s.key)
		}
	}
	return nativeBlock(gen.Rows(), proto.InputColumn{Name: "metric", Data: metric}, proto.InputColumn{Name: "gen", Data: gen},
		proto.InputColumn{Name: "id", Data: id}, proto.InputColumn{Name: "key", Data: key})
}

func (c *clickHouse) names(q *asked) []byte {
	var id proto.ColFixedStr16
	var key proto.ColStr
	for _, s := range c.streams {
		if _, wanted := q.ids[s.id]; wanted {
			id.Append(s.id)
			key.Append(s.key)
		}
	}
	return nativeBlock(id.Rows(), proto.InputColumn{Name: "id", Data: id}, proto.InputColumn{Name: "key", Data: key})
}

// matching are the rows that a statement is about.
func (c *clickHouse) matching(q *asked) []recordRow {
	metrics, from, to := metricsIn(q.sql), number(timeFrom, q.sql, 0), number(timeTo, q.sql, 1<<32)
	seq := number(seqFrom, q.sql, 0)
	var found []recordRow
	for i := range c.records {
		r := &c.records[i]
		if _, named := q.ids[r.id]; q.ids != nil && !named {
			continue
		}
		if (metrics == nil || metrics[r.metric]) && uint64(r.t) >= from && uint64(r.t) < to && r.seq >= seq {
			found = append(found, *r)
		}
	}
	return found
}

func (c *clickHouse) lastSeen(q *asked) []byte {
	last := make(map[uint32]uint32)
	for _, r := range c.matching(q) {
		last[q.ids[r.id]] = max(last[q.ids[r.id]], r.t)
	}
	var g, x proto.ColUInt32
	for group, t := range last {
		g.Append(group)
		x.Append(t)
	}
	return nativeBlock(g.Rows(), proto.InputColumn{Name: "g", Data: g}, proto.InputColumn{Name: "x", Data: x})
}

// rowColumns are those of records.
type rowColumns struct {
	org, slot, seq      proto.ColUInt64
	id                  proto.ColFixedStr16
	g, t                proto.ColUInt32
	k                   proto.ColUInt8
	v, n, s, mi, ma, m2 proto.ColFloat64
}

func (c *rowColumns) add(r *recordRow, group uint32) {
	c.org.Append(r.org)
	c.slot.Append(r.slot)
	c.seq.Append(r.seq)
	c.id.Append(r.id)
	c.g.Append(group)
	c.t.Append(r.t)
	c.k.Append(0)
	c.v.Append(r.v)
	for _, zero := range []*proto.ColFloat64{&c.n, &c.s, &c.mi, &c.ma, &c.m2} { // as of single values
		zero.Append(0)
	}
}

func (c *rowColumns) values() []proto.InputColumn {
	return []proto.InputColumn{{Name: "k", Data: c.k}, {Name: "v", Data: c.v}, {Name: "n", Data: c.n}, {Name: "s", Data: c.s},
		{Name: "mi", Data: c.mi}, {Name: "ma", Data: c.ma}, {Name: "m2", Data: c.m2}}
}

// arrivals are rows as they are, replaced or not.
func (c *clickHouse) arrivals(q *asked) []byte {
	found := c.matching(q)
	slices.SortStableFunc(found, func(a, b recordRow) int { return cmp.Compare(a.seq, b.seq) })
	var cols rowColumns
	for i := range found {
		cols.add(&found[i], 0)
	}
	return nativeBlock(len(found), append([]proto.InputColumn{{Name: "org", Data: cols.org}, {Name: "id", Data: cols.id}, {Name: "t", Data: cols.t}, {Name: "seq", Data: cols.seq}}, cols.values()...)...)
}

// read is what there is of streams.
func (c *clickHouse) read(q *asked) []byte {
	found := final(c.matching(q))
	slices.SortFunc(found, func(a, b recordRow) int {
		return cmp.Or(cmp.Compare(q.ids[a.id], q.ids[b.id]), cmp.Compare(a.t, b.t), cmp.Compare(a.seq, b.seq))
	})
	var cols rowColumns
	for i := range found {
		cols.add(&found[i], q.ids[found[i].id])
	}
	return nativeBlock(len(found), append([]proto.InputColumn{{Name: "g", Data: cols.g}, {Name: "t", Data: cols.t}, {Name: "slot", Data: cols.slot}}, cols.values()...)...)
}
