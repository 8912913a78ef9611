package sketch_test

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// sizes are how many values a record of the engine holds: one scrape, a
// flush, a minute, an hour.
var sizes = []int{1, 10, 100, 10_000}

func lognormal(n int, seed uint64) *sketch.Sketch {
	r, s := source(seed), new(sketch.Sketch)
	for range n {
		s.Add(shapes["lognormal"](r), 1)
	}
	return s
}

// processor reports the processor's time of an operation, which means
// something on a machine that does other work too.
func processor(b *testing.B) func() {
	used := func() (ns int64) {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for oneself
		return u.Utime.Nano() + u.Stime.Nano()
	}
	before := used()
	return func() { b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op") }
}

func BenchmarkAdd(b *testing.B) {
	r, values := source(1), make([]float64, 10_000)
	for i := range values {
		values[i] = shapes["lognormal"](r)
	}
	var s sketch.Sketch
	b.ReportAllocs()
	defer processor(b)()
	i := 0
	for b.Loop() {
		s.Add(values[i%len(values)], 1)
		i++
	}
}

// BenchmarkMergeEncoded is what a rollup does: two stored sketches to one.
func BenchmarkMergeEncoded(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y := lognormal(n, 1).AppendBinary(nil), lognormal(n, 2).AppendBinary(nil)
			var s sketch.Sketch
			var out []byte
			b.ReportAllocs()
			defer processor(b)()
			for b.Loop() {
				s.Reset()
				if err := s.MergeEncoded(x); err != nil {
					b.Fatal(err)
				}
				if err := s.MergeEncoded(y); err != nil {
					b.Fatal(err)
				}
				out = s.AppendBinary(out[:0])
			}
			b.ReportMetric(float64(len(x)), "bytes")
		})
	}
}

// BenchmarkQuantile reads three quantiles of a stored sketch.
func BenchmarkQuantile(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := lognormal(n, 1).AppendBinary(nil)
			var s sketch.Sketch
			b.ReportAllocs()
			defer processor(b)()
			for b.Loop() {
				s.Reset()
				if err := s.MergeEncoded(x); err != nil {
					b.Fatal(err)
				}
				for _, q := range []float64{0.5, 0.95, 0.99} {
					s.Quantile(q)
				}
			}
		})
	}
}

// BenchmarkRollup makes one sketch of an hour of stored minutes.
func BenchmarkRollup(b *testing.B) {
	minutes := make([][]byte, 60)
	for i := range minutes {
		minutes[i] = lognormal(100, uint64(i)).AppendBinary(nil)
	}
	var s sketch.Sketch
	var out []byte
	b.ReportAllocs()
	defer processor(b)()
	for b.Loop() {
		s.Reset()
		for _, m := range minutes {
			if err := s.MergeEncoded(m); err != nil {
				b.Fatal(err)
			}
		}
		out = s.AppendBinary(out[:0])
	}
}
