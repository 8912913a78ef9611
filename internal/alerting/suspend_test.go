package alerting

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestSuspendedStories plays an alert that maintenance suspends from the third
// minute to the eighth: one reading a minute, _ for none, and ! where it fires.
func TestSuspendedStories(t *testing.T) {
	t.Parallel()
	derivative := cpuAbove(5)
	derivative.SummaryFunction = new("derivative")
	lasting := cpuAbove(5)
	lasting.Duration = new(tidemark.Seconds(120))
	for name, c := range map[string]struct {
		condition      tidemark.Condition
		readings, want string
	}{
		"does not begin in it": {cpuAbove(5), "111999991199", "..........!!"},
		"begins after it":      {cpuAbove(5), "111999999991", "........!!!."},
		"stays, and clears":    {cpuAbove(5), "199111111111", ".!!!!!!!...."},
		"stays without any":    {cpuAbove(5), "199_________", ".!!!!!!!!!!!"},
		"lasts anew":           {lasting, "199999999999", "..........!!"},
		"lasted before":        {lasting, "999999999991", "..!!!!!!!!!."},
		"derivative":           {derivative, "111000009911", "............"},
		"derivative after":     {derivative, "111000001911", ".........!.."},
		"silent since before":  {absentFor("cpu", 120), "1___________", "..!!!!!!!!!!"},
		"silent in it":         {absentFor("cpu", 120), "111_________", "..........!!"},
		"heard of in it":       {absentFor("cpu", 120), "1____1______", "..!!!!!!..!!"},
	} {
		for _, restarts := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restarts %v", name, restarts), func(t *testing.T) {
				if restarts && c.condition.Type == tidemark.Absent {
					t.Skip("a process that starts counts silence anew")
				}
				synctest.Test(t, func(t *testing.T) { playSuspended(t, c.condition, c.readings, c.want, restarts) })
			})
		}
	}
}

func playSuspended(t *testing.T, c tidemark.Condition, readings, want string, restarts bool) {
	b := newBench(t)
	time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
	start := time.Now().Unix()
	a := b.add(c)
	b.store.windows = []*tidemark.Maintenance{{ID: 1, Suspends: true, StartsAt: start + 3*60, EndsAt: new(start + 8*60), Covers: tidemark.Covers{All: true}}}
	b.pass()
	got := ""
	for i := range want {
		if restarts {
			b.restart()
			b.pass()
		}
		if readings[i] != '_' {
			b.write("cpu", "a", float64(readings[i]-'0'))
		}
		got += string(mark(b.firing(a)))
		time.Sleep(time.Minute)
	}
	if got != want {
		t.Errorf("readings %s: got %s, want %s", readings, got, want)
	}
}
