package chunk

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// drawTimes draws ascending times: regular, with gaps, jittered or wild.
func drawTimes(t *rapid.T, n int) []uint32 {
	start := rapid.Uint32Range(0, 1<<31).Draw(t, "start")
	step := rapid.Uint32Range(1, 1000).Draw(t, "step")
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	times := make([]uint32, n)
	for i := range times {
		times[i] = start
		switch kind {
		case 0:
			start += step
		case 1:
			start += step + rapid.Uint32Range(0, 3).Draw(t, "jitter")
		case 2: // a few are missing
			start += step * max(1, rapid.Uint32Range(0, 40).Draw(t, "missing")/20)
		case 3: // now and then for long
			start += step
			if rapid.IntRange(0, 50).Draw(t, "missing") == 0 {
				start += step * rapid.Uint32Range(0, 200).Draw(t, "slots")
			}
		default:
			start += rapid.Uint32Range(1, 100_000).Draw(t, "gap")
		}
	}
	return times
}

// drawFloat draws what people send, and what nobody should.
func drawFloat() *rapid.Generator[float64] {
	return rapid.Custom(func(t *rapid.T) float64 {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return float64(rapid.IntRange(-1000, 100_000).Draw(t, "int"))
		case 1:
			return float64(rapid.IntRange(-100_000, 100_000).Draw(t, "cents")) / 100
		case 2:
			return float64(rapid.Int64().Draw(t, "large"))
		case 3:
			return rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64}).Draw(t, "odd")
		default:
			return math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		}
	})
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func TestColumnRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(0, 63).Draw(t, "bits")
		in := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
			if rapid.IntRange(0, 30).Draw(t, "outlier") == 0 {
				return rapid.Int64().Draw(t, "any")
			}
			return rapid.Int64Range(-1<<bits, 1<<bits-1).Draw(t, "small") << rapid.IntRange(0, 3).Draw(t, "shift")
		}), 1, 400).Draw(t, "in")
		b := AppendInts([]byte{7}, in)
		out := make([]int64, len(in))
		rest, err := readInts(Pad(append(b[1:], 42)).b, out)
		if err != nil || len(rest) != 1 || !slices.Equal(in, out) {
			t.Fatalf("%v, rest %v\n got %v\nwant %v", err, rest, out, in)
		}
	})
}

func TestChunkRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		times := drawTimes(t, n)
		values := rapid.SliceOfN(drawFloat(), n, n).Draw(t, "values")
		if rapid.Bool().Draw(t, "decimal") {
			for i := range values {
				values[i] = float64(i*i%1000) / 100
			}
		}
		var s Scratch
		b := appendChunk(nil, times, values, 0, &s)
		var c Decoded
		if err := c.Read(Pad(b), times[0], &s, true); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.T, times) || !slices.EqualFunc(c.v, values, sameBits) {
			t.Fatalf("got  %v %v\nwant %v %v", c.T, c.v, times, values)
		}
		if h, err := HeaderOf(b); err != nil || times[0]+h.Span != times[n-1] {
			t.Fatalf("header %+v, %v", h, err)
		}
	})
}

func TestSummaryRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		times := drawTimes(t, n)
		in := make([]tsdb.Summary, n)
		wild := rapid.Bool().Draw(t, "wild")
		for i := range in {
			if wild {
				f := func() float64 { return drawFloat().Draw(t, "f") }
				in[i] = tsdb.Summary{Count: 1 + math.Abs(f()), Sum: f(), Min: f(), Max: f(), Last: f(), M2: f()}
				continue
			}
			for range rapid.IntRange(1, 5).Draw(t, "count") {
				o := tsdb.Single(float64(rapid.IntRange(-500, 500).Draw(t, "v")) / 10)
				in[i].Merge(&o)
			}
		}
		checkSummaries(t, times, in)
	})
}

// TestSummaryNegativeZero: a negative zero is no integer, and comes back as
// what it was.
func TestSummaryNegativeZero(t *testing.T) {
	t.Parallel()
	zero := math.Copysign(0, -1)
	for _, s := range []tsdb.Summary{
		{Count: 1, M2: zero},
		{Count: 1, Sum: zero, Min: zero, Max: zero, Last: zero, M2: zero},
		{Count: 2, Sum: 1, Min: zero, Max: 1, Last: 1, M2: 0.5},
	} {
		checkSummaries(t, []uint32{60}, []tsdb.Summary{s})
	}
}

// checkSummaries encodes and decodes summaries: every bit is as before.
func checkSummaries(t rapid.TB, times []uint32, in []tsdb.Summary) {
	t.Helper()
	var s Scratch
	b := appendSummaries(nil, times, in, flagFold, &s)
	var c Decoded
	if err := c.Read(Pad(b), times[0], &s, true); err != nil {
		t.Fatal(err)
	}
	for i, want := range in {
		got := c.at(i)
		if !sameBits(got.Count, want.Count) || !sameBits(got.Sum, want.Sum) || !sameBits(got.Min, want.Min) ||
			!sameBits(got.Max, want.Max) || !sameBits(got.Last, want.Last) || !sameBits(got.M2, want.M2) {
			t.Fatalf("record %d of %d: got %v, want %v", i, len(in), got, want)
		}
	}
	var light Decoded
	if err := light.Read(Pad(b), times[0], &s, false); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(light.v, c.v, sameBits) || !slices.EqualFunc(light.cnt, c.cnt, sameBits) {
		t.Fatal("count and sum differ when read alone")
	}
}

// FuzzChunk feeds the decoder arbitrary bytes: it may refuse, never panic.
func FuzzChunk(f *testing.F) {
	var s Scratch
	times := []uint32{100, 110, 120, 131, 500}
	f.Add(uint32(100), appendChunk(nil, times, []float64{1, 2.5, math.NaN(), 1e300, -7}, 0, &s))
	f.Add(uint32(100), appendChunk(nil, times[:3], []float64{1.25, 2.5, 3}, flagFold, &s))
	f.Add(uint32(100), appendChunk(nil, []uint32{100, 110, 130, 140, 160}, []float64{1, 2, 3, 4, 5}, 0, &s))
	long, values := walk(400)
	f.Add(long[0], appendChunk(nil, append(long[:180:180], long[190:]...), values[:390], 0, &s))
	f.Add(uint32(7), appendSummaries(nil, times, make([]tsdb.Summary, 5), 0, &s))
	sums := []tsdb.Summary{tsdb.Single(2), {Count: 3, Sum: 6, Min: 1, Max: 3, Last: 2, M2: 2}}
	f.Add(uint32(7), appendSummaries(nil, times[:2], sums, 0, &s))
	f.Fuzz(func(t *testing.T, t0 uint32, b []byte) {
		var s Scratch
		var c Decoded
		for _, full := range []bool{false, true} {
			if err := c.Read(Pad(b), t0, &s, full); err != nil {
				continue
			}
			for i := 1; i < len(c.T); i++ {
				if c.T[i] <= c.T[i-1] {
					t.Fatalf("times do not ascend: %v", c.T)
				}
			}
		}
	})
}

// walk is the data of the benchmarks: a gauge with two decimals.
func walk(n int) ([]uint32, []float64) {
	times, values := make([]uint32, n), make([]float64, n)
	x, v := uint64(88172645463325252), int64(5000)
	for i := range times {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		v += int64(x%401) - 200
		times[i], values[i] = uint32(1_700_000_000+10*i), float64(v)/100
	}
	return times, values
}

func BenchmarkChunkEncode(b *testing.B) {
	times, values := walk(2000)
	var s Scratch
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = appendChunk(dst[:0], times, values, 0, &s)
	}
	b.ReportMetric(float64(len(dst))/2000, "B/sample")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/sample")
}

func BenchmarkChunkDecode(b *testing.B) {
	times, values := walk(2000)
	var s Scratch
	var c Decoded
	e := Pad(appendChunk(nil, times, values, 0, &s))
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Read(e, times[0], &s, true); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/sample")
}

// lateWalk is what comes late of a gauge: n records scattered over a day.
func lateWalk(n int) ([]uint32, []float64) {
	times, values := walk(8640)
	var t []uint32
	var v []float64
	x := uint64(88172645463325252)
	for i := range times {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x%8640 < uint64(n) {
			t, v = append(t, times[i]), append(v, values[i])
		}
	}
	return t, v
}

// BenchmarkLateChunk encodes and decodes chunks of a few scattered records.
func BenchmarkLateChunk(b *testing.B) {
	for _, n := range []int{12, 72} {
		times, values := lateWalk(n)
		var s Scratch
		var c Decoded
		dst := appendChunk(nil, times, values, 0, &s)
		b.Run(strconv.Itoa(n)+"/encode", func(b *testing.B) {
			for b.Loop() {
				dst = appendChunk(dst[:0], times, values, 0, &s)
			}
			b.ReportMetric(float64(len(dst))/float64(len(times)), "B/sample")
		})
		b.Run(strconv.Itoa(n)+"/decode", func(b *testing.B) {
			e := Pad(dst)
			for b.Loop() {
				if err := c.Read(e, times[0], &s, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
