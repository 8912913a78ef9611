package chunk

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestManyLargeValuesInAStep: sums of integers do not overflow, whatever the
// times are like.
func TestManyLargeValuesInAStep(t *testing.T) {
	t.Parallel()
	const n, value, step = maxRecords, 1 << 52, 1 << 20 // together more than 63 bits
	for name, at := range map[string]func(i uint32) uint32{
		"regular":   func(i uint32) uint32 { return i * 10 },
		"with gaps": func(i uint32) uint32 { return i*10 + i/700*50 },
		"jittered":  func(i uint32) uint32 { return i*10 + i*i%7 },
	} {
		r := new(Run)
		for i := range uint32(n) {
			r.take(record{t: at(i), sum: tsdb.Single(value)})
		}
		p := piecesOf(t, r, step, 0, 1)[0]
		for _, s := range []Points{&Sums{steps: steps{Step: step}}, &Summaries{steps: steps{Step: step}}} {
			s.Reset()
			s.Bounds(0, 1<<32)
			if err := s.Chunk(&p); err != nil {
				t.Fatal(err)
			}
			if _, v := s.Series(tsdb.Sum); len(v) != 1 || v[0] != n*value {
				t.Errorf("%s, %T: the sum is %v, want %v", name, s, v, float64(n*value))
			}
			if _, v := s.Series(tsdb.Mean); len(v) != 1 || v[0] != value {
				t.Errorf("%s, %T: the mean is %v", name, s, v)
			}
		}
		u := rollUp(t, r, step)
		if len(u.r) != 1 || u.r[0].Sum != n*value || u.r[0].M2 != 0 {
			t.Errorf("%s: rolled up to %+v", name, u.r)
		}
	}
}

// TestValuesOfTheirOwn: values from memory that have a step each are what they
// are one by one, up to the end of what is asked for and where they stop being
// regular.
func TestValuesOfTheirOwn(t *testing.T) {
	t.Parallel()
	const step = 60
	for name, times := range map[string][]uint32{
		"one a step":             {60, 120, 180, 240, 300},
		"within their steps":     {65, 125, 185, 245, 305},
		"every other step":       {60, 180, 300, 420},
		"not a multiple":         {60, 150, 240, 330},
		"irregular from the 4th": {60, 120, 180, 181, 240, 300},
		"regular from the 3rd":   {60, 61, 120, 180, 240},
		"two in the first":       {60, 119, 179, 239},
	} {
		for hi := int64(59); hi < 430; hi++ {
			r := new(Run)
			for i, at := range times {
				r.take(record{t: at, sum: tsdb.Single(float64(i) + 0.25)})
			}
			want, got := oneByOne{step: step, window: make(map[int64]tsdb.Summary)}, Sums{steps: steps{Step: step}}
			got.Reset()
			for _, s := range []Sink{&want, &got} {
				s.Bounds(60, hi)
				s.run(r, 0, len(times)/2)
				s.run(r, len(times)/2, len(times))
			}
			if len(got.t) != len(want.window) {
				t.Fatalf("%s to %d: steps %v, want %v", name, hi, got.t, want.window)
			}
			for i, at := range got.t {
				if w := want.window[at]; got.sum[i] != w.Sum || got.cnt[i] != w.Count {
					t.Errorf("%s to %d: %v of %v at %d, want %+v", name, hi, got.sum[i], got.cnt[i], at, w)
				}
			}
		}
	}
}
