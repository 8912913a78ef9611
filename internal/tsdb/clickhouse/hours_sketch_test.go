package clickhouse_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// TestHoursOfSketches: hours of streams with sketches are made here, merged,
// and written over those that ClickHouse made.
func TestHoursOfSketches(t *testing.T) {
	t.Parallel()
	e, f, _, now := aged(t)
	h := uint32(now.Add(-time.Hour).Unix() / hour * hour)
	f.numbers("SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x FROM records WHERE", h)
	var k sketch.Sketch
	k.Add(2, 1)
	var orgs, metric, slot proto.ColUInt64
	var id proto.ColFixedStr16
	var at proto.ColUInt32
	var kind proto.ColUInt8
	var v, n proto.ColFloat64
	var sk proto.ColStr
	for i, stream := range []byte{1, 1, 2} {
		orgs.Append(1)
		metric.Append(9)
		slot.Append(0)
		id.Append([16]byte{stream})
		at.Append(h + uint32(i))
		kind.Append(1)
		v.Append(2)
		n.Append(1)
		sk.AppendBytes(k.AppendBinary(nil))
	}
	columns := []proto.InputColumn{{Name: "org", Data: orgs}, {Name: "metric", Data: metric}, {Name: "id", Data: id}, {Name: "t", Data: at}, {Name: "slot", Data: slot},
		{Name: "k", Data: kind}, {Name: "v", Data: v}, {Name: "n", Data: n}, {Name: "s", Data: v}, {Name: "mi", Data: v}, {Name: "ma", Data: v}, {Name: "m2", Data: n}, {Name: "sk", Data: sk}}
	f.rows("AND sk != ''", 3, columns...)
	if err := e.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := f.take("FORMAT Native")
	var got map[string][]string
	for _, q := range all {
		if strings.HasPrefix(q.sql, "INSERT INTO hours") {
			got = inserted(t, q)
		}
	}
	wantCells(t, got, map[string]string{"org": "1 1", "metric": "9 9", "t": fmt.Sprint(h, h), "slot": "0 0", "seq": "1048577 1048577", "n": "2 1", "s": "4 2", "v": "2 2"})
	if len(got["sk"]) != 2 {
		t.Fatalf("got %v", got)
	}
	merged, err := sketch.Decode([]byte(got["sk"][0]))
	if err != nil || merged.Count() != 2 {
		t.Errorf("the sketch of the hour counts %v, %v", merged.Count(), err)
	}
}
