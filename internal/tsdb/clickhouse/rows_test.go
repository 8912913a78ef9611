package clickhouse

import "testing"

// TestKept: the memory of a commit is used again unless somebody may still read
// it, or it is more than most commits need.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sent, n, sketches int
		want              bool
	}{
		{1, 1, 0, true}, {1, maxCommit, maxCommit, true},
		{0, 1, 0, false}, {2, 1, 0, false}, {1, maxCommit + 1, 0, false}, {1, 1, maxCommit + 1, false},
	} {
		r := rows{sent: tt.sent, n: tt.n}
		r.sketch.Buf = make([]byte, tt.sketches)
		if got := r.isKept(); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
