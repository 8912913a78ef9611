package query

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestBudgetFits: a query alone may hold everything to the last point, and an
// organization its share and the common half, to the last point too.
func TestBudgetFits(t *testing.T) {
	t.Parallel()
	const size = 1200
	alone := &budget{size: size, orgs: map[tidemark.OrgID]*orgBudget{1: {queries: 1}}}
	beside := &budget{size: size, orgs: map[tidemark.OrgID]*orgBudget{1: {queries: 1}, 2: {queries: 1, points: 100}}}
	tests := []struct {
		name string
		b    *budget
		n    int64
		want bool
	}{
		{"alone, everything", alone, size, true},
		{"alone, more than there is", alone, size + 1, false},
		{"beside another, the share", beside, size / 6, true},
		{"beside another, the share and the common half", beside, size/6 + size/2, true},
		{"beside another, a point more", beside, size/6 + size/2 + 1, false},
	}
	for _, tt := range tests {
		if got := tt.b.fits(tt.b.orgs[1], tt.n); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
