package alerting

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
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
		{"for 5 min", func(c *tidemark.Condition) { c.Duration = new(tidemark.Seconds(300)) }},
		{"derivative", func(c *tidemark.Condition) { c.SummaryFunction, c.Threshold = new("derivative"), new(30.0) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			c := tidemark.Condition{Type: tidemark.Above, MetricName: "latency", Threshold: new(280.0)}
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

// BenchmarkReload is an organization with 10,000 alerts that changes one between
// any two rounds. It reports which part of the time the alerts are loaded.
func BenchmarkReload(b *testing.B) {
	store := newModel()
	for i := range 10_000 {
		a := tidemark.NewAlert()
		a.Conditions = []tidemark.Condition{{Type: tidemark.Above, MetricName: fmt.Sprint("m", i), Threshold: new(90.0), Tags: []tidemark.TagFilter{}}}
		store.add(a, 0)
	}
	e := NewEvaluator(Options{Store: store, Reader: Reader{Engine: memory.New(), Metrics: metricFunc(noMetric)}, Logger: slog.New(slog.DiscardHandler)})
	at := time.Unix(base, 0)
	e.round(b.Context(), at)
	var took, passed time.Duration
	for b.Loop() {
		at = at.Add(roundEvery)
		passed += roundEvery
		e.version = 1 << 40 // as if one had changed
		before := e.loadedAt
		if err := e.refresh(b.Context(), at); err != nil {
			b.Fatal(err)
		}
		if e.loadedAt != before {
			took += e.loadTook
		}
	}
	b.ReportMetric(100*float64(took)/float64(passed), "%loading")
}

// BenchmarkPass is a minute of up to 10,000 alerts on ten streams each, with a
// measurement every ten seconds: what comes is written in batches of 1,000, and
// passes are made as often as in that minute. The goal is far below the
// minute that one core has for it.
func BenchmarkPass(b *testing.B) {
	for _, alerts := range []int{1, 10, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(alerts), func(b *testing.B) { benchmarkPass(b, alerts) })
	}
}

func benchmarkPass(b *testing.B, alerts int) {
	const perAlert = 10
	store := newModel()
	engine := memory.New()
	for i := range alerts {
		a := tidemark.NewAlert()
		c := tidemark.Condition{Type: tidemark.Above, MetricName: fmt.Sprint("m", i), Threshold: new(90.0), Tags: []tidemark.TagFilter{}}
		switch i % 4 {
		case 1:
			c.Duration = new(tidemark.Seconds(300))
		case 2:
			c = absentFor(c.MetricName, 600)
		case 3:
			c.SummaryFunction = new("derivative")
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
	before := heap() // with alerts and batches, but nothing of any stream
	value := 50.0
	var rounds []time.Duration
	b.ReportAllocs()
	used := cpu()
	for b.Loop() {
		value = 130 - value // from 50 to 80 and back: nothing fires, all is evaluated
		at = minuteOf(b, e, batches, at, value, &rounds)
	}
	b.ReportMetric((cpu()-used).Seconds()/float64(b.N)/60*100, "%core")
	// A measurement waits for its round, up to roundEvery, and for the round.
	slices.Sort(rounds)
	b.ReportMetric(float64((roundEvery*99/100 + rounds[len(rounds)*99/100]).Milliseconds()), "ms-p99-to-decision")
	b.ReportMetric((heap()-before)/float64(alerts), "B/alert")
	runtime.KeepAlive(e)
}

// heap returns how much memory is in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func minuteOf(b *testing.B, e *Evaluator, batches []*tsdb.Batch, at time.Time, value float64, rounds *[]time.Duration) time.Time {
	const passes, perMinute = 120, 6
	next := 0
	for p := range passes {
		for ; next < perMinute*len(batches)*(p+1)/passes; next++ {
			batch := batches[next%len(batches)]
			for r := range batch.Records {
				batch.Records[r].Time, batch.Records[r].Summary = at.Unix(), tsdb.Single(value)
			}
			e.Wrote(1, batch)
		}
		began := time.Now()
		e.round(b.Context(), at)
		*rounds = append(*rounds, time.Since(began))
		at = at.Add(roundEvery)
	}
	return at
}

// BenchmarkComposites is a minute of 1,000 alerts on composites of ten streams
// each, which are evaluated once in it; and the same where one of them takes
// three seconds to read. What counts is how long after the minute the last of
// the others is decided.
func BenchmarkComposites(b *testing.B) {
	for name, slow := range map[string]time.Duration{"quick": 0, "one slow": 3 * time.Second} {
		b.Run(name, func(b *testing.B) {
			w := newCompositeBench(b, slow)
			var late []time.Duration
			used := cpu()
			for b.Loop() {
				late = append(late, w.minute())
			}
			b.ReportMetric((cpu()-used).Seconds()/float64(b.N)/60*100, "%core")
			b.ReportMetric(float64(slices.Max(late).Milliseconds()), "ms-max-to-decision")
		})
	}
}

// compositeBench is an evaluator of alerts on composites, of which the first may
// be slow.
type compositeBench struct {
	b      *testing.B
	eval   *Evaluator
	engine *memory.Engine
	batch  tsdb.Batch
	at     time.Time
}

func newCompositeBench(b *testing.B, slow time.Duration) *compositeBench {
	const alerts, streams = 1000, 10
	store, w := newModel(), &compositeBench{b: b, engine: memory.New(), at: time.Unix(base-base%60, 0)}
	for i := range alerts {
		c := tidemark.Condition{Type: tidemark.Above, MetricName: fmt.Sprint("cm", i), Threshold: new(1e6), Tags: []tidemark.TagFilter{}}
		a := tidemark.NewAlert()
		a.Conditions = []tidemark.Condition{c}
		store.add(a, 0)
		for s := range streams {
			w.batch.Add(fmt.Sprint("m", i), host(s), 0, 50)
		}
	}
	quick := query.New(query.Options{Engine: w.engine})
	read := func(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
		if text == compositeOf("cm0") {
			select {
			case <-time.After(slow):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return quick.Composite(ctx, org, text, start, end, step)
	}
	metric := func(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
		return &tidemark.Metric{Name: name, Type: tidemark.Composite, Composite: compositeOf(name)}, nil
	}
	reader := Reader{Engine: w.engine, Metrics: metricFunc(metric), Composites: compositeFunc(read)}
	w.eval = NewEvaluator(Options{Store: store, Reader: reader, Logger: slog.New(slog.DiscardHandler)})
	w.eval.round(b.Context(), w.at)
	return w
}

func compositeOf(name string) string { return fmt.Sprintf(`sum(s("%s","*"))`, name[1:]) }

// minute lets one pass, and returns how long after it the last of the quick ones
// was decided.
func (w *compositeBench) minute() time.Duration {
	for r := range w.batch.Records {
		w.batch.Records[r].Time = w.at.Unix()
	}
	if err := w.engine.Write(w.b.Context(), 1, &w.batch); err != nil {
		w.b.Fatal(err)
	}
	w.eval.Wrote(1, &w.batch)
	end := w.at.Add(time.Minute)
	for w.at = w.at.Add(roundEvery); w.at.Before(end); w.at = w.at.Add(roundEvery) {
		w.eval.round(w.b.Context(), w.at)
	}
	// From here on time passes as it does, since reading takes some.
	began, next := time.Now(), time.NewTicker(roundEvery)
	defer next.Stop()
	for w.eval.round(w.b.Context(), end); !w.isDecided(end.Unix()); w.eval.round(w.b.Context(), end.Add(time.Since(began))) {
		<-next.C
	}
	w.at = end
	return time.Since(began)
}

func (w *compositeBench) isDecided(until int64) bool {
	return !slices.ContainsFunc(w.eval.polled, func(c *condition) bool { return c.rule.metric != "cm0" && c.poll.from < until })
}

// cpu is how much time of the processors the process took so far.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it cannot fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
