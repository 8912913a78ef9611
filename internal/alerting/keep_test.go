package alerting

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// writeMany writes streams of a metric, each with its number as the value.
func (b *bench) writeMany(metric string, from, to int) {
	b.t.Helper()
	var batch tsdb.Batch
	for i := from; i < to; i++ {
		batch.Add(metric, tidemark.Tags{{Name: "host", Value: fmt.Sprintf("h%05d", i)}}, time.Now().Unix(), float64(i))
	}
	if err := b.engine.Write(b.t.Context(), 1, &batch); err != nil {
		b.t.Fatal(err)
	}
	b.eval.Wrote(1, &batch)
}

// lastNotice returns the last notice of an alert.
func (b *bench) lastNotice(a *tidemark.Alert) *tidemark.Notice {
	b.t.Helper()
	for i := len(b.store.deliveries) - 1; i >= 0; i-- {
		if n := b.store.deliveries[i].Notice; n.Alert == a.ID {
			return n
		}
	}
	b.t.Fatal("nobody was notified")
	return nil
}

// TestKeepWorst: of more violations than are kept the worst are, of each
// condition, and the notification says how many more streams violate; a restart
// changes nothing.
func TestKeepWorst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.store.services[1] = &tidemark.Service{ID: 1, Title: "hook", Settings: map[string]string{}}
		below := cpuAbove(20_000)
		below.Type, below.MetricName = tidemark.Below, "mem"
		a := b.add(cpuAbove(5), below)
		b.store.alerts[a.ID].Alert.ServiceIDs = []int64{1}
		b.pass()
		b.writeMany("cpu", 6, 4006)
		b.writeMany("mem", 4006, 4306)
		for range 2 {
			if !b.firing(a) {
				t.Fatal("it does not fire")
			}
			kept := map[string]bool{}
			for _, v := range b.store.alerts[a.ID].State.Violations {
				kept[v.Metric+" "+v.Stream] = true
			}
			if len(kept) != tidemark.MaxViolations || !kept["CPU host=h04005"] || !kept["CPU host=h03306"] || kept["CPU host=h03305"] || !kept["mem host=h04305"] {
				t.Errorf("%d are kept, which are not the worst", len(kept))
			}
			b.restart()
		}
		n := b.lastNotice(a)
		if n.Omitted != 3300 || len(n.Violations) != tidemark.MaxViolations {
			t.Errorf("the notification has %d violations and omits %d streams", len(n.Violations), n.Omitted)
		}
		sent := notify.FromNotice(n, nil)
		if sent.Omitted != 3300 || len(sent.Violations) != tidemark.MaxViolations {
			t.Errorf("what is sent has %d streams and omits %d", len(sent.Violations), sent.Omitted)
		}
	})
}

// TestAllAreNotified: with rearm per signal services are notified once of each
// stream, however many violate, also after a restart.
func TestAllAreNotified(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const all = tidemark.MaxNotified + 500
		b := newBench(t)
		b.store.services[1] = &tidemark.Service{ID: 1, Title: "hook", Settings: map[string]string{}}
		a := b.add(cpuAbove(-1))
		b.store.alerts[a.ID].Alert.RearmPerSignal, b.store.alerts[a.ID].Alert.ServiceIDs = true, []int64{1}
		b.pass()
		b.writeMany("cpu", 0, all)
		if !b.firing(a) || b.lastNotice(a).Omitted != all-tidemark.MaxViolations {
			t.Fatalf("the first notification omits %d streams", b.lastNotice(a).Omitted)
		}
		notified := len(b.store.deliveries)
		for _, again := range []func(){func() {}, b.restart} {
			again()
			time.Sleep(10 * time.Second)
			b.writeMany("cpu", 0, all)
			b.firing(a)
			if len(b.store.deliveries) != notified {
				t.Fatalf("notified again of %d streams", len(b.lastNotice(a).Violations))
			}
		}
		b.writeMany("cpu", all, all+1)
		b.firing(a)
		if n := b.lastNotice(a); len(b.store.deliveries) != notified+1 || len(n.Violations) != 1 || !strings.HasSuffix(n.Violations[0].Stream, fmt.Sprint(all)) {
			t.Errorf("of the stream that joined: %d notifications, the last of %d streams", len(b.store.deliveries)-notified, len(n.Violations))
		}
		if told := len(b.store.alerts[a.ID].State.LastNotified); told > tidemark.MaxNotified {
			t.Errorf("%d streams are remembered", told)
		}
	})
}
