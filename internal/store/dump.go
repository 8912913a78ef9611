package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/durable"
)

// DumpFile is the part of a dump that says what the others are.
const DumpFile = "dump.json"

// dump says what the files of a dump hold. The tables themselves are not in
// it: the migrations that it names make them.
type dump struct {
	Migrations []string       `json:"migrations"`
	Tables     []dumpTable    `json:"tables"`
	Sequences  []dumpSequence `json:"sequences"`
}

// dumpTable is a table, which is in a file of its own as COPY writes it.
type dumpTable struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    int64    `json:"rows"`
}

// dumpSequence is where a sequence of numbers stands.
type dumpSequence struct {
	Name   string `json:"name"`
	Last   int64  `json:"last"`
	Called bool   `json:"called"` // whether Last was given out
}

func (t dumpTable) file(dir string) string { return filepath.Join(dir, t.Name+".copy") }

// notDumped are tables of which the rows stay behind: servers that run on the
// one database do not run on its copy.
var notDumped = []string{"nodes"}

// InPostgres reports whether the database is PostgreSQL, which DumpTo is for;
// BackupTo is for SQLite.
func (s *Store) InPostgres() bool { return s.dialect.name == postgresDialect.name }

// DumpTo writes what a PostgreSQL database holds, as of one moment, to files in
// the new directory dir, while others go on reading and writing. It needs no
// program of PostgreSQL. It returns after the files would survive a power
// failure.
func (s *Store) DumpTo(ctx context.Context, dir string, progress func(done, total int64)) error {
	if !s.InPostgres() {
		return tidemark.Errorf(tidemark.Unsupported, "SQLite is copied, not dumped")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	c, err := s.conn(ctx)
	if err != nil {
		return s.translate(err)
	}
	defer c.Close()
	return s.translate(raw(c, func(pg *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, pg, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			return writeDump(ctx, tx, dir, progress)
		})
	}))
}

// raw gives f the connection of PostgreSQL's driver, which alone can COPY.
func raw(c *ownConn, f func(pg *pgx.Conn) error) error {
	return c.Raw(func(driver any) error { return f(driver.(*stdlib.Conn).Conn()) })
}

func writeDump(ctx context.Context, tx pgx.Tx, dir string, progress func(done, total int64)) error {
	// Numbers with fractions are written with all their digits.
	if _, err := tx.Exec(ctx, `SET LOCAL extra_float_digits = 3`); err != nil {
		return err
	}
	var d dump
	var err error
	if d.Migrations, err = queryAll[string](ctx, tx, `SELECT name FROM migrations ORDER BY name COLLATE "C"`); err != nil {
		return err
	}
	if d.Tables, err = tablesToDump(ctx, tx); err != nil {
		return err
	}
	for i := range d.Tables {
		if err := d.Tables[i].write(ctx, tx, dir); err != nil {
			return fmt.Errorf("table %s: %w", d.Tables[i].Name, err)
		}
		progress(int64(i+1), int64(len(d.Tables)))
	}
	// Numbers are given out beyond what the transaction sees, never below.
	if d.Sequences, err = sequencesToDump(ctx, tx); err != nil {
		return err
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(dir, DumpFile), append(text, '\n')); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

// write copies the rows of a table to its file.
func (t *dumpTable) write(ctx context.Context, tx pgx.Tx, dir string) error {
	f, err := os.OpenFile(t.file(dir), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	stmt := "COPY " + t.target() + " TO STDOUT"
	if slices.Contains(notDumped, t.Name) {
		stmt = "COPY (SELECT " + quoted(t.Columns) + " FROM " + quoted([]string{t.Name}) + " WHERE false) TO STDOUT"
	}
	tag, err := tx.Conn().PgConn().CopyTo(ctx, f, stmt)
	if err != nil {
		return err
	}
	t.Rows = tag.RowsAffected()
	return f.Sync()
}

// target is the table with its columns, as COPY names them.
func (t *dumpTable) target() string {
	return quoted([]string{t.Name}) + " (" + quoted(t.Columns) + ")"
}

// quoted are names as SQL has them.
func quoted(names []string) string {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += pgx.Identifier{name}.Sanitize()
	}
	return text
}

// made finds what migrations create: the schema may have tables of others too.
var made = regexp.MustCompile(`(?im)^\s*CREATE (TABLE|SEQUENCE) (?:IF NOT EXISTS )?(\w+)|^\s*ALTER TABLE \w+ RENAME (TO) (\w+)`)

// ownRelations are the tables and the sequences that migrations of PostgreSQL
// ever made, but for the list of migrations itself.
func ownRelations() (tables, sequences []string, err error) {
	files, err := fs.Glob(migrations, "migrations/"+postgresDialect.name+"/*.sql")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		text, err := migrations.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range made.FindAllStringSubmatch(string(text), -1) {
			switch {
			case m[1] == "SEQUENCE":
				sequences = append(sequences, m[2])
			case m[3] != "":
				tables = append(tables, m[4])
			default:
				tables = append(tables, m[2])
			}
		}
	}
	return tables, sequences, nil
}

// tablesToDump returns those of our tables that there are, with their columns.
func tablesToDump(ctx context.Context, tx pgx.Tx) ([]dumpTable, error) {
	own, _, err := ownRelations()
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `
		SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname = ANY ($1)
			AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		GROUP BY c.relname ORDER BY c.relname COLLATE "C"`, own)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t dumpTable, err error) {
		return t, row.Scan(&t.Name, &t.Columns)
	})
}

// sequencesToDump returns where our sequences stand: those with a name of
// their own, and those that number the rows of our tables.
func sequencesToDump(ctx context.Context, tx pgx.Tx) ([]dumpSequence, error) {
	tables, own, err := ownRelations()
	if err != nil {
		return nil, err
	}
	names, err := queryAll[string](ctx, tx, `
		SELECT DISTINCT s.relname::text COLLATE "C" FROM pg_class s
		LEFT JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass
		LEFT JOIN pg_class t ON t.oid = d.refobjid
		WHERE s.relnamespace = current_schema()::regnamespace AND s.relkind = 'S' AND (s.relname = ANY ($1) OR t.relname = ANY ($2))
		ORDER BY 1`, own, tables)
	if err != nil {
		return nil, err
	}
	sequences := make([]dumpSequence, 0, len(names))
	for _, name := range names {
		q := dumpSequence{Name: name}
		if err := tx.QueryRow(ctx, `SELECT last_value, is_called FROM `+quoted([]string{name})).Scan(&q.Last, &q.Called); err != nil {
			return nil, err
		}
		sequences = append(sequences, q)
	}
	return sequences, nil
}

func queryAll[T any](ctx context.Context, tx pgx.Tx, stmt string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, stmt, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// readDump returns what a dump says that it is, after looking whether this
// version could load it.
func readDump(dir string) (*dump, error) {
	text, err := os.ReadFile(filepath.Join(dir, DumpFile))
	if err != nil {
		return nil, err
	}
	var d dump
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", DumpFile, err)
	}
	files, err := fs.Glob(migrations, "migrations/"+postgresDialect.name+"/*.sql")
	if err != nil {
		return nil, err
	}
	if len(d.Migrations) == 0 || len(d.Tables) == 0 {
		return nil, errors.New(DumpFile + " names no migrations or no tables")
	}
	return &d, checkKnown(d.Migrations, files)
}
