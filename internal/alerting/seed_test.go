package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestOldViolationAfterRestart: a stream that violated longer ago than is read
// after a restart violates still when it goes on as it was; it does not have to
// do so for the whole duration again, and its incident goes on.
func TestOldViolationAfterRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		high := cpuAbove(5)
		high.Duration = new(tidemark.Seconds(300))
		a := b.add(high)
		b.pass()
		for range 8 {
			b.write("cpu", "a", 9)
			b.pass()
			time.Sleep(time.Minute)
		}
		if !b.firing(a) {
			t.Fatal("it does not fire")
		}
		before := b.store.alerts[a.ID].State
		time.Sleep(2 * time.Hour)
		b.restart()
		if !b.firing(a) {
			t.Fatal("a restart ended the incident")
		}
		b.write("cpu", "a", 9)
		if !b.firing(a) {
			t.Error("a further violation ended the incident")
		}
		if after := b.store.alerts[a.ID].State; after.TriggeredAt != before.TriggeredAt || after.Violations[0].Since != before.Violations[0].Since {
			t.Errorf("the incident began again: %+v, before %+v", after, before)
		}
	})
}
