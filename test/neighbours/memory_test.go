package neighbours

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// TestMemoryIsFlat has one organization record, query and be alerted for
// TIDEMARK_LIVE_MINUTES: the memory of the last quarter is that of the second,
// within a tenth. The first quarter fills caches.
func TestMemoryIsFlat(t *testing.T) {
	minutes := testdeps.Amount("TIDEMARK_LIVE_MINUTES", 0, 240)
	if minutes == 0 {
		t.Skip("memory is watched for minutes or hours: scripts/campaign.sh memory does it")
	}
	s := startServer(t)
	v := newVictim(t, s)
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(minutes)*time.Minute)
	defer stop()
	ended := make(chan int)
	go func() { ended <- v.live(ctx) }()
	var used []int64
	for ctx.Err() == nil {
		used = append(used, s.memory("VmRSS:"))
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	v.check(t, "live", <-ended)
	quarter := len(used) / 4
	early, late := median(used[quarter:2*quarter]), median(used[3*quarter:])
	t.Logf("%d minutes: %d MiB in the second quarter, %d MiB in the last, %d MiB at most", minutes, early>>20, late>>20, s.peak()>>20)
	if late == 0 || late > early+early/10 {
		t.Errorf("memory grew from %d to %d bytes", early, late)
	}
}

func median(of []int64) int64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
