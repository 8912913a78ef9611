package query

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDefaultLimits: what is not set has its default, and so has what makes no
// sense; what is set stays; a query that is alone never waits for memory.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	defaults := Limits{
		Points: DefaultPoints, Held: DefaultHeld, Series: DefaultSeries, Branches: DefaultBranches,
		Parallel: DefaultParallel, Together: DefaultTogether, Wait: DefaultWait,
	}
	set := Limits{Points: 1, Held: 2, Series: 3, Branches: 4, Parallel: 5, Together: 6, Wait: time.Nanosecond}
	greedy := set
	greedy.Held = 100
	raised := greedy
	raised.Together = 100
	for name, tt := range map[string]struct{ limits, want Limits }{
		"none":                   {Limits{}, defaults},
		"negative":               {Limits{-1, -1, -1, -1, -1, -1, -1}, defaults},
		"all set":                {set, set},
		"more for one than all":  {greedy, raised},
		"only how long it waits": {Limits{Wait: time.Hour}, func() Limits { l := defaults; l.Wait = time.Hour; return l }()},
	} {
		if diff := cmp.Diff(tt.want, New(Options{Limits: tt.limits}).limits); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
