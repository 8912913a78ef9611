package alerting

import (
	"log/slog"
	"testing"
	"time"

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
