package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestPercentiles: a condition on a percentile looks at how the values of a
// measurement are distributed, of one stream or of all that are in a group.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		cond := cpuAbove(100)
		cond.MetricName, cond.SummaryFunction = "lat", new("p95")
		alone := b.add(cond)
		cond.Tags = []tidemark.TagFilter{{Name: "dc", Values: []string{"*"}, Grouped: new(true)}}
		grouped := b.add(cond)
		write := func(host string, slow float64) {
			var s sketch.Sketch
			s.Add(10, 100-slow)
			sum := tsdb.Summary{Count: 100, Sum: 10*(100-slow) + 500*slow, Min: 10, Max: 10}
			if slow > 0 {
				s.Add(500, slow)
				sum.Max = 500
			}
			var batch tsdb.Batch
			tags := tidemark.Tags{{Name: "dc", Value: "ams"}, {Name: "host", Value: host}}
			batch.AddDistribution(tsdb.AppendKey(nil, "lat", tags), time.Now().Unix(), sum, s.AppendBinary(nil))
			if err := b.engine.Write(t.Context(), 1, &batch); err != nil {
				t.Fatal(err)
			}
			b.eval.Wrote(1, &batch)
		}
		for i, c := range []struct {
			a, b           float64 // of 100 values of each host, how many are slow
			alone, grouped bool
		}{
			{0, 0, false, false},
			{2, 2, false, false}, // 2 % of all: the mean and the maximum are of no interest
			{9, 0, true, false},  // one host, and 4.5 % of both
			{9, 9, true, true},
			{0, 0, false, false},
		} {
			write("a", c.a)
			write("b", c.b)
			time.Sleep(2 * time.Minute)
			if one, all := b.firing(alone), b.firing(grouped); one != c.alone || all != c.grouped {
				t.Errorf("%d: %v and %v, want %v and %v", i, one, all, c.alone, c.grouped)
			}
		}
	})
}
