package alerting

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestHealth has one composite never finish, and all others be on time.
func TestHealth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.eval.Reader.Composites = compositeFunc(slowComposites)
		for range 199 {
			b.addComposite(1, "1ms")
		}
		b.metrics["never"] = &tidemark.Metric{Name: "never", Type: tidemark.Composite, Composite: "1h"}
		never := cpuAbove(5)
		never.MetricName = "never"
		b.run()
		time.Sleep(10 * time.Minute)
		if h := b.eval.Health(); h.Alerts != 199 || h.SetAside != 0 || h.LateMax > 2 || h.Behind(time.Now().Unix()) != 0 {
			t.Errorf("while all is well: %+v", h)
		}
		b.add(never)
		time.Sleep(10 * time.Minute)
		if h := b.eval.Health(); h.Alerts != 200 || h.SetAside != 1 || h.LateMax < 300 || h.LateP99 > 2 {
			t.Errorf("while one cannot be evaluated: %+v", h)
		}
		if h := b.eval.Health(); h.Behind(time.Now().Unix()+OnTime+5) == 0 || (Health{}).Behind(1<<40) != 0 {
			t.Error("it is not known that evaluation is behind")
		}
	})
}
