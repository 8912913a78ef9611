package chunk

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
		var over Run
		var rank []uint32
		for range rapid.IntRange(0, 10).Draw(t, "records") {
			at := rapid.Uint32Range(times[0], times[n-1]).Draw(t, "at")
			if step > 0 {
				at -= (at - times[0]) % step
			}
			over.T = append(over.T, at)
		}
		slices.Sort(over.T)
		over.Op = make([]uint8, len(over.T))
		for i, at := range over.T {
			over.V = append(over.V, float64(rapid.IntRange(-999, 999).Draw(t, "late"))/10)
			rank = append(rank, rapid.SampledFrom([]uint32{2, 9}).Draw(t, "rank"))
			if i > 0 && over.T[i-1] == at {
				rank[i] = max(rank[i], rank[i-1])
			}
			if slices.Contains(times, at) && rank[i] < gen {
				continue
			}
			want[at] = over.V[i]
		}
		var s Scratch
		var d decimals
		b := appendChunk(nil, times, values, 0, &s)
		h, err := HeaderOf(b)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := d.read(Pad(b), times[0], &h); !ok || err != nil {
			t.Skip("not decimals alone")
		}
		if !d.put(gen, &over, rank, 0, len(over.T)) {
			t.Skip("not on the same slots")
		}
		p := Sums{steps: steps{Step: 1}}
		p.Reset()
		p.Bounds(0, 1<<32)
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
