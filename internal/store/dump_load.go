package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/tidemark-metrics/tidemark"
)

// CanLoadDump reports whether the database named by url is one that LoadDump
// takes: PostgreSQL, and none of Tidemark's tables in it.
func CanLoadDump(ctx context.Context, url string) error {
	return inPostgres(ctx, url, func(tx pgx.Tx) error { return refuseFilled(ctx, tx) })
}

// LoadDump puts what DumpTo wrote to dir into the empty PostgreSQL database
// named by url: all of it or, if anything fails, nothing. Before it becomes
// visible last is called, which may fail too.
func LoadDump(ctx context.Context, url, dir string, progress func(done, total int64), last func() error) error {
	d, err := readDump(dir)
	if err != nil {
		return err
	}
	return inPostgres(ctx, url, func(tx pgx.Tx) error {
		if err := refuseFilled(ctx, tx); err != nil {
			return err
		}
		if err := d.load(ctx, tx, dir, progress); err != nil {
			return err
		}
		return last()
	})
}

// inPostgres runs f in a transaction; servers that start meanwhile wait.
func inPostgres(ctx context.Context, url string, f func(tx pgx.Tx) error) error {
	s, err := connect(url)
	if err != nil {
		return err
	}
	defer s.Close()
	if !s.InPostgres() {
		return tidemark.Errorf(tidemark.Unsupported, "a dump of PostgreSQL can be loaded into PostgreSQL only")
	}
	c, err := s.conn(ctx)
	if err != nil {
		return s.translate(err)
	}
	defer c.Close()
	return raw(c, func(pg *pgx.Conn) error {
		return pgx.BeginFunc(ctx, pg, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, s.dialect.lockSchema); err != nil {
				return err
			}
			return f(tx)
		})
	})
}

// refuseFilled refuses a database that has any of our tables.
func refuseFilled(ctx context.Context, tx pgx.Tx) error {
	own, _, err := ownRelations()
	if err != nil {
		return err
	}
	there, err := queryAll[string](ctx, tx, `
		SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1) ORDER BY 1`,
		append(own, "migrations"))
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return tidemark.Errorf(tidemark.Invalid, "the PostgreSQL database that the setting database names is not empty: it has %d of Tidemark's tables (%s ...). "+
			"Restore into an empty one", len(there), there[0])
	}
	return nil
}

// load makes the tables as they were, and fills them.
func (d *dump) load(ctx context.Context, tx pgx.Tx, dir string, progress func(done, total int64)) error {
	if err := d.makeTables(ctx, tx); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	tables, err := tablesToDump(ctx, tx)
	if err != nil {
		return err
	}
	if err := d.checkTables(tables); err != nil {
		return err
	}
	// References go both ways between tables, so that no order would do.
	restoreKeys, err := dropForeignKeys(ctx, tx)
	if err != nil {
		return err
	}
	for i, t := range d.Tables {
		if err := t.load(ctx, tx, dir); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		progress(int64(i+1), int64(len(d.Tables)))
	}
	for _, stmt := range restoreKeys {
		if _, err := tx.Exec(ctx, stmt); err != nil {
			return fmt.Errorf("references between tables: %w", err)
		}
	}
	return d.setSequences(ctx, tx)
}

// makeTables runs the migrations that the dumped database had had: later ones
// are run on what was loaded, by whoever opens it.
func (d *dump) makeTables(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, createMigrations); err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/"+postgresDialect.name+"/*.sql")
	if err != nil {
		return err
	}
	for _, file := range files {
		name := migrationName(file)
		if !slices.Contains(d.Migrations, name) {
			continue
		}
		text, err := migrations.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := tx.Exec(ctx, `INSERT INTO migrations (name) VALUES ($1)`, name); err != nil {
			return err
		}
	}
	return nil
}

// checkTables compares the tables of the dump with those that were made.
func (d *dump) checkTables(made []dumpTable) error {
	var problems []error
	for _, t := range made {
		i := slices.IndexFunc(d.Tables, func(u dumpTable) bool { return u.Name == t.Name })
		switch {
		case i < 0:
			problems = append(problems, fmt.Errorf("the dump lacks table %s", t.Name))
		case !slices.Equal(d.Tables[i].Columns, t.Columns):
			problems = append(problems, fmt.Errorf("table %s has other columns in the dump", t.Name))
		}
	}
	if len(problems) == 0 && len(d.Tables) != len(made) {
		problems = append(problems, fmt.Errorf("the dump has %d tables instead of %d", len(d.Tables), len(made)))
	}
	return errors.Join(problems...)
}

// dropForeignKeys returns the statements that make them again.
func dropForeignKeys(ctx context.Context, tx pgx.Tx) ([]string, error) {
	type key struct{ Table, Name, Definition string }
	own, _, err := ownRelations()
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `
		SELECT t.relname::text, c.conname::text, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
		WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND t.relname = ANY ($1)`, own)
	if err != nil {
		return nil, err
	}
	keys, err := pgx.CollectRows(rows, pgx.RowToStructByPos[key])
	if err != nil {
		return nil, err
	}
	var again []string
	for _, k := range keys {
		alter := "ALTER TABLE " + quoted([]string{k.Table})
		if _, err := tx.Exec(ctx, alter+" DROP CONSTRAINT "+quoted([]string{k.Name})); err != nil {
			return nil, err
		}
		again = append(again, alter+" ADD CONSTRAINT "+quoted([]string{k.Name})+" "+k.Definition)
	}
	return again, nil
}

// load fills a table, instead of what migrations may have put there.
func (t *dumpTable) load(ctx context.Context, tx pgx.Tx, dir string) error {
	f, err := os.Open(t.file(dir))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := tx.Exec(ctx, "DELETE FROM "+quoted([]string{t.Name})); err != nil {
		return err
	}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, f, "COPY "+t.target()+" FROM STDIN")
	if err != nil {
		return err
	}
	if tag.RowsAffected() != t.Rows {
		return fmt.Errorf("has %d rows instead of %d", tag.RowsAffected(), t.Rows)
	}
	_, err = tx.Exec(ctx, "ANALYZE "+quoted([]string{t.Name}))
	return err
}

func (d *dump) setSequences(ctx context.Context, tx pgx.Tx) error {
	made, err := sequencesToDump(ctx, tx)
	if err != nil {
		return err
	}
	for _, q := range made {
		i := slices.IndexFunc(d.Sequences, func(u dumpSequence) bool { return u.Name == q.Name })
		if i < 0 {
			return fmt.Errorf("the dump lacks sequence %s", q.Name)
		}
		_, err := tx.Exec(ctx, `SELECT setval(to_regclass($1), $2, $3)`, quoted([]string{q.Name}), d.Sequences[i].Last, d.Sequences[i].Called)
		if err != nil {
			return fmt.Errorf("sequence %s: %w", q.Name, err)
		}
	}
	return nil
}
