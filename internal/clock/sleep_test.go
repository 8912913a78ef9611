package clock

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestSleep: it takes as long as it says, or until the context is done.
func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		began := time.Now()
		if !Sleep(ctx, time.Minute) || time.Since(began) != time.Minute {
			t.Errorf("slept %v", time.Since(began))
		}
		if Sleep(ctx, time.Minute) || time.Since(began) != 90*time.Second {
			t.Errorf("slept until %v after the start, though the context ended", time.Since(began))
		}
	})
}
