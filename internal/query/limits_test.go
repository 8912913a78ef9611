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

// TestRelease: after a part of an expression was evaluated, what is held is
// what was held before, its outcome and what was pinned, each counted once.
func TestRelease(t *testing.T) {
	t.Parallel()
	ev := &evaluation{}
	expect := func(when string, points, series int64) {
		t.Helper()
		if ev.held.Load() != points || ev.series.Load() != series {
			t.Errorf("%s: %d points of %d series are held, want %d of %d", when, ev.held.Load(), ev.series.Load(), points, series)
		}
	}
	ev.held.Store(100)
	ev.series.Store(10)
	ev.pinned = holding{30, 3}
	before := ev.mark()
	ev.release(before, nil)
	expect("nothing was read", 100, 10)
	ev.held.Add(50)
	ev.series.Add(5)
	ev.release(before, []*Series{{Values: make([]float64, 4)}, {Values: make([]float64, 2)}})
	expect("two series of what was read are left", 106, 12)
	before = ev.mark()
	ev.held.Add(20)
	ev.series.Add(2)
	ev.pinned.add([]*Series{{Values: make([]float64, 20)}})
	ev.release(before, nil)
	expect("one of what was read was pinned", 126, 13)
}
