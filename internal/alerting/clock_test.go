package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// clockBench is a bench with a clock that can be set.
type clockBench struct {
	*bench
	alert *tidemark.Alert
	ahead time.Duration // by how much the clock is wrong
}

// newClockBench returns one with an alert, at the beginning of a minute.
func newClockBench(t *testing.T, cond tidemark.Condition) *clockBench {
	b := &clockBench{bench: newBench(t)}
	time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
	b.alert = b.add(cond)
	return b
}

// minute records a value, unless it is 0, lets a minute pass, and reports
// whether the alert fires.
func (b *clockBench) minute(value float64) bool {
	b.t.Helper()
	if value != 0 {
		b.writeAt("cpu", "a", -int64(b.ahead.Seconds()), value)
	}
	for range 60 {
		time.Sleep(time.Second)
		b.eval.round(b.t.Context(), time.Now().Add(b.ahead))
	}
	return b.isFiring(b.alert)
}

// minutes is minute, several times.
func (b *clockBench) minutes(n int, value float64) (firing bool) {
	b.t.Helper()
	for range n {
		firing = b.minute(value)
	}
	return firing
}

// clockConditions are conditions that follow the clock, each in its own way.
func clockConditions() map[string]tidemark.Condition {
	windowed := cpuAbove(5)
	windowed.Duration = new(tidemark.Seconds(120))
	group := cpuAbove(5)
	group.Tags = []tidemark.TagFilter{{Name: "host", Grouped: new(true)}}
	return map[string]tidemark.Condition{"at once": cpuAbove(5), "for a while": windowed, "group": group, "absent": absentFor("cpu", 120)}
}

// TestClockJumpsAheadAnHour has the clock be an hour ahead for a while, and the
// alert fire, or not, meanwhile. Set right, whether the server goes on or is
// started again, the alert clears and fires without waiting for the hour.
func TestClockJumpsAheadAnHour(t *testing.T) {
	t.Parallel()
	for name, cond := range clockConditions() {
		for _, restarts := range []bool{false, true} {
			for _, fires := range []bool{false, true} {
				called := name
				if restarts {
					called += ", started again"
				}
				if fires {
					called += ", firing"
				}
				t.Run(called, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { jumpAnHour(t, cond, restarts, fires) })
				})
			}
		}
	}
}

func jumpAnHour(t *testing.T, cond tidemark.Condition, restarts, fires bool) {
	b := newClockBench(t, cond)
	good, bad := 1.0, 9.0
	if cond.Type == tidemark.Absent {
		bad = 0
	}
	if b.minutes(5, good) {
		t.Fatal("fires at the beginning")
	}
	b.ahead = time.Hour
	if b.minutes(5, good) {
		t.Fatal("fires as the clock is set")
	}
	if fires && !b.minutes(5, bad) {
		t.Fatal("does not fire while the clock is ahead")
	}
	b.ahead = 0
	if restarts {
		b.restart()
	}
	for _, want := range []bool{false, true, false} {
		value := good
		if want {
			value = bad
		}
		if got := b.minutes(5, value); got != want {
			t.Errorf("after five minutes of %v: firing is %v", value, got)
		}
	}
}
