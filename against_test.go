package tidemark

import (
	"slices"
	"strings"
	"testing"
)

// TestUnusualDays: days begin and end by the clocks of their zone, and what is
// no day, no zone, or too much is refused by name.
func TestUnusualDays(t *testing.T) {
	g := Against{Kind: AgainstBand, Days: []string{"2026-10-25", "2026-12-24"}, Zone: "Europe/Berlin"}
	want := []Interval{{1792879200, 1792879200 + 25*3600}, {1798066800, 1798066800 + 24*3600}}
	if got := g.UnusualTimes(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	g.Zone = ""
	if got := g.UnusualTimes(); got[0] != (Interval{1792886400, 1792886400 + 24*3600}) {
		t.Errorf("without a zone: %v", got)
	}
	for _, c := range []struct {
		name   string
		change func(*Against)
		want   string
	}{
		{"fine", func(*Against) {}, ""},
		{"no day", func(g *Against) { g.Days = []string{"2026-02-30"} }, `unusual_days has "2026-02-30", which is not a day such as 2026-12-24`},
		{"too many", func(g *Against) { g.Days = slices.Repeat([]string{"2026-12-24"}, maxUnusual+1) }, "unusual_days has more than 100 entries"},
		{"no zone", func(g *Against) { g.Zone = "Mars/Olympus" }, "zone must be a time zone such as Europe/Berlin"},
		{"the server's zone", func(g *Against) { g.Zone = "Local" }, "zone must be a time zone such as Europe/Berlin"},
	} {
		next := g
		c.change(&next)
		var p Problems
		next.validate(&p, &Condition{Type: Above, Threshold: new(3.0)})
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
