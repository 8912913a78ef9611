package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// TestBacktestBand: an incident of a band says what was measured when it was
// worst, of which stream, and what is usual then.
func TestBacktestBand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * 3600
		time.Sleep(20 * day * time.Second)
		b := newBench(t)
		end := time.Now().Unix()
		end -= end % 3600
		for back := int64(10); back >= 0; back-- {
			for m := range int64(10) {
				ago := time.Now().Unix() - (end - back*day + m*minute - day)
				b.writeAt("cpu", "a", ago, float64(100+m%3))
				b.writeAt("cpu", "b", ago, float64(50+m%3))
			}
		}
		last := end - day
		for m, v := range []float64{40, 20, 45} {
			b.writeAt("cpu", "a", time.Now().Unix()-(last+int64(m+3)*minute), v)
		}
		a := tidemark.NewAlert()
		least := 5.0
		a.Conditions = []tidemark.Condition{{
			Type: tidemark.Below, MetricName: "CPU", Threshold: new(3.0), SummaryFunction: new("min"),
			Against: &tidemark.Against{Kind: tidemark.AgainstBand, By: tidemark.HourOfDay, Least: &least},
		}}
		reader := b.reader()
		got, err := reader.Backtest(t.Context(), 1, a, last-600, last+3600, time.Now().Unix())
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Incidents) != 1 {
			t.Fatalf("%d incidents: %+v", len(got.Incidents), got.Incidents)
		}
		want := &tidemark.BacktestBand{At: last + 4*minute, Stream: "host=a", Measured: 20, Usual: 101}
		if diff := cmp.Diff(want, got.Incidents[0].Band); diff != "" {
			t.Error(diff)
		}
		e := got.Conditions[0].Expected
		if e == nil || len(e.Spread) != len(e.Times) || len(e.Spread) == 0 || e.Spread[0] <= 0 {
			t.Errorf("expected %+v: no spread for each of its times", e)
		}
	})
}
