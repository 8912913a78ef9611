package tidemark

import (
	"reflect"
	"testing"
)

// null is a field that was given as null.
func null[T any]() Opt[T] { return Opt[T]{Set: true, Null: true} }

// TestUpdatesOfNothing: an empty change leaves everything but conditions, which
// are removed as the original does.
func TestUpdatesOfNothing(t *testing.T) {
	t.Parallel()
	text, n, f, yes := new("x"), new(int64(5)), new(1.5), new(true)
	for _, c := range []struct{ before, after any }{
		{*applied(AnnotationStreamUpdate{}, AnnotationStream{"s", text}), AnnotationStream{"s", text}},
		{*applied(AnnotationEventUpdate{}, AnnotationEvent{ID: 1, Title: "t", EndTime: n, Links: []Link{{Rel: "a"}}}), AnnotationEvent{ID: 1, Title: "t", EndTime: n, Links: []Link{{Rel: "a"}}}},
		{*applied(ChartUpdate{}, Chart{Name: "c", Min: f, UseLogYAxis: yes, Thresholds: []Threshold{{Value: 1}}}), Chart{Name: "c", Min: f, UseLogYAxis: yes, Thresholds: []Threshold{{Value: 1}}}},
		{*applied(CheckUpdate{}, Check{Name: "c", Every: 60, Active: true}), Check{Name: "c", Every: 60, Active: true}},
		{*applied(MaintenanceUpdate{}, Maintenance{Name: "m", EndsAt: n, Repeat: &Repeat{Zone: "UTC"}}), Maintenance{Name: "m", EndsAt: n, Repeat: &Repeat{Zone: "UTC"}}},
		{*applied(MetricUpdate{}, Metric{Name: "m", Period: n, Attributes: map[string]any{"a": 1.0}}), Metric{Name: "m", Period: n, Attributes: map[string]any{"a": 1.0}}},
		{*applied(ObjectiveUpdate{}, Objective{Name: "o", Target: 99, Days: 7}), Objective{Name: "o", Target: 99, Days: 7}},
		{*applied(ServiceUpdate{}, Service{Title: "s", Settings: Settings{"a": "b"}}), Service{Title: "s", Settings: Settings{"a": "b"}}},
		{*applied(SourceUpdate{}, Source{"s", text}), Source{"s", text}},
		{*applied(SpaceUpdate{}, Space{Name: text}), Space{Name: text}},
		{*applied(OrgUpdate{}, Org{Name: "o", TokenMaxDays: 5}), Org{Name: "o", TokenMaxDays: 5}},
		{*applied(TokenUpdate{}, Token{Name: "t", Active: true, ExpiresAt: 9, Networks: []string{"10.0.0.1"}}), Token{Name: "t", Active: true, ExpiresAt: 9, Networks: []string{"10.0.0.1"}}},
	} {
		if !reflect.DeepEqual(c.before, c.after) {
			t.Errorf("got %+v, want %+v", c.before, c.after)
		}
	}
}

// applied returns v with the change.
func applied[T any](u interface{ Apply(*T) }, v T) *T {
	u.Apply(&v)
	return &v
}

// TestNullClears: null takes away what may be missing, and leaves what may not.
func TestNullClears(t *testing.T) {
	t.Parallel()
	text, n := new("x"), new(int64(5))
	if s := applied(SpaceUpdate{Name: null[string]()}, Space{Name: text}); s.Name != nil {
		t.Error("a space keeps its name; that it needs one is for its check to say")
	}
	e := applied(AnnotationEventUpdate{EndTime: null[int64](), Title: null[string](), Links: null[[]Link]()}, AnnotationEvent{Title: "t", EndTime: n})
	if e.EndTime != nil || e.Title != "t" || e.Links == nil {
		t.Errorf("event %+v", e)
	}
	m := applied(MaintenanceUpdate{Repeat: null[Repeat](), EndsAt: null[int64]()}, Maintenance{EndsAt: n, Repeat: &Repeat{}})
	if m.Repeat != nil || m.EndsAt != nil {
		t.Errorf("window %+v", m)
	}
	tok := applied(TokenUpdate{ExpiresAt: null[int64](), Scope: null[TokenScope](), Networks: null[[]string]()},
		Token{ExpiresAt: 9, Scope: TokenScope{Metrics: []string{"a*"}}, Networks: []string{"10.0.0.1"}})
	if tok.ExpiresAt != 0 || !tok.Scope.IsWhole() || len(tok.Networks) != 0 {
		t.Errorf("token %+v", tok)
	}
	c := applied(ChartUpdate{Min: null[float64](), Label: null[string]()}, Chart{Min: new(1.0), Label: text})
	if c.Min != nil || c.Label != nil {
		t.Errorf("chart %+v", c)
	}
}

// TestMetricAttributesMerge: given keys replace, null removes, others stay, and
// the map of the metric from before is not touched.
func TestMetricAttributesMerge(t *testing.T) {
	t.Parallel()
	before := map[string]any{"color": "#FFF", "own": 1.0, "gone": true}
	m := applied(MetricUpdate{Type: Some(Counter), Attributes: Some(map[string]any{"color": "#000", "gone": nil})}, Metric{Type: Gauge, Attributes: before})
	if want := map[string]any{"color": "#000", "own": 1.0}; !reflect.DeepEqual(m.Attributes, want) || m.Type != Counter {
		t.Errorf("got %v, want %v", m.Attributes, want)
	}
	if before["color"] != "#FFF" || before["gone"] != true {
		t.Errorf("the attributes from before became %v", before)
	}
	if m = applied(MetricUpdate{}, Metric{}); m.Attributes == nil {
		t.Error("a metric without attributes has nil")
	}
}

// TestChartSpellings: the type and thresholds under the names of old clients,
// and the right ones before them.
func TestChartSpellings(t *testing.T) {
	t.Parallel()
	c := applied(ChartUpdate{ChartType: Some("stacked"), Threshold: Some([]Threshold{{Value: 1}})}, *NewChart())
	if c.Type != "stacked" || c.Thresholds[0].Value != 1 {
		t.Errorf("chart %+v", c)
	}
	c = applied(ChartUpdate{ChartType: Some("stacked"), Type: Some("bignumber"), Threshold: Some([]Threshold{{Value: 1}}), Thresholds: Some([]Threshold{{Value: 2}})}, *NewChart())
	if c.Type != "bignumber" || c.Thresholds[0].Value != 2 {
		t.Errorf("chart %+v", c)
	}
	if c = applied(ChartUpdate{Streams: null[[]ChartStream]()}, Chart{Streams: []ChartStream{{ID: 1}}}); c.Streams == nil || len(c.Streams) != 0 {
		t.Errorf("streams %v", c.Streams)
	}
}

// TestAlertUpdates: what is left out stays but for conditions; empty attributes
// are removed; a rearm of null is the default.
func TestAlertUpdates(t *testing.T) {
	t.Parallel()
	before := *validAlert()
	before.RearmSeconds, before.ServiceIDs, before.Severity = 1200, []int64{1}, Critical
	before.Attributes = map[string]any{"runbook_url": "https://example.org", "own": 1.0}
	a := applied(AlertUpdate{}, before)
	if len(a.Conditions) != 0 || a.Conditions == nil || a.RearmSeconds != 1200 || len(a.ServiceIDs) != 1 || a.Severity != Critical || a.RunbookURL() != "https://example.org" {
		t.Errorf("a change of nothing gives %+v", a)
	}
	a = applied(AlertUpdate{
		Attributes: Some(map[string]any{"runbook_url": "", "own": nil, "list": []any{}}), RearmSeconds: null[Seconds](), Services: Some(ServiceRefs{}),
		Conditions: Some([]Condition{{MetricName: "cpu"}}), Severity: Some(""), Labels: Some(map[string]string{"a": "b"}),
	}, before)
	if a.RunbookURL() != "" || len(a.Attributes) != 1 || a.RearmSeconds != defaultRearm || len(a.ServiceIDs) != 0 || a.Conditions[0].Tags == nil || a.Severity != "" || a.Labels["a"] != "b" {
		t.Errorf("got %+v", a)
	}
	if before.Attributes["own"] != 1.0 {
		t.Error("the attributes from before were changed")
	}
}

// TestOldClientsKeepComparisons: conditions written by a client that does not
// know what they are compared with stay so compared, each once.
func TestOldClientsKeepComparisons(t *testing.T) {
	t.Parallel()
	week := &Against{Kind: AgainstPast, Period: 7 * day}
	band := &Against{Kind: AgainstBand}
	before := []Condition{
		{ID: 1, Type: Above, MetricName: "cpu", Against: week},
		{ID: 2, Type: Above, MetricName: "cpu", Against: band},
		{ID: 3, Type: Below, MetricName: "mem"},
	}
	for _, c := range []struct {
		name string
		next []Condition
		want []*Against
	}{
		{"by id", []Condition{{ID: 2, Type: Above, MetricName: "CPU"}, {ID: 1, Type: Above, MetricName: "cpu"}}, []*Against{band, week}},
		{"by metric and side, in order", []Condition{{Type: Above, MetricName: "Cpu"}, {Type: Above, MetricName: "cpu"}, {Type: Above, MetricName: "cpu"}}, []*Against{week, band, nil}},
		{"another side", []Condition{{Type: Below, MetricName: "cpu"}}, []*Against{nil}},
		{"the id of another metric", []Condition{{ID: 1, Type: Above, MetricName: "disk"}}, []*Against{nil}},
		{"said to be none", []Condition{{ID: 1, Type: Above, MetricName: "cpu", Against: &Against{Kind: AgainstNone}}}, []*Against{nil}},
		{"another comparison", []Condition{{ID: 1, Type: Above, MetricName: "cpu", Against: band}}, []*Against{band}},
	} {
		a := applied(AlertUpdate{Conditions: Some(c.next)}, Alert{Conditions: before})
		for i, want := range c.want {
			if a.Conditions[i].Against != want {
				t.Errorf("%s: condition %d is compared with %+v, want %+v", c.name, i, a.Conditions[i].Against, want)
			}
		}
	}
}

// TestIsWorse: the further beyond the threshold the worse, whichever side that
// is; of what is absent nothing is.
func TestIsWorse(t *testing.T) {
	t.Parallel()
	past := &Against{Kind: AgainstPast}
	distance := &Against{Kind: AgainstPast, Absolute: true}
	for _, c := range []struct {
		c    Condition
		want bool // that 2 is worse than 1
	}{
		{Condition{Type: Above}, true}, {Condition{Type: Below}, false}, {Condition{Type: Absent}, false},
		{Condition{Type: Below, Against: past}, false}, {Condition{Type: Below, Against: distance}, true},
		{Condition{Type: Below, Against: &Against{Kind: AgainstChange}}, true},
	} {
		if got := c.c.IsWorse(2, 1); got != c.want {
			t.Errorf("%s against %+v: 2 is worse than 1: %v", c.c.Type, c.c.Against, got)
		}
		if c.c.IsWorse(1, 1) {
			t.Errorf("%s: 1 is worse than itself", c.c.Type)
		}
	}
}
