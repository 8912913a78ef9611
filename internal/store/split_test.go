package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const splitMonday = int64(1_800_230_400) // 18 January 2027

// weekly is a window on Mondays at two.
func weekly(t *testing.T, s *store.Store, org tidemark.OrgID) *tidemark.Maintenance {
	t.Helper()
	v := &tidemark.Maintenance{
		Name: "Backup", StartsAt: splitMonday, Covers: tidemark.Covers{All: true},
		Repeat: &tidemark.Repeat{Days: []string{"mon"}, From: "02:00", To: "03:00", Zone: "UTC"},
	}
	ok(t, s.CreateMaintenance(t.Context(), org, ann, v))
	return v
}

// mondayAt returns when the window is on in a week, counted from 0.
func mondayAt(week int64) int64 { return splitMonday + week*7*86400 + 2*3600 }

func onceAt(name string, at int64) *tidemark.Maintenance {
	return &tidemark.Maintenance{Name: name, StartsAt: at, EndsAt: new(at + 3600), Covers: tidemark.Covers{All: true}}
}

func windowNames(t *testing.T, s *store.Store, org tidemark.OrgID) []string {
	t.Helper()
	all, _, err := s.MaintenanceWindows(t.Context(), org, tidemark.Page{})
	ok(t, err)
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return names
}

// TestSplitMaintenance: a time of a window that repeats is replaced, or that
// and all later ones, each with its entries in the audit log.
func TestSplitMaintenance(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v := weekly(t, s, org)
		ok(t, s.SplitMaintenance(ctx, org, ann, v.ID, tidemark.Split{Start: mondayAt(1)}, onceAt("one", mondayAt(1)+3600)))
		same(t, "left out", []string{"2027-01-25"}, must(s.Maintenance(ctx, org, v.ID))(t).Repeat.Skip)
		ok(t, s.SplitMaintenance(ctx, org, ann, v.ID, tidemark.Split{Start: mondayAt(2), Later: true}, onceAt("later", mondayAt(2))))
		same(t, "end", new(mondayAt(2)), must(s.Maintenance(ctx, org, v.ID))(t).EndsAt)
		same(t, "windows", []string{"Backup", "later", "one"}, windowNames(t, s, org))

		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Object: "maintenance"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"maintenance.create", "maintenance.update", "maintenance.create", "maintenance.update", "maintenance.create"}, did)
	})
}

// TestSplitMaintenanceFromTheFirst: a window of which nothing is left goes.
func TestSplitMaintenanceFromTheFirst(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		v := weekly(t, s, org)
		ok(t, s.SplitMaintenance(t.Context(), org, ann, v.ID, tidemark.Split{Start: mondayAt(0), Later: true}, onceAt("new", mondayAt(0))))
		same(t, "windows", []string{"new"}, windowNames(t, s, org))
	})
}

// TestSplitMaintenanceOfAlertsThatAreGone: they may stay in the window's part.
func TestSplitMaintenanceOfAlertsThatAreGone(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		addMetrics(t, s, org, "cpu")
		a := &tidemark.Alert{Name: "a", Version: 2, Active: true, Conditions: []tidemark.Condition{{Type: tidemark.Above, MetricName: "cpu", Threshold: new(1.0)}}}
		ok(t, s.CreateAlert(ctx, org, ann, a))
		v := weekly(t, s, org)
		covers := tidemark.Covers{Alerts: []int64{a.ID}}
		must(s.UpdateMaintenance(ctx, org, ann, v.ID, func(m *tidemark.Maintenance) { m.Covers = covers }))(t)
		ok(t, s.DeleteAlert(ctx, org, ann, a.ID))
		part := onceAt("part", mondayAt(1))
		part.Covers = covers
		ok(t, s.SplitMaintenance(ctx, org, ann, v.ID, tidemark.Split{Start: mondayAt(1)}, part))
	})
}

// TestSuspendingWindowsStay: what came in a window that suspends an alert is
// left out long after its end, so the alert is told of it.
func TestSuspendingWindowsStay(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		l := newLife(t, s, org)
		ended := func(name string, suspends bool, ago time.Duration) {
			v := onceAt(name, time.Now().Add(-ago).Unix()-3600)
			v.Suspends = suspends
			ok(t, s.CreateMaintenance(t.Context(), org, ann, v))
		}
		ended("suspends", true, time.Hour)
		ended("does not", false, time.Hour)
		ended("long ago", true, 12*24*time.Hour)
		w := must(s.WatchedAlert(t.Context(), org, l.alert.ID))(t)
		if len(w.Windows) != 1 || w.Windows[0].Name != "suspends" || !w.Windows[0].Suspends {
			t.Errorf("windows %v", w.Windows)
		}
		changed := must(s.UpdateMaintenance(t.Context(), org, ann, w.Windows[0].ID, func(m *tidemark.Maintenance) { m.Suspends = false }))(t)
		same(t, "changed", changed, must(s.Maintenance(t.Context(), org, changed.ID))(t))
		if changed.Suspends {
			t.Error("it suspends still")
		}
	})
}

// TestSplitMaintenanceFails: what is refused changes nothing.
func TestSplitMaintenanceFails(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v := weekly(t, s, org)
		single := onceAt("single", mondayAt(1))
		ok(t, s.CreateMaintenance(ctx, org, ann, single))
		split := func(id int64, at tidemark.Split, name string) error {
			return s.SplitMaintenance(ctx, org, ann, id, at, onceAt(name, mondayAt(1)))
		}
		wantKind(t, "no such time", tidemark.Invalid, split(v.ID, tidemark.Split{Start: mondayAt(1) + 1}, "x"))
		wantKind(t, "within the time", tidemark.Invalid, split(v.ID, tidemark.Split{Start: mondayAt(1) + 60, Later: true}, "x"))
		wantKind(t, "one that does not repeat", tidemark.Invalid, split(single.ID, tidemark.Split{Start: mondayAt(1)}, "x"))
		wantKind(t, "no such window", tidemark.NotFound, split(99, tidemark.Split{Start: mondayAt(1)}, "x"))
		for _, at := range []tidemark.Split{{Start: mondayAt(1)}, {Start: mondayAt(1), Later: true}, {Start: mondayAt(0), Later: true}} {
			wantKind(t, "no name", tidemark.Invalid, split(v.ID, at, ""))
		}
		left := must(s.Maintenance(ctx, org, v.ID))(t)
		if len(left.Repeat.Skip) != 0 || left.EndsAt != nil || left.UpdatedAt != v.UpdatedAt {
			t.Errorf("what failed changed the window: %+v", left)
		}
		same(t, "windows", []string{"Backup", "single"}, windowNames(t, s, org))
		same(t, "entries", 2, len(must(s.AuditLog(ctx, org, tidemark.AuditQuery{Object: "maintenance"}))(t)))
	})
}
