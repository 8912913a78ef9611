package tidemark

import (
	"slices"
	"strings"
	"testing"
)

func TestMetricRefusals(t *testing.T) {
	t.Parallel()
	valid := func() *Metric { return &Metric{Name: "cpu.user", Type: Gauge, Attributes: map[string]any{}} }
	attr := func(key string, v any) func(*Metric) {
		return func(m *Metric) { m.Attributes[key] = v }
	}
	checkRefusals(t, valid, (*Metric).Validate, []refusal[Metric]{
		{"no name", func(m *Metric) { m.Name = "" }, "name"},
		{"a name with a blank", func(m *Metric) { m.Name = "cpu user" }, "name"},
		{"an unknown type", func(m *Metric) { m.Type = "histogram" }, "type"},
		{"a composite without one", func(m *Metric) { m.Type, m.Composite = Composite, "  \n" }, "composite"},
		{"a gauge with one", func(m *Metric) { m.Composite = `s("a", {})` }, "composite"},
		{"a composite", func(m *Metric) { m.Type, m.Composite = Composite, `s("a", {})` }, ""},
		{"a negative period", func(m *Metric) { m.Period = new(int64(-1)) }, "period"},
		{"the longest period", func(m *Metric) { m.Period = new(int64(MaxResolution)) }, ""},
		{"a longer one", func(m *Metric) { m.Period = new(int64(MaxResolution + 1)) }, "period"},
		{"a colour by name", attr("color", "red"), "attributes.color"},
		{"a colour as a number", attr("color", 5.0), "attributes.color"},
		{"no colour", attr("color", nil), ""},
		{"the longest unit", attr("display_units_short", long(32)), ""},
		{"a unit too long", attr("display_units_short", long(33)), "attributes.display_units_short"},
		{"a unit that is an object", attr("display_units_long", map[string]any{}), "attributes.display_units_long"},
		{"an unknown summary", attr("summarize_function", "median"), "attributes.summarize_function"},
		{"a percentile", attr("summarize_function", "p95"), ""},
		{"a limit that is a text", attr("display_min", "0"), "attributes.display_min"},
		{"a limit that is whole", attr("display_max", int64(5)), ""},
		{"a switch that is a text", attr("aggregate", "yes"), "attributes.aggregate"},
		{"a transform that is a list", attr("display_transform", []any{}), "attributes.display_transform"},
		{"anything of a client's own", attr("x-own", []any{"a", map[string]any{"b": 1.0}}), ""},
	})
	many := valid()
	for i := range maxAttributes + 1 {
		many.Attributes[long(i+1)] = true
	}
	if err := many.Validate(); KindOf(err) != Invalid {
		t.Errorf("too many attributes: %v", err)
	}
}

// TestMetricFolds: the period is the metric's own, as near as folding allows.
func TestMetricFolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attributes map[string]any
		period     *int64
		fold       bool
		want       int64
	}{
		{nil, nil, false, DefaultPeriod},
		{map[string]any{"aggregate": true}, nil, true, DefaultPeriod},
		{map[string]any{"aggregate": true}, new(int64(0)), true, DefaultPeriod},
		{map[string]any{"aggregate": "true"}, new(int64(1)), false, MinFoldPeriod},
		{map[string]any{"aggregate": true}, new(int64(30)), true, 30},
		{map[string]any{"aggregate": true}, new(int64(86400)), true, MaxFoldPeriod},
	} {
		m := &Metric{Attributes: c.attributes, Period: c.period}
		if fold, period := m.Folds(); fold != c.fold || period != c.want {
			t.Errorf("%v: folds %v by %d, want %v by %d", c.attributes, fold, period, c.fold, c.want)
		}
	}
}

func TestMetricAttributes(t *testing.T) {
	t.Parallel()
	m := &Metric{Attributes: map[string]any{"display_units_short": long(40), "display_units_long": "ok", "distribution": true}}
	if unit := []rune(m.Unit()); len(unit) != 32 || unit[31] != '…' {
		t.Errorf("a unit from before they were bounded is %q", string(unit))
	}
	if m.CutUnits(); m.Attributes["display_units_long"] != "ok" || len([]rune(m.Attributes["display_units_short"].(string))) != 32 {
		t.Errorf("attributes %v", m.Attributes)
	}
	for in, want := range map[any]string{nil: "mean", "": "mean", "average": "mean", "sum": "sum", "p99": "p99", 5: "mean"} {
		m.Attributes["summarize_function"] = in
		if got := m.Summary(); got != want {
			t.Errorf("summarize_function %v means %q, want %q", in, got, want)
		}
	}
	if !m.IsDistribution() || (&Metric{}).IsDistribution() {
		t.Error("the attribute distribution does not say whether it is one")
	}
	for f, want := range map[string]float64{"p50": 0.5, "p999": 0.999, "mean": 0, "p100": 0, "": 0} {
		if q, ok := Quantile(f); q != want || ok != (want > 0) {
			t.Errorf("%q is the quantile %v, %v", f, q, ok)
		}
	}
}

func TestPeopleRefusals(t *testing.T) {
	t.Parallel()
	checkRefusals(t, func() *User { return &User{Email: "ann@example.org"} }, (*User).Validate, []refusal[User]{
		{"no address", func(u *User) { u.Email = "" }, "email"},
		{"an address with a name", func(u *User) { u.Email = "Ann <ann@example.org>" }, "email"},
		{"an address in capitals", func(u *User) { u.Email = "Ann@example.org" }, "email"},
		{"two addresses", func(u *User) { u.Email = "a@example.org, b@example.org" }, "email"},
		{"a line break", func(u *User) { u.Email = "ann@example.org\nbcc: x@example.org" }, "email"},
		{"a name too long", func(u *User) { u.Name = long(maxTitle + 1) }, "name"},
	})
	checkRefusals(t, func() *Invitation { return &Invitation{Email: "ann@example.org", Role: Member} }, (*Invitation).Validate, []refusal[Invitation]{
		{"the role of a token", func(v *Invitation) { v.Role = RecordOnly }, "role"},
		{"no role", func(v *Invitation) { v.Role = "" }, "role"},
		{"no address", func(v *Invitation) { v.Email = "ann" }, "email"},
	})
	checkRefusals(t, func() *Passkey { return &Passkey{Name: "phone"} }, (*Passkey).Validate, []refusal[Passkey]{
		{"no name", func(p *Passkey) { p.Name = "" }, "name"},
		{"a name too long", func(p *Passkey) { p.Name = long(101) }, "name"},
	})
	checkRefusals(t, func() *Org { return &Org{Name: "Acme"} }, (*Org).Validate, []refusal[Org]{
		{"no name", func(o *Org) { o.Name = "" }, "name"},
		{"tokens for ten years", func(o *Org) { o.TokenMaxDays = 3650 }, ""},
		{"tokens for longer", func(o *Org) { o.TokenMaxDays = 3651 }, "token_max_days"},
		{"tokens for less than none", func(o *Org) { o.TokenMaxDays = -1 }, "token_max_days"},
	})
}

func TestOtherRefusals(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000
	checkRefusals(t, func() *Snooze { return &Snooze{StartsAt: now} }, (*Snooze).Validate, []refusal[Snooze]{
		{"for a year", func(s *Snooze) { s.EndsAt = new(int64(now + maxSnooze)) }, ""},
		{"for longer", func(s *Snooze) { s.EndsAt = new(int64(now + maxSnooze + 1)) }, "until"},
		{"for no time", func(s *Snooze) { s.EndsAt = new(int64(now)) }, "until"},
		{"before 1970", func(s *Snooze) { s.StartsAt = -1 }, "start"},
		{"a note too long", func(s *Snooze) { s.Note = long(maxTitle + 1) }, "note"},
	})
	checkRefusals(t, func() *AlertView {
		return &AlertView{Name: "mine", Filter: AlertViewFilter{State: "firing"}}
	}, (*AlertView).Validate, []refusal[AlertView]{
		{"no name", func(v *AlertView) { v.Name = "" }, "name"},
		{"nothing narrowed", func(v *AlertView) { v.Filter.State = "" }, "filter"},
		{"words alone", func(v *AlertView) { v.Filter = AlertViewFilter{Query: long(maxTitle)} }, ""},
		{"words too long", func(v *AlertView) { v.Filter.Query = long(maxTitle + 1) }, "filter.q"},
		{"another state", func(v *AlertView) { v.Filter.State = "burning" }, "filter.state"},
		{"without a severity", func(v *AlertView) { v.Filter.Severity = "none" }, ""},
		{"another severity", func(v *AlertView) { v.Filter.Severity = "bad" }, "filter.severity"},
		{"labels too long", func(v *AlertView) { v.Filter.Label = long(maxViewLabels + 1) }, "filter.label"},
		{"a service too long", func(v *AlertView) { v.Filter.Service = long(maxViewService + 1) }, "filter.service"},
	})
	checkRefusals(t, func() *Share { return &Share{Name: "status page", CreatedAt: now, ExpiresAt: now + 60} }, (*Share).Validate, []refusal[Share]{
		{"no name", func(s *Share) { s.Name = "" }, "name"},
		{"over already", func(s *Share) { s.ExpiresAt = now }, "expires_in"},
		{"for a year", func(s *Share) { s.ExpiresAt = now + maxShare }, ""},
		{"for longer", func(s *Share) { s.ExpiresAt = now + maxShare + 1 }, "expires_in"},
		{"a locked tag without a name", func(s *Share) { s.LockedTags = []TagFilter{{}} }, "locked_tags"},
	})
	checkRefusals(t, func() *Source { return &Source{Name: "web-1"} }, (*Source).Validate, []refusal[Source]{
		{"no name", func(s *Source) { s.Name = "" }, "name"},
		{"the name of all", func(s *Source) { s.Name = "All" }, "name"},
		{"a name with a comma", func(s *Source) { s.Name = "a,b" }, "name"},
		{"a title too long", func(s *Source) { s.DisplayName = new(long(maxTitle + 1)) }, "display_name"},
	})
	checkRefusals(t, func() *Space { return &Space{Name: new("Home")} }, (*Space).Validate, []refusal[Space]{
		{"no name", func(s *Space) { s.Name = nil }, "name"},
		{"an empty name", func(s *Space) { s.Name = new("") }, "name"},
	})
	checkRefusals(t, func() *AnnotationStream { return &AnnotationStream{Name: "deploys"} }, (*AnnotationStream).Validate, []refusal[AnnotationStream]{
		{"a name with a blank", func(s *AnnotationStream) { s.Name = "my deploys" }, "name"},
		{"a title too long", func(s *AnnotationStream) { s.DisplayName = new(long(maxTitle + 1)) }, "display_name"},
	})
	checkRefusals(t, func() *Job { return &Job{State: JobWorking, Progress: new(100.0)} }, (*Job).Validate, []refusal[Job]{
		{"an unknown state", func(j *Job) { j.State = "paused" }, "state"},
		{"more than all", func(j *Job) { j.Progress = new(100.5) }, "progress"},
		{"less than nothing", func(j *Job) { j.Progress = new(-1.0) }, "progress"},
	})
	checkRefusals(t, func() *IncidentNote { return &IncidentNote{Kind: NoteComment} }, (*IncidentNote).Validate, []refusal[IncidentNote]{
		{"a text too long", func(n *IncidentNote) { n.Text = long(maxText + 1) }, "text"},
	})
}

func TestMaintenanceRefusals(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_000
	valid := func() *Maintenance {
		return &Maintenance{Name: "backup", StartsAt: now, EndsAt: new(int64(now + 3600)), Covers: Covers{All: true},
			Repeat: &Repeat{Days: []string{"mon"}, From: "02:00", To: "03:00", Zone: "Europe/Berlin"}}
	}
	repeat := func(change func(*Repeat)) func(*Maintenance) {
		return func(m *Maintenance) { change(m.Repeat) }
	}
	checkRefusals(t, valid, (*Maintenance).Validate, []refusal[Maintenance]{
		{"no name", func(m *Maintenance) { m.Name = "" }, "name"},
		{"no start", func(m *Maintenance) { m.StartsAt = 0 }, "starts_at"},
		{"an end at the start", func(m *Maintenance) { m.EndsAt = new(m.StartsAt) }, "ends_at"},
		{"an end in milliseconds", func(m *Maintenance) { m.EndsAt = new(int64(maxTime)) }, "ends_at"},
		{"for years, once", func(m *Maintenance) { m.Repeat, m.EndsAt = nil, new(int64(now+maxMaintenance+1)) }, "ends_at"},
		{"for years, repeated", func(m *Maintenance) { m.EndsAt = new(int64(now + 3*maxMaintenance)) }, ""},
		{"without an end, repeated", func(m *Maintenance) { m.EndsAt = nil }, ""},
		{"without an end, once", func(m *Maintenance) { m.EndsAt, m.Repeat = nil, nil }, "ends_at"},
		{"on no day", repeat(func(r *Repeat) { r.Days = nil }), "repeat.days"},
		{"on a day of another language", repeat(func(r *Repeat) { r.Days = []string{"montag"} }), "repeat.days"},
		{"at 24:00", repeat(func(r *Repeat) { r.From = "24:00" }), "repeat.start_time"},
		{"at noon in words", repeat(func(r *Repeat) { r.To = "noon" }), "repeat.end_time"},
		{"nowhere", repeat(func(r *Repeat) { r.Zone = "" }), "repeat.zone"},
		{"wherever the server is", repeat(func(r *Repeat) { r.Zone = "Local" }), "repeat.zone"},
		{"in no zone", repeat(func(r *Repeat) { r.Zone = "Mars/Olympus" }), "repeat.zone"},
		{"not on a day that is none", repeat(func(r *Repeat) { r.Skip = []string{"2026-02-30"} }), "repeat.skip"},
		{"not on too many days", repeat(func(r *Repeat) { r.Skip = times(maxSkipped+1, "2026-12-24") }), "repeat.skip"},
		{"of nothing", func(m *Maintenance) { m.Covers = Covers{} }, "covers"},
		{"of too many alerts", func(m *Maintenance) { m.Covers.Alerts = times(maxCovered+1, int64(1)) }, "covers.alerts"},
		{"of a label without a value", func(m *Maintenance) { m.Covers.Labels = map[string]string{"team": ""} }, "covers.labels"},
		{"of a tag without a value", func(m *Maintenance) { m.Covers.Tags = map[string]string{"host": ""} }, "covers.tags"},
	})
}

// TestPlaylist: a playlist has a name and spaces, each for a while.
func TestPlaylist(t *testing.T) {
	checkRefusals(t, func() *Playlist {
		return &Playlist{Name: "office", Spaces: []PlaylistSpace{{Space: 1, Seconds: 30}, {Space: 2, Seconds: 5, Range: "-7d"}}}
	}, (*Playlist).Validate, []refusal[Playlist]{
		{"no name", func(v *Playlist) { v.Name = "" }, "name"},
		{"nothing to show", func(v *Playlist) { v.Spaces = nil }, "spaces"},
		{"as much as there may be", func(v *Playlist) { v.Spaces = slices.Repeat(v.Spaces, 25) }, ""},
		{"too much", func(v *Playlist) { v.Spaces = slices.Repeat(v.Spaces, 26) }, "spaces"},
		{"too fast", func(v *Playlist) { v.Spaces[1].Seconds = 4 }, "spaces.seconds"},
		{"a day", func(v *Playlist) { v.Spaces[1].Seconds = 86400 }, ""},
		{"too slow", func(v *Playlist) { v.Spaces[1].Seconds = 86401 }, "spaces.seconds"},
		{"yesterday", func(v *Playlist) { v.Spaces[0].Range = "yesterday" }, ""},
		{"no range", func(v *Playlist) { v.Spaces[0].Range = "6h" }, "spaces.range"},
		{"a range of nothing", func(v *Playlist) { v.Spaces[0].Range = "-0h" }, "spaces.range"},
		{"a filter without a name", func(v *Playlist) { v.Spaces[0].Tags = []TagFilter{{}} }, "spaces.tags"},
	})
}

// TestTagDrop: a rule names metrics and one tag.
func TestTagDrop(t *testing.T) {
	checkRefusals(t, func() *TagDrop { return &TagDrop{Metric: "http.*", Tag: "session"} }, (*TagDrop).Validate, []refusal[TagDrop]{
		{"no metric", func(v *TagDrop) { v.Metric = "" }, "metric"},
		{"all metrics", func(v *TagDrop) { v.Metric = "*" }, ""},
		{"no name of a metric", func(v *TagDrop) { v.Metric = "a b" }, "metric"},
		{"a metric too long", func(v *TagDrop) { v.Metric = long(MaxName + 1) }, "metric"},
		{"no tag", func(v *TagDrop) { v.Tag = "" }, "tag"},
		{"no name of a tag", func(v *TagDrop) { v.Tag = "a*" }, "tag"},
	})
	drops := []*TagDrop{{Metric: "http.*", Tag: "session"}, {Metric: "http.requests", Tag: "session"}, {Metric: "*", Tag: "pod"}}
	for metric, want := range map[string]string{"http.requests": "session pod", "http.errors": "session pod", "queue": "pod"} {
		if got := strings.Join(DroppedTags(drops, metric), " "); got != want {
			t.Errorf("%s: %q, want %q", metric, got, want)
		}
	}
}

// TestSavedQuery: what is kept has a name, and asks for something.
func TestSavedQuery(t *testing.T) {
	checkRefusals(t, func() *SavedQuery {
		return &SavedQuery{Name: "latency", Search: "tag.host=a&b.metric=latency"}
	}, (*SavedQuery).Validate, []refusal[SavedQuery]{
		{"no name", func(v *SavedQuery) { v.Name = "" }, "name"},
		{"a composite", func(v *SavedQuery) { v.Search = "q=s(%22cpu%22)" }, ""},
		{"asks for nothing", func(v *SavedQuery) { v.Search = "from=-6h" }, "search"},
		{"no address", func(v *SavedQuery) { v.Search = "metric=%zz" }, "search"},
		{"too long", func(v *SavedQuery) { v.Search = "metric=" + long(maxSavedSearch) }, "search"},
	})
}
