package shared

import (
	"context"
	"math"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// ChangesTime is how long one answer compares streams.
const ChangesTime = 5 * time.Second

// ChangedStream is a stream that was unlike itself.
type ChangedStream struct {
	Metric   string            `json:"metric"`
	Tags     map[string]string `json:"tags"`
	Before   *float64          `json:"before"` // null if it was not there
	During   *float64          `json:"during"` // null if it stopped
	LastWeek *float64          `json:"last_week,omitempty"`
	Rate     bool              `json:"rate"` // these are what a counter rises by in a second
	Unit     string            `json:"unit"`
	Begins   int64             `json:"begins"` // seconds after start
	Fit      int               `json:"fit"`    // 0 to 100
	Spreads  float64           `json:"spreads"`
}

// ChangedStreams shows changes, with the units of their metrics.
func (s *Base) ChangedStreams(ctx context.Context, org tidemark.OrgID, changes []query.Change) ([]ChangedStream, error) {
	names := make([]string, len(changes))
	for i := range changes {
		names[i] = changes[i].Metric
	}
	metrics, err := s.Store.MetricsByName(ctx, org, names)
	if err != nil {
		return nil, err
	}
	shown := make([]ChangedStream, len(changes))
	for i := range changes {
		c := &changes[i]
		shown[i] = ChangedStream{
			Metric: c.Metric, Tags: c.Tags.Map(), Before: knownNumber(c.Before), During: knownNumber(c.During), LastWeek: knownNumber(c.LastWeek),
			Rate: c.Rate, Begins: c.Begins, Fit: c.Fit, Spreads: c.Deviation,
		}
		if m := metrics[c.Metric]; m != nil {
			shown[i].Metric, shown[i].Unit = m.Name, m.Unit()
		}
	}
	return shown, nil
}

// knownNumber is v, or nil for none.
func knownNumber(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
