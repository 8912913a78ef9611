package uiapi

import (
	"net/http/httptest"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// TestTooManyWatchFiring: pages that hear how many alerts fire are counted,
// and those that are too many refused.
func TestTooManyWatchFiring(t *testing.T) {
	s := New(shared.New(shared.Options{}))
	r := httptest.NewRequest("GET", "/ui/api/watch", nil)
	for range usage.MaxListeners {
		if _, err := s.watchFiring(r, tidemark.Identity{}); err != nil {
			t.Fatalf("one of those that may listen is refused: %v", err)
		}
	}
	for range 2 {
		if _, err := s.watchFiring(r, tidemark.Identity{}); tidemark.KindOf(err) != tidemark.TooMany {
			t.Errorf("one too many: %v", err)
		}
	}
}
