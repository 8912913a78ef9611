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
