package query_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// BenchmarkEmbedded asks for six hours at 60 s of 1000 streams that have a
// point every 10 s, on the engine that servers have. "select" is the same
// question as "group_by sum", asked of GET /v1/measurements/:name.
func BenchmarkEmbedded(b *testing.B) {
	const seconds = 6 * 3600
	engine, err := embedded.Open(b.Context(), embedded.Options{
		Dir: b.TempDir(), Now: func() time.Time { return time.Unix(2*seconds, 0) },
	})
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	for at := int64(0); at < seconds; at += 10 {
		var batch tsdb.Batch
		for i := range 1000 {
			tags := tidemark.Tags{{Name: "dc", Value: fmt.Sprintf("dc%d", i%10)}, {Name: "host", Value: fmt.Sprintf("h%05d", i)}}
			batch.Add("cpu", tags, at, float64((int64(i)*7+at)%1000)/10)
		}
		if err := engine.Write(b.Context(), 1, &batch); err != nil {
			b.Fatal(err)
		}
	}
	q := query.New(query.Options{Engine: engine})
	for _, bb := range evaluated {
		b.Run(bb.name, func(b *testing.B) { evaluate(b, q, bb.text, seconds) })
	}
	b.Run("one stream", func(b *testing.B) { evaluate(b, q, `s("cpu", {"host": "h00007"})`, seconds) })
	b.Run("select", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			series, err := q.Select(b.Context(), 1, query.Request{
				Metric: "cpu", End: seconds - 1, Resolution: 60, GroupBy: []string{"dc"}, GroupFunction: "sum",
			})
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range series {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
