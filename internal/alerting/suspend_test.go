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

// TestFirstAfterMaintenance: whoever is first notified of an incident when a
// window or a snooze is over gets a trigger; whoever knows of it a reminder.
func TestFirstAfterMaintenance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		quiet func(a *tidemark.WatchedAlert, start int64) *tidemark.Maintenance
		want  string // minutes of the trigger and the reminders, and of the clear
	}{
		"maintenance": {func(_ *tidemark.WatchedAlert, start int64) *tidemark.Maintenance {
			return &tidemark.Maintenance{ID: 1, StartsAt: start, EndsAt: new(start + 5*60), Covers: tidemark.Covers{All: true}}
		}, "[trigger 5 reminder 15 clear 20]"},
		"snooze": {func(a *tidemark.WatchedAlert, start int64) *tidemark.Maintenance {
			a.Snoozes = []tidemark.Snooze{{StartsAt: start, EndsAt: new(start + 5*60)}}
			return nil
		}, "[trigger 5 reminder 15 clear 20]"},
		"maintenance that began later": {func(_ *tidemark.WatchedAlert, start int64) *tidemark.Maintenance {
			return &tidemark.Maintenance{ID: 1, StartsAt: start + 2*60, EndsAt: new(start + 5*60), Covers: tidemark.Covers{All: true}}
		}, "[trigger 0 reminder 5 reminder 15 clear 20]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
				start := time.Now().Unix()
				b.store.services[1] = &tidemark.Service{ID: 1}
				a := b.add(cpuAbove(5))
				b.store.change(a.ID, start, func(w *tidemark.WatchedAlert) {
					w.Alert.ServiceIDs = []int64{1}
					if window := c.quiet(w, start); window != nil {
						b.store.windows = append(b.store.windows, window)
					}
				})
				b.pass()
				for i := range 21 {
					b.write("cpu", "a", map[bool]float64{true: 9, false: 1}[i < 20])
					b.pass()
					for _, d := range b.store.deliveries { // or there would be no reminder
						d.Status, d.FinishedAt = tidemark.DeliveryDelivered, d.CreatedAt
					}
					time.Sleep(time.Minute)
				}
				got := []string{}
				for _, d := range b.store.deliveries {
					got = append(got, fmt.Sprintf("%s %d", d.Notice.Kind, (d.CreatedAt-start)/60))
				}
				if fmt.Sprint(got) != c.want {
					t.Errorf("got %v, want %s", got, c.want)
				}
			})
		})
	}
}
