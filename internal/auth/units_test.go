package auth

import (
	"testing"
	"time"
)

func TestEarliest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ a, b, want int64 }{{0, 0, 0}, {0, 5, 5}, {5, 0, 5}, {3, 5, 3}, {5, 3, 3}} {
		if got := earliest(tt.a, tt.b); got != tt.want {
			t.Errorf("earliest(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestGiveBack: a try that is given back is as if it had not been made, and
// more than were made cannot be given back.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	now := time.Now()
	limited := &tries{perHost: limit{2, time.Minute}}
	for i := range 10 {
		if !limited.take("ann", "192.0.2.1", now) {
			t.Fatalf("refused after %d that were given back", i)
		}
		limited.giveBack("ann", "192.0.2.1", now)
		limited.giveBack("ann", "192.0.2.1", now)
	}
	for i := range 3 {
		if got, want := limited.take("ann", "192.0.2.1", now), i < 2; got != want {
			t.Errorf("try %d: %v, want %v", i+1, got, want)
		}
	}
}
