package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// catalogue answers with streams of the first generation, given as keys.
func (f *fake) catalogue(keys ...string) {
	var metric, key proto.ColStr
	var gen proto.ColUInt32
	var id proto.ColFixedStr16
	for i, k := range keys {
		metric.Append(tsdb.KeyMetric([]byte(k)))
		key.Append(k)
		gen.Append(0)
		id.Append([16]byte{byte(i)})
	}
	f.rows("FROM streams", len(keys), proto.InputColumn{Name: "metric", Data: metric}, proto.InputColumn{Name: "gen", Data: gen},
		proto.InputColumn{Name: "id", Data: id}, proto.InputColumn{Name: "key", Data: key})
}

// record is a row of an answer with records.
type record struct {
	g, t uint32
	slot uint64
	s    tsdb.Summary
}

func recordBlock(all []record) []byte {
	var g, at proto.ColUInt32
	var slot proto.ColUInt64
	var k proto.ColUInt8
	var v, n, s, mi, ma, m2 proto.ColFloat64
	for _, r := range all {
		g.Append(r.g)
		at.Append(r.t)
		slot.Append(r.slot)
		k.Append(1)
		v.Append(r.s.Last)
		n.Append(r.s.Count)
		s.Append(r.s.Sum)
		mi.Append(r.s.Min)
		ma.Append(r.s.Max)
		m2.Append(r.s.M2)
	}
	return native(len(all), proto.InputColumn{Name: "g", Data: g}, proto.InputColumn{Name: "t", Data: at}, proto.InputColumn{Name: "slot", Data: slot},
		proto.InputColumn{Name: "k", Data: k}, proto.InputColumn{Name: "v", Data: v}, proto.InputColumn{Name: "n", Data: n}, proto.InputColumn{Name: "s", Data: s},
		proto.InputColumn{Name: "mi", Data: mi}, proto.InputColumn{Name: "ma", Data: ma}, proto.InputColumn{Name: "m2", Data: m2})
}

// selected reads series as lines.
func selected(t *testing.T, e tsdb.Reader, q *tsdb.Query) (lines []string, err error) {
	t.Helper()
	for s, err := range e.Select(t.Context(), org, q) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprintf("%s %s %v %v", s.Metric, s.Tags, s.Times, s.Values))
	}
	return lines, nil
}

// TestSelectRecords: records that come ordered by stream, time and number make
// one point a second: those with a slot add up, one without replaces what came
// before; answers come in blocks of any size.
func TestSelectRecords(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	f.catalogue("cpu\x00host\x01b", "cpu\x00host\x01a")
	one := tsdb.Single(1)
	all := []record{
		{0, 60, 7, one}, {0, 60, 8, one}, // fold
		{0, 61, 7, one}, {0, 61, 0, tsdb.Single(5)}, // replaced
		{0, 62, 0, tsdb.Single(5)}, {0, 62, 9, one}, // folded into what replaced
		{1, 60, 0, tsdb.Single(3)}, {1, 60, 0, tsdb.Single(4)},
	}
	q := &tsdb.Query{Metric: "cpu", Start: 0, End: math.MaxInt32, Step: 1, Function: tsdb.Sum}
	for size := 1; size <= len(all); size++ {
		var body []byte
		for from := 0; from < len(all); from += size {
			body = append(body, recordBlock(all[from:min(from+size, len(all))])...)
		}
		f.answer(fakeAnswer{part: "FROM records FINAL", body: body})
		got, err := selected(t, e, q)
		if want := "cpu host=a [60 61 62] [2 5 6];cpu host=b [60] [4]"; err != nil || strings.Join(got, ";") != want {
			t.Errorf("blocks of %d: got %q, %v, want %s", size, got, err, want)
		}
	}
}

// TestSelectBrokenAnswers: half an answer is an error, wherever it breaks off.
func TestSelectBrokenAnswers(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	f.catalogue("cpu")
	whole := recordBlock([]record{{0, 60, 0, tsdb.Single(1)}, {0, 61, 0, tsdb.Single(2)}})
	q := &tsdb.Query{Metric: "cpu", Start: 0, End: math.MaxInt32, Step: 1, Function: tsdb.Sum}
	for keep := 1; keep < len(whole); keep++ {
		f.answer(fakeAnswer{part: "FROM records FINAL", body: whole[:keep]})
		if got, err := selected(t, e, q); err == nil {
			t.Fatalf("after %d of %d bytes: %q and no error", keep, len(whole), got)
		} else if tidemark.KindOf(err) != tidemark.Unavailable || !strings.HasPrefix(err.Error(), "measurements cannot be read at present: ClickHouse cannot be reached") {
			t.Fatalf("after %d bytes: %v", keep, err)
		}
		f.answers = f.answers[:len(f.answers)-1]
	}
}

// TestSelectRefuses: a question that makes no sense, or comes too late, is not
// carried to ClickHouse; what ClickHouse refuses is said in words.
func TestSelectRefuses(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	if _, err := selected(t, e, &tsdb.Query{Metric: "cpu", End: 60}); err == nil || err.Error() != "step 0 is not 1 or more" {
		t.Errorf("got %v", err)
	}
	if asked := f.take(""); len(asked) > 0 {
		t.Errorf("asked %q", asked)
	}
	q := &tsdb.Query{Metric: "cpu", End: 60, Step: 1}
	f.fail("FROM streams", 241, "memory")
	if _, err := selected(t, e, q); tidemark.KindOf(err) != tidemark.TooLarge || !strings.HasPrefix(err.Error(), "measurements cannot be read at present: ClickHouse has not enough memory for it") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range e.Select(ctx, org, q) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	}
	e.Close()
	if _, err := selected(t, e, q); err == nil || err.Error() != "storage is shutting down" {
		t.Errorf("closed: %v", err)
	}
}

// TestSelectLittle: nothing more is asked where the answer is known: no
// streams, an empty window, or groups by a tag that no stream has.
func TestSelectLittle(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	now := time.Now().Unix()
	for name, tt := range map[string]struct {
		keys []string
		q    tsdb.Query
	}{
		"no streams":       {nil, tsdb.Query{End: now, Step: 60}},
		"empty window":     {[]string{"cpu"}, tsdb.Query{Start: now, End: now, Step: 60}},
		"long ago":         {[]string{"cpu"}, tsdb.Query{Start: 0, End: 60, Step: 60}},
		"nothing to group": {[]string{"cpu\x00host\x01a"}, tsdb.Query{End: now, Step: 60, Group: true, GroupBy: []string{"rack"}}},
		"malformed key":    {[]string{"cpu\x00host"}, tsdb.Query{End: now, Step: 60}},
		"other tags":       {[]string{"cpu\x00host\x01a"}, tsdb.Query{End: now, Step: 60, Filter: tsdb.TagIs("host", "b*")}},
	} {
		f.catalogue(tt.keys...)
		tt.q.Metric = "cpu"
		f.take("")
		got, err := selected(t, e, &tt.q)
		if err != nil || len(got) > 0 {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if asked := f.take("FROM records"); len(asked) > 0 {
			t.Errorf("%s: asked %s", name, asked[0].sql)
		}
	}
}

// TestSelectGroups: groups that are made here have one value of each stream at
// each time, and a stream without the tag is in none.
func TestSelectGroups(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	f.catalogue("cpu\x00host\x01a\x00rack\x011", "cpu\x00host\x01b\x00rack\x012", "cpu\x00host\x01c\x00rack\x011", "cpu\x00host\x01d")
	f.answer(fakeAnswer{part: "FROM records FINAL", body: recordBlock([]record{
		{0, 60, 0, tsdb.Single(1)}, {0, 61, 0, tsdb.Single(2)}, {1, 60, 0, tsdb.Single(10)}, {2, 61, 0, tsdb.Single(6)}, {2, 62, 0, tsdb.Single(3)},
	})})
	for group, want := range map[tsdb.GroupFunction]string{
		tsdb.GroupMean:  "[60 61 62] [1 4 3]",
		tsdb.GroupSum:   "[60 61 62] [1 8 3]",
		tsdb.GroupMin:   "[60 61 62] [1 2 3]",
		tsdb.GroupMax:   "[60 61 62] [1 6 3]",
		tsdb.GroupMerge: "[60 61 62] [1 8 3]",
	} {
		got, err := selected(t, e, &tsdb.Query{Metric: "cpu", End: math.MaxInt32, Step: 1, Function: tsdb.Sum, Group: true, GroupBy: []string{"rack"}, GroupFunction: group})
		if want := "cpu rack=1 " + want + ";cpu rack=2 [60] [10]"; err != nil || strings.Join(got, ";") != want {
			t.Errorf("%v: got %q, %v, want %s", group, got, err, want)
		}
	}
	ids := f.take("FROM records FINAL")[0].ids
	if len(ids) != 3*(16+4+4) {
		t.Errorf("the question came with %d bytes of streams, want those of three", len(ids))
	}
}

// TestStreamsLastSeen: streams that were seen of late are not looked for in the
// rest of the records, nor those in the records in the hours.
func TestStreamsLastSeen(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	f := newFake(t)
	o, _ := fakeOptions(f)
	o.Now = func() time.Time { return now }
	e := open(t, o)
	f.catalogue("cpu\x00host\x01a", "cpu\x00host\x01b", "cpu\x00host\x01c")
	last := func(part string, place, at uint32) {
		var g, x proto.ColUInt32
		g.Append(place)
		x.Append(at)
		f.rows(part, 1, proto.InputColumn{Name: "g", Data: g}, proto.InputColumn{Name: "x", Data: x})
	}
	last("FROM hours", 2, 1_600_000_000)
	last("FROM records", 1, 1_699_900_000)
	last(fmt.Sprint("t >= ", now.Unix()-2*hour), 0, 1_699_999_999)
	f.take("")
	seen := map[string]int64{}
	for s, err := range e.Streams(t.Context(), org, "cpu", tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		seen[s.Tags.String()] = s.LastSeen
	}
	if len(seen) != 3 || seen["host=a"] != 1_699_999_999 || seen["host=b"] != 1_699_900_000 || seen["host=c"] != 1_600_000_000 {
		t.Errorf("got %v", seen)
	}
	var sizes []int
	for _, q := range f.take("max(t)") {
		sizes = append(sizes, len(q.ids)/24)
	}
	if fmt.Sprint(sizes) != "[3 2 1]" {
		t.Errorf("asked for %v streams, want fewer each time", sizes)
	}
}
