package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// fleet generates the data of the benchmarks: streams with five tags, 200 of
// them a metric; every other metric is a gauge that walks in cents, the others
// are counters.
type fleet struct {
	clock atomic.Int64 // moves with the data
	keys  [][]byte
	seed  []uint64
	v     []float64
}

func newFleet(n int) *fleet {
	f := &fleet{seed: make([]uint64, n), v: make([]float64, n)}
	for i := range n {
		h := i % 200
		tags := tidemark.MakeTags(map[string]string{
			"host": fmt.Sprintf("host-%03d.prod.example.com", h), "rack": fmt.Sprintf("r%d", h%10),
			"region": fmt.Sprintf("eu-west-%d", h%4), "svc": fmt.Sprintf("service-%d", h/10%10),
		})
		f.keys = append(f.keys, tsdb.AppendKey(nil, fmt.Sprintf("m.%04d.requests", i/200%5*1000+i/1000), tags))
		f.seed[i] = uint64(i)*0x9E3779B97F4A7C15 + 88172645463325252
		f.v[i] = float64(5000 + i%5000)
	}
	return f
}

func (f *fleet) next(i int) float64 {
	x := f.seed[i]
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	f.seed[i] = x
	if i/200%2 == 0 {
		f.v[i] += float64(int64(x%401) - 200)
		return f.v[i] / 100
	}
	f.v[i] += float64(x % 500)
	return f.v[i]
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(0, &u) // it cannot fail for the process itself
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// benchStart is a midnight, so that the steps of queries are whole.
const benchStart = 1_760_054_400

// load writes steps records of each stream, 10 s apart, from writers at once,
// in batches of 1000, and returns how long each write took.
func load(b testing.TB, e *embedded.Engine, f *fleet, from, steps, writers int, late func(i, k int) int64) []time.Duration {
	var wg sync.WaitGroup
	took := make([][]time.Duration, writers)
	for w := range writers {
		wg.Go(func() {
			var batch tsdb.Batch
			lo, hi := len(f.keys)*w/writers, len(f.keys)*(w+1)/writers
			flush := func() {
				t := time.Now()
				if err := e.Write(context.Background(), 1, &batch); err != nil {
					b.Error(err)
				}
				took[w] = append(took[w], time.Since(t))
				batch.Reset()
			}
			for k := from; k < from+steps; k++ {
				if now := int64(benchStart + 10*k); now > f.clock.Load() {
					f.clock.Store(now)
				}
				for i := lo; i < hi; i++ {
					at := int64(benchStart + 10*k)
					if late != nil {
						at -= late(i, k)
					}
					batch.AddKey(f.keys[i], at, tsdb.Single(f.next(i)))
					if batch.Len() == 1000 {
						flush()
					}
				}
			}
			if batch.Len() > 0 {
				flush()
			}
		})
	}
	wg.Wait()
	return slices.Concat(took...)
}

// benchSteps is the length of each stream; TIDEMARK_BENCH_STEPS=2000 is what
// the goals are stated for.
func benchSteps() int {
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_BENCH_STEPS")); err == nil {
		return n
	}
	return 200
}

// openBench opens an engine that goes by the clock of the data.
func openBench(b testing.TB, f *fleet, o embedded.Options) *embedded.Engine {
	o.Dir = b.TempDir()
	f.clock.Store(benchStart)
	o.Now = func() time.Time { return time.Unix(f.clock.Load(), 0) }
	e, err := embedded.Open(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// BenchmarkIngest writes 20,000 streams with 8 writers while the engine seals
// and merges, and builds both tiers afterwards; all of it is counted.
func BenchmarkIngest(b *testing.B) {
	steps := benchSteps()
	for _, bench := range []struct {
		name string
		late func(i, k int) int64
	}{
		{"in order", nil},
		{"10 % late", tenPercentLate},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				f := newFleet(20_000)
				e := openBench(b, f, embedded.Options{})
				ctx, cancel := context.WithCancel(context.Background())
				var wg sync.WaitGroup
				wg.Go(func() { _ = e.Run(ctx) })
				cpu := cpuSeconds()
				began := time.Now()
				took := load(b, e, f, 0, steps, 8, bench.late)
				wall := time.Since(began)
				ingest := cpuSeconds() - cpu
				cancel()
				wg.Wait()
				if err := e.Seal(context.Background()); err != nil {
					b.Fatal(err)
				}
				f.clock.Add(4 * 86400)
				if err := e.Maintain(context.Background()); err != nil {
					b.Fatal(err)
				}
				all := cpuSeconds() - cpu
				bytes := settledBytes(b, e)
				million := float64(len(f.keys)*steps) / 1e6
				slices.Sort(took)
				b.ReportMetric(ingest/million, "ingest-cpu-s/M")
				b.ReportMetric(all/million, "all-cpu-s/M")
				b.ReportMetric(million/wall.Seconds(), "M/s")
				b.ReportMetric(float64(bytes)/million/1e6, "B/sample")
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
				b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// settledBytes returns what the engine takes on disk once tables that are no
// longer needed are gone.
func settledBytes(b testing.TB, e *embedded.Engine) int64 {
	last := int64(-1)
	for {
		s, err := e.Stats(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if s.Bytes == last {
			return last
		}
		last = s.Bytes
		time.Sleep(2 * time.Second) // longer than a compaction of this size takes
	}
}

// BenchmarkOpen opens an engine after a crash.
func BenchmarkOpen(b *testing.B) {
	for _, bench := range []struct {
		name           string
		streams, steps int
		seal           bool
	}{
		{"4 M records in the log", 20_000, 200, false},
		{"1 M streams", 1_000_000, 1, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			f := newFleet(bench.streams)
			o := embedded.Options{Dir: b.TempDir(), GenerationRecords: 1 << 30, MemoryBytes: 1 << 40, Now: func() time.Time { return time.Unix(benchStart, 0) }}
			open := func() *embedded.Engine {
				e, err := embedded.Open(context.Background(), o)
				if err != nil {
					b.Fatal(err)
				}
				return e
			}
			e := open()
			load(b, e, f, 0, bench.steps, 2, nil)
			if bench.seal {
				if err := e.Seal(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
			f = nil
			for b.Loop() {
				cpu := cpuSeconds()
				e = open()
				b.StopTimer()
				b.ReportMetric(cpuSeconds()-cpu, "cpu-s")
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/float64(bench.streams), "heap-B/stream")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// count reads a query to its end and returns the points.
func count(b testing.TB, e *embedded.Engine, q *tsdb.Query) int {
	n := 0
	for s, err := range e.Select(context.Background(), 1, q) {
		if err != nil {
			b.Fatal(err)
		}
		n += len(s.Times)
	}
	return n
}

// tenPercentLate makes one record in ten up to three days late.
func tenPercentLate(i, k int) int64 {
	if x := uint64(i*7919+k*104729) * 0x9E3779B97F4A7C15 >> 33; x%10 == 0 {
		return 10 * int64(x%(3*8640))
	}
	return 0
}

// BenchmarkSelect asks what dashboards ask.
func BenchmarkSelect(b *testing.B) {
	b.Run("in order", func(b *testing.B) { benchmarkSelect(b, nil) })
	b.Run("10 % late", func(b *testing.B) { benchmarkSelect(b, tenPercentLate) })
}

func benchmarkSelect(b *testing.B, late func(i, k int) int64) {
	steps := max(benchSteps(), 2160) // six hours
	f := newFleet(2000)
	e := openBench(b, f, embedded.Options{GenerationRecords: 400_000})
	defer e.Close()
	load(b, e, f, 0, steps, 2, late)
	end := int64(benchStart + 10*steps)
	for _, q := range []struct {
		name string
		q    tsdb.Query
	}{
		{"1000 streams x 6 h by 60 s, grouped", tsdb.Query{Metric: "m.*0.requests", Start: end - 21600, End: end, Step: 60, Group: true, GroupBy: []string{"region"}, GroupFunction: tsdb.GroupSum}},
		{"one stream x 6 h by 60 s", tsdb.Query{Metric: "m.0000.requests", Filter: tsdb.TagIs("host", "host-007.prod.example.com"), Start: end - 21600, End: end, Step: 60}},
		{"200 streams x 6 h, stddev", tsdb.Query{Metric: "m.0000.requests", Start: end - 21600, End: end, Step: 60, Function: tsdb.StdDev}},
	} {
		for _, state := range []string{"memory", "sealed", "merged"} {
			switch state {
			case "sealed":
				if err := e.Seal(context.Background()); err != nil {
					b.Fatal(err)
				}
			case "merged":
				f.clock.Add(2 * 86400)
				if err := e.Maintain(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.Run(q.name+"/"+state, func(b *testing.B) {
				b.ReportAllocs()
				n, cpu := 0, cpuSeconds()
				for b.Loop() {
					n = count(b, e, &q.q)
				}
				b.ReportMetric((cpuSeconds()-cpu)*1000/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(n), "points")
			})
		}
	}
}

// BenchmarkMonth reads 100 streams over 30 days by the hour, as a month of
// daily maintenance has left them. The data is of 60 s.
func BenchmarkMonth(b *testing.B) {
	const streams, days, perDay = 100, 30, 1440
	f := newFleet(streams)
	e := openBench(b, f, embedded.Options{})
	defer e.Close()
	var batch tsdb.Batch
	for d := range days {
		batch.Reset()
		for k := range perDay {
			for i := range streams {
				batch.AddKey(f.keys[i], benchStart+86400*int64(d)+60*int64(k), tsdb.Single(f.next(i)))
			}
		}
		f.clock.Store(benchStart + 86400*int64(d+1))
		if err := e.Write(b.Context(), 1, &batch); err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(e.Seal(b.Context()), e.Maintain(b.Context())); err != nil {
			b.Fatal(err)
		}
	}
	q := tsdb.Query{Metric: "m.*", Start: benchStart, End: benchStart + days*86400, Step: 3600, Group: true, GroupBy: []string{"region"}}
	cpu := cpuSeconds()
	for b.Loop() {
		if n := count(b, e, &q); n != 4*days*24 {
			b.Fatalf("%d points, want %d", n, 4*days*24)
		}
	}
	b.ReportMetric((cpuSeconds()-cpu)*1000/float64(b.N), "cpu-ms/op")
}
