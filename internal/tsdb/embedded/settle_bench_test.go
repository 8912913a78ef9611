package embedded_test

import (
	"errors"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// BenchmarkImported reads 100 streams over 30 days by the hour: as an import has
// left them, after Settle, and after an hour of rest. The data is of 60 s.
func BenchmarkImported(b *testing.B) {
	const streams, days, perDay = 100, 30, 1440
	f := newFleet(streams)
	e := openBench(b, f, embedded.Options{})
	defer e.Close()
	f.clock.Store(benchStart + days*86400)
	if err := e.Maintain(b.Context()); err != nil { // the tiers reach to now
		b.Fatal(err)
	}
	var batch tsdb.Batch
	for d := range days {
		batch.Reset()
		for i := range streams {
			for k := range perDay {
				batch.AddKey(f.keys[i], benchStart+86400*int64(d)+60*int64(k), tsdb.Single(f.next(i)))
			}
		}
		if err := e.Write(b.Context(), 1, &batch); err != nil {
			b.Fatal(err)
		}
	}
	q := tsdb.Query{Metric: "m.*", Start: benchStart, End: benchStart + days*86400, Step: 3600, Group: true, GroupBy: []string{"region"}}
	read := func(b *testing.B) {
		cpu := cpuSeconds()
		for b.Loop() {
			if n := count(b, e, &q); n != 4*days*24 {
				b.Fatalf("%d points, want %d", n, 4*days*24)
			}
		}
		b.ReportMetric((cpuSeconds()-cpu)*1000/float64(b.N), "cpu-ms/op")
	}
	b.Run("imported", read)
	if err := e.Settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Run("settled", read)
	f.clock.Add(3600)
	if err := errors.Join(e.Seal(b.Context()), e.Maintain(b.Context())); err != nil {
		b.Fatal(err)
	}
	b.Run("rested", read)
}
