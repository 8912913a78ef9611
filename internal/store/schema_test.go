package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// TestSchemaParity compares what the two migration folders build: tables,
// columns, keys, indexes and references, each written as one line.
func TestSchemaParity(t *testing.T) {
	t.Parallel()
	sqlite, postgres := emptyURL(t, "sqlite"), emptyURL(t, "postgres")
	openStore(t, sqlite)
	openStore(t, postgres)
	want := schemaOf(t, "sqlite", strings.TrimPrefix(sqlite, "sqlite:"), sqliteSchema)
	got := schemaOf(t, "pgx", postgres, postgresSchema)
	if len(want) < 100 {
		t.Fatalf("only %d lines of schema: %q", len(want), want)
	}
	same(t, "schema (-sqlite +postgres)", want, got)
}

func schemaOf(t *testing.T, driver, dsn, query string) []string {
	t.Helper()
	db := must(sql.Open(driver, dsn))(t)
	defer db.Close()
	rows := must(db.Query(query))(t)
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		ok(t, rows.Scan(&line))
		lines = append(lines, line)
	}
	ok(t, rows.Err())
	return lines
}

// SQLite keeps true and false as integers, so the two count as one type.
var sqliteSchema = fmt.Sprintf(`
	WITH tables AS (SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%%')
	SELECT %s FROM tables t, pragma_table_info(t.name) c
	UNION ALL
	SELECT 'index ' || t.name || CASE WHEN i."unique" THEN ' unique' ELSE '' END || ' (' ||
		(SELECT group_concat(x.name, ', ' ORDER BY x.seqno) FROM pragma_index_info(i.name) x) || ')'
	FROM tables t, pragma_index_list(t.name) i
	UNION ALL -- the key of a table with an integer key is no index
	SELECT 'index ' || t.name || ' unique (' || c.name || ')' FROM tables t, pragma_table_info(t.name) c
	WHERE c.pk = 1 AND c.type = 'INTEGER' AND (SELECT MAX(pk) FROM pragma_table_info(t.name)) = 1
	UNION ALL
	SELECT 'reference ' || t.name || '.' || f."from" || ' to ' || f."table" || '.' || f."to" || ' ' || f.on_delete
	FROM tables t, pragma_foreign_key_list(t.name) f
	ORDER BY 1`,
	`'column ' || t.name || '.' || c.name || ' ' || c.type || CASE WHEN c."notnull" OR c.pk > 0 THEN ' NOT NULL' ELSE '' END`)

const postgresSchema = `
	SELECT line FROM (
		SELECT 'column ' || table_name || '.' || column_name || ' ' ||
			CASE data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'boolean' THEN 'INTEGER' WHEN 'text' THEN 'TEXT'
				WHEN 'bytea' THEN 'BLOB' WHEN 'double precision' THEN 'REAL' ELSE data_type END ||
			CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END AS line
		FROM information_schema.columns WHERE table_schema = current_schema()
		UNION ALL
		SELECT 'index ' || c.relname || CASE WHEN i.indisunique THEN ' unique' ELSE '' END || ' (' ||
			(SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY k (attnum, n)
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum) || ')'
		FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		WHERE c.relnamespace = current_schema()::regnamespace
		UNION ALL
		SELECT 'reference ' || c.relname || '.' || a.attname || ' to ' || f.relname || '.' || b.attname || ' ' ||
			CASE r.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'a' THEN 'NO ACTION' ELSE r.confdeltype::text END
		FROM pg_constraint r
		JOIN pg_class c ON c.oid = r.conrelid JOIN pg_class f ON f.oid = r.confrelid
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = r.conkey[1]
		JOIN pg_attribute b ON b.attrelid = f.oid AND b.attnum = r.confkey[1]
		WHERE r.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
	) AS lines ORDER BY line COLLATE "C"`

// Every column that lists search and sort by must sort by bytes: the
// database's own collation may be any language's.
func TestKeyCollation(t *testing.T) {
	t.Parallel()
	url := freshURL(t, "postgres")
	openStore(t, url)
	keys := schemaOf(t, "pgx", url, `SELECT table_name || '.' || column_name || ' ' || COALESCE(collation_name, 'none')
		FROM information_schema.columns WHERE table_schema = current_schema() AND column_name IN ('name_key', 'title_key', 'source_key', 'search_key')`)
	if len(keys) < 8 {
		t.Fatalf("only %d keys", len(keys))
	}
	for _, k := range keys {
		if !strings.HasSuffix(k, " C") {
			t.Errorf("%s, want C", k)
		}
	}
}
