package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// rowsOf returns what a database holds that is copied, as text that both kinds
// of database agree on.
func rowsOf(t *testing.T, url string) map[string]string {
	t.Helper()
	driver, dsn := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, dsn = "sqlite", path
	}
	db := must(sql.Open(driver, dsn))(t)
	defer db.Close()
	all := make(map[string]string)
	s := must(store.OpenAsIs(t.Context(), url))(t)
	defer s.Close()
	for _, table := range must(s.CountRows(t.Context()))(t) {
		columns := columnsOf(t, db, table.Name)
		rows := must(db.QueryContext(t.Context(), `SELECT `+strings.Join(columns, ", ")+` FROM "`+table.Name+`"`+store.OnlyCopied(table.Name)))(t)
		all[table.Name] = textOf(t, rows, len(columns))
	}
	return all
}

// columnsOf returns the columns of a table, quoted and by name.
func columnsOf(t *testing.T, db *sql.DB, table string) []string {
	t.Helper()
	rows := must(db.QueryContext(t.Context(), `SELECT * FROM "`+table+`" WHERE 1 = 0`))(t)
	defer rows.Close()
	names := must(rows.Columns())(t)
	slices.Sort(names)
	for i, name := range names {
		names[i] = `"` + name + `"`
	}
	return names
}

func textOf(t *testing.T, rows *sql.Rows, width int) string {
	t.Helper()
	defer rows.Close()
	var lines []string
	for rows.Next() {
		row, into := make([]any, width), make([]any, width)
		for i := range row {
			into[i] = &row[i]
		}
		ok(t, rows.Scan(into...))
		line := ""
		for _, v := range row {
			switch v := v.(type) {
			case bool:
				line += map[bool]string{true: "1", false: "0"}[v]
			case []byte:
				line += string(v)
			default:
				line += fmt.Sprint(v)
			}
			line += "\t"
		}
		lines = append(lines, line)
	}
	ok(t, rows.Err())
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestCopyUpAndBack copies one of everything from SQLite to PostgreSQL and
// from there to another SQLite: all three hold the same, a second copy takes
// what was changed and deleted since, and ids go on where they were.
func TestCopyUpAndBack(t *testing.T) {
	t.Parallel()
	urls := []string{freshURL(t, "sqlite"), freshURL(t, "postgres"), freshURL(t, "sqlite")}
	var stores []*store.Store
	for _, url := range urls {
		stores = append(stores, openStore(t, url))
	}
	org := addOrg(t, stores[0], "test")
	furnish(t, stores[0], org)
	for _, text := range []string{"tab\there", "line\r\nbreak", `back\slash \N \.`, "\U0001F600 ' \" ;"} {
		addEvent(t, stores[0], org, "odd", text, "", 5)
	}
	gone := addOrg(t, stores[0], "gone")
	for range 2 {
		ok(t, stores[0].DeleteOrg(t.Context(), gone, operator))
		for i := range 2 {
			copied := must(stores[i].CopyTo(t.Context(), stores[i+1], ignore))(t)
			if len(copied) < 40 {
				t.Errorf("only %d tables were copied", len(copied))
			}
			same(t, fmt.Sprintf("step %d", i), rowsOf(t, urls[i]), rowsOf(t, urls[i+1]))
		}
		for i := 1; i < 3; i++ { // servers of the other place must not be changed by it, nor its numbers given out again
			next := addOrg(t, stores[i], fmt.Sprintf("next %d", i))
			if next != gone+1 {
				t.Errorf("copy %d: the next organization is %d, want %d: ids of what was deleted do not come back", i, next, gone+1)
			}
		}
		addEvent(t, stores[0], org, "odd", "second pass", "", 6)
		gone = addOrg(t, stores[0], "gone again")
	}
}

// TestCopyLeavesServersAlone: what belongs to the servers and the engine of a
// database is neither taken along nor overwritten.
func TestCopyLeavesServersAlone(t *testing.T) {
	t.Parallel()
	from, to := openStore(t, freshURL(t, "sqlite")), openStore(t, freshURL(t, "postgres"))
	ctx := t.Context()
	for i, s := range []*store.Store{from, to} {
		must(s.SetEngineMode(ctx, 1, fmt.Sprintf("metric %d", i), true, 60))(t)
		ok(t, s.AddSamples(ctx, map[tidemark.OrgID]int64{1: int64(i + 1)}))
	}
	first, _, err := to.BeginCommit(ctx)
	ok(t, err)
	ok(t, to.SaveMove(ctx, &store.Move{Source: "there", State: store.Moving}))
	must(from.CopyTo(ctx, to, ignore))(t)
	metrics := must(to.EngineMetrics(ctx, 0))(t)
	if len(metrics) != 1 || metrics[0].Name != "metric 1" {
		t.Errorf("engine metrics %+v", metrics)
	}
	same(t, "samples", map[tidemark.OrgID]int64{1: 2}, must(to.Samples(ctx))(t))
	second, change, err := to.BeginCommit(ctx)
	ok(t, err)
	if second <= first || change != metrics[0].Change {
		t.Errorf("commit %d after %d, change %d", second, first, change)
	}
	if m := must(to.Move(ctx))(t); m == nil || m.Source != "there" {
		t.Errorf("the move is %+v", m)
	}
}

// TestMoveState: a database that is being filled is refused, one that shares
// its control store with the old server is refused for the new engine only.
func TestMoveState(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		ctx := t.Context()
		ok(t, s.CheckMoved(ctx, "embedded"))
		m := &store.Move{Source: "there", Engine: "clickhouse", State: store.Moving}
		ok(t, s.SaveMove(ctx, m))
		for _, engine := range []string{"embedded", "clickhouse"} {
			if err := s.CheckMoved(ctx, engine); !errors.Is(err, store.ErrMoving) {
				t.Errorf("%s: %v", engine, err)
			}
		}
		m.InPlace, m.State = true, store.Finishing
		ok(t, s.SaveMove(ctx, m))
		ok(t, s.CheckMoved(ctx, "embedded"))
		if err := s.CheckMoved(ctx, "clickhouse"); !errors.Is(err, store.ErrMoving) {
			t.Errorf("clickhouse: %v", err)
		}
		ok(t, s.SaveMovedParts(ctx, 1, 10, map[string]int64{"a": -1, "b": 2}))
		ok(t, s.SaveMovedParts(ctx, 1, 20, map[string]int64{"b": 3}))
		ok(t, s.SaveMovedParts(ctx, 1, 10, map[string]int64{"a": 5}))
		same(t, "parts", map[string]int64{"a": 5, "b": 2}, must(s.MovedParts(ctx, 1, 10))(t))
		ok(t, s.ForgetMoved(ctx, 1, "b"))
		same(t, "metrics", []string{"a"}, must(s.MovedMetrics(ctx, 1))(t))
		same(t, "organizations", []tidemark.OrgID{1}, must(s.MovedOrgs(ctx))(t))
		m.State = store.Moved
		ok(t, s.SaveMove(ctx, m))
		ok(t, s.CheckMoved(ctx, "clickhouse"))
		same(t, "organizations at the end", []tidemark.OrgID{}, must(s.MovedOrgs(ctx))(t))
	})
}

// TestLockMove: two copies to one place at the same time are refused.
func TestLockMove(t *testing.T) {
	t.Parallel()
	url := freshURL(t, "postgres")
	one, two := openStore(t, url), openStore(t, url)
	release := must(one.LockMove(t.Context()))(t)
	if _, err := two.LockMove(t.Context()); !errors.Is(err, store.ErrMoveBusy) {
		t.Errorf("a second one: %v", err)
	}
	ok(t, release())
	ok(t, must(two.LockMove(t.Context()))(t)())
}

// TestOpenAsIs: a database is neither made nor migrated by looking at it.
func TestOpenAsIs(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		url := emptyURL(t, kind)
		if _, err := store.OpenAsIs(t.Context(), url); err == nil {
			t.Errorf("%s: one that is not there was opened", kind)
		}
		if has := must(store.HasTables(t.Context(), url))(t); has {
			t.Errorf("%s: it has tables now", kind)
		}
		openStore(t, url)
		ok(t, must(store.OpenAsIs(t.Context(), url))(t).Close())
		if has := must(store.HasTables(t.Context(), url))(t); !has {
			t.Errorf("%s: it has no tables", kind)
		}
		old := emptyURL(t, kind)
		ok(t, must(store.OpenAsOf(t.Context(), old, 5))(t).Close())
		_, err := store.OpenAsIs(t.Context(), old)
		if err == nil || !strings.Contains(err.Error(), "earlier version") {
			t.Errorf("%s: one of an earlier version: %v", kind, err)
		}
	}
}
