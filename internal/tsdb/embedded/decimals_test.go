package embedded

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestSinksAgree feeds chunks of decimals to the sinks and compares what they
// make of them with plain arithmetic.
func TestSinksAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		times := drawTimes(t, n)
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(rapid.IntRange(-1000, 1000).Draw(t, "value")) / 10
		}
		from, to := int64(times[0]), int64(times[n-1])
		lo := rapid.Int64Range(from-100, to+1).Draw(t, "lo")
		hi := rapid.Int64Range(lo, to+100).Draw(t, "hi")
		step := rapid.SampledFrom([]int64{1, 7, 60, int64(max(1, times[n-1]-times[0]) / 3), 10 * max(1, (to-from)/int64(n))}).Draw(t, "step")
		cut := rapid.IntRange(0, n).Draw(t, "cut") // two chunks, which may share a step
		want := make(map[int64]tsdb.Summary)
		for i, at := range times {
			if int64(at) >= lo && int64(at) < hi {
				w := int64(at) / max(1, step) * max(1, step)
				sum, one := want[w], tsdb.Single(values[i])
				sum.Merge(&one)
				want[w] = sum
			}
		}
		for _, full := range []bool{false, true} {
			p := points{step: max(1, step), full: full}
			p.reset()
			feedChunks(t, &p, times, values, cut, lo, hi)
			checkPoints(t, &p, want)
		}
		u := rollup{window: uint32(max(1, step))}
		feedChunks(t, &u, times, values, cut, lo, hi)
		u.flush()
		checkRollup(t, &u, want)
	})
}

func feedChunks(t *rapid.T, s sink, times []uint32, values []float64, cut int, lo, hi int64) {
	var sc scratch
	s.bounds(lo, hi)
	for _, part := range [][2]int{{0, cut}, {cut, len(times)}} {
		if i, j := part[0], part[1]; i < j {
			b := appendChunk(nil, times[i:j], values[i:j], 0, &sc)
			h, _, err := readHeader(b)
			if err == nil {
				err = s.chunk(b, times[i], &h)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkPoints(t *rapid.T, p *points, want map[int64]tsdb.Summary) {
	if len(p.t) != len(want) || !slices.IsSorted(p.t) {
		t.Fatalf("full %v: steps %v, want %v", p.full, p.t, want)
	}
	for i, at := range p.t {
		w := want[at]
		got := tsdb.Summary{Min: w.Min, Max: w.Max, Last: w.Last}
		if p.full {
			got = p.sums[i]
		} else {
			got.Sum, got.Count = p.sum[i], p.cnt[i]
		}
		if got.Count != w.Count || math.Abs(got.Sum-w.Sum) > 1e-6 || got.Min != w.Min || got.Max != w.Max || got.Last != w.Last {
			t.Fatalf("full %v, at %d: %+v, want %+v", p.full, at, got, w)
		}
	}
}

func checkRollup(t *rapid.T, u *rollup, want map[int64]tsdb.Summary) {
	if len(u.t) != len(want) || !slices.IsSorted(u.t) {
		t.Fatalf("windows %v, want %v", u.t, want)
	}
	for i, at := range u.t {
		got, w := u.r[i], want[int64(at)]
		if got.Count != w.Count || math.Abs(got.Sum-w.Sum) > 1e-6 || got.Min != w.Min || got.Max != w.Max || got.Last != w.Last ||
			math.Abs(got.M2-w.M2) > 1e-4 {
			t.Fatalf("at %d: %+v, want %+v", at, got, w)
		}
	}
}

// TestPut puts records over a chunk of decimals and compares with a map.
func TestPut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 100).Draw(t, "n")
		times, values := drawTimes(t, n), make([]float64, n)
		want := make(map[uint32]float64)
		for i := range values {
			values[i] = float64(rapid.IntRange(-999, 999).Draw(t, "value"))/10 + 0.1
			want[times[i]] = values[i]
		}
		const gen = 5
		step, _, _ := gapsOf(times)
		var over run
		var rank []uint32
		for range rapid.IntRange(0, 10).Draw(t, "records") {
			at := rapid.Uint32Range(times[0], times[n-1]).Draw(t, "at")
			if step > 0 {
				at -= (at - times[0]) % step
			}
			over.t = append(over.t, at)
		}
		slices.Sort(over.t)
		over.op = make([]uint8, len(over.t))
		for i, at := range over.t {
			over.v = append(over.v, float64(rapid.IntRange(-999, 999).Draw(t, "late"))/10)
			rank = append(rank, rapid.SampledFrom([]uint32{2, 9}).Draw(t, "rank"))
			if i > 0 && over.t[i-1] == at {
				rank[i] = max(rank[i], rank[i-1])
			}
			if slices.Contains(times, at) && rank[i] < gen {
				continue
			}
			want[at] = over.v[i]
		}
		var s scratch
		var d decimals
		b := appendChunk(nil, times, values, 0, &s)
		h, _, err := readHeader(b)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := d.read(b, times[0], &h); !ok || err != nil {
			t.Skip("not decimals alone")
		}
		if !d.put(gen, &over, rank, 0, len(over.t)) {
			t.Skip("not on the same slots")
		}
		p := points{step: 1}
		p.reset()
		p.bounds(0, 1<<32)
		p.decimals(&d)
		if len(p.t) != len(want) {
			t.Fatalf("%d records, want %d", len(p.t), len(want))
		}
		for i, at := range p.t {
			if p.sum[i] != want[uint32(at)] {
				t.Fatalf("at %d: %v, want %v", at, p.sum[i], want[uint32(at)])
			}
		}
	})
}
