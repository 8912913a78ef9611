package alerting

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestReloadPause: alerts that change all the time are loaded again after twenty
// times as long as that takes, half a minute at most; a change after a quiet time
// at once.
func TestReloadPause(t *testing.T) {
	t.Parallel()
	e := NewEvaluator(Options{Store: newModel(), Reader: Reader{Engine: memory.New(), Metrics: metricFunc(noMetric)}, Logger: slog.New(slog.DiscardHandler)})
	at := time.Unix(base, 0)
	for took, pause := range map[time.Duration]time.Duration{
		time.Millisecond: 20 * time.Millisecond, 100 * time.Millisecond: 2 * time.Second, time.Minute: 30 * time.Second,
	} {
		e.version, e.loadedAt, e.loadTook = 1<<40, at, took
		if err := e.refresh(t.Context(), at.Add(pause-1)); err != nil || !e.loadedAt.Equal(at) {
			t.Errorf("loading takes %v: it is done before %v passed, or %v", took, pause, err)
		}
		if err := e.refresh(t.Context(), at.Add(pause)); err != nil || e.loadedAt.Equal(at) {
			t.Errorf("loading takes %v: it is not done after %v, or %v", took, pause, err)
		}
	}
}

// TestSavedBeforeViolation: a maintenance window or a snooze that is saved before
// a measurement comes keeps it from notifying, however recently alerts were
// loaded.
func TestSavedBeforeViolation(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *tidemark.WatchedAlert, now int64){
		"nothing": func(*tidemark.WatchedAlert, int64) {},
		"window": func(w *tidemark.WatchedAlert, now int64) {
			w.Windows = []*tidemark.Maintenance{{ID: 1, Suspends: true, StartsAt: now, EndsAt: new(now + 600), Covers: tidemark.Covers{All: true}}}
		},
		"snooze": func(w *tidemark.WatchedAlert, now int64) {
			w.Snoozes = []tidemark.Snooze{{ID: 1, StartsAt: now, EndsAt: new(now + 600)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				a := b.add(cpuAbove(5))
				b.pass()
				b.eval.loadTook = time.Minute // the next is half a minute away
				change(b.store.alerts[a.ID], time.Now().Unix())
				b.store.version++
				b.write("cpu", "a", 9)
				b.pass()
				b.pass()
				if notified := b.store.alerts[a.ID].State.LastNotifiedAt > 0; notified != (name == "nothing") {
					t.Errorf("notified: %v", notified)
				}
			})
		})
	}
}

// TestChangedAllTheTime: a notification waits for alerts to be loaded once.
func TestChangedAllTheTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.pass()
		b.write("cpu", "a", 9)
		for range 2 {
			b.eval.loadTook = time.Minute
			b.store.version++
			b.pass()
		}
		if !b.firing(a) {
			t.Error("does not fire while alerts are changed")
		}
	})
}
