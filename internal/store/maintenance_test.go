package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func newWindow(name string, from, until int64) *tidemark.Maintenance {
	return &tidemark.Maintenance{Name: name, StartsAt: from, EndsAt: &until, Covers: tidemark.Covers{All: true}}
}

// TestMaintenanceLists: windows are listed by when they start or by name, those
// that are over only where somebody asks for all.
func TestMaintenanceLists(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		weekly := newWindow("Backups", 150, 0)
		weekly.EndsAt, weekly.Repeat = nil, &tidemark.Repeat{Days: []string{"sun"}, From: "23:30", To: "01:00", Zone: "Europe/Berlin", Skip: []string{"2026-12-24"}, Weeks: 2}
		for _, v := range []*tidemark.Maintenance{newWindow("upgrade", 300, 400), weekly, newWindow("Move", 100, 200)} {
			ok(t, s.CreateMaintenance(ctx, org, operator, v))
		}
		ok(t, s.CreateMaintenance(ctx, other, operator, newWindow("theirs", 100, 400)))
		list := checkList(t, func(m *tidemark.Maintenance) string { return m.Name }, 3, 3, "Move", "Backups", "upgrade")
		list(s.MaintenanceWindows(ctx, org, tidemark.Page{Length: 10}))
		list = checkList(t, func(m *tidemark.Maintenance) string { return m.Name }, 3, 3, "Backups", "Move")
		list(s.MaintenanceWindows(ctx, org, tidemark.Page{Length: 2, OrderBy: "name"}))
		list = checkList(t, func(m *tidemark.Maintenance) string { return m.Name }, 1, 3, "upgrade")
		list(s.MaintenanceWindows(ctx, org, tidemark.Page{Length: 10, Name: "GRADE"}))
		for since, want := range map[int64]int{199: 3, 200: 2, 399: 2, 400: 1, 1 << 40: 1} {
			if got := must(s.WindowsIn(ctx, org, since))(t); len(got) != want {
				t.Errorf("at %d there are %d windows, want %d", since, len(got), want)
			}
		}
		got := must(s.Maintenance(ctx, org, weekly.ID))(t)
		weekly.Normalize()
		if diff := got.Repeat.Skip; len(diff) != 1 || got.Repeat.Weeks != 2 || got.Repeat.Zone != "Europe/Berlin" || got.EndsAt != nil {
			t.Errorf("got %+v of %+v", got.Repeat, weekly.Repeat)
		}
	})
}

// TestMaintenanceChanges: who made a window and when stays; each refusal leaves
// it as it was; alerts that a window names may be deleted after it named them.
func TestMaintenanceChanges(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		l := newLife(t, s, org)
		v := newWindow("Move", 100, 200)
		v.Covers = tidemark.Covers{Alerts: []int64{l.alert.ID}}
		ok(t, s.CreateMaintenance(ctx, org, ann, v))
		same(t, "made by", ann.String(), v.CreatedBy)
		ok(t, s.DeleteAlert(ctx, org, operator, l.alert.ID))
		changed := must(s.UpdateMaintenance(ctx, org, operator, v.ID, func(m *tidemark.Maintenance) {
			m.ID, m.CreatedAt, m.CreatedBy, m.Name, m.Note = 99, 1, "eve", "Moved", "größer"
		}))(t)
		if changed.ID != v.ID || changed.CreatedAt != now || changed.CreatedBy != ann.String() || changed.UpdatedAt <= v.UpdatedAt {
			t.Errorf("changed %+v", changed)
		}
		same(t, "saved", changed, must(s.Maintenance(ctx, org, v.ID))(t))
		for field, tt := range map[string]struct {
			change func(*tidemark.Maintenance)
			msg    string
		}{
			"name":          {func(m *tidemark.Maintenance) { m.Name = "" }, "is not present"},
			"ends_at":       {func(m *tidemark.Maintenance) { m.EndsAt = nil }, "is not present"},
			"covers":        {func(m *tidemark.Maintenance) { m.Covers = tidemark.Covers{} }, "must name all, alerts, labels or tags"},
			"covers.alerts": {func(m *tidemark.Maintenance) { m.Covers.Alerts = append(m.Covers.Alerts, 12345) }, "12345 does not exist"},
		} {
			checkFields(t, errOf(s.UpdateMaintenance(ctx, org, operator, v.ID, tt.change)), field, tt.msg)
		}
		same(t, "left alone", changed, must(s.Maintenance(ctx, org, v.ID))(t))
		version := must(s.AlertsVersion(ctx))(t)
		ok(t, s.DeleteMaintenance(ctx, org, operator, v.ID))
		if must(s.AlertsVersion(ctx))(t) == version {
			t.Error("the evaluator does not hear of the end of a window")
		}
		wantKind(t, "delete twice", tidemark.NotFound, s.DeleteMaintenance(ctx, org, operator, v.ID))
	})
}

// TestSnoozesThatAreOver: what is over does not count against the most that an
// alert may have.
func TestSnoozesThatAreOver(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1000)
		s.SetClock(func() int64 { return now })
		id := newLife(t, s, org).alert.ID
		plan := func(from int64) error {
			until := from + 10
			return s.SnoozeAlert(ctx, org, operator, id, &tidemark.Snooze{StartsAt: from, EndsAt: &until})
		}
		for i := range int64(tidemark.MaxSnoozes) {
			ok(t, plan(2000+i))
		}
		err := plan(3000)
		if tidemark.KindOf(err) != tidemark.TooLarge || err.Error() != "an alert has at most 50 snoozes" {
			t.Errorf("the 51st: %v", err)
		}
		now = 2500
		same(t, "left", []tidemark.Snooze{}, must(s.Snoozes(ctx, org, id))(t))
		if err := plan(3000); err != nil {
			t.Errorf("all others are over: %v", err)
		}
	})
}

// TestObjectiveChanges: metrics are looked for only where they change, in any
// case; a name is free again once its objective is gone.
func TestObjectiveChanges(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		addMetrics(t, s, org, "all", "good", "fast")
		fresh := func(name string) *tidemark.Objective {
			return &tidemark.Objective{Name: name, Good: "good", Total: "all", Target: 99.9, Days: 28}
		}
		v, second := fresh("Answers"), fresh("Beats")
		ok(t, s.CreateObjective(ctx, org, ann, v))
		ok(t, s.CreateObjective(ctx, org, ann, second))
		ok(t, s.DeleteMetrics(ctx, org, operator, []string{"good"}))
		changed := must(s.UpdateObjective(ctx, org, operator, v.ID, func(o *tidemark.Objective) { o.ID, o.CreatedBy, o.Good, o.Description = 9, "eve", "GOOD", "x" }))(t)
		if changed.ID != v.ID || changed.CreatedBy != ann.String() || changed.UpdatedAt <= v.UpdatedAt {
			t.Errorf("changed %+v", changed)
		}
		for field, tt := range map[string]struct {
			change func(*tidemark.Objective)
			msg    string
		}{
			"name":         {func(o *tidemark.Objective) { o.Name = "BEATS" }, "is already taken"},
			"good_metric":  {func(o *tidemark.Objective) { o.Good = "All" }, "must be another metric than total_metric"},
			"total_metric": {func(o *tidemark.Objective) { o.Total = "gone" }, "gone does not exist"},
			"target":       {func(o *tidemark.Objective) { o.Target = 100 }, "must be a percentage between 0 and 100"},
			"days":         {func(o *tidemark.Objective) { o.Days = 1 }, "must be 7, 28, 30 or 90"},
		} {
			checkFields(t, errOf(s.UpdateObjective(ctx, org, operator, v.ID, tt.change)), field, tt.msg)
		}
		same(t, "left alone", changed, must(s.Objective(ctx, org, v.ID))(t))
		checkList(t, func(o *tidemark.Objective) string { return o.Name }, 2, 2, "Answers", "Beats")(s.Objectives(ctx, org, tidemark.Page{Length: 10}))
		ok(t, s.DeleteObjective(ctx, org, operator, second.ID))
		ok(t, errOf(s.UpdateObjective(ctx, org, operator, v.ID, func(o *tidemark.Objective) { o.Name, o.Good = "BEATS", "fast" })))
	})
}
