package app

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TestPulse: of each minute the most, of an hour at most; of queries the last
// five minutes.
func TestPulse(t *testing.T) {
	var p pulse
	at := time.Unix(1_800_000_000, 0)
	feel := func(after time.Duration, behind float64, queries int64) tidemark.MachineLoad {
		at = at.Add(after)
		p.add(at, behind, rest.Latencies{4: queries})
		var l tidemark.MachineLoad
		p.report(&l)
		return l
	}
	first := feel(0, 1, 1000) // that many were before anybody looked
	if d := cmp.Diff(tidemark.MachineLoad{BehindPast: []float64{1}}, first); d != "" {
		t.Error(d)
	}
	feel(3*time.Second, 4, 1000)
	l := feel(57*time.Second, 2, 1030)
	if d := cmp.Diff([]float64{4, 2}, l.BehindPast); d != "" || l.Queries != 30 || l.QueryP95 <= 0.01 || l.QueryP95 > 0.025 {
		t.Errorf("%s\n%+v", d, l)
	}
	for range 200 {
		l = feel(time.Minute, 3, 1030)
	}
	if len(l.BehindPast) != pastMinutes || l.Queries != 0 || l.QueryP95 != 0 || len(p.queries) > 10 {
		t.Errorf("after hours: %+v, %d counts", l, len(p.queries))
	}
}
