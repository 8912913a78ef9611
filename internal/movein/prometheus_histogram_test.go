package movein

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// More streams than are remembered from block to block still have their
// histograms, but for the first of each block.
func TestManyNativeHistograms(t *testing.T) {
	last := totals{of: make(map[string]protocol.Dist)}
	for i := range maxTotals {
		last.replace(fmt.Sprint("before ", i), protocol.Dist{Count: 1})
	}
	for _, stream := range []string{"before 7", "one", "two"} {
		for _, count := range []float64{0, 1, 2} {
			before, had := last.replace(stream, protocol.Dist{Count: count})
			if known := stream == "before 7" || count > 0; had != known || count > 0 && before.Count != count-1 {
				t.Errorf("before histogram %v of %q: %v, %t", count, stream, before.Count, had)
			}
		}
	}
	if len(last.of) != maxTotals {
		t.Errorf("%d streams are remembered, want %d", len(last.of), maxTotals)
	}
}
