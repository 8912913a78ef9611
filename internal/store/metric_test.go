package store_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func metricName(m *tidemark.Metric) string { return m.Name }

func addMetrics(t testing.TB, s *store.Store, org tidemark.OrgID, names ...string) {
	t.Helper()
	ms := make([]*tidemark.Metric, len(names))
	for i, name := range names {
		ms[i] = &tidemark.Metric{Name: name, Type: tidemark.Gauge}
	}
	must(s.EnsureMetrics(t.Context(), org, ms))(t)
}

func TestPutMetric(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		put := func(name string, u tidemark.MetricUpdate, wantNew bool) *tidemark.Metric {
			t.Helper()
			m, created, err := s.PutMetric(ctx, org, operator, name, u.Apply)
			ok(t, err)
			if created != wantNew {
				t.Errorf("created = %v, want %v", created, wantNew)
			}
			same(t, "Metric", m, must(s.Metric(ctx, org, name))(t))
			return m
		}
		attributes := map[string]any{
			"display_min": int64(0), "display_max": 1.5, "big": int64(1) << 60, "huge": 1e300, "n": int64(60), "neg": int64(-1),
			"aggregate": false, "gap_detection": true, "color": "#52D74C", "created_by_ua": "x/1 <y>&z", "display_units_long": "",
		}
		got := put("Shop.Checkout.ms", tidemark.MetricUpdate{
			DisplayName: tidemark.Some("Checkout time"), Period: tidemark.Some(int64(60)), Attributes: tidemark.Some(attributes),
		}, true)
		want := &tidemark.Metric{
			Name: "Shop.Checkout.ms", Type: tidemark.Gauge, DisplayName: new("Checkout time"), Period: new(int64(60)),
			Attributes: attributes, CreatedAt: now, UpdatedAt: now,
		}
		same(t, "created", want, got)

		// Another case finds it, and does not rename it.
		got = put("SHOP.checkout.MS", tidemark.MetricUpdate{
			Description: tidemark.Some("server side"), Period: tidemark.Opt[int64]{Set: true, Null: true},
			Attributes: tidemark.Some(map[string]any{"display_max": nil, "n": int64(61)}),
		}, false)
		want.Description, want.Period, want.UpdatedAt = new("server side"), nil, now+1
		want.Attributes = maps.Clone(attributes)
		want.Attributes["n"] = int64(61)
		delete(want.Attributes, "display_max")
		same(t, "updated", want, got)

		got = put("ratio", tidemark.MetricUpdate{Type: tidemark.Some(tidemark.Composite), Composite: tidemark.Some(`divide([s("a","*"),s("b","*")])`)}, true)
		same(t, "composite", &tidemark.Metric{
			Name: "ratio", Type: tidemark.Composite, Composite: `divide([s("a","*"),s("b","*")])`,
			Attributes: map[string]any{}, CreatedAt: now, UpdatedAt: now,
		}, got)
		put("ratio", tidemark.MetricUpdate{Composite: tidemark.Some(`s("a","*")`)}, false)
	})
}

func TestMetricErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		addMetrics(t, s, org, "cpu", "mem")
		before := must(s.Metric(ctx, org, "cpu"))(t)
		put := func(org tidemark.OrgID, name string, change func(*tidemark.Metric)) error {
			_, _, err := s.PutMetric(ctx, org, operator, name, change)
			return err
		}
		keep := func(*tidemark.Metric) {}
		badColour := func(m *tidemark.Metric) { m.Attributes = map[string]any{"color": "blue"} }
		badCPU := func(m *tidemark.Metric) {
			m.Description = new("changed")
			if m.Name == "mem" {
				m.Type = "odd"
			}
		}
		checkKinds(t, []wrong{
			{"no such metric", func() error { return errOf(s.Metric(ctx, org, "disk")) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Metric(ctx, other, "cpu")) }, tidemark.NotFound},
			{"a name that cannot be", func() error { return errOf(s.Metric(ctx, org, "\x00")) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteMetric(ctx, other, operator, "cpu") }, tidemark.NotFound},
			{"delete nothing", func() error { return s.DeleteMetric(ctx, org, operator, "disk") }, tidemark.NotFound},
			{"put in no org", func() error { return put(999, "x", keep) }, tidemark.NotFound},
			{"put a bad name", func() error { return put(org, "a b", keep) }, tidemark.Invalid},
			{"put a long name", func() error { return put(org, strings.Repeat("x", 256), keep) }, tidemark.Invalid},
			{"put a bad attribute", func() error { return put(org, "cpu", badColour) }, tidemark.Invalid},
			{"put a composite without text", func() error { return put(org, "x", func(m *tidemark.Metric) { m.Type = tidemark.Composite }) }, tidemark.Invalid},
			{"ensure a bad name", func() error {
				return errOf(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "fine", Type: "gauge"}, {Name: "a b", Type: "gauge"}}))
			}, tidemark.Invalid},
			{"ensure in no org", func() error {
				return errOf(s.EnsureMetrics(ctx, 999, []*tidemark.Metric{{Name: "fine", Type: "gauge"}}))
			}, tidemark.NotFound},
			{"update many, one badly", func() error { return errOf(s.UpdateMetrics(ctx, org, operator, []string{"*"}, nil, badCPU)) }, tidemark.Invalid},
		})
		same(t, "untouched", before, must(s.Metric(ctx, org, "cpu"))(t))
		checkList(t, metricName, 2, 2, "cpu", "mem")(s.Metrics(ctx, org, tidemark.Page{}))
	})
}

func TestMetricList(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, s, org, "web.cpu", "CPU", "db.Cpu.90", "mem", "a_b", "a.b")
		addMetrics(t, s, addOrg(t, s, "other"), "cpu")
		f := func(p tidemark.Page, found int, want ...string) {
			t.Helper()
			checkList(t, metricName, found, 6, want...)(s.Metrics(ctx, org, p))
			checkList(t, metricName, found, 6, want...)(s.MetricsWithin(ctx, org, p, func(*tidemark.Metric) bool { return true }))
		}
		f(tidemark.Page{}, 6, "a.b", "a_b", "CPU", "db.Cpu.90", "mem", "web.cpu")
		f(tidemark.Page{Name: "cPu"}, 3, "CPU", "db.Cpu.90", "web.cpu")
		f(tidemark.Page{Name: "cpu", OrderBy: "name", Desc: true}, 3, "CPU", "web.cpu", "db.Cpu.90")
		f(tidemark.Page{Name: "*cpu*.90"}, 1, "db.Cpu.90")
		f(tidemark.Page{Name: "cpu*"}, 1, "CPU")
		f(tidemark.Page{Name: "a_b"}, 1, "a_b")
		f(tidemark.Page{Offset: 4, Length: 10}, 6, "mem", "web.cpu")

		short := func(m *tidemark.Metric) bool { return len(m.Name) == 3 }
		within := func(p tidemark.Page, found int, want ...string) {
			t.Helper()
			checkList(t, metricName, found, 4, want...)(s.MetricsWithin(ctx, org, p, short))
		}
		within(tidemark.Page{}, 4, "a.b", "a_b", "CPU", "mem")
		within(tidemark.Page{Desc: true, Offset: 1, Length: 2}, 4, "CPU", "a_b")
		within(tidemark.Page{Name: "cpu"}, 1, "CPU")
		within(tidemark.Page{Name: "web"}, 0)
		if _, _, err := s.MetricsWithin(ctx, org, tidemark.Page{OrderBy: "secret"}, short); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("an order that there is not: %v", err)
		}

		var names []string
		for name, err := range s.MetricNames(ctx, org) {
			ok(t, err)
			names = append(names, name)
		}
		same(t, "MetricNames", []string{"a.b", "a_b", "CPU", "db.Cpu.90", "mem", "web.cpu"}, names)
		first := must(s.Metric(ctx, org, "a.b"))(t)
		for m, err := range s.EachMetric(ctx, org) { // and can be left at any time
			ok(t, err)
			same(t, "EachMetric", first, m)
			break
		}
		for name, err := range s.MetricNames(ctx, 999) {
			t.Errorf("a name in no org: %q, %v", name, err)
		}
	})
}

func TestEnsureMetrics(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		first := must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{
			{Name: "CPU", Type: tidemark.Gauge, Period: new(int64(10)), Attributes: map[string]any{"aggregate": true}},
		}))(t)
		got := must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{
			{Name: "mem", Type: tidemark.Gauge},
			{Name: "cpu", Type: tidemark.Counter}, // there already
			{Name: "MEM", Type: tidemark.Counter}, // the same as the first
		}))(t)
		times := cmpopts.IgnoreFields(tidemark.Metric{}, "CreatedAt", "UpdatedAt")
		mem := &tidemark.Metric{Name: "mem", Type: tidemark.Gauge, Attributes: map[string]any{}}
		same(t, "EnsureMetrics", []*tidemark.Metric{mem, first[0], mem}, got, times)
		if got[0].CreatedAt == 0 || got[0].UpdatedAt != got[0].CreatedAt {
			t.Errorf("times %d, %d", got[0].CreatedAt, got[0].UpdatedAt)
		}
		checkList(t, metricName, 2, 2, "CPU", "mem")(s.Metrics(ctx, org, tidemark.Page{}))
		same(t, "none", []*tidemark.Metric{}, must(s.EnsureMetrics(ctx, org, nil))(t))

		// More than one statement can carry.
		many := make([]*tidemark.Metric, 510)
		for i := range many {
			many[i] = &tidemark.Metric{Name: fmt.Sprintf("m.%d", i), Type: tidemark.Gauge}
		}
		for range 2 {
			stored := must(s.EnsureMetrics(ctx, org, many))(t)
			for i, m := range stored {
				if m == nil || m.Name != many[i].Name {
					t.Fatalf("metric %d is %v", i, m)
				}
			}
		}
	})
}

func TestBulkMetrics(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		addMetrics(t, s, org, "my.1", "my.2", "My.3", "web.cpu.90", "web.cpu.50")
		addMetrics(t, s, other, "my.1")
		match := func(names, exclude []string, want ...string) {
			t.Helper()
			same(t, "MatchMetrics", append([]string{}, want...), must(s.MatchMetrics(ctx, org, names, exclude))(t))
		}
		match([]string{"my.*"}, nil, "my.1", "my.2", "My.3")
		match([]string{"my.*"}, []string{"MY.3"}, "my.1", "my.2")
		match([]string{"my.*", "*cpu*.90", "web.cpu.50", "gone"}, []string{"*.1"}, "my.2", "My.3", "web.cpu.50", "web.cpu.90")
		match([]string{"My.1", "my.1"}, nil, "my.1")
		match([]string{"my"}, nil)
		match([]string{"*"}, []string{"*"})
		match(nil, nil)

		u := tidemark.MetricUpdate{Attributes: tidemark.Some(map[string]any{"display_max": int64(100)})}
		changed := must(s.UpdateMetrics(ctx, org, operator, []string{"my.*", "gone"}, []string{"my.3"}, u.Apply))(t)
		if len(changed) != 2 || changed[0].Name != "my.1" || changed[1].Attributes["display_max"] != int64(100) {
			t.Errorf("UpdateMetrics = %v", changed)
		}
		for name, want := range map[string]any{"my.1": int64(100), "my.2": int64(100), "my.3": nil, "web.cpu.50": nil} {
			if got := must(s.Metric(ctx, org, name))(t).Attributes["display_max"]; got != want {
				t.Errorf("%s has display_max %v, want %v", name, got, want)
			}
		}
		if got := must(s.Metric(ctx, other, "my.1"))(t); len(got.Attributes) != 0 {
			t.Errorf("another organization's metric changed: %v", got)
		}
		same(t, "nothing to update", []*tidemark.Metric{}, must(s.UpdateMetrics(ctx, org, operator, []string{"gone"}, nil, u.Apply))(t))

		ok(t, s.DeleteMetrics(ctx, org, operator, []string{"MY.1", "gone", "web.*"}))
		checkList(t, metricName, 2, 2, "my.2", "My.3")(s.Metrics(ctx, org, tidemark.Page{}))
		checkList(t, metricName, 1, 1, "my.1")(s.Metrics(ctx, other, tidemark.Page{}))
		ok(t, s.DeleteMetric(ctx, org, operator, "MY.3"))
		addMetrics(t, s, org, "my.3") // a new metric, with a new name
		checkList(t, metricName, 2, 2, "my.2", "my.3")(s.Metrics(ctx, org, tidemark.Page{}))

		// More than one statement can carry.
		var names []string
		for i := range 510 {
			names = append(names, fmt.Sprintf("n.%04d", i))
		}
		addMetrics(t, s, org, names...)
		changed = must(s.UpdateMetrics(ctx, org, operator, names, nil, u.Apply))(t)
		same(t, "all updated", names, slices.Collect(func(yield func(string) bool) {
			for _, m := range changed {
				if !yield(m.Name) {
					return
				}
			}
		}))
		ok(t, s.DeleteMetrics(ctx, org, operator, names))
		match([]string{"n.*"}, nil)
	})
}
