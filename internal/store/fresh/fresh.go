// Package fresh gives tests databases with nothing in them but their tables. It
// is for tests only. To run all migrations is most of what a short test costs,
// so they run once for each process and kind, or little more often.
package fresh

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// SQLite returns the URL of a file that is t's alone.
func SQLite(t testing.TB) string {
	t.Helper()
	db, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "db")
	if err := os.WriteFile(path, db, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// Postgres returns the URL of a schema that is t's alone until it ends.
func Postgres(t testing.TB) string {
	t.Helper()
	return tables.URL(t)
}

// migrated are the bytes of a file that has had all migrations.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "tidemark-fresh-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "db")
	if err := migrate("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

var tables = storetest.Tables{Make: migrate}

func migrate(url string) error {
	s, err := store.Open(context.Background(), url)
	if err != nil {
		return err
	}
	return s.Close()
}
