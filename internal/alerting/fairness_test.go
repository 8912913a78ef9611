package alerting

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// slowComposites evaluates composites that take as long as their text says,
// and are 9 all the time.
func slowComposites(ctx context.Context, _ tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
	took, err := time.ParseDuration(text)
	if err != nil {
		return nil, tidemark.Errorf(tidemark.Invalid, "%q cannot be evaluated", text)
	}
	select {
	case <-time.After(took):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s := &tsdb.Series{}
	for at := start - start%step; at < end; at += step {
		s.Times, s.Values = append(s.Times, at), append(s.Values, 9)
	}
	return []*tsdb.Series{s}, nil
}

// addComposite adds an alert of org on a composite.
func (b *bench) addComposite(org tidemark.OrgID, composite string) *tidemark.Alert {
	name := fmt.Sprint("composite.", len(b.metrics))
	b.metrics[name] = &tidemark.Metric{Name: name, Type: tidemark.Composite, Composite: composite}
	c := cpuAbove(5)
	c.MetricName = name
	a := b.add(c)
	b.store.alerts[a.ID].Org = org
	return a
}

// run runs the evaluator until the test ends.
func (b *bench) run() {
	ctx, stop := context.WithCancel(b.t.Context())
	done := make(chan error)
	go func() { done <- b.eval.Run(ctx) }()
	b.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
	})
}

// TestSlowComposites has two organizations with many slow composites: alerts
// of a third, on measurements and on a composite, fire within a second of when
// they would without.
func TestSlowComposites(t *testing.T) {
	t.Parallel()
	for name, took := range map[string]string{"slow": "3s", "beyond any deadline": "1h"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.eval.Reader.Composites = compositeFunc(slowComposites)
				time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
				direct, quick := b.add(cpuAbove(5)), b.addComposite(1, "1ms")
				for i := range 80 {
					b.addComposite(tidemark.OrgID(2+i%2), took)
				}
				b.run()
				time.Sleep(30 * time.Second)
				b.write("cpu", "a", 9)
				time.Sleep(roundEvery + time.Second)
				if !b.isFiring(direct) {
					t.Error("an alert on measurements waits for slow composites")
				}
				time.Sleep(time.Duration(60-time.Now().Unix()%60)*time.Second + graceful*time.Second + roundEvery + time.Second)
				if !b.isFiring(quick) {
					t.Error("a quick composite waits for slow ones")
				}
			})
		})
	}
}

// isFiring reports whether an alert fires, without a pass.
func (b *bench) isFiring(a *tidemark.Alert) bool {
	b.store.mu.Lock()
	defer b.store.mu.Unlock()
	return b.store.alerts[a.ID].State.Firing
}

// TestSlowCompositeIsEvaluated has a composite take longer than the fast pool
// allows: it fires all the same.
func TestSlowCompositeIsEvaluated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.eval.Reader.Composites = compositeFunc(slowComposites)
		a := b.addComposite(1, "5s")
		b.run()
		time.Sleep(3 * time.Minute)
		if !b.isFiring(a) {
			t.Error("not evaluated")
		}
		if got := b.eval.Troubles(1); len(got) != 0 {
			t.Errorf("set aside: %v", got)
		}
	})
}

// TestSetAside has composites that cannot be evaluated: they are set aside
// with a reason, tried less and less often, and come back by themselves.
func TestSetAside(t *testing.T) {
	t.Parallel()
	for composite, want := range map[string]string{"1h": "takes longer than 20 seconds", "nonsense": `"nonsense" cannot be evaluated`} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			var tries atomic.Int64
			var mended atomic.Bool
			b.eval.Reader.Composites = compositeFunc(func(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
				tries.Add(1)
				if mended.Load() {
					text = "1ms"
				}
				if end-start > 3600 {
					t.Errorf("%d seconds are read at once", end-start)
				}
				return slowComposites(ctx, org, text, start, end, step)
			})
			a := b.addComposite(2, composite)
			b.run()
			time.Sleep(5 * time.Minute)
			if got := b.eval.Troubles(2)[a.ID].Reason; !strings.Contains(got, want) {
				t.Errorf("%s: the reason is %q", composite, got)
			}
			if len(b.eval.Troubles(1)) != 0 {
				t.Error("it is said of another organization")
			}
			tries.Store(0)
			time.Sleep(time.Hour)
			if tries := tries.Load(); tries < 30 || tries > 70 {
				t.Errorf("%s: tried %d times in an hour", composite, tries)
			}
			mended.Store(true)
			time.Sleep(3 * time.Minute)
			if !b.isFiring(a) || len(b.eval.Troubles(2)) != 0 {
				t.Errorf("%s: it does not come back: %v", composite, b.eval.Troubles(2))
			}
		})
	}
}

// TestMetricLookupFails has the definition of one metric be unreadable: alerts
// on others are loaded, and that one when it can be.
func TestMetricLookupFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		broken := true
		known := b.eval.Reader.Metrics
		b.eval.Reader.Metrics = metricFunc(func(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
			if broken && name == "mem" {
				return nil, errors.New("corrupt row")
			}
			return known.Metric(ctx, org, name)
		})
		c := cpuAbove(5)
		c.MetricName = "mem"
		bad := b.add(c)
		good := b.add(cpuAbove(5))
		b.pass()
		b.write("cpu", "a", 9)
		b.write("mem", "a", 9)
		if !b.firing(good) {
			t.Error("one lookup that fails keeps all alerts from being loaded")
		}
		if _, there := b.eval.Troubles(1)[bad.ID]; !there {
			t.Error("nothing says that the other cannot be evaluated")
		}
		broken = false
		time.Sleep(maxBackoff * time.Second)
		if !b.firing(bad) || len(b.eval.Troubles(1)) != 0 {
			t.Errorf("not evaluated after the trouble is over: %v", b.eval.Troubles(1))
		}
	})
}

// TestClockStep has the clock be a day ahead for ten minutes: conditions fire
// and clear afterwards as if it had not been, and its being set is no silence.
func TestClockStep(t *testing.T) {
	t.Parallel()
	for name, cond := range clockConditions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newClockBench(t, cond)
				b.minutes(5, 1)
				b.ahead = 24 * time.Hour
				for range 10 {
					if b.minute(1) {
						t.Fatal("fires as the clock is set")
					}
				}
				b.ahead = 0
				for range 5 {
					if b.minute(1) {
						t.Fatal("fires as the clock is set back")
					}
				}
				fires, clears := 9.0, 1.0
				if cond.Type == tidemark.Absent {
					fires = 0
				}
				if !b.minutes(5, fires) {
					t.Error("muted after the clock was set back")
				}
				if b.minutes(3, clears) {
					t.Error("does not clear after the clock was set back")
				}
			})
		})
	}
}

// TestUnreadableAlert: an alert that cannot be read is set aside with the
// reason; others of its organization go on.
func TestUnreadableAlert(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		bad, good := b.add(cpuAbove(5)), b.add(cpuAbove(5))
		_ = b.store.write(func() { b.store.alerts[bad.ID].Unreadable = "unexpected end of JSON input" })
		b.run()
		time.Sleep(2 * time.Second)
		b.write("cpu", "a", 9)
		time.Sleep(2 * time.Second)
		if !b.isFiring(good) || b.isFiring(bad) {
			t.Errorf("the good one fires: %v, the bad one: %v", b.isFiring(good), b.isFiring(bad))
		}
		if got := b.eval.Troubles(1)[bad.ID].Reason; got != "it cannot be read: unexpected end of JSON input" {
			t.Errorf("the reason is %q", got)
		}
	})
}
