package alerting

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// BenchmarkStart is the start of a server with 1,000 alerts on 100 streams
// each, ten on each metric: some were measured each minute until now, others
// once, some hours ago. It is the processor time until all pasts are known.
func BenchmarkStart(b *testing.B) {
	for name, quiet := range map[string]int{"all report": 0, "a tenth is quiet": 10, "all are quiet": 100} {
		b.Run(name, func(b *testing.B) { benchmarkStart(b, quiet) })
	}
}

func benchmarkStart(b *testing.B, quiet int) {
	const alerts, metrics, streams = 1000, 100, 100
	engine, err := embedded.Open(b.Context(), embedded.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	store := newModel()
	now := time.Now().Unix()
	for i := range alerts {
		a := tidemark.NewAlert()
		c := tidemark.Condition{Type: tidemark.Above, MetricName: fmt.Sprint("m", i%metrics), Threshold: new(90.0), Tags: []tidemark.TagFilter{}}
		switch i / metrics % 4 {
		case 1:
			c.Duration = new(tidemark.Seconds(300))
		case 2:
			c = absentFor(c.MetricName, 600)
		case 3:
			c.SummaryFunction = new("derivative")
		}
		a.Conditions = []tidemark.Condition{c}
		store.add(a, now-20*24*3600)
		store.alerts[a.ID].State.Conditions = tidemark.Fingerprint(a.Conditions)
	}
	for m := range metrics {
		var batch tsdb.Batch
		for s := range streams {
			for minutes := range int64(75) {
				if s >= quiet || minutes == 74 {
					ago := minutes * 60
					if s < quiet {
						ago = int64(s%7+2) * 3600
					}
					batch.Add(fmt.Sprint("m", m), host(s), now-ago, 50)
				}
			}
		}
		if err := engine.Write(b.Context(), 1, &batch); err != nil {
			b.Fatal(err)
		}
	}
	used := cpu()
	for b.Loop() {
		e := NewEvaluator(Options{Store: store, Reader: Reader{Engine: engine, Metrics: metricFunc(noMetric)}, Logger: slog.New(slog.DiscardHandler)})
		for e.round(b.Context(), time.Unix(now, 0)); !e.seeds.isIdle(); e.round(b.Context(), time.Unix(now, 0)) {
		}
		e.close()
	}
	b.ReportMetric((cpu()-used).Seconds()/float64(b.N)*1000, "cpu-ms/start")
}
