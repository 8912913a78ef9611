package storetest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Tables gives each test a schema whose tables Make has made. To make them is
// most of what a short test costs, so tests inherit those of earlier ones, with
// the rows and numbers that they had when they were new. The zero value with
// its Make set is ready.
type Tables struct {
	Make func(url string) error

	mu    sync.Mutex
	spare []madeSchema
}

// madeSchema is a schema that Make has filled.
type madeSchema struct {
	url   string
	shape string // what columns and indexes there were
	reset string // the statements that bring its rows back
}

// URL returns the URL of a schema that is t's alone until it ends.
func (p *Tables) URL(t testing.TB) string {
	t.Helper()
	if running(t).hold == nil { // schemas do not outlive tests on a server that is not ours
		url := Postgres(t)
		if err := p.Make(url); err != nil {
			t.Fatal(err)
		}
		return url
	}
	made, found := p.inherit()
	if !found {
		made = p.make(t)
	}
	t.Cleanup(func() { p.bequeath(t, made) })
	return made.url
}

func (p *Tables) inherit() (s madeSchema, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.spare)
	if n == 0 {
		return s, false
	}
	s, p.spare = p.spare[n-1], p.spare[:n-1]
	return s, true
}

// bequeath keeps a schema for the next test, unless this one has changed its
// tables, or holds on to them.
func (p *Tables) bequeath(t testing.TB, s madeSchema) {
	err := onSchema(s.url, func(ctx context.Context, conn *pgx.Conn) error {
		shape, err := shapeOf(ctx, conn)
		if err != nil {
			return err
		}
		if shape != s.shape {
			return errors.New("its tables are no longer what they were")
		}
		_, err = conn.Exec(ctx, s.reset)
		return err
	})
	if err != nil {
		t.Logf("the next test gets a new schema: %v", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = append(p.spare, s)
}

func (p *Tables) make(t testing.TB) madeSchema {
	t.Helper()
	s := madeSchema{url: Postgres(t)}
	if err := p.Make(s.url); err != nil {
		t.Fatal(err)
	}
	err := onSchema(s.url, func(ctx context.Context, conn *pgx.Conn) (err error) {
		if s.shape, err = shapeOf(ctx, conn); err == nil {
			s.reset, err = resetOf(ctx, conn)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onSchema runs f on a connection of its own.
func onSchema(url string, f func(ctx context.Context, conn *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return f(ctx, conn)
}

// shapeOf describes the tables of the schema: their columns and indexes.
func shapeOf(ctx context.Context, conn *pgx.Conn) (shape string, err error) {
	err = conn.QueryRow(ctx, `SELECT string_agg(concat_ws(' ', c.relname, a.attname, a.atttypid, a.attnotnull), ',' ORDER BY c.relname, a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i', 'S') AND a.attnum > 0`).Scan(&shape)
	return shape, err
}

// resetOf returns the statements that bring back all rows that tables have now,
// and what their sequences say next. Rows that refer to each other go and come
// in any order: a replica does not ask.
func resetOf(ctx context.Context, conn *pgx.Conn) (string, error) {
	tables, err := texts(ctx, conn, `SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`)
	if err != nil {
		return "", err
	}
	stmts := []string{`SET lock_timeout = '10s'`, `SET session_replication_role = replica`}
	for _, table := range tables {
		stmts = append(stmts, `DELETE FROM `+table)
		rows, err := texts(ctx, conn, `SELECT quote_literal(row_to_json(t)::text) FROM `+table+` t`)
		if err != nil {
			return "", err
		}
		for _, row := range rows {
			stmts = append(stmts, `INSERT INTO `+table+` SELECT * FROM json_populate_record(NULL::`+table+`, `+row+`)`)
		}
	}
	sequences, err := texts(ctx, conn, `SELECT format('SELECT setval(%L, %s, %L)', sequencename, coalesce(last_value, start_value), last_value IS NOT NULL)
		FROM pg_sequences WHERE schemaname = current_schema()`)
	return strings.Join(append(stmts, sequences...), ";\n"), err
}

func texts(ctx context.Context, conn *pgx.Conn, query string) ([]string, error) {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
