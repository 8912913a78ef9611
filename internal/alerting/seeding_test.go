package alerting

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestSlowPast expects that reading one alert's past holds up no other, and
// that what comes meanwhile is evaluated afterwards, on top of that past.
func TestSlowPast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		slow := cpuAbove(5)
		slow.MetricName, slow.Duration = "slow", new(tidemark.Seconds(60))
		late, other := b.add(slow), b.add(cpuAbove(5))
		b.store.alerts[late.ID].State.Conditions = tidemark.Fingerprint(late.Conditions)
		for ago := int64(90); ago >= 60; ago -= 10 {
			b.writeAt("slow", "a", ago, 1)
		}
		for ago := int64(58); ago > 0; ago -= 10 {
			b.writeAt("slow", "a", ago, 9)
		}
		b.restart()
		release := make(chan struct{})
		b.eval.Reader.Engine = &selecting{b.engine, func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			if q.Metric == "slow" {
				<-release
			}
			return b.engine.Select(ctx, org, q)
		}}
		b.pass()
		b.write("cpu", "a", 9)
		b.write("slow", "a", 9)
		if !b.firing(other) {
			t.Fatal("an alert waits for the past of another")
		}
		if b.firing(late) {
			t.Fatal("an alert fires though its past is not known")
		}
		close(release)
		if b.firing(late) {
			t.Fatal("it fires though it has not violated for a minute: what came before it was read was lost or counted twice")
		}
		b.writeAt("slow", "a", -2, 9)
		if !b.firing(late) {
			t.Fatal("it does not fire after a minute of violations")
		}
	})
}

// TestArrivedDuringPast: a measurement that arrives while the past is read, and
// is not in what is read, is evaluated afterwards.
func TestArrivedDuringPast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.store.alerts[a.ID].State.Conditions = tidemark.Fingerprint(a.Conditions)
		b.writeAt("cpu", "a", 60, 1)
		b.restart()
		release := make(chan struct{})
		b.eval.Reader.Engine = &selecting{b.engine, func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			var read []*tsdb.Series
			for s, err := range b.engine.Select(ctx, org, q) {
				if err != nil {
					t.Error(err)
				}
				read = append(read, s.Clone())
			}
			<-release
			return func(yield func(*tsdb.Series, error) bool) {
				for _, s := range read {
					if !yield(s, nil) {
						return
					}
				}
			}
		}}
		b.pass()
		b.write("cpu", "a", 9)
		b.pass()
		close(release)
		if !b.firing(a) {
			t.Error("the measurement was lost")
		}
	})
}
