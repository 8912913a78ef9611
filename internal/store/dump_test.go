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

func ignore(int64, int64) {}

func done() error { return nil }

// contents returns the rows of every table in a schema of PostgreSQL, and
// where its sequences stand.
func contents(t *testing.T, url string) map[string]string {
	t.Helper()
	db := must(sql.Open("pgx", url))(t)
	defer db.Close()
	all := make(map[string]string)
	for _, name := range texts(t, db, `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`) {
		all[name] = strings.Join(texts(t, db, `SELECT v::text FROM "`+name+`" v ORDER BY 1`), "\n")
	}
	for _, name := range texts(t, db, `SELECT sequence_name FROM information_schema.sequences WHERE sequence_schema = current_schema()`) {
		all[name] = strings.Join(texts(t, db, `SELECT last_value || ' ' || is_called FROM "`+name+`"`), "\n")
	}
	return all
}

func texts(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows := must(db.QueryContext(t.Context(), query))(t)
	defer rows.Close()
	for rows.Next() {
		var text string
		ok(t, rows.Scan(&text))
		all = append(all, text)
	}
	ok(t, rows.Err())
	return all
}

// furnished is a PostgreSQL database with one of everything in it.
func furnished(t *testing.T) (string, *store.Store, tidemark.OrgID) {
	t.Helper()
	url := freshURL(t, "postgres")
	s := openStore(t, url)
	org := addOrg(t, s, "test")
	furnish(t, s, org)
	for _, text := range []string{"tab\there", "line\r\nbreak", `back\slash \N \.`, `\.`, "\U0001F600 ' \" ;"} {
		addEvent(t, s, org, "odd", text, "", 5)
	}
	ok(t, s.Join(t.Context(), &store.Node{ID: "here", Address: "http://127.0.0.1:1", Engine: store.EmbeddedEngine}))
	return url, s, org
}

// TestDump: what was dumped is in the copy, to the byte, what came later is
// not, and numbers go on where they were.
func TestDump(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url, s, org := furnished(t)
	db := must(sql.Open("pgx", url))(t)
	defer db.Close()
	must(db.Exec(`CREATE TABLE of_another_program (id BIGINT PRIMARY KEY); INSERT INTO of_another_program VALUES (1)`))(t)
	before, beforeOrg := contents(t, url), everything(t, s, org)
	delete(before, "of_another_program")
	before["nodes"] = "" // the server does not run on the copy

	dir := filepath.Join(t.TempDir(), "dump")
	steps := int64(0)
	ok(t, s.DumpTo(ctx, dir, func(int64, int64) {
		if steps++; steps == 1 { // parts that refer to each other, while the dump is made
			later := addOrg(t, s, "later")
			addChart(t, s, later, addSpace(t, s, later, "x").ID, tidemark.ChartStream{Metric: "cpu"})
		}
	}))
	if steps < 40 {
		t.Errorf("told %d steps", steps)
	}
	for _, e := range must(os.ReadDir(dir))(t) {
		if mode := must(e.Info())(t).Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), mode)
		}
	}

	into := emptyURL(t, "postgres")
	ok(t, store.CanLoadDump(ctx, into))
	ok(t, store.LoadDump(ctx, into, dir, ignore, done))
	after := contents(t, into)
	for name, rows := range before {
		if isSequence := strings.HasSuffix(name, "_seq") || name == "engine_commits"; !isSequence { // beyond what is seen
			same(t, name, rows, after[name])
		}
	}
	same(t, "relations", len(before), len(after))
	restored := openStore(t, into)
	same(t, "what the organization has", beforeOrg, everything(t, restored, org))
	if v := addService(t, restored, org, "new"); v.ID <= 1 {
		t.Errorf("a new service has id %d", v.ID)
	}
	if err := store.CanLoadDump(ctx, into); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a second time: %v", err)
	}
	if err := restored.DeleteOrg(ctx, org, operator); err != nil { // by references, which are there again
		t.Error(err)
	}
}

// TestDumpOfOlderVersion: it is loaded as it was, and migrated when it is
// opened.
func TestDumpOfOlderVersion(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url, dir := emptyURL(t, "postgres"), filepath.Join(t.TempDir(), "dump")
	old := must(store.OpenAsOf(ctx, url, 20))(t)
	defer old.Close()
	org := must(old.CreateOrg(ctx, operator, "of old"))(t)
	before := contents(t, url)
	ok(t, old.DumpTo(ctx, dir, ignore))
	into := emptyURL(t, "postgres")
	ok(t, store.LoadDump(ctx, into, dir, ignore, done))
	same(t, "what was loaded", before, contents(t, into))
	if got := must(openStore(t, into).Org(ctx, org.ID))(t); got.Name != "of old" {
		t.Errorf("%+v", got)
	}
}

// TestLoadDumpRefuses: a dump that is not whole is refused with the reason, and
// so is a database that is not empty. Nothing is left.
func TestLoadDumpRefuses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, s, _ := furnished(t)
	whole := filepath.Join(t.TempDir(), "dump")
	ok(t, s.DumpTo(ctx, whole, ignore))
	edit := func(name, old, changed string) func(dir string) error {
		return func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !strings.Contains(string(text), old) {
				t.Errorf("%s has no %q (%v)", name, old, err)
			}
			return os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(string(text), old, changed, 1)), 0o600)
		}
	}
	for name, tt := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"a table is missing": {func(dir string) error { return os.Remove(filepath.Join(dir, "alerts.copy")) }, "alerts.copy"},
		"a table is empty":   {func(dir string) error { return os.Truncate(filepath.Join(dir, "audit.copy"), 0) }, "has 0 rows instead of"},
		"a row is gone":      {func(dir string) error { return os.Truncate(filepath.Join(dir, "orgs.copy"), 0) }, "table orgs"},
		"a row is no row":    {edit("orgs.copy", "\t", " "), "table orgs"},
		"a reference":        {edit("memberships.copy", "1\t", "77\t"), "references between tables"},
		"other columns":      {edit("dump.json", `"title"`, `"subtitle"`), "has other columns"},
		"a newer version":    {edit("dump.json", `"0001_init"`, `"0001_init", "9999_tomorrow"`), "9999_tomorrow"},
		"a foreign table":    {edit("dump.json", `"name": "audit"`, `"name": "pg_authid"`), "lacks table audit"},
		"no sequence":        {edit("dump.json", `"name": "engine_commits"`, `"name": "x"`), "lacks sequence engine_commits"},
		"no JSON":            {edit("dump.json", `{`, ``), "dump.json is damaged"},
		"nothing":            {func(dir string) error { return os.WriteFile(filepath.Join(dir, "dump.json"), []byte("{}"), 0o600) }, "names no migrations"},
	} {
		dir, into := filepath.Join(t.TempDir(), "dump"), emptyURL(t, "postgres")
		ok(t, os.CopyFS(dir, os.DirFS(whole)))
		ok(t, tt.damage(dir))
		if err := store.LoadDump(ctx, into, dir, ignore, done); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if left := contents(t, into); len(left) > 0 {
			t.Errorf("%s: left %d relations", name, len(left))
		}
	}
	into := emptyURL(t, "postgres")
	if err := store.LoadDump(ctx, into, whole, ignore, func() error { return os.ErrDeadlineExceeded }); err == nil || len(contents(t, into)) > 0 {
		t.Errorf("what comes last failed: %v", err)
	}
	sqlite := openStore(t, freshURL(t, "sqlite"))
	checkKinds(t, []wrong{
		{"SQLite is copied", func() error { return sqlite.DumpTo(ctx, filepath.Join(t.TempDir(), "x"), ignore) }, tidemark.Unsupported},
		{"into SQLite", func() error { return store.CanLoadDump(ctx, emptyURL(t, "sqlite")) }, tidemark.Unsupported},
	})
}
