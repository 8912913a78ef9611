package query

import (
	"slices"
	"testing"
)

// TestLoops: the loops that go four places at a time reach every place, and no
// more, whatever the length.
func TestLoops(t *testing.T) {
	t.Parallel()
	for n := range 14 {
		sum, one, times := make([]float64, n), make([]float64, n+1), make([]int64, n)
		want := make([]float64, n)
		for i := range n {
			sum[i], one[i], times[i] = float64(i), float64(10*i), int64(i)*60
			want[i] = float64(11 * i)
		}
		if addRow(sum, one); !slices.Equal(sum, want) {
			t.Errorf("%d places come to %v, want %v", n, sum, want)
		}
		compareTimes(t, times)
	}
}

func compareTimes(t *testing.T, times []int64) {
	moved := slices.Clone(times)
	for i := range moved {
		moved[i] += 7
	}
	if !sameTimes(times, moved, 7) || !sameTimes(times, slices.Clone(times), 0) {
		t.Errorf("%v is not the same as itself", times)
	}
	if sameTimes(times, append(slices.Clone(times), 0), 0) || sameTimes(append(slices.Clone(times), 0), times, 0) {
		t.Errorf("%v is the same as one more", times)
	}
	for i := range moved {
		for _, off := range []int64{1, 60, -60, 1 << 40} {
			moved[i] += off
			if sameTimes(times, moved, 7) {
				t.Errorf("%v, moved by 7, is the same as %v", times, moved)
			}
			moved[i] -= off
		}
	}
}
