package store_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func addSpace(t testing.TB, s *store.Store, org tidemark.OrgID, name string) *tidemark.Space {
	t.Helper()
	v := &tidemark.Space{Name: &name}
	ok(t, s.CreateSpace(t.Context(), org, operator, v))
	return v
}

func addChart(t testing.TB, s *store.Store, org tidemark.OrgID, space int64, streams ...tidemark.ChartStream) *tidemark.Chart {
	t.Helper()
	v := tidemark.NewChart()
	v.Streams = streams
	ok(t, s.CreateChart(t.Context(), org, operator, space, v))
	return v
}

func TestSpaces(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		cpus := addSpace(t, s, org, "CPUs")
		addSpace(t, s, org, "cpus") // names are not unique
		addSpace(t, s, org, "Ärger")
		theirs := addSpace(t, s, other, "CPUs")
		same(t, "Space", &tidemark.Space{ID: cpus.ID, Name: new("CPUs"), Charts: []int64{}}, must(s.Space(ctx, org, cpus.ID))(t))
		first, second := addChart(t, s, org, cpus.ID), addChart(t, s, org, cpus.ID)
		same(t, "charts", []int64{first.ID, second.ID}, must(s.Space(ctx, org, cpus.ID))(t).Charts)
		name := func(v *tidemark.Space) string { return *v.Name }
		checkList(t, name, 3, 3, "CPUs", "cpus", "Ärger")(s.Spaces(ctx, org, tidemark.Page{}))
		checkList(t, name, 1, 3, "Ärger")(s.Spaces(ctx, org, tidemark.Page{Name: "ÄRG"}))

		u := tidemark.SpaceUpdate{Name: tidemark.Some("Memory")}
		if got := must(s.UpdateSpace(ctx, org, operator, cpus.ID, u.Apply))(t); *got.Name != "Memory" || got.ID != cpus.ID {
			t.Errorf("UpdateSpace = %v", got)
		}
		checkList(t, name, 3, 3, "cpus", "Memory", "Ärger")(s.Spaces(ctx, org, tidemark.Page{}))
		unname := func(v *tidemark.Space) { v.Name = nil }
		checkKinds(t, []wrong{
			{"no such space", func() error { return errOf(s.Space(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Space(ctx, org, theirs.ID)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateSpace(ctx, org, operator, theirs.ID, u.Apply)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteSpace(ctx, org, operator, theirs.ID) }, tidemark.NotFound},
			{"delete nothing", func() error { return s.DeleteSpace(ctx, org, operator, 999) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateSpace(ctx, 999, operator, &tidemark.Space{Name: new("x")}) }, tidemark.NotFound},
			{"without name", func() error { return s.CreateSpace(ctx, org, operator, &tidemark.Space{}) }, tidemark.Invalid},
			{"update to no name", func() error { return errOf(s.UpdateSpace(ctx, org, operator, cpus.ID, unname)) }, tidemark.Invalid},
			{"order by charts", func() error { return listErr(s.Spaces(ctx, org, tidemark.Page{OrderBy: "charts"})) }, tidemark.Invalid},
		})
		ok(t, s.DeleteSpace(ctx, org, operator, cpus.ID))
		checkKinds(t, []wrong{
			{"deleted", func() error { return errOf(s.Space(ctx, org, cpus.ID)) }, tidemark.NotFound},
			{"its charts", func() error { return errOf(s.Charts(ctx, org, cpus.ID)) }, tidemark.NotFound},
			{"a chart", func() error { return errOf(s.Chart(ctx, org, tidemark.ChartKey{Space: cpus.ID, Chart: first.ID})) }, tidemark.NotFound},
		})
	})
}

// full is a chart that uses every field there is.
const full = `{
	"name": "CPU <&>", "type": "bignumber",
	"streams": [
		{"metric": "System.CPU", "source": "*", "tags": [{"name": "@host", "grouped": true}, {"name": "environment", "values": ["prod*", "a"]}, {"name": "region", "dynamic": true}],
		 "group_function": "average", "group_by": "host", "summary_function": "max", "color": "#52D74C", "name": "n", "units_short": "%", "units_long": "percent",
		 "min": 0, "max": 99.5, "transform_function": "x/p*60", "period": 60, "split_axis": true, "gap_detection": false, "position": 3, "hidden": true},
		{"composite": "divide([sum(s(\"err\",\"*\")),sum(s(\"req\",\"*\"))])", "name": "error ratio", "downsample_function": "sum"}
	],
	"min": -0.5, "max": 1e21, "label": "Used", "related_space": 1234,
	"thresholds": [{"operator": ">", "value": 90.25, "type": "red"}],
	"use_log_yaxis": false, "use_last_value": true
}`

func TestChartRoundTrip(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		space := addSpace(t, s, org, "x")
		v := new(tidemark.Chart)
		ok(t, json.Unmarshal([]byte(full), v))
		want := new(tidemark.Chart)
		ok(t, json.Unmarshal([]byte(full), want))
		ok(t, s.CreateChart(ctx, org, operator, space.ID, v))
		serverSet := cmp.Options{cmpopts.IgnoreFields(tidemark.Chart{}, "ID"), cmpopts.IgnoreFields(tidemark.ChartStream{}, "ID", "Type")}
		same(t, "created", want, v, serverSet)
		k := tidemark.ChartKey{Space: space.ID, Chart: v.ID}
		same(t, "Chart", v, must(s.Chart(ctx, org, k))(t))

		// Nothing set, nothing there.
		bare := addChart(t, s, org, space.ID)
		got := must(s.Chart(ctx, org, tidemark.ChartKey{Space: space.ID, Chart: bare.ID}))(t)
		same(t, "a bare chart", &tidemark.Chart{ID: bare.ID, Type: "line", Streams: []tidemark.ChartStream{}}, got)
		u := tidemark.ChartUpdate{Thresholds: tidemark.Some([]tidemark.Threshold{})}
		got = must(s.UpdateChart(ctx, org, operator, tidemark.ChartKey{Space: space.ID, Chart: bare.ID}, u.Apply))(t)
		if got.Thresholds == nil {
			t.Error("[] became null")
		}
		same(t, "Charts", []*tidemark.Chart{v, got}, must(s.Charts(ctx, org, space.ID))(t))
	})
}

func TestUpdateChart(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		space := addSpace(t, s, org, "x")
		a, b := tidemark.ChartStream{ID: 5, Metric: "a"}, tidemark.ChartStream{Metric: "b"}
		v := addChart(t, s, org, space.ID, a, b)
		twin := addChart(t, s, org, space.ID, a)
		k := tidemark.ChartKey{Space: space.ID, Chart: v.ID}
		ids := func(v *tidemark.Chart) (ids []int64) {
			for _, st := range v.Streams {
				ids = append(ids, st.ID)
			}
			return ids
		}
		update := func(u tidemark.ChartUpdate) *tidemark.Chart {
			t.Helper()
			got := must(s.UpdateChart(ctx, org, operator, k, u.Apply))(t)
			same(t, "Chart after the update", got, must(s.Chart(ctx, org, k))(t))
			return got
		}
		if id := ids(v)[0]; id <= 0 || id == 5 || slices.Contains(ids(twin), id) {
			t.Errorf("streams have ids %v and %v", ids(v), ids(twin))
		}
		got := update(tidemark.ChartUpdate{Name: tidemark.Some("renamed"), Min: tidemark.Some(1.0)})
		same(t, "ids of streams that were not touched", ids(v), ids(got))
		want := *v
		want.Name, want.Min = "renamed", new(1.0)
		same(t, "the rest", &want, got)

		swapped := []tidemark.ChartStream{v.Streams[1], {Metric: "c"}, v.Streams[0], {ID: twin.Streams[0].ID, Metric: "d"}}
		got = update(tidemark.ChartUpdate{Streams: tidemark.Some(swapped)})
		was, is := ids(v), ids(got)
		if is[0] != was[1] || is[2] != was[0] || slices.Contains(was, is[1]) || is[3] == twin.Streams[0].ID || is[3] == is[1] {
			t.Errorf("ids %v became %v", was, is)
		}
		got = update(tidemark.ChartUpdate{Min: tidemark.Opt[float64]{Set: true, Null: true}, Streams: tidemark.Some([]tidemark.ChartStream{})})
		if got.Min != nil || len(got.Streams) != 0 {
			t.Errorf("not cleared: %+v", got)
		}
		ok(t, s.DeleteChart(ctx, org, operator, k))
		checkKinds(t, []wrong{{"deleted", func() error { return errOf(s.Chart(ctx, org, k)) }, tidemark.NotFound}})
	})
}

func TestStreamTypes(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, s, org, "CPU")
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{
			{Name: "hits", Type: tidemark.Counter}, {Name: "ratio", Type: tidemark.Composite, Composite: `s("a","*")`},
		}))(t)
		addEvent(t, s, org, "Releases", "x", "", 5)
		addEvent(t, s, org, "cpu", "x", "", 5) // also the name of a metric
		space := addSpace(t, s, org, "x")
		v := addChart(t, s, org, space.ID,
			tidemark.ChartStream{Metric: "cpu"}, tidemark.ChartStream{Metric: "hits"}, tidemark.ChartStream{Metric: "ratio"}, tidemark.ChartStream{Metric: "releases"},
			tidemark.ChartStream{Metric: "unknown"}, tidemark.ChartStream{Metric: "Gone", Type: "annotation"}, tidemark.ChartStream{Composite: `s("x","*")`})
		check := func(want ...string) {
			t.Helper()
			one := must(s.Chart(ctx, org, tidemark.ChartKey{Space: space.ID, Chart: v.ID}))(t)
			same(t, "one and all", []*tidemark.Chart{one}, must(s.Charts(ctx, org, space.ID))(t))
			var got []string
			for _, st := range one.Streams {
				got = append(got, st.Type+" "+st.Composite)
			}
			same(t, "types", want, got)
		}
		check("gauge ", "counter ", `composite s("a","*")`, "annotation ", "gauge ", "annotation ", `composite s("x","*")`)
		same(t, "as created", v, must(s.Chart(ctx, org, tidemark.ChartKey{Space: space.ID, Chart: v.ID}))(t))

		// What names stand for may change.
		_, _, err := s.PutMetric(ctx, org, operator, "ratio", tidemark.MetricUpdate{Composite: tidemark.Some(`s("b","*")`)}.Apply)
		ok(t, err)
		addMetrics(t, s, org, "releases")
		check("gauge ", "counter ", `composite s("b","*")`, "gauge ", "gauge ", "annotation ", `composite s("x","*")`)
	})
}

func TestChartErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		mine, empty, theirs := addSpace(t, s, org, "x"), addSpace(t, s, org, "y"), addSpace(t, s, other, "x")
		v := addChart(t, s, org, mine.ID)
		k := tidemark.ChartKey{Space: mine.ID, Chart: v.ID}
		elsewhere := tidemark.ChartKey{Space: empty.ID, Chart: v.ID}
		odd := func(v *tidemark.Chart) { v.Type = "pie" }
		checkKinds(t, []wrong{
			{"no such chart", func() error { return errOf(s.Chart(ctx, org, tidemark.ChartKey{Space: mine.ID, Chart: 999})) }, tidemark.NotFound},
			{"of another space", func() error { return errOf(s.Chart(ctx, org, elsewhere)) }, tidemark.NotFound},
			{"update of another space", func() error { return errOf(s.UpdateChart(ctx, org, operator, elsewhere, odd)) }, tidemark.NotFound},
			{"delete of another space", func() error { return s.DeleteChart(ctx, org, operator, elsewhere) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Chart(ctx, other, k)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateChart(ctx, other, operator, k, odd)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteChart(ctx, other, operator, k) }, tidemark.NotFound},
			{"list of another org", func() error { return errOf(s.Charts(ctx, org, theirs.ID)) }, tidemark.NotFound},
			{"list of nothing", func() error { return errOf(s.Charts(ctx, org, 999)) }, tidemark.NotFound},
			{"create in another org", func() error { return s.CreateChart(ctx, org, operator, theirs.ID, tidemark.NewChart()) }, tidemark.NotFound},
			{"create in nothing", func() error { return s.CreateChart(ctx, org, operator, 999, tidemark.NewChart()) }, tidemark.NotFound},
			{"create a pie", func() error { return s.CreateChart(ctx, org, operator, mine.ID, &tidemark.Chart{Type: "pie"}) }, tidemark.Invalid},
			{"make it a pie", func() error { return errOf(s.UpdateChart(ctx, org, operator, k, odd)) }, tidemark.Invalid},
		})
		same(t, "untouched", []*tidemark.Chart{v}, must(s.Charts(ctx, org, mine.ID))(t))
	})
}

func TestFullSpace(t *testing.T) {
	const maxCharts = 500
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		space := addSpace(t, s, org, "x")
		ok(t, store.FillSpace(t.Context(), s, org, space.ID, maxCharts-1))
		addChart(t, s, org, space.ID)
		checkKinds(t, []wrong{{"one more", func() error {
			return s.CreateChart(t.Context(), org, operator, space.ID, tidemark.NewChart())
		}, tidemark.Conflict}})
		if n := len(must(s.Charts(t.Context(), org, space.ID))(t)); n != maxCharts {
			t.Errorf("%d charts", n)
		}
	})
}
