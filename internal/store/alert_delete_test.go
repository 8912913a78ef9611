package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestDeleteFiring deletes an alert that fires: its services are notified that it
// ended, after what they were to be told before.
func TestDeleteFiring(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		s.SetClock(func() int64 { return 1100 })
		ops := addService(t, s, org, "ops")
		l := newLife(t, s, org, ops.ID)
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 1000)
		key := l.in.Key
		ok(t, s.DeleteAlert(ctx, org, operator, l.alert.ID))
		checkKinds(t, []wrong{{"the alert", func() error { return errOf(s.Alert(ctx, org, l.alert.ID)) }, tidemark.NotFound}})

		finish := func(d *tidemark.Delivery) {
			ok(t, s.Finish(ctx, &tidemark.Outcome{Delivery: d.ID, Status: tidemark.DeliveryDelivered, Attempt: tidemark.Attempt{At: 1200, OK: true}}))
		}
		first := l.take(1100)
		same(t, "first", "trigger", keys(first))
		finish(first[0])
		last := l.take(1100)
		same(t, "then", "clear", keys(last))
		n := last[0].Notice
		same(t, "notice", []any{key, "cpu high", tidemark.ClearDeleted, int64(1000), int64(1100), 1},
			[]any{n.IncidentKey, n.Name, n.Clear, n.TriggeredAt, n.Time, len(n.Violations)})
		finish(last[0])
		list, _, err := s.ServiceDeliveries(ctx, org, ops.ID, tidemark.Page{})
		ok(t, err)
		same(t, "of the service", "clear trigger", keys(list))
		events := must(s.Events(ctx, org, tidemark.AlertStream, tidemark.AnnotationEventQuery{}))(t)
		if len(events) != 2 || *events[0].EndTime != 1100 || *events[1].Description != "the alert was deleted" {
			t.Errorf("events = %+v", events)
		}

		ok(t, s.PruneAlerting(ctx, 1201))
		_, counts, err := s.ServiceDeliveries(ctx, org, ops.ID, tidemark.Page{})
		ok(t, err)
		same(t, "left in the end", 0, counts.Total)
	})
}

// TestDeleteQuiet deletes alerts of whose firing nobody was notified.
func TestDeleteQuiet(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ops := addService(t, s, org, "ops")
		l := newLife(t, s, org, ops.ID)
		c := trigger(org, l.alert)
		c.Transition.Notify, c.Notice, c.State.LastNotifiedAt = false, nil, 0
		ok(t, s.SaveStates(t.Context(), []*tidemark.StateChange{c}))
		checkKinds(t, []wrong{{"by another org", func() error { return s.DeleteAlert(t.Context(), org+1, operator, l.alert.ID) }, tidemark.NotFound}})
		ok(t, s.DeleteAlert(t.Context(), org, operator, l.alert.ID))
		same(t, "told", "", keys(l.take(1<<40)))
	})
}

// TestMigrateOutbox takes a database over in which deliveries still end with
// their alerts.
func TestMigrateOutbox(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, db *sql.DB) {
		migrateBefore(t, url, db, "0020")
		for _, stmt := range []string{
			`INSERT INTO orgs (id, name, name_key, created_at) VALUES (1, 'old', 'old', 1)`,
			`INSERT INTO alerts (id, org_id, name, name_key, conditions, attributes, active, version, rearm_seconds, rearm_per_signal, created_at, updated_at)
				VALUES (7, 1, 'a', 'a', '[]', '{}', TRUE, 2, 600, FALSE, 1, 1)`,
			`INSERT INTO services (id, org_id, type, title, title_key, settings, created_at, updated_at) VALUES (3, 1, 'mail', 'x', 'x', '{}', 1, 1)`,
			`INSERT INTO incidents (id, org_id, alert_id, triggered_at, violations, event_id) VALUES (5, 1, 7, 1, '[]', 0)`,
			insertDelivery("11", "'waiting'", "0"), insertDelivery("12", "'delivered'", "9"), insertDelivery("20", "'delivered'", "9"),
			`INSERT INTO delivery_attempts (delivery_id, at, duration_ms, ok, answer) VALUES (12, 9, 5, TRUE, 'fine')`,
			`DELETE FROM deliveries WHERE id = 20`,
		} {
			if _, err := db.Exec(stmt); err != nil {
				t.Fatalf("%s: %v", stmt, err)
			}
		}
		s := openStore(t, url)
		d := must(s.Delivery(t.Context(), 1, 12))(t)
		if d.Status != "delivered" || d.Incident != 5 || len(d.Attempts) != 1 || d.Attempts[0].Answer != "fine" {
			t.Errorf("delivery = %+v", d)
		}
		ok(t, s.DeleteAlert(t.Context(), 1, operator, 7))
		taken := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 100, Until: 130, Limit: 10}))(t)
		if len(taken) != 1 || taken[0].ID != 11 {
			t.Errorf("taken = %+v", taken)
		}
		if strings.HasPrefix(url, "sqlite:") {
			var seq int64
			ok(t, db.QueryRow(`SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'`).Scan(&seq))
			same(t, "last id", int64(20), seq)
		}
		must(db.Exec(`DELETE FROM services WHERE id = 3`))(t)
	})
}

func insertDelivery(id, status, finished string) string {
	return `INSERT INTO deliveries (id, org_id, alert_id, incident_id, service_id, kind, dedup, status, tries, created_at, started_at, due_at,
		finished_at, fallback_of, notice) VALUES (` + id + `, 1, 7, 5, 3, 'trigger', 'k', ` + status + `, 0, 1, 1, 1, ` + finished + `, 0, '{}')`
}

// migrateBefore runs the migrations whose numbers come before one.
func migrateBefore(t *testing.T, url string, db *sql.DB, number string) {
	t.Helper()
	kind := "postgres"
	if strings.HasPrefix(url, "sqlite:") {
		kind = "sqlite"
	}
	must(db.Exec(`CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY)`))(t)
	for _, file := range must(filepath.Glob("migrations/" + kind + "/*.sql"))(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".sql")
		if name >= number {
			continue
		}
		must(db.Exec(string(must(os.ReadFile(file))(t))))(t)
		must(db.Exec(`INSERT INTO migrations (name) VALUES ('` + name + `')`))(t)
	}
}
