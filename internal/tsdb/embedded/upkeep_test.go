package embedded

import (
	"errors"
	"testing"
	"time"
)

// TestBackOff: a chore that fails is left alone for twice as long as before,
// within bounds, and not at all once it succeeds.
func TestBackOff(t *testing.T) {
	t.Parallel()
	failed := errors.New("no space left on device")
	var last time.Duration
	for i, want := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond} {
		if last = backOff(last, failed); last != want {
			t.Errorf("failure %d: %v, want %v", i+1, last, want)
		}
	}
	if got := backOff(maxPause, failed); got != maxPause {
		t.Errorf("at most %v, want %v", got, maxPause)
	}
	if got := backOff(maxPause, nil); got != 0 {
		t.Errorf("%v after success", got)
	}
}
