package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func addComposite(t testing.TB, s *store.Store, org tidemark.OrgID, name, text string) {
	t.Helper()
	_, _, err := s.PutMetric(t.Context(), org, operator, name, func(m *tidemark.Metric) { m.Type, m.Composite = tidemark.Composite, text })
	ok(t, err)
}

// told is what tests compare of versions: number, who, what they did and a
// field of the document; the newest first.
func told(t testing.TB, s *store.Store, org tidemark.OrgID, k tidemark.VersionKey, field string) []string {
	t.Helper()
	var all []string
	for _, v := range must(s.Versions(t.Context(), org, k, 0, 100))(t) {
		line := fmt.Sprintf("%d %s %s %v", v.Number, v.Actor, v.Action, v.Document[field])
		if v.Restored != 0 {
			line += fmt.Sprintf(" of %d", v.Restored)
		}
		all = append(all, line)
	}
	return all
}

func alertKey(id int64) tidemark.VersionKey { return tidemark.VersionsOf(tidemark.AlertVersions, id) }
func spaceKey(id int64) tidemark.VersionKey { return tidemark.VersionsOf(tidemark.SpaceVersions, id) }
func chartKey(id int64) tidemark.VersionKey { return tidemark.VersionsOf(tidemark.ChartVersions, id) }

// TestVersionsOfAlert: every change of an alert is a version with who made it,
// what changes nothing is none, and a restored one is the alert that it was.
func TestVersionsOfAlert(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		b := furnish(t, s, org)
		rename := func(to string) func(*tidemark.Alert) { return func(v *tidemark.Alert) { v.Name = to } }
		was := must(s.Alert(ctx, org, b.alert.ID))(t)
		must(s.UpdateAlert(ctx, org, ann, b.alert.ID, rename("higher")))(t)
		must(s.UpdateAlert(ctx, org, ann, b.alert.ID, rename("higher")))(t)
		attachment := tidemark.AttachmentKey{Alert: b.alert.ID, Service: b.service.ID}
		ok(t, s.DetachService(ctx, org, ann, attachment))
		same(t, "versions", []string{"3 user:ann@example.org alert.update higher", "2 user:ann@example.org alert.update higher", "1 cli alert.create high"},
			told(t, s, org, alertKey(b.alert.ID), "name"))
		same(t, "latest", int64(3), must(s.LatestVersion(ctx, org, alertKey(b.alert.ID)))(t))

		is := must(s.RestoreAlert(ctx, org, ann, b.alert.ID, 1))(t)
		was.UpdatedAt = is.UpdatedAt
		same(t, "restored", was, is)
		same(t, "stored", was, must(s.Alert(ctx, org, b.alert.ID))(t))
		same(t, "the latest", "4 user:ann@example.org alert.restore high of 1", told(t, s, org, alertKey(b.alert.ID), "name")[0])

		ok(t, s.DeleteService(ctx, org, ann, b.service.ID))
		same(t, "without the service", "5 user:ann@example.org service.delete []", told(t, s, org, alertKey(b.alert.ID), "services")[0])
		is = must(s.RestoreAlert(ctx, org, ann, b.alert.ID, 2))(t)
		same(t, "services that are left", []int64{}, is.ServiceIDs)
		checkKinds(t, []wrong{
			{"no such version", func() error { return errOf(s.RestoreAlert(ctx, org, ann, b.alert.ID, 99)) }, tidemark.NotFound},
			{"no such alert", func() error { return errOf(s.RestoreAlert(ctx, org, ann, 99, 1)) }, tidemark.NotFound},
			{"nothing of it", func() error { return errOf(s.Versions(ctx, org, alertKey(99), 0, 10)) }, tidemark.NotFound},
		})
	})
}

// TestNameVersion: a version has the name that somebody gave it until they take
// it away; it is no change of the thing.
func TestNameVersion(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		b := furnish(t, s, org)
		k := alertKey(b.alert.ID)
		must(s.UpdateAlert(ctx, org, ann, b.alert.ID, func(v *tidemark.Alert) { v.Name = "higher" }))(t)
		for _, name := range []string{"before sale", ""} {
			ok(t, s.NameVersion(ctx, org, ann, k, 1, name))
			same(t, "its name", name, must(s.Version(ctx, org, k, 1))(t).Name)
			same(t, "that of the other", "", must(s.Version(ctx, org, k, 2))(t).Name)
			same(t, "the latest", int64(2), must(s.LatestVersion(ctx, org, k))(t))
		}
		addComposite(t, s, org, "Shop.all", `sum(s("cpu"))`)
		ok(t, s.NameVersion(ctx, org, ann, tidemark.VersionsOfMetric("shop.all"), 1, "first"))
		log := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Length: 1}))(t)
		same(t, "what the audit log calls it", `metric "Shop.all"`, log[0].Object)
		checkKinds(t, []wrong{
			{"too long", func() error { return s.NameVersion(ctx, org, ann, k, 1, strings.Repeat("x", 300)) }, tidemark.Invalid},
			{"no such version", func() error { return s.NameVersion(ctx, org, ann, k, 9, "x") }, tidemark.NotFound},
			{"no such alert", func() error { return s.NameVersion(ctx, org, ann, alertKey(99), 1, "x") }, tidemark.NotFound},
		})
	})
}

// TestRestoreIsChecked: what could not be saved is not restored either.
func TestRestoreIsChecked(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		b := furnish(t, s, org)
		must(s.UpdateAlert(ctx, org, ann, b.alert.ID, func(v *tidemark.Alert) { v.Conditions, v.Name = nil, "low" }))(t)
		addAlert(t, s, org, "high", above("cpu", 1))
		err := errOf(s.RestoreAlert(ctx, org, ann, b.alert.ID, 1))
		if tidemark.KindOf(err) != tidemark.Conflict || !strings.Contains(err.Error(), "name") {
			t.Errorf("a name that is taken: %v", err)
		}
		ok(t, s.DeleteMetric(ctx, org, ann, "cpu"))
		err = errOf(s.RestoreAlert(ctx, org, ann, b.alert.ID, 1))
		if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "cpu does not exist") {
			t.Errorf("a metric that is gone: %v", err)
		}
		same(t, "name", "low", must(s.Alert(ctx, org, b.alert.ID))(t).Name)
	})
}

// TestSeen: a change of what there is a later version of is refused, and one
// that says nothing of versions is not.
func TestSeen(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		b := furnish(t, s, org)
		saw := func(n int64) tidemark.Actor { by := ann; by.Seen = n; return by }
		name := "late"
		changes := map[string]func(by tidemark.Actor, to string) error{
			"alert": func(by tidemark.Actor, to string) error {
				return errOf(s.UpdateAlert(ctx, org, by, b.alert.ID, func(v *tidemark.Alert) { v.Name = to }))
			},
			"chart": func(by tidemark.Actor, to string) error {
				return errOf(s.UpdateChart(ctx, org, by, b.chart, func(v *tidemark.Chart) { v.Name = to }))
			},
			"composite": func(by tidemark.Actor, to string) error {
				_, _, err := s.PutMetric(ctx, org, by, b.composite, func(m *tidemark.Metric) { m.DisplayName = &to })
				return err
			},
		}
		for what, do := range changes {
			ok(t, do(saw(1), "first"))
			if err := do(saw(1), "second"); tidemark.KindOf(err) != tidemark.Stale {
				t.Errorf("%s: a change of version 1 of 2: %v, want stale", what, err)
			}
			ok(t, do(saw(2), "third"))
			ok(t, do(ann, name))
		}
		alert := must(s.Alert(ctx, org, b.alert.ID))(t)
		same(t, "name", name, alert.Name)
	})
}

// TestSeenLayout: a layout stands in the way of another layout, and what else
// changes of a space does not.
func TestSeenLayout(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		space := addSpace(t, s, org, "wall")
		seen := must(s.Layout(ctx, org, space.ID))(t).Version
		layout := func(col int, version int64) (*tidemark.Layout, error) {
			l := &tidemark.Layout{Places: []tidemark.GridPosition{{Chart: 1, Col: col, Width: 1, Height: 1}}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}
			by := ann
			by.Seen = version
			return l, s.SaveLayout(ctx, org, by, space.ID, l)
		}
		addChart(t, s, org, space.ID)
		must(s.UpdateSpace(ctx, org, ann, space.ID, func(v *tidemark.Space) { *v.Name = "hall" }))(t)
		mine := must(layout(1, seen))(t)
		same(t, "version", must(s.LatestVersion(ctx, org, spaceKey(space.ID)))(t), mine.Version)
		if _, err := layout(2, seen); tidemark.KindOf(err) != tidemark.Stale {
			t.Errorf("a layout based on one before the last: %v, want stale", err)
		}
		must(layout(2, mine.Version))(t)
		must(layout(3, 0))(t)
		same(t, "version of what changes nothing", must(layout(3, 0))(t).Version, must(layout(3, 0))(t).Version)
	})
}

// TestVersionsOfSpace: a space is restored with its charts, their ids and
// where they are; those that were not there go, and can be brought back.
func TestVersionsOfSpace(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}))(t)
		space := addSpace(t, s, org, "wall")
		kept := addChart(t, s, org, space.ID, tidemark.ChartStream{Metric: "cpu"})
		gone := addChart(t, s, org, space.ID, tidemark.ChartStream{Metric: "cpu"})
		shown := map[string]any{"kind": "table", "top": json.Number("6"), "own": []any{"kept"}}
		must(s.UpdateChart(ctx, org, ann, tidemark.ChartKey{Space: space.ID, Chart: kept.ID}, func(c *tidemark.Chart) { c.Attributes = shown }))(t)
		ok(t, s.SaveLayout(ctx, org, ann, space.ID, &tidemark.Layout{
			Places: []tidemark.GridPosition{{Chart: gone.ID, Width: 1, Height: 1, Section: 1}}, Sections: []tidemark.Section{{Name: "Hosts", Folded: true}},
		}))
		then := must(s.LatestVersion(ctx, org, spaceKey(space.ID)))(t)
		charts := must(s.Charts(ctx, org, space.ID))(t)

		must(s.UpdateSpace(ctx, org, ann, space.ID, func(v *tidemark.Space) { *v.Name = "hall" }))(t)
		must(s.UpdateChart(ctx, org, ann, tidemark.ChartKey{Space: space.ID, Chart: kept.ID}, func(c *tidemark.Chart) { c.Name, c.Streams, c.Attributes = "other", nil, nil }))(t)
		ok(t, s.DeleteChart(ctx, org, ann, tidemark.ChartKey{Space: space.ID, Chart: gone.ID}))
		added := addChart(t, s, org, space.ID)
		ok(t, s.SaveLayout(ctx, org, ann, space.ID, &tidemark.Layout{}))
		now := must(s.Charts(ctx, org, space.ID))(t)
		latest := must(s.LatestVersion(ctx, org, spaceKey(space.ID)))(t)
		same(t, "each change is a version", then+5, latest)

		is := must(s.RestoreSpace(ctx, org, ann, space.ID, then))(t)
		same(t, "name", "wall", *is.Name)
		same(t, "charts", charts, must(s.Charts(ctx, org, space.ID))(t), cmpopts.EquateEmpty())
		same(t, "layout", gone.ID, must(s.Layout(ctx, org, space.ID))(t).Places[0].Chart)
		same(t, "sections", []tidemark.Section{{Name: "Hosts", Folded: true}}, must(s.Layout(ctx, org, space.ID))(t).Sections)
		same(t, "attributes", shown, charts[0].Attributes)
		same(t, "the latest", fmt.Sprintf("%d user:ann@example.org space.restore wall of %d", latest+1, then), told(t, s, org, spaceKey(space.ID), "name")[0])
		same(t, "versions of the chart", []string{"3 user:ann@example.org chart.restore  of 1", "2 user:ann@example.org chart.delete ", "1 cli chart.create "},
			told(t, s, org, chartKey(gone.ID), "name"))

		must(s.RestoreSpace(ctx, org, ann, space.ID, latest))(t)
		same(t, "charts of later", now, must(s.Charts(ctx, org, space.ID))(t), cmpopts.EquateEmpty())
		same(t, "the one that was added", added.ID, now[1].ID)

		must(s.RestoreChart(ctx, org, ann, kept.ID, 2))(t)
		same(t, "one chart", charts[0], must(s.ChartByID(ctx, org, kept.ID))(t), cmpopts.EquateEmpty())
		checkKinds(t, []wrong{
			{"a deleted chart alone", func() error { return errOf(s.RestoreChart(ctx, org, ann, gone.ID, 1)) }, tidemark.NotFound},
			{"no such version", func() error { return errOf(s.RestoreSpace(ctx, org, ann, space.ID, 99)) }, tidemark.NotFound},
		})
	})
}

// TestRestoreDeleted: what was deleted is listed, and comes back with its id
// and everything in it, until it is pruned.
func TestRestoreDeleted(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}))(t)
		alert, space := addAlert(t, s, org, "high", above("cpu", 1)), addSpace(t, s, org, "wall")
		addChart(t, s, org, space.ID, tidemark.ChartStream{Metric: "cpu"})
		addComposite(t, s, org, "cpu.all", `sum(s("cpu"))`)
		charts, is := must(s.Charts(ctx, org, space.ID))(t), must(s.Alert(ctx, org, alert.ID))(t)
		remove := func() {
			t.Helper()
			now++
			ok(t, s.DeleteAlert(ctx, org, ann, alert.ID))
			ok(t, s.DeleteSpace(ctx, org, ann, space.ID))
			ok(t, s.DeleteMetrics(ctx, org, ann, []string{"cpu.*"}))
		}
		remove()
		gone := must(s.DeletedThings(ctx, org))(t)
		var names []string
		for _, v := range gone {
			names = append(names, fmt.Sprint(v.Kind, " ", v.Name, " ", v.Actor))
		}
		same(t, "deleted", []string{"alert high user:ann@example.org", "metric cpu.all user:ann@example.org", "space wall user:ann@example.org"}, names)
		var saves []string
		for _, v := range must(s.SavesBetween(ctx, org, now, now, 2))(t) {
			saves = append(saves, fmt.Sprint(v.Kind, " ", v.Name, " ", v.Action, " ", v.Actor))
		}
		same(t, "saved then", []string{"alert high alert.delete user:ann@example.org", "metric cpu.all metric.delete user:ann@example.org"}, saves)
		same(t, "saved later", 0, len(must(s.SavesBetween(ctx, org, now+1, now+9, 10))(t)))

		must(s.RestoreAlert(ctx, org, ann, alert.ID, gone[0].Number))(t)
		back := must(s.Alert(ctx, org, alert.ID))(t)
		is.CreatedAt, is.UpdatedAt, back.Conditions[0].ID = back.CreatedAt, back.UpdatedAt, is.Conditions[0].ID
		same(t, "alert", is, back)
		must(s.RestoreSpace(ctx, org, ann, space.ID, gone[2].Number))(t)
		same(t, "charts", charts, must(s.Charts(ctx, org, space.ID))(t), cmpopts.EquateEmpty())
		m, created, err := s.RestoreMetric(ctx, org, ann, "CPU.all", gone[1].Number)
		ok(t, err)
		same(t, "composite", fmt.Sprint(`sum(s("cpu"))`, true), fmt.Sprint(m.Composite, created))
		same(t, "none is deleted", 0, len(must(s.DeletedThings(ctx, org))(t)))

		remove()
		ok(t, s.PruneVersions(ctx, now))
		same(t, "not yet", 3, len(must(s.DeletedThings(ctx, org))(t)))
		ok(t, s.PruneVersions(ctx, now+1))
		same(t, "pruned", 0, len(must(s.DeletedThings(ctx, org))(t)))
		checkKinds(t, []wrong{
			{"alert", func() error { return errOf(s.Version(ctx, org, alertKey(alert.ID), 1)) }, tidemark.NotFound},
			{"chart", func() error { return errOf(s.Version(ctx, org, chartKey(charts[0].ID), 1)) }, tidemark.NotFound},
		})
	})
}

// TestVersionsAreBounded: the oldest versions are forgotten, and with them
// those of charts that only they had.
func TestVersionsAreBounded(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { now++; return now })
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitVersions: 3}))
		space := addSpace(t, s, org, "0")
		gone := addChart(t, s, org, space.ID)
		ok(t, s.DeleteChart(ctx, org, ann, tidemark.ChartKey{Space: space.ID, Chart: gone.ID}))
		rename := func(to string) {
			t.Helper()
			must(s.UpdateSpace(ctx, org, ann, space.ID, func(v *tidemark.Space) { v.Name = &to }))(t)
		}
		rename("1")
		must(s.Version(ctx, org, chartKey(gone.ID), 1))(t)
		for i := range 4 {
			rename(fmt.Sprint(i + 2))
		}
		same(t, "kept", []string{"8 user:ann@example.org space.update 5", "7 user:ann@example.org space.update 4", "6 user:ann@example.org space.update 3"},
			told(t, s, org, spaceKey(space.ID), "name"))
		checkKinds(t, []wrong{
			{"the first", func() error { return errOf(s.Version(ctx, org, spaceKey(space.ID), 1)) }, tidemark.NotFound},
			{"of the chart", func() error { return errOf(s.Version(ctx, org, chartKey(gone.ID), 1)) }, tidemark.NotFound},
		})

		store.SetVersionBytes(s, 200_000)
		long := strings.Repeat("x", 1_400)
		alert := newAlert("long", above("cpu", 1))
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}))(t)
		ok(t, s.CreateAlert(ctx, org, operator, alert))
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitVersions: 0}))
		for i := range 80 {
			must(s.UpdateAlert(ctx, org, ann, alert.ID, func(v *tidemark.Alert) {
				v.Attributes = map[string]any{"a": long, "b": long, "n": int64(i)}
			}))(t)
		}
		if n := len(must(s.Versions(ctx, org, alertKey(alert.ID), 0, 100))(t)); n < 60 || n > 75 {
			t.Errorf("%d versions of 3 kB each are kept, want those that fit into 200 kB", n)
		}
	})
}

// TestForgottenChart: a version of a space names those of its charts; where one
// of them was too long to be kept the space is not restored without it.
func TestForgottenChart(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, space := t.Context(), addSpace(t, s, org, "wall")
		store.SetVersionBytes(s, 20_000)
		chart := addChart(t, s, org, space.ID, tidemark.ChartStream{Metric: "cpu"})
		long := []tidemark.ChartStream{{Composite: strings.Repeat("x", 15_000)}}
		for _, name := range []string{"a", "b"} {
			must(s.UpdateChart(ctx, org, ann, tidemark.ChartKey{Space: space.ID, Chart: chart.ID}, func(c *tidemark.Chart) { c.Name, c.Streams = name, long }))(t)
		}
		checkKinds(t, []wrong{{"version 2", func() error { return errOf(s.RestoreSpace(ctx, org, ann, space.ID, 2)) }, tidemark.Conflict}})
		must(s.RestoreSpace(ctx, org, ann, space.ID, 3))(t)
		same(t, "chart", "a", must(s.ChartByID(ctx, org, chart.ID))(t).Name)
	})
}

// TestVersionsOfBefore: what is from before versions were kept has one as it
// is, and keeps it when it changes.
func TestVersionsOfBefore(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		b := furnish(t, s, org)
		keys := []tidemark.VersionKey{alertKey(b.alert.ID), spaceKey(b.space.ID), chartKey(b.chart.Chart), tidemark.VersionsOfMetric(b.composite)}
		ok(t, store.ForgetAllVersions(ctx, s))
		for _, k := range keys {
			v := must(s.Versions(ctx, org, k, 0, 10))(t)
			if len(v) != 1 || v[0].Number != 1 || v[0].Actor != "" || len(v[0].Document) == 0 {
				t.Errorf("%v: %+v", k, v)
			}
			same(t, "the first", v[0], must(s.Version(ctx, org, k, 1))(t))
		}
		must(s.UpdateChart(ctx, org, ann, b.chart, func(c *tidemark.Chart) { c.Name = "new" }))(t)
		must(s.UpdateAlert(ctx, org, ann, b.alert.ID, func(v *tidemark.Alert) { v.Name = "new" }))(t)
		_, _, err := s.PutMetric(ctx, org, ann, b.composite, func(m *tidemark.Metric) { m.Composite = `s("cpu")` })
		ok(t, err)
		for _, k := range keys {
			same(t, string(k.Kind), int64(2), must(s.LatestVersion(ctx, org, k))(t))
		}
		must(s.RestoreSpace(ctx, org, ann, b.space.ID, 1))(t)
		same(t, "chart", "", must(s.Chart(ctx, org, b.chart))(t).Name)
		ok(t, store.ForgetAllVersions(ctx, s))
		ok(t, s.DeleteSpace(ctx, org, ann, b.space.ID))
		must(s.RestoreSpace(ctx, org, ann, b.space.ID, 1))(t)
		must(s.Chart(ctx, org, b.chart))(t)
	})
}

// TestNoSecretsInVersions: versions name services and hold nothing of them.
func TestNoSecretsInVersions(t *testing.T) {
	url := freshURL(t, "sqlite")
	s := openStore(t, url)
	org := addOrg(t, s, "test")
	b := furnish(t, s, org)
	must(s.UpdateAlert(t.Context(), org, ann, b.alert.ID, func(v *tidemark.Alert) { v.Name = "new" }))(t)
	db := must(sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:")))(t)
	defer db.Close()
	for _, setting := range b.service.Settings {
		var n int
		ok(t, db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM object_versions WHERE INSTR(document, ?) > 0`, setting).Scan(&n))
		if setting == "" || n != 0 {
			t.Errorf("%q is in %d versions", setting, n)
		}
	}
}

// TestEditors: who has an editor open is known until they close it, or for as
// long as they said.
func TestEditors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, k := t.Context(), alertKey(7)
		ok(t, s.Editing(ctx, org, k, tidemark.Editor{Key: "1", Name: "bob"}, 20))
		ok(t, s.Editing(ctx, org, k, tidemark.Editor{Key: "2", Name: "ann"}, 10))
		ok(t, s.Editing(ctx, org, k, tidemark.Editor{Key: "2", Name: "ann"}, 15))
		names := func(now int64) string {
			t.Helper()
			var all []string
			for _, v := range must(s.Editors(ctx, org, k, now))(t) {
				all = append(all, v.Name)
			}
			return strings.Join(all, " ")
		}
		same(t, "both", "ann bob", names(14))
		same(t, "one is over", "bob", names(15))
		ok(t, s.StopEditing(ctx, org, k, "1"))
		same(t, "one stopped", "ann", names(14))
		same(t, "another thing", 0, len(must(s.Editors(ctx, org, alertKey(8), 1))(t)))
		ok(t, s.DeleteExpired(ctx, 15))
		same(t, "expired", "", names(1))
	})
}
