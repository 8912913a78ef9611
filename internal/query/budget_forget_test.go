package query

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestBudgetForgets: organizations that have not asked for an hour have no
// share any longer, those that hold something keep theirs.
func TestBudgetForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{Engine: memory.New(), Limits: Limits{Held: 1000, Together: 1000}})
		for org := range tidemark.OrgID(100) {
			hold, err := q.Hold(t.Context(), org)
			if err != nil {
				t.Fatal(err)
			}
			if org != 7 {
				hold.Release()
			}
		}
		if got := q.budget.guaranteed(); got != 1000/2/101 {
			t.Errorf("the share of each of 100 is %d", got)
		}
		time.Sleep(rememberFor + time.Second)
		if _, err := q.Hold(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		if got := q.budget.guaranteed(); got != 1000/2/3 {
			t.Errorf("an hour later the share of each of two is %d", got)
		}
	})
}
