package alerting

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// tryOut is what a backtest says of an alert since start, the present
// included.
func (b *bench) tryOut(a *tidemark.Alert, start int64) *tidemark.Backtest {
	b.t.Helper()
	got, err := b.eval.Reader.Backtest(b.t.Context(), 1, a, start, time.Now().Unix()+1, time.Now().Unix())
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

// TestGroupsOfAnyPeriod sums two streams of a group: neither is above the
// threshold, the group is. That must be found whatever the metric's period.
func TestGroupsOfAnyPeriod(t *testing.T) {
	t.Parallel()
	for _, period := range []int64{1, 2, 10, 60} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.metrics["cpu"] = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge, Period: &period}
			group := cpuAbove(15)
			group.SummaryFunction = new("sum")
			group.Tags = []tidemark.TagFilter{{Name: "dc", Grouped: new(true)}}
			below := group
			below.Type = tidemark.Below
			time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
			start := time.Now().Unix()
			above, under := b.add(group), b.add(below)
			b.pass()
			for range 15 {
				b.write("cpu", "eu-1", 10)
				b.write("cpu", "eu-2", 10)
				time.Sleep(10 * time.Second)
				b.pass()
			}
			if !b.firing(above) {
				t.Errorf("period %d: 10 + 10 is not above 15", period)
			}
			// Of a whole step every measurement counts, of which there are
			// more in longer ones.
			each := float64(max(period/10, 1))
			if v := b.store.alerts[above.ID].State.Violations; len(v) != 1 || v[0].Stream != "dc=eu" || v[0].Value != 20*each {
				t.Errorf("period %d: violations = %+v", period, v)
			}
			if b.firing(under) {
				t.Errorf("period %d: single streams are evaluated in place of the group", period)
			}
			if got := b.tryOut(above, start); got.Fired != 1 {
				t.Errorf("period %d: tried out, it fires %d times", period, got.Fired)
			}
			if got := b.tryOut(under, start); got.Fired != 0 {
				t.Errorf("period %d: tried out, the other fires %d times", period, got.Fired)
			}
		})
	}
}

// TestCompositesOfAnyPeriod has a composite that is always 0, whatever it is
// made of.
func TestCompositesOfAnyPeriod(t *testing.T) {
	t.Parallel()
	for _, period := range []int64{1, 2, 60} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.metrics["zero"] = &tidemark.Metric{Name: "zero", Type: tidemark.Composite, Composite: `subtract([sum(s("cpu","*")),sum(s("cpu","*"))])`, Period: &period}
			b.eval.Reader.Composites = compositeFunc(func(_ context.Context, _ tidemark.OrgID, _ string, start, end, step int64) ([]*tsdb.Series, error) {
				s := &tsdb.Series{}
				for at := start - start%step; at < end; at += step {
					s.Times, s.Values = append(s.Times, at), append(s.Values, 0)
				}
				return []*tsdb.Series{s}, nil
			})
			over, under := cpuAbove(10), cpuAbove(10)
			over.MetricName, under.MetricName, under.Type = "zero", "zero", tidemark.Below
			start := time.Now().Unix()
			high, low := b.add(over), b.add(under)
			b.pass()
			for range 15 {
				b.write("cpu", "h1", 100)
				time.Sleep(10 * time.Second)
				b.pass()
			}
			if b.firing(high) {
				t.Errorf("period %d: fires on what it is made of: %+v", period, b.store.alerts[high.ID].State.Violations)
			}
			if !b.firing(low) {
				t.Errorf("period %d: 0 is not below 10", period)
			}
			if got := b.tryOut(high, start); got.Fired != 0 {
				t.Errorf("period %d: tried out, it fires %d times", period, got.Fired)
			}
			if got := b.tryOut(low, start); got.Fired != 1 {
				t.Errorf("period %d: tried out, the other fires %d times", period, got.Fired)
			}
		})
	}
}

// TestGroupsAppear has a metric get a period of one second while an alert
// watches groups of it: it goes on by steps, of the new length.
func TestGroupsAppear(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		group := cpuAbove(15)
		group.SummaryFunction = new("sum")
		group.Tags = []tidemark.TagFilter{{Name: "dc", Grouped: new(true)}}
		a := b.add(group)
		b.pass()
		b.metrics["cpu"] = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge, Period: new(int64(1))}
		time.Sleep(refreshEvery)
		b.pass()
		for range 6 {
			b.write("cpu", "eu-1", 10)
			b.write("cpu", "eu-2", 10)
			time.Sleep(10 * time.Second)
			b.pass()
		}
		if !b.firing(a) {
			t.Error("10 + 10 is not above 15")
		}
	})
}

// TestWindowsTakeTheirTime has streams and alerts begin at any second: an
// alert with a duration fires with the first reading that long after the
// first, live, over a restart, and tried out.
func TestWindowsTakeTheirTime(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			duration, every := int64(60*(1+rnd.IntN(3))), int64(1+rnd.IntN(40))
			b := newBench(t)
			time.Sleep(time.Duration(rnd.IntN(60)) * time.Second)
			c := cpuAbove(10)
			c.Duration = new(tidemark.Seconds(duration))
			a := b.add(c)
			start := time.Now().Unix()
			b.pass()
			time.Sleep(time.Duration(rnd.IntN(60)) * time.Second)
			if rnd.IntN(2) == 0 {
				b.write("cpu", "a", 1)
				time.Sleep(time.Second)
			}
			first, restart := time.Now().Unix(), rnd.Int64N(2*duration)
			for !b.firing(a) && time.Now().Unix() < first+10*duration {
				if at := time.Now().Unix() - first; at >= restart && at < restart+every {
					b.restart()
					b.pass()
				}
				b.write("cpu", "a", 11)
				if b.firing(a) {
					break
				}
				time.Sleep(time.Duration(every) * time.Second)
			}
			want := (duration + every - 1) / every * every
			if took := time.Now().Unix() - first; took != want {
				t.Errorf("seed %d: a reading every %d s for %d s fires after %d s, want %d", seed, every, duration, took, want)
			}
			if got := b.tryOut(a, start); got.Fired != 1 || got.Incidents[0].TriggeredAt != first+want {
				t.Errorf("seed %d: tried out: %+v, want %d", seed, got.Incidents, first+want)
			}
		})
	}
}
