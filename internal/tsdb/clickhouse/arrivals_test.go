package clickhouse_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestArrivals has one server hear, once, of what any writes to the metrics it
// asks for.
func TestArrivals(t *testing.T) {
	t.Parallel()
	o := options(t)
	a := open(t, o)
	o.Node = "b"
	b := open(t, o)
	arrivals, err := a.Arrivals(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(watched map[tidemark.OrgID][]string) []string {
		t.Helper()
		all := []string{}
		err := arrivals.Fetch(t.Context(), watched, func(of tidemark.OrgID, b *tsdb.Batch) {
			for i := range b.Records {
				metric, tags, _ := tsdb.ParseKey(b.Key(i))
				all = append(all, fmt.Sprintf("%d %s %s=%v", of, metric, tags, b.Records[i].Summary.Last))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	at := time.Now().Unix()
	write := func(e tsdb.Engine, of tidemark.OrgID, metric string, value float64) {
		t.Helper()
		var batch tsdb.Batch
		batch.Add(metric, tidemark.Tags{{Name: "host", Value: "x"}}, at, value)
		if err := e.Write(t.Context(), of, &batch); err != nil {
			t.Fatal(err)
		}
	}
	check := func(got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	watched := map[tidemark.OrgID][]string{1: {"cpu", "mem"}}
	check(fetch(nil))
	write(a, 1, "cpu", 1)
	write(b, 1, "cpu", 2) // the same second: both count
	write(b, 1, "disk", 3)
	write(b, 2, "cpu", 4)
	check(fetch(watched), "1 cpu host=x=1", "1 cpu host=x=2")
	check(fetch(watched))
	write(b, 1, "mem", 5)
	check(fetch(map[tidemark.OrgID][]string{1: {"cpu", "mem"}, 2: {"*"}}), "1 mem host=x=5", "2 cpu host=x=4")
	check(fetch(map[tidemark.OrgID][]string{1: {"*"}, 2: {"*"}}), "1 disk host=x=3")
}
