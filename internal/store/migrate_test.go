package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/store"
)

// eachURL runs f with the name of an empty database of every kind, and a
// connection to it beside the store's.
func eachURL(t *testing.T, f func(t *testing.T, url string, db *sql.DB)) {
	t.Parallel()
	for kind, driver := range map[string]string{"sqlite": "sqlite", "postgres": "pgx"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := emptyURL(t, kind)
			db := must(sql.Open(driver, strings.TrimPrefix(url, "sqlite:")))(t)
			t.Cleanup(func() { db.Close() })
			f(t, url, db)
		})
	}
}

func migrationsIn(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows := must(db.Query(`SELECT name FROM migrations ORDER BY name`))(t)
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		ok(t, rows.Scan(&name))
		names = append(names, name)
	}
	ok(t, rows.Err())
	return names
}

func TestMigrateTwice(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, db *sql.DB) {
		first := openStore(t, url)
		org := addOrg(t, first, "kept")
		names := migrationsIn(t, db)
		second := openStore(t, url)
		if got := must(second.Org(t.Context(), org))(t); got.Name != "kept" {
			t.Errorf("Org = %+v", got)
		}
		same(t, "migrations", names, migrationsIn(t, db))
	})
}

// Several nodes may start on one empty database.
func TestMigrateAtOnce(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, _ *sql.DB) {
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				s, err := store.Open(t.Context(), url)
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		wg.Wait()
	})
}

func TestMigrateBackwards(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, db *sql.DB) {
		openStore(t, url)
		must(db.Exec(`INSERT INTO migrations (name) VALUES ('9999_tomorrow')`))(t)
		_, err := store.Open(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), "9999_tomorrow") {
			t.Errorf("Open = %v, want a refusal that names the migration", err)
		}
	})
}

func TestMigrationFolders(t *testing.T) {
	t.Parallel()
	names := func(kind string) (names []string) {
		for _, path := range must(filepath.Glob("migrations/" + kind + "/*.sql"))(t) {
			names = append(names, filepath.Base(path))
		}
		return names
	}
	sqlite := names("sqlite")
	if len(sqlite) == 0 {
		t.Fatal("no migrations")
	}
	same(t, "migrations (sqlite, postgres)", sqlite, names("postgres"))
	var numbers []string
	for _, name := range sqlite {
		number, _, _ := strings.Cut(name, "_")
		if len(number) != 4 || slices.Contains(numbers, number) {
			t.Errorf("%s: want four digits of its own", name)
		}
		numbers = append(numbers, number)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage")
	ok(t, os.WriteFile(garbage, []byte(strings.Repeat("not a database. ", 1000)), 0o600))
	for _, url := range []string{
		"", "mysql://secret@host/db", "sqlite:", "sqlite::memory:", "sqlite:" + garbage,
		"sqlite:" + filepath.Join(dir, "no", "such", "directory", "db"),
		"postgres://user:secret@127.0.0.1:1/db?connect_timeout=1",
		"postgres://user:secret@127.0.0.1:port/db", "postgres://user:secret@host/%zz", "postgres://user:secret@h/d?sslmode=perhaps",
	} {
		s, err := store.Open(t.Context(), url)
		if err == nil {
			s.Close()
			t.Errorf("Open(%q) worked", url)
			continue
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error repeats a password: %v", err)
		}
	}
}

func TestSQLiteFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "odd name?#%41.db")
	s := openStore(t, "sqlite:"+path)
	addOrg(t, s, "test")
	for _, file := range []string{path, path + "-wal"} {
		if mode := must(os.Stat(file))(t).Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %v", file, mode)
		}
	}
	var b strings.Builder
	b.WriteString(s.String())
	if strings.Contains(b.String(), path) {
		t.Errorf("String = %q", b.String())
	}
}

func TestPing(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, _ *sql.DB) {
		s := must(store.Open(t.Context(), url))(t)
		ok(t, s.Ping(t.Context()))
		ok(t, s.Close())
		if s.Ping(context.Background()) == nil {
			t.Error("a closed store answers")
		}
	})
}
