package shared

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestResolutionsOfPictures: as fine as the picture shows, and no finer than
// what is kept of all of the time.
func TestResolutionsOfPictures(t *testing.T) {
	t.Parallel()
	const now = int64(4_000_060_800)
	kept := memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 86400}, {Window: 60, Retention: 7 * 86400}, {Window: 3600, Retention: 365 * 86400}}, Now: func() int64 { return now },
	})
	s := New(Options{Engine: kept, Now: func() time.Time { return time.Unix(now, 0) }})
	for _, c := range []struct{ start, end, want int64 }{
		{now - 60, now, 1}, {now - 3600, now, 60}, {now - 86400, now, 300}, {now - 3600, now - 3500, 1},
		{now - 86401, now - 86341, 60}, {now - 8*86400, now - 8*86400 + 60, 3600}, {now - 300*86400, now, 86400}, {now - 400*86400, now - 400*86400 + 60, 86400},
	} {
		if got := s.resolutionFor(c.start, c.end); got != c.want {
			t.Errorf("%d to %d: %d, want %d", c.start-now, c.end-now, got, c.want)
		}
	}
	forever := New(Options{Engine: memory.New(), Now: s.Now})
	if got := forever.resolutionFor(0, 60); got != 1 {
		t.Errorf("where all is kept: %d", got)
	}
}

// TestLinesOfPictures: a line is called what somebody named it, its tags, or its
// metric; a color is for a stream that is one line, gaps for those who ask.
func TestLinesOfPictures(t *testing.T) {
	t.Parallel()
	name, empty, color, unit, yes := "Load", "", "#f00", "ms", true
	tagged := OneSeries{Metric: "cpu", Tags: map[string]string{"host": "a", "zone": "x"}}
	for _, c := range []struct {
		name *string
		one  OneSeries
		want string
	}{
		{nil, tagged, "host=a, zone=x"}, {&name, tagged, "Load host=a,zone=x"}, {&empty, tagged, "host=a, zone=x"}, {&name, OneSeries{Metric: "cpu"}, "Load"}, {nil, OneSeries{Metric: "cpu"}, "cpu"},
	} {
		if got := lineName(&tidemark.ChartStream{Name: c.name}, c.one); got != c.want {
			t.Errorf("%v: %s, want %s", c.one, got, c.want)
		}
	}
	st := &tidemark.ChartStream{Color: &color, UnitsShort: &unit, GapDetection: &yes, SplitAxis: &yes}
	one := drawSeries(st, &OneResult{Series: []OneSeries{tagged}, Period: 10}, 60)
	two := drawSeries(st, &OneResult{Series: []OneSeries{tagged, tagged}, Period: 300}, 60)
	if one[0].Color != color || one[0].Period != 60 || !one[0].Right || one[0].Unit != unit || !one[0].Mono {
		t.Errorf("%+v", one)
	}
	if len(two) != 2 || two[1].Color != "" || two[1].Period != 300 {
		t.Errorf("%+v", two)
	}
	if plain := drawSeries(&tidemark.ChartStream{Name: &name}, &OneResult{Series: []OneSeries{tagged}}, 60); plain[0].Period != 0 || plain[0].Mono || plain[0].Right {
		t.Errorf("%+v", plain)
	}
}
