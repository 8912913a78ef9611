package storetest

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestPostgres(t *testing.T) {
	t.Parallel()
	one, two := Postgres(t), Postgres(t)
	if one == two {
		t.Fatal("two tests share a schema")
	}
	for _, url := range []string{one, two} {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), `CREATE TABLE t (name TEXT)`); err != nil {
			t.Error(err)
		}
		if os.Getenv("TIDEMARK_TEST_POSTGRES") != "" {
			continue // its settings are its own
		}
		// By a language a comes before B; by bytes it does not.
		var byLanguage bool
		if err := conn.QueryRow(t.Context(), `SELECT 'a' < 'B'`).Scan(&byLanguage); err != nil || !byLanguage {
			t.Errorf("sorts by bytes, %v", err)
		}
	}
}
