package alerting

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

func host(i int) tidemark.Tags { return tidemark.Tags{{Name: "host", Value: fmt.Sprint("web-", i)}} }

// BenchmarkBacktest tries an alert out on seven days of a metric with 100
// streams and a measurement a minute, as the editor does while somebody
// types. The goal is 200 ms.
func BenchmarkBacktest(b *testing.B) {
	const streams, minutes = 100, 7 * 24 * 60
	engine, err := embedded.Open(b.Context(), embedded.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	now := time.Now().Unix()
	now -= now % 60
	start := now - minutes*60
	var batch tsdb.Batch
	for m := range minutes {
		for s := range streams {
			v := 200 + 60*math.Sin(float64(m)/200+float64(s)) + float64((m*7919+s*104729)%40)
			batch.Add("latency", host(s), start+int64(m)*60, v)
		}
		if batch.Len() >= 50_000 || m == minutes-1 {
			if err := engine.Write(b.Context(), 1, &batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	reader := Reader{Engine: engine, Metrics: metricFunc(noMetric)}
	for _, tt := range []struct {
		name string
		edit func(*tidemark.Condition)
	}{
		{"at once", func(*tidemark.Condition) {}},
		{"for 5 min", func(c *tidemark.Condition) { c.Duration = ptr(tidemark.Seconds(300)) }},
		{"derivative", func(c *tidemark.Condition) { c.SummaryFunction, c.Threshold = ptr("derivative"), ptr(30.0) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			c := tidemark.Condition{Type: tidemark.Above, MetricName: "latency", Threshold: ptr(280.0)}
			tt.edit(&c)
			a := tidemark.NewAlert()
			a.Conditions = []tidemark.Condition{c}
			b.ReportAllocs()
			for b.Loop() {
				got, err := reader.Backtest(context.Background(), 1, a, start, now, now)
				if err != nil {
					b.Fatal(err)
				}
				if got.Fired == 0 || got.Conditions[0].Looked != streams {
					b.Fatalf("%+v", got)
				}
			}
		})
	}
}

func noMetric(context.Context, tidemark.OrgID, string) (*tidemark.Metric, error) {
	return nil, tidemark.Errorf(tidemark.NotFound, "no such metric")
}

// BenchmarkPass is a minute of 10,000 alerts on 100,000 streams with a
// measurement a minute each: what comes is written in batches of 1,000, and
// passes are made as often as in that minute. The goal is far below the
// minute that one core has for it.
func BenchmarkPass(b *testing.B) {
	const alerts, perAlert = 10_000, 10
	store := newModel()
	engine := memory.New()
	for i := range alerts {
		a := tidemark.NewAlert()
		c := tidemark.Condition{Type: tidemark.Above, MetricName: fmt.Sprint("m", i), Threshold: ptr(90.0), Tags: []tidemark.TagFilter{}}
		switch i % 4 {
		case 1:
			c.Duration = ptr(tidemark.Seconds(300))
		case 2:
			c = absentFor(c.MetricName, 600)
		case 3:
			c.SummaryFunction = ptr("derivative")
		}
		a.Conditions = []tidemark.Condition{c}
		store.add(a, 0)
	}
	e := NewEvaluator(Options{Store: store, Reader: Reader{Engine: engine, Metrics: metricFunc(noMetric)}, Logger: slog.New(slog.DiscardHandler)})
	at := time.Unix(base, 0)
	e.round(b.Context(), at)
	var batches []*tsdb.Batch
	for i := range alerts * perAlert {
		if i%1000 == 0 {
			batches = append(batches, &tsdb.Batch{})
		}
		last := batches[len(batches)-1]
		last.Add(fmt.Sprint("m", i%alerts), host(i/alerts), 0, 50)
	}
	value := 50.0
	b.ReportAllocs()
	for b.Loop() {
		value = 130 - value // from 50 to 80 and back: nothing fires, all is evaluated
		at = minuteOf(b, e, batches, at, value)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/60_000*100, "%core")
}

func minuteOf(b *testing.B, e *Evaluator, batches []*tsdb.Batch, at time.Time, value float64) time.Time {
	const passes = 120
	next := 0
	for p := range passes {
		for ; next < len(batches)*(p+1)/passes; next++ {
			for r := range batches[next].Records {
				batches[next].Records[r].Time, batches[next].Records[r].Summary = at.Unix(), tsdb.Single(value)
			}
			e.Wrote(1, batches[next])
		}
		e.round(b.Context(), at)
		at = at.Add(roundEvery)
	}
	return at
}
