package alerting

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// newOutageBench returns a bench with a composite and a metric that folds.
func newOutageBench(t *testing.T) *bench {
	b := newBench(t)
	b.metrics["total"] = &tidemark.Metric{Name: "total", Type: tidemark.Composite, Composite: `s("cpu","*")`, Period: new(int64(60))}
	b.metrics["folded"] = &tidemark.Metric{Name: "folded", Type: tidemark.Gauge, Period: new(int64(60)), Attributes: map[string]any{"aggregate": true}}
	time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
	b.startAgain()
	return b
}

// startAgain starts a process that can evaluate composites.
func (b *bench) startAgain() {
	b.restart()
	b.eval.Reader.Composites = query.New(query.Options{Engine: b.engine})
}

// minutes lets time pass, and has hosts send each minute.
func (b *bench) minutes(n int, value float64, hosts ...string) {
	for range n {
		for _, host := range hosts {
			b.write("cpu", host, value)
			b.write("folded", host, value)
		}
		b.pass()
		b.pass()
		time.Sleep(time.Minute)
	}
}

func grouped(c tidemark.Condition) tidemark.Condition {
	c.Tags = []tidemark.TagFilter{{Name: "host", Grouped: new(true)}}
	return c
}

// TestOutageIsNoSilence: silence counts from the start of the process, however
// a condition is evaluated and however long none ran; and what does not come
// back is noticed.
func TestOutageIsNoSilence(t *testing.T) {
	t.Parallel()
	kinds := map[string]tidemark.Condition{
		"direct": absentFor("cpu", 180), "grouped": grouped(absentFor("cpu", 180)),
		"composite": absentFor("total", 180), "aggregate": absentFor("folded", 180),
	}
	for _, outage := range []time.Duration{2 * time.Minute, 10 * time.Minute, 5 * time.Hour, 72 * time.Hour} {
		for name, condition := range kinds {
			t.Run(name+" "+outage.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { playOutage(t, condition, outage) })
			})
		}
	}
}

func playOutage(t *testing.T, condition tidemark.Condition, outage time.Duration) {
	b := newOutageBench(t)
	a := b.add(condition)
	b.minutes(10, 1, "a", "b")
	if b.isFiring(a) {
		t.Fatal("it fires before the outage")
	}
	time.Sleep(outage)
	b.startAgain()
	b.minutes(2, 1)
	b.minutes(1, 1, "a")
	if b.isFiring(a) {
		t.Fatal("the outage counts as silence")
	}
	b.minutes(4, 1, "a")
	if !b.isFiring(a) {
		t.Fatal("nobody notices that b did not come back")
	}
	for _, v := range b.store.alerts[a.ID].State.Violations {
		if v.Stream != "host=b" {
			t.Errorf("%s violates", v.Stream)
		}
	}
	b.startAgain()
	b.minutes(2, 1, "a")
	if !b.isFiring(a) {
		t.Fatal("another restart ended the incident")
	}
	b.minutes(2, 1, "a", "b")
	if b.isFiring(a) {
		t.Error("b is back, and the incident goes on")
	}
}

// TestOldReadingsAfterRestart: what was measured long before a restart counts
// as it would have without one.
func TestOldReadingsAfterRestart(t *testing.T) {
	t.Parallel()
	derivative := func(c tidemark.Condition) tidemark.Condition {
		c.SummaryFunction = new("derivative")
		return c
	}
	lasting := func(c tidemark.Condition) tidemark.Condition {
		c.Duration = new(tidemark.Seconds(1800))
		return c
	}
	of := func(metric string) tidemark.Condition {
		c := cpuAbove(5)
		c.MetricName = metric
		return c
	}
	for name, condition := range map[string]tidemark.Condition{
		"at once": of("cpu"), "for a while": lasting(of("cpu")), "derivative": derivative(of("cpu")),
		"derivative for a while": lasting(derivative(of("cpu"))),
		"grouped":                grouped(of("cpu")), "grouped for a while": grouped(lasting(of("cpu"))), "grouped derivative": grouped(derivative(of("cpu"))),
		"composite": of("total"), "aggregate": of("folded"), "aggregate derivative": derivative(of("folded")),
	} {
		for _, old := range []time.Duration{10 * time.Minute, 2 * time.Hour, 50 * time.Hour} {
			t.Run(name+" "+old.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { playOldReadings(t, condition, old) })
			})
		}
	}
}

// playOldReadings measures a stream rarely, restarts, and then has the other
// condition of the alert hold.
func playOldReadings(t *testing.T, condition tidemark.Condition, old time.Duration) {
	b := newOutageBench(t)
	other := cpuAbove(5)
	other.MetricName = "other"
	a := b.add(condition, other)
	b.pass()
	for i := range 6 {
		b.write("cpu", "a", float64(10+10*i))
		b.write("folded", "a", float64(10+10*i))
		b.minutes(2, 0, "z")
		time.Sleep(old)
	}
	b.startAgain()
	b.pass()
	time.Sleep(2 * time.Minute)
	b.pass()
	if b.isFiring(a) {
		t.Fatal("it fires though one condition does not hold")
	}
	b.write("other", "a", 9)
	b.minutes(1, 0)
	b.pass()
	if !b.isFiring(a) {
		t.Fatal("the reading before the restart is forgotten")
	}
	if v := b.store.alerts[a.ID].State.Violations[0]; v.Stream != "host=a" {
		t.Errorf("it is %s that violates", v.Stream)
	}
}

// isStarted reports whether a process is started again.
func (h *history) isStarted() bool { return len(h.restarts)+len(h.outages) > 0 }

// countsSilenceAgain reports whether a restart begins to count silence again.
func (h *history) countsSilenceAgain() bool {
	return h.isStarted() && slices.ContainsFunc(h.alert.Conditions, func(c tidemark.Condition) bool { return c.Type == tidemark.Absent })
}
