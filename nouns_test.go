package tidemark

import (
	"math"
	"slices"
	"testing"
)

func validEvent() *AnnotationEvent {
	return &AnnotationEvent{Title: "deploy", StartTime: 1_700_000_000, Links: []Link{{Rel: "commit", Href: "https://example.org/1"}}}
}

func TestAnnotationRefusals(t *testing.T) {
	t.Parallel()
	checkRefusals(t, validEvent, (*AnnotationEvent).Validate, []refusal[AnnotationEvent]{
		{"no title", func(e *AnnotationEvent) { e.Title = "" }, "title"},
		{"the longest title, in characters", func(e *AnnotationEvent) { e.Title = string(times(maxTitle, 'ü')) }, ""},
		{"a title too long", func(e *AnnotationEvent) { e.Title = long(maxTitle + 1) }, "title"},
		{"a title that is no UTF-8", func(e *AnnotationEvent) { e.Title = "a\xff" }, "title"},
		{"before 1970", func(e *AnnotationEvent) { e.StartTime = -1 }, "start_time"},
		{"in milliseconds", func(e *AnnotationEvent) { e.StartTime = 1_700_000_000_000 }, "start_time"},
		{"an end before the start", func(e *AnnotationEvent) { e.EndTime = new(e.StartTime - 1) }, "end_time"},
		{"an end at the start", func(e *AnnotationEvent) { e.EndTime = new(e.StartTime) }, ""},
		{"an end in milliseconds", func(e *AnnotationEvent) { e.EndTime = new(int64(1_700_000_000_000)) }, "end_time"},
		{"two links of one kind", func(e *AnnotationEvent) { e.Links = append(e.Links, e.Links[0]) }, "links.rel"},
		{"a link without a kind", func(e *AnnotationEvent) { e.Links[0].Rel = "" }, "links.rel"},
		{"a link to nowhere", func(e *AnnotationEvent) { e.Links[0].Href = "" }, "links.href"},
		{"a script", func(e *AnnotationEvent) { e.Links[0].Href = "javascript:alert(1)" }, "links.href"},
		{"a script in capitals", func(e *AnnotationEvent) { e.Links[0].Href = "JavaScript:alert(1)" }, "links.href"},
		{"a script after a blank", func(e *AnnotationEvent) { e.Links[0].Href = " javascript:alert(1)" }, "links.href"},
		{"data", func(e *AnnotationEvent) { e.Links[0].Href = "data:text/html,x" }, "links.href"},
		{"a path", func(e *AnnotationEvent) { e.Links[0].Href = "/builds/7" }, ""},
		{"a link too long", func(e *AnnotationEvent) { e.Links[0].Href = "https://example.org/" + long(maxHref) }, "links.href"},
	})
	many := validEvent()
	for i := range maxLinks {
		many.Links = append(many.Links, Link{Rel: string(rune('a' + i)), Href: "/"})
	}
	checkRefusals(t, validEvent, (*AnnotationEvent).Validate, []refusal[AnnotationEvent]{
		{"the most links", func(e *AnnotationEvent) { e.Links = many.Links[1:] }, ""},
		{"one more", func(e *AnnotationEvent) { e.Links = many.Links }, "links"},
	})
	e := &AnnotationEvent{Title: "ab", Description: new("cde"), Source: new("f"), Links: []Link{{Rel: "g", Href: "hi", Label: new("jkl")}}}
	if e.Bytes() != 12 {
		t.Errorf("the texts take %d bytes, want 12", e.Bytes())
	}
}

func TestChartRefusals(t *testing.T) {
	t.Parallel()
	valid := func() *Chart {
		c := NewChart()
		c.Streams = []ChartStream{{Metric: "cpu"}}
		return c
	}
	stream := func(change func(*ChartStream)) func(*Chart) {
		return func(c *Chart) { change(&c.Streams[0]) }
	}
	checkRefusals(t, valid, (*Chart).Validate, []refusal[Chart]{
		{"no name", func(c *Chart) { c.Name = "" }, ""},
		{"a name too long", func(c *Chart) { c.Name = long(maxTitle + 1) }, "name"},
		{"a pie", func(c *Chart) { c.Type = "pie" }, "type"},
		{"too many streams", func(c *Chart) { c.Streams = times(maxStreams+1, ChartStream{Metric: "m"}) }, "streams"},
		{"nothing to draw", stream(func(s *ChartStream) { s.Metric = "" }), "streams.metric"},
		{"a composite alone", stream(func(s *ChartStream) { s.Metric, s.Composite = "", `s("a", {})` }), ""},
		{"a composite too long", stream(func(s *ChartStream) { s.Composite = long(maxText + 1) }), "streams.composite"},
		{"an unknown function of the group", stream(func(s *ChartStream) { s.GroupFunction = new("median") }), "streams.group_function"},
		{"a percentile of the group", stream(func(s *ChartStream) { s.GroupFunction = new("p99") }), "streams.group_function"},
		{"a percentile of the summary", stream(func(s *ChartStream) { s.SummaryFunction = new("p99") }), ""},
		{"a colour by name", stream(func(s *ChartStream) { s.Color = new("red") }), "streams.color"},
		{"a colour of three digits", stream(func(s *ChartStream) { s.Color = new("#F00") }), ""},
		{"a transform that is no line", stream(func(s *ChartStream) { s.TransformFunction = new("x*x") }), "streams.transform_function"},
		{"a transform", stream(func(s *ChartStream) { s.TransformFunction = new("x/1024 + p") }), ""},
		{"a negative period", stream(func(s *ChartStream) { s.Period = new(int64(-1)) }), "streams.period"},
		{"a period over a week", stream(func(s *ChartStream) { s.Period = new(int64(MaxResolution + 1)) }), "streams.period"},
		{"a tag without a name", stream(func(s *ChartStream) { s.Tags = []TagFilter{{}} }), "streams.tags"},
		{"a threshold in pink", func(c *Chart) { c.Thresholds = []Threshold{{Operator: ">", Type: "pink"}} }, "thresholds.type"},
		{"a threshold of unlike", func(c *Chart) { c.Thresholds = []Threshold{{Operator: "!=", Type: "red"}} }, "thresholds.operator"},
		{"min at max", func(c *Chart) { c.Min, c.Max = new(1.0), new(1.0) }, "min"},
		{"min alone", func(c *Chart) { c.Min = new(1.0) }, ""},
	})
}

func TestCheckRefusals(t *testing.T) {
	t.Parallel()
	valid := func() *Check {
		c := NewCheck()
		c.Name, c.Target = "Home page", "https://example.org/"
		return c
	}
	at := func(kind, target string) func(*Check) {
		return func(c *Check) { c.Kind, c.Target = kind, target }
	}
	checkRefusals(t, valid, (*Check).Validate, []refusal[Check]{
		{"no name", func(c *Check) { c.Name = "" }, "name"},
		{"a name too long", func(c *Check) { c.Name = long(maxCheckName + 1) }, "name"},
		{"an unknown kind", at("ping", "https://example.org/"), "kind"},
		{"a page without a scheme", at(CheckHTTP, "example.org"), "target"},
		{"a page of a file", at(CheckHTTP, "file:///etc/passwd"), "target"},
		{"a page of nobody", at(CheckHTTP, "https://"), "target"},
		{"a page too far", at(CheckHTTP, "https://example.org/"+long(maxHref)), "target"},
		{"a port", at(CheckTCP, "example.org:5432"), ""},
		{"a port of an address", at(CheckTCP, "[2001:db8::1]:5432"), ""},
		{"a host without a port", at(CheckTCP, "example.org"), "target"},
		{"a port beyond those there are", at(CheckTLS, "example.org:65536"), "target"},
		{"port 0", at(CheckTLS, "example.org:0"), "target"},
		{"a port by name", at(CheckTLS, "example.org:https"), "target"},
		{"a port of nobody", at(CheckTCP, ":443"), "target"},
		{"a host", at(CheckDNS, "example.org"), ""},
		{"a URL as a host", at(CheckDNS, "https://example.org"), "target"},
		{"a host too long", at(CheckDNS, long(254)), "target"},
		{"a heartbeat", at(CheckHeartbeat, ""), ""},
		{"a heartbeat with a target", at(CheckHeartbeat, "example.org"), "target"},
		{"too often", func(c *Check) { c.Every = minCheckEvery - 1 }, "every"},
		{"too rarely", func(c *Check) { c.Every = maxCheckEvery + 1 }, "every"},
		{"no grace", func(c *Check) { c.Grace = 0 }, ""},
		{"negative grace", func(c *Check) { c.Grace = -1 }, "grace"},
		{"no time to answer", func(c *Check) { c.Timeout = 0 }, "timeout"},
		{"too long to answer", func(c *Check) { c.Timeout = maxCheckTimeout + 1 }, "timeout"},
		{"a certificate of two years", func(c *Check) { c.Days = 730 }, "days"},
		{"too much to expect", func(c *Check) { c.Expect = long(maxTitle + 1) }, "expect"},
		{"an agent, agents with a tag, and the server", func(c *Check) { c.Places = []string{"agent:web 01", "tag:role=web", "server"} }, ""},
		{"nowhere", func(c *Check) { c.Places = nil }, "places"},
		{"somewhere", func(c *Check) { c.Places = []string{"web-01"} }, "places"},
		{"an agent without a name", func(c *Check) { c.Places = []string{"agent:"} }, "places"},
		{"a tag without a value", func(c *Check) { c.Places = []string{"tag:role="} }, "places"},
		{"a tag alone", func(c *Check) { c.Places = []string{"tag:role"} }, "places"},
		{"one place twice", func(c *Check) { c.Places = []string{"agent:a", "agent:A"} }, "places"},
		{"too many places", func(c *Check) { c.Places = slices.Repeat([]string{"server"}, maxCheckPlaces+1) }, "places"},
		{"a heartbeat of an agent", func(c *Check) { c.Kind, c.Target, c.Places = CheckHeartbeat, "", []string{"agent:a"} }, "places"},
	})
}

// TestHeartbeatIsMissed: not before the time and the grace are over.
func TestHeartbeatIsMissed(t *testing.T) {
	t.Parallel()
	c := &Check{Every: 60, Grace: 30, CreatedAt: 1000}
	for _, tc := range []struct {
		ran, now int64
		want     bool
	}{{0, 1090, false}, {0, 1091, true}, {2000, 2090, false}, {2000, 2091, true}, {2000, 100, false}} {
		c.RanAt = tc.ran
		if got := c.Missed(tc.now); got != tc.want {
			t.Errorf("called at %d, at %d: missed %v", tc.ran, tc.now, got)
		}
	}
	c.Name = "Nightly Backup"
	a := c.NewAlert(CheckAlert{After: 300, Services: []int64{7}})
	cond := a.Conditions[0]
	if err := a.Validate(); err != nil || cond.Tags[0].Values[0] != "nightly backup" || *cond.Duration != 300 || a.ServiceIDs[0] != 7 {
		t.Errorf("its alert is %+v, %v", a, err)
	}
	if b := c.NewAlert(CheckAlert{}); b.Conditions[0].Duration != nil {
		t.Error("an alert that fires at once has a duration")
	}
}

func TestLayoutRefusals(t *testing.T) {
	t.Parallel()
	valid := func() *Layout {
		return &Layout{Places: []GridPosition{{Chart: 1, Width: 12, Height: 1}, {Chart: 2, Col: 11, Row: 1, Width: 1, Height: 100}}}
	}
	place := func(change func(*GridPosition)) func(*Layout) {
		return func(l *Layout) { change(&l.Places[0]) }
	}
	checkRefusals(t, valid, (*Layout).Validate, []refusal[Layout]{
		{"one chart twice", place(func(g *GridPosition) { g.Chart = 2 }), "layout.chart"},
		{"no chart", place(func(g *GridPosition) { g.Chart = 0 }), "layout.chart"},
		{"wider than the grid", place(func(g *GridPosition) { g.Width = 13 }), "layout.width"},
		{"over the right edge", place(func(g *GridPosition) { g.Col = 1 }), "layout.width"},
		{"over the left edge", place(func(g *GridPosition) { g.Col = -1 }), "layout.width"},
		{"no width", place(func(g *GridPosition) { g.Width = 0 }), "layout.width"},
		{"in the last column that a number can name", place(func(g *GridPosition) { g.Col, g.Width = math.MaxInt, 1 }), "layout.width"},
		{"as wide as a number can say", place(func(g *GridPosition) { g.Col, g.Width = 1, math.MaxInt }), "layout.width"},
		{"above the page", place(func(g *GridPosition) { g.Row = -1 }), "layout.height"},
		{"below the last row", place(func(g *GridPosition) { g.Row = maxRows }), "layout.height"},
		{"no height", place(func(g *GridPosition) { g.Height = 0 }), "layout.height"},
		{"too high", place(func(g *GridPosition) { g.Height = 101 }), "layout.height"},
		{"a tag without a name", func(l *Layout) { l.DefaultTags = []TagFilter{{}} }, "default_tags"},
		{"annotations of no stream", func(l *Layout) { l.Annotations = []string{"deploys", "a b"} }, "annotations"},
	})
}
