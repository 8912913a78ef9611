package tidemark

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecognize: an incident that would have been is known as the one that
// shares most of its time.
func TestRecognize(t *testing.T) {
	t.Parallel()
	past := []*PastIncident{
		{ID: 1, Alert: 11, AlertName: "brief", TriggeredAt: 90, ClearedAt: new(int64(110))},
		{ID: 2, Alert: 12, AlertName: "long", TriggeredAt: 120, ClearedAt: new(int64(300))},
		{ID: 3, Alert: 13, AlertName: "as long", TriggeredAt: 100, ClearedAt: new(int64(180))},
		{ID: 4, Alert: 14, AlertName: "open", TriggeredAt: 900},
		{ID: 5, Alert: 15, AlertName: "touches", TriggeredAt: 500, ClearedAt: new(int64(600))},
	}
	b := &Backtest{End: 1000, Incidents: []BacktestIncident{
		{TriggeredAt: 100, ClearedAt: new(int64(200))},
		{TriggeredAt: 400, ClearedAt: new(int64(499))},
		{TriggeredAt: 600, ClearedAt: new(int64(700))},
		{TriggeredAt: 950},
	}}
	b.Recognize(past)
	var got []*BacktestKnown
	for _, in := range b.Incidents {
		got = append(got, in.KnownAs)
	}
	want := []*BacktestKnown{
		{Incident: 2, Alert: 12, AlertName: "long", Others: 2},
		nil,
		{Incident: 5, Alert: 15, AlertName: "touches"},
		{Incident: 4, Alert: 14, AlertName: "open"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
