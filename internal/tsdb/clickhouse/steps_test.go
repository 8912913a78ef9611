package clickhouse_test

import (
	"strings"
	"testing"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stepBlock is an answer in steps: of stream g the step at w with sum y of x.
func stepBlock(rows ...[4]float64) []byte {
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
	columns := []proto.InputColumn{{Name: "g", Data: g}, {Name: "w", Data: w}, {Name: "x", Data: x}, {Name: "y", Data: y}}
	for _, name := range []string{"lo", "hi", "latest", "sqrs"} {
		columns = append(columns, proto.InputColumn{Name: name, Data: zero})
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
	for function, parts := range map[tsdb.Function]string{
		tsdb.Mean: "sum(rn)sum(rs)", tsdb.Sum: "sum(rs)", tsdb.Count: "sum(rn)", tsdb.Min: "min(ri)", tsdb.Max: "max(ra)", tsdb.Last: "argMax(rl, t)", tsdb.StdDev: "sum(rn)sum(rs)sum(rq)",
		tsdb.All: "sum(rn)sum(rs)min(ri)max(ra)argMax(rl, t)sum(rq)",
	} {
		q.Function = function
		f.take("")
		if _, err := selected(t, e, &q); err != nil {
			t.Fatal(err)
		}
		sql := f.take("AS sqrs")[0].sql
		for _, part := range []string{"sum(rn)", "sum(rs)", "min(ri)", "max(ra)", "argMax(rl, t)", "sum(rq)"} {
			if strings.Contains(sql, part) != strings.Contains(parts, part) {
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
