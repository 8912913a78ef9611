package clickhouse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stepBlock is an answer in steps: of stream g the step at w with sum y of x.
func stepBlock(rows ...[4]float64) []byte { return stepBlockOf("x y", rows...) }

// stepBlockOf has only the columns that are named, and one more of zeros for each
// name that is another.
func stepBlockOf(names string, rows ...[4]float64) []byte {
	var g proto.ColUInt32
	var w proto.ColUInt64
	var x, y, zero proto.ColFloat64
	for _, r := range rows {
		g.Append(uint32(r[0]))
		w.Append(uint64(r[1]))
		x.Append(r[2])
		y.Append(r[3])
		zero.Append(0)
	}
	columns := []proto.InputColumn{{Name: "g", Data: g}, {Name: "w", Data: w}}
	values := map[string]proto.ColFloat64{"x": x, "y": y}
	for name := range strings.FieldsSeq(names) {
		data, ok := values[name]
		if !ok {
			data = zero
		}
		columns = append(columns, proto.InputColumn{Name: name, Data: data})
	}
	return native(len(rows), columns...)
}

// TestSelectSteps: steps that ClickHouse made become one series a stream, or a
// group, also where blocks end in the middle of one; only what the function
// needs is computed there.
func TestSelectSteps(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	f.catalogue("cpu\x00host\x01a\x00rack\x011", "cpu\x00host\x01b\x00rack\x011")
	body := append(stepBlock([4]float64{0, 60, 2, 6}), stepBlock([4]float64{0, 120, 1, 1}, [4]float64{1, 60, 4, 4})...)
	f.answer(fakeAnswer{part: "AS sqrs", body: body})
	q := tsdb.Query{Metric: "cpu", End: 4e9, Step: 60, Function: tsdb.Mean}
	got, err := selected(t, e, &q)
	if want := "cpu host=a,rack=1 [60 120] [3 1];cpu host=b,rack=1 [60] [1]"; err != nil || strings.Join(got, ";") != want {
		t.Errorf("got %q, %v, want %s", got, err, want)
	}
	of := map[string]string{"x": "sum(rn)", "y": "sum(rs)", "lo": "min(ri)", "hi": "max(ra)", "latest": "argMax(rl, t)", "sqrs": "sum(rq)"}
	for function, columns := range map[tsdb.Function]string{
		tsdb.Mean: "x y", tsdb.Sum: "y", tsdb.Count: "x", tsdb.Min: "lo", tsdb.Max: "hi", tsdb.Last: "latest", tsdb.StdDev: "x y sqrs", tsdb.All: "x y lo hi latest sqrs",
	} {
		q.Function = function
		f.answer(fakeAnswer{part: "AS sqrs", body: stepBlockOf(columns, [4]float64{0, 60, 2, 6})})
		f.take("")
		if _, err := selected(t, e, &q); err != nil {
			t.Fatal(err)
		}
		sql := f.take("AS sqrs")[0].sql
		for name, part := range of {
			if strings.Contains(sql, part) != slices.Contains(strings.Fields(columns), name) {
				t.Errorf("function %d: %s in %s", function, part, sql)
			}
		}
	}
	q.Function, q.Group, q.GroupFunction = tsdb.Sum, true, tsdb.GroupMerge
	f.answer(fakeAnswer{part: "argMax(sl, place)", body: stepBlock([4]float64{0, 60, 2, 6}, [4]float64{0, 120, 1, 1})})
	if got, err := selected(t, e, &q); err != nil || len(got) == 0 || got[0] != "cpu  [60 120] [6 1]" {
		t.Errorf("merged: %q, %v", got, err)
	}
	q.GroupFunction = tsdb.GroupMax
	var g proto.ColUInt32
	var w proto.ColUInt64
	var x proto.ColFloat64
	g.Append(0)
	w.Append(60)
	x.Append(9)
	f.rows("toFloat64(max(one))", 1, proto.InputColumn{Name: "g", Data: g}, proto.InputColumn{Name: "w", Data: w}, proto.InputColumn{Name: "x", Data: x})
	if got, err := selected(t, e, &q); err != nil || len(got) != 1 || got[0] != "cpu  [60] [9]" {
		t.Errorf("the largest: %q, %v", got, err)
	}
}

// TestDirtyHours: whether hours have newer records is asked beside the question
// itself. If some have, it is asked again without them, and nothing of the first
// answer is yielded, nor is there where that cannot be known.
func TestDirtyHours(t *testing.T) {
	t.Parallel()
	const dirty, main = "SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x", "FROM hours FINAL"
	f := newFake(t)
	o, l := fakeOptions(f)
	l.marks["hours"], l.marks["hours_until"] = 7, 1<<31
	e := open(t, o)
	f.catalogue("cpu\x00host\x01a")
	start := time.Now().Unix()/3600*3600 - 86400
	q := tsdb.Query{Metric: "cpu", Start: start, End: start + 7200, Step: 3600, Function: tsdb.Sum}
	at := func(y float64) [4]float64 { return [4]float64{0, float64(start), 1, y} }
	f.answer(fakeAnswer{part: main, body: stepBlockOf("y", at(1))})
	ask := func(want string, questions int) {
		t.Helper()
		f.take("")
		got, err := selected(t, e, &q)
		if text := strings.Join(got, ";"); err != nil || text != want {
			t.Errorf("got %q, %v, want %q", text, err, want)
		}
		all := f.take(main)
		if len(all) != questions {
			t.Errorf("asked %d times, want %d", len(all), questions)
		}
		if strings.Contains(all[0].sql, "FROM records") {
			t.Errorf("looked for records where all hours are made: %s", all[0].sql)
		}
	}
	ask(fmt.Sprintf("cpu host=a [%d] [1]", start), 1)

	f.numbers(dirty, uint32(start))
	f.answer(fakeAnswer{part: "t NOT IN (" + fmt.Sprint(start) + ")", body: stepBlockOf("y", at(2))})
	ask(fmt.Sprintf("cpu host=a [%d] [2]", start), 2)

	f.answer(fakeAnswer{part: main}) // which has nothing
	f.answer(fakeAnswer{part: "t NOT IN (" + fmt.Sprint(start) + ")", body: stepBlockOf("y", at(3))})
	ask(fmt.Sprintf("cpu host=a [%d] [3]", start), 2)

	f.answer(fakeAnswer{part: main, body: stepBlockOf("y", at(1))})
	f.fail(dirty, 241, "memory")
	if got, err := selected(t, e, &q); len(got) > 0 || err == nil {
		t.Errorf("where it is not known: %q, %v", got, err)
	}
}
