package jsonout

import (
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func checkFloat(t *testing.T, v float64) {
	t.Helper()
	want, err := json.Marshal(v)
	if err != nil {
		return // no number
	}
	if got := string(AppendFloat(nil, v)); got != string(want) {
		t.Errorf("%x is written as %s, want %s", v, got, want)
	}
	if got := len(want); got > maxFloatText {
		t.Errorf("%s has %d letters, more than %d", want, got, maxFloatText)
	}
}

func TestAppendFloat(t *testing.T) {
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, 0.1, 0.2, 0.3, 1.0 / 3, 2.0 / 3, 1e-6, 1e-7, 9.999999e-7, 1.5e-6, 1e20, 1e21, 1e22,
		123.456, 123.4567, 99.99, 99.995, 0.001, 0.0005, 1e15, 1e15 + 0.5, 999999999999.9995, 1<<52 - 0.5, 1 << 52, 1<<53 - 1, 1 << 53,
		1<<51 + 0.5, 1<<51 + 0.25, 5e-324, math.MaxFloat64, math.Pi, math.E * 1e9, 9007199254740993, 4.35, 0.285, 1.005,
		5e-5, 0.000123456789012345, 2.2250738585072014e-308, 0.30000000000000004, 1e17, 12345678901234567,
	} {
		for _, near := range []float64{v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1))} {
			checkFloat(t, near)
			checkFloat(t, -near)
		}
	}
}

// TestAppendFloatRandom covers what tables do not: means of decimals, every
// exponent, every number of decimals.
func TestAppendFloatRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for range 100_000 {
		checkFloat(t, float64(rng.IntN(1_000_000))/100/float64(1+rng.IntN(60)))
		checkFloat(t, math.Ldexp(1+rng.Float64(), rng.IntN(80)-24))
		checkFloat(t, float64(rng.Int64N(1<<53))/math.Pow10(rng.IntN(20)))
		checkFloat(t, math.Float64frombits(rng.Uint64()))
	}
	for exponent := range 2048 { // the numbers whose lower neighbour is nearer
		checkFloat(t, math.Float64frombits(uint64(exponent)<<52))
	}
}

func FuzzAppendFloat(f *testing.F) {
	f.Add(math.Float64bits(0.1))
	f.Add(math.Float64bits(5512.123333333333))
	f.Fuzz(func(t *testing.T, b uint64) { checkFloat(t, math.Float64frombits(b)) })
}

func BenchmarkAppendFloat(b *testing.B) {
	means, decimals := make([]float64, 1000), make([]float64, 1000)
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range means {
		means[i] = float64(rng.IntN(100_000)) / 60
		decimals[i] = float64(rng.IntN(100_000)) / 100
	}
	var text []byte
	for name, values := range map[string][]float64{"means": means, "decimals": decimals} {
		b.Run(name+"/ours", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				text = AppendFloat(text[:0], values[i%1000])
			}
		})
		b.Run(name+"/strconv", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				text = strconv.AppendFloat(text[:0], values[i%1000], 'f', -1, 64)
			}
		})
	}
}

// BenchmarkPoints writes a hundred streams with the same times, whose values
// are means.
func BenchmarkPoints(b *testing.B) {
	times, values := make([]int64, 720), make([]float64, 720)
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range times {
		times[i], values[i] = 1_700_000_000+int64(i)*3600, float64(rng.IntN(100_000))/60
	}
	b.ReportAllocs()
	for b.Loop() {
		out := New(io.Discard)
		for range 100 {
			out.Points(times, values)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/72_000, "ns/point")
}
